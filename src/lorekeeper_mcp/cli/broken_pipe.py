"""Output into a pipe whose reader has gone, as with ``| head``."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def exit_on_broken_pipe() -> Iterator[None]:
    """End as Unix commands do once nobody reads any more: killed by SIGPIPE, saying nothing.

    The signal cannot be left to do it alone: it would come for every closed socket too.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes again at its end
        if hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGPIPE)
        raise SystemExit(1) from None
