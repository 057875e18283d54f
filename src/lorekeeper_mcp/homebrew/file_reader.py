"""Reads homebrew files in a child process with limits of time and memory, so that no file can stop a server.

Both ends exchange pickled tuples through the child's standard streams. The parent sends files, and answers the child's
questions for originals of copies until the child returns the books.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import IO, Any

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.imported import ImportedBook, ImportedFile, ImportedItem
from lorekeeper_mcp.sources.invisible import lookalike
from lorekeeper_mcp.sources.originals import Originals
from lorekeeper_mcp.store.rows import RecordTooLargeError, encode_payload

SECONDS = 180.0  # the largest file that is read takes about 60 on a slow machine
_BYTES = 2 * 1024**3  # of address space
_MAX_TEXT = 1_000_000  # characters; the longest chapter of a known adventure has about 130,000
_TOO_LARGE = "it is too large to be stored (over a million characters, or about 45 kB even compressed)"
# Texts that address an assistant instead of players, and words without which none does: testing for these first takes
# a twentieth of the time.
_WORDS = re.compile(
    r"instruction|prompt|guideline|previous message|call|invoke| tool| function|system|assistant|developer|<|"
    r"language model|ai |chat|llm|the user|your rules"
)
_ADDRESSES = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:instructions?|prompts?|guidelines|previous messages?)\b"
    r"|\byou (?:must|should|have to|need to) (?:now |always |first )?(?:call|invoke)\b"
    r"|\b(?:call|invoke|use|run) (?:the )?[`\"']?\w{1,40}[`\"']? (?:tool|function)\b"
    r"|^[\s>*_#-]{0,8}(?:system|assistant|developer)\s*(?:prompt|message)?\s*[:>]"
    r"|</?\s*(?:system|assistant|instructions?|tool_call|function_calls?|antml)\b"
    r"|\b(?:language model|ai (?:assistant|model|agent)|chat\s?bot|llm|chatgpt|system prompt)\b"
    r"|\b(?:do not|don't|never) (?:tell|inform|warn|mention (?:this|it) to) the user\b"
    r"|\b(?:reveal|print|repeat) your (?:instructions|prompt|rules)\b",
    re.MULTILINE,
)
_STOPPED = f"Reading the file takes more than {SECONDS:.0f} seconds or {_BYTES // 1024**3} GB of memory."


class FileReader:
    """A child process that reads one file at a time, started when it is first needed. Its methods block."""

    def __init__(self, files: Callable[[], Iterable[bytes]] = tuple) -> None:
        """Remember where the originals of 5etools copies may be: ``files`` returns the bytes of further files."""
        self._files = files
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> FileReader:
        """Return the reader."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the child process, also while it reads."""
        if child := self._child:
            self._child = None
            child.kill()
            child.wait()
            for stream in filter(None, (child.stdin, child.stdout)):
                with contextlib.suppress(OSError):
                    stream.close()

    def read(self, data: bytes, name: str, originals: Originals, folder: str = "") -> ImportedFile:
        """Read a file as ``read_checked`` does; ``originals`` notes what was used and what is missing."""
        child = self._child = self._child or subprocess.Popen(
            [sys.executable, "-c", "from lorekeeper_mcp.homebrew.file_reader import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        timer = threading.Timer(SECONDS, child.kill)
        timer.start()
        try:
            _send(child.stdin, (data, name, folder, dict(originals.kept)))
            while True:
                match _receive(child.stdout):
                    case ["record", kinds, original, source]:
                        _send(child.stdin, originals.record(kinds, original, source))
                    case ["files"]:
                        for further in itertools.chain(self._files(), [None]):
                            _send(child.stdin, further)
                    case [file, used, missing]:
                        originals.used.update(used)
                        originals.missing.extend(missing)
                        assert isinstance(file, ImportedFile)
                        return file
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):  # it was killed, or closed
            self.__exit__()
            return ImportedFile(fault=_STOPPED)
        finally:
            timer.cancel()


def read_checked(data: bytes, name: str, originals: Originals, folder: str = "") -> ImportedFile:
    """Read a file in this process, without what the store cannot hold, and name what addresses an assistant."""
    from lorekeeper_mcp.sources import formats  # noqa: PLC0415 - opening a store without homebrew needs no reader

    file = formats.read(data, name, originals, folder)
    books = tuple(replace(book, items=tuple(_storable_items(book))) for book in file.books)
    addressed: list[str] = []
    for book in books:
        addressed += [book.document.name] if addresses_assistant(book.document) else []
        addressed += [item.path for item in book.items if item.record and addresses_assistant(item.record)]
    return replace(file, books=books, addressed=tuple(addressed))


def _storable_items(book: ImportedBook) -> Iterator[ImportedItem]:
    has_room = _fits(book.document)
    for item in book.items:
        if item.record is None or (has_room and _fits(item.record)):
            yield item
        else:
            yield replace(item, record=None, reason=_TOO_LARGE)


def addresses_assistant(record: Record) -> bool:
    """Whether a text of the record looks like an instruction to an assistant."""
    fields = record.model_dump(exclude_defaults=True, exclude={"document_name"})  # reported for the book
    text = lookalike("\n".join(_texts(fields))).lower()
    return bool(_WORDS.search(text) and _ADDRESSES.search(text))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for inner in values for text in _texts(inner)]


def _fits(record: Record) -> bool:
    """Whether the record fits in a row of the cache; a text of one word a million times would, and in no memory."""
    try:
        return len(record.text) <= _MAX_TEXT and bool(encode_payload(record))
    except RecordTooLargeError:
        return False


def _send(stream: IO[bytes], message: object) -> None:
    pickle.dump(message, stream)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:  # whatever the other process sent, as pickle has no types
    return pickle.load(stream)  # noqa: S301 - written by this module


def main() -> None:
    """Read files until the parent ends. Runs in the child."""
    from lorekeeper_mcp.sources import formats  # noqa: PLC0415 - opening a store without homebrew needs no reader

    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    requests, replies = sys.stdin.buffer, sys.stdout.buffer

    @functools.cache
    def files() -> list[object]:
        _send(replies, ("files",))
        return formats.fivetools_files(iter(lambda: _receive(requests), None))

    def record(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        _send(replies, ("record", tuple(kinds), name, source))
        found: Record | None = _receive(requests)
        return found

    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            data, name, folder, kept = _receive(requests)
            originals = Originals(files, record, kept)
            try:
                file = read_checked(data, name, originals, folder)
            except MemoryError:
                file = ImportedFile(fault=_STOPPED)
            _send(replies, (file, originals.used, originals.missing))
