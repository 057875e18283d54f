"""Reads homebrew files in a child process with limits of time and memory, so that no file can stop a server.

Both ends exchange pickled messages through the child's standard streams, each preceded by its length. The parent sends
files, and answers the child's questions for originals of copies until the child returns the books.
"""

from __future__ import annotations

import contextlib
import functools
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import IO, cast

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.imported import ImportedFile
from lorekeeper_mcp.sources.originals import Item, Originals

SECONDS = 180.0  # the largest file that is read takes about 60 on a slow machine
_BYTES = 2 * 1024**3  # of address space
_LENGTH = struct.Struct("!Q")
_STOPPED = f"Reading the file takes more than {SECONDS:.0f} seconds or {_BYTES // 1024**3} GB of memory."


@dataclass(frozen=True)
class _Task:
    """A file to read, from the parent; see ``Originals.kept``."""

    data: bytes
    name: str
    folder: str
    kept: Mapping[str, Sequence[Item]]


@dataclass(frozen=True)
class _Find:
    """A question of the child for an original; without a name for the bytes of all further files, one by one."""

    kinds: tuple[Kind, ...] = ()
    name: str = ""
    source: str = ""


@dataclass(frozen=True)
class _Done:
    """The books of the file, from the child."""

    file: ImportedFile
    used: dict[str, list[Item]]
    missing: list[str]


class FileReader:
    """A child process that reads one file at a time, started when it is first needed. Its methods block."""

    def __init__(self, files: Callable[[], Iterable[bytes]] = tuple) -> None:
        """Remember where the originals of 5etools copies may be: ``files`` returns the bytes of further files."""
        self._files = files
        self._child: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> FileReader:
        """Return the reader."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the child process."""
        self.close()

    def close(self) -> None:
        """End the child process, also while it reads."""
        if child := self._child:
            self._child = None
            child.kill()
            child.wait()
            for stream in filter(None, (child.stdin, child.stdout)):
                with contextlib.suppress(OSError):
                    stream.close()

    def read(self, data: bytes, name: str, originals: Originals, folder: str = "") -> ImportedFile:
        """Read a file as ``formats.read`` does; ``originals`` notes what was used and what is missing."""
        with self._lock:
            child = self._child = self._child or _start()
            timer = threading.Timer(SECONDS, child.kill)
            timer.start()
            try:
                return self._exchange(child, _Task(data, name, folder, dict(originals.kept)), originals)
            except (EOFError, OSError, ValueError):  # it was killed, or closed by another thread
                self.close()
                return ImportedFile(fault=_STOPPED)
            finally:
                timer.cancel()

    def _exchange(self, child: subprocess.Popen[bytes], task: _Task, originals: Originals) -> ImportedFile:
        assert child.stdin is not None
        assert child.stdout is not None
        _send(child.stdin, task)
        while True:
            match _receive(child.stdout):
                case _Find(kinds, original, source) if original:
                    _send(child.stdin, originals.record(kinds, original, source))
                case _Find():
                    for further in self._files():
                        _send(child.stdin, further)
                    _send(child.stdin, None)
                case _Done(file, used, missing):
                    originals.used.update(used)
                    originals.missing.extend(missing)
                    return file


def _start() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from lorekeeper_mcp.homebrew.file_reader import main; main()"]
    return subprocess.Popen(  # noqa: S603 - our own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def _send(stream: IO[bytes], message: object) -> None:
    data = pickle.dumps(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> object:
    """Return the next message of the other end. Raises EOFError."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    data = stream.read(*_LENGTH.unpack(head))
    message: object = pickle.loads(data)  # noqa: S301 - written by this module
    return message


def _limit() -> None:
    """Limit the memory and the time of this process, where the system can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))


def main() -> None:
    """Read files until the parent ends. Runs in the child."""
    from lorekeeper_mcp.sources import formats  # noqa: PLC0415 - the parent does not need it

    _limit()
    requests, replies = sys.stdin.buffer, sys.stdout.buffer

    @functools.cache
    def files() -> Sequence[object]:
        _send(replies, _Find())
        return formats.fivetools_files(iter(lambda: cast("bytes", _receive(requests)), None))

    def record(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        if not name:
            return None
        _send(replies, _Find(tuple(kinds), name, source))
        return cast("Record | None", _receive(requests))

    with contextlib.suppress(EOFError, BrokenPipeError):
        while isinstance(task := _receive(requests), _Task):
            originals = Originals(files, record, task.kept)
            try:
                file = formats.read(task.data, task.name, originals, task.folder)
            except MemoryError:
                file = ImportedFile(fault=_STOPPED)
            _send(replies, _Done(file, originals.used, originals.missing))
