"""Process behavior: environment, short log lines on stderr, prompt exit on signals."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import select
import signal
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import asyncio

log = logging.getLogger(__name__)
_MAX_LINE = 500  # characters
_GARBAGE = 20_000, 20, 20  # new objects, and collections of the younger generations, before the older ones are scanned
_NO_PROXY = "no_grpc_proxy"  # gRPC reads this before no_proxy, in lower case only


def configure_environment() -> None:
    """Configure FastMCP, gRPC, numpy and Python's garbage collector.

    Keep FastMCP from reading the ``.env`` of the working directory and from going online, and its key-value store,
    which is not used, from compiling checks of its arguments, a tenth of the time that importing FastMCP takes. Keep
    gRPC from sending the store's local connection through a network proxy, which would make the store look damaged.
    Give numpy's matrix products one thread: a query's are so small that threads cost ten times what they gain while the
    other processors are busy. Run Python's garbage collector less often than after each 700 new objects: opening a
    store creates hundreds of thousands of permanent ones, which it would scan again and again.
    """
    gc.set_threshold(*_GARBAGE)
    hosts = os.environ.get(_NO_PROXY) or os.environ.get("no_proxy") or os.environ.get("NO_PROXY")
    os.environ[_NO_PROXY] = f"{hosts},127.0.0.1,localhost" if hosts else "127.0.0.1,localhost"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ["FASTMCP_ENV_FILE"] = os.devnull
    for name in [name for name in os.environ if name.startswith("FASTMCP_") and name != "FASTMCP_ENV_FILE"]:
        del os.environ[name]
    os.environ["FASTMCP_CHECK_FOR_UPDATES"] = "off"
    os.environ["FASTMCP_SHOW_SERVER_BANNER"] = "false"
    os.environ["FASTMCP_LOG_ENABLED"] = "false"
    os.environ["PY_KEY_VALUE_DISABLE_BEARTYPE"] = "true"


class _ShortLines(logging.Handler):
    """Writes one truncated line per record, without tracebacks.

    Lines are dropped while nobody reads stderr: a client that never does would block the writer at 64 kB.
    """

    _dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line."""
        if not _is_writable(sys.stderr):
            self._dropped += 1
            return
        if self._dropped:
            sys.stderr.write(f"warning: {self._dropped} log lines were dropped, as nobody read them.\n")
            self._dropped = 0
        text = " ".join(record.getMessage().split())[:_MAX_LINE]
        sys.stderr.write(f"{record.levelname.lower()}: {text}\n")
        sys.stderr.flush()


def _is_writable(stream: TextIO) -> bool:
    """Whether a line can be written without waiting for a reader; always where the system cannot say."""
    with contextlib.suppress(OSError, ValueError):
        return bool(select.select([], [stream], [], 0)[1])
    return True


def configure_logging(level: str, verbosity: int = 0) -> None:
    """Send our log at the given level to stderr, and the errors of other libraries."""
    root = logging.getLogger()
    root.handlers[:] = [_ShortLines()]
    root.setLevel(logging.ERROR)
    logging.getLogger("lorekeeper_mcp").setLevel({0: level, 1: "INFO"}.get(verbosity, "DEBUG"))
    for name in ("fastmcp", "FastMCP", "mcp", "httpx", "pymilvus", "milvus_lite"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def log_failure(task: asyncio.Task[object]) -> None:
    """Log why a background task failed: its owner may await it only at exit."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("%s failed: %s: %s", task.get_name(), type(error).__name__, str(error)[:300])


def exit_on_sigint() -> None:
    """Exit at once on SIGINT; otherwise the reader of stdin blocks until the client closes it."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))


def end_with_the_reader() -> None:
    """End silently when the reader of stdout is gone, as with ``| head``.

    For the end of a command: the system's handler of SIGPIPE would also react to each socket that is closed.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
