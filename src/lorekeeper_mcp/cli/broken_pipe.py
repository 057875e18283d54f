"""Handles output into a pipe that its reader has closed, as with ``| head``."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def exit_on_broken_pipe() -> Iterator[None]:
    """Exit silently by SIGPIPE when the reader is gone, as Unix commands do.

    The default signal handler cannot do it: it would also fire for every closed socket.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes again at exit
        if hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGPIPE)
        raise SystemExit(1) from None
