"""Process behavior: environment, short log lines on stderr, prompt exit on signals."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

log = logging.getLogger(__name__)
Clock: TypeAlias = "Callable[[], float]"
_MAX_LINE = 500
_MAX_BYTES = 48_000  # a client that never reads stderr blocks the writer at 64 kB
HTTP_LOG_PERIOD = 60.0  # seconds after which a server that is not a client's child may write that much again
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

    It stops after ``_MAX_BYTES``, because a client that never reads stderr would block the writer. After ``period``
    seconds it may write that much again; None means never, for the child of such a client.
    """

    def __init__(self, period: float | None, clock: Clock) -> None:
        super().__init__()
        self._period = period
        self._clock = clock
        self._began = clock()
        self._written = 0
        self._dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line."""
        if self._period is not None and self._clock() - self._began >= self._period:
            self._began, self._written = self._clock(), 0
        text = " ".join(record.getMessage().split())[:_MAX_LINE]
        line = f"{record.levelname.lower()}: {text}\n"
        if self._dropped:
            line = f"warning: {self._dropped} log lines were dropped: too many at once.\n{line}"
        if self._written + len(line) > _MAX_BYTES and not sys.stderr.isatty():
            self._dropped += 1
            return
        self._dropped = 0
        self._written += len(line)
        sys.stderr.write(line)
        sys.stderr.flush()


def configure_logging(
    level: str, verbosity: int = 0, *, period: float | None = None, clock: Clock = time.monotonic
) -> None:
    """Send our log at the given level to stderr, and the warnings of other libraries.

    The number of bytes is limited: in total, or per ``period`` seconds of the ``clock``.
    """
    handler = _ShortLines(period, clock)
    root = logging.getLogger()
    root.handlers[:] = [handler]
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
