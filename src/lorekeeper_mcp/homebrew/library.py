"""The library: every imported file in its original form, in a folder next to the cache. The store follows it.

Each import has two files: the bytes, and a card (JSON) that names its books. Both are written atomically, the card
last, so that its rename commits the import. A book is merged from all files that have it. If two items have one key,
the newer file's item wins. Of several files from one path, only the newest that has a book counts for that book.

Only a command deletes a file: one whose books newer imports have replaced, or were removed. A card that is lost or
damaged is made again from the file (``homebrew/reconciler.py``); until then its file is an orphan.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import re
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from lorekeeper_mcp.settings import Settings, default_db_path

log = logging.getLogger(__name__)
_ID_FILE = "shelf.id"  # existing libraries have this name
_REMOVED_FILE = "removed"  # the keys of books that a command removed, a line each
_SETTLED_AFTER = 60.0  # seconds, after which a file without a card is no import that is still running
_VERSION_MARK = re.compile(r"\.[0-9a-f]{8}$")


class StoredFile(BaseModel):
    """An imported file as its card describes it. ``books`` are keys, ``at`` nanoseconds since 1970."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(exclude=True)  # of the file in the library, see ``file_id``
    name: str  # of the file without its extension, used as the book of a file that names none
    path: str = ""  # its origin; empty for standard input
    sha256: str
    books: tuple[str, ...]
    at: int
    originals: dict[str, list[dict[str, object]]] = {}  # stored records that items of the file copy, by section

    @classmethod
    def of(cls, data: bytes, name: str, books: Iterable[str], at: int, path: str = "") -> StoredFile:
        """Return the card of a file with these bytes and this name."""
        digest = hashlib.sha256(data).hexdigest()
        return cls(id=file_id(data, name), name=name, path=path, sha256=digest, books=tuple(books), at=at)

    @property
    def origin(self) -> str:
        """What tells this file from others that have the same books."""
        return self.path or self.id

    def without(self, book: str) -> StoredFile:
        """Return the card without a book that another file replaces, or that is removed."""
        return self.model_copy(update={"books": tuple(key for key in self.books if key != book)})


class HomebrewLibrary:
    """A folder of stored files. Several processes may use it at once. The folder need not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of(cls, settings: Settings) -> HomebrewLibrary:
        """Return the library of the cache in the settings; each of several caches in a folder has its own.

        The caches of several versions of the program, which differ in a mark in their names, share one.
        """
        path = settings.milvus_db_path
        path = path.with_stem(_VERSION_MARK.sub("", path.stem))
        is_default = path.name == default_db_path().name
        return cls(path.parent / "homebrew" if is_default else path.with_suffix(".homebrew"))

    @property
    def id(self) -> str:
        """The identity of this library among those on the same Milvus server; "" before the first import."""
        return self._text(_ID_FILE).strip()

    @property
    def removed(self) -> set[str]:
        """The keys of the books that a command removed, and that were not imported again."""
        return set(self._text(_REMOVED_FILE).splitlines())

    def files(self) -> list[StoredFile]:
        """Return every stored file, oldest first. An unreadable card is logged."""
        files = []
        for card in sorted(self.folder.glob("*.json")):
            try:
                files.append(StoredFile.model_validate(json.loads(card.read_bytes()) | {"id": card.stem}))
            except FileNotFoundError:
                continue  # another process has just removed it
            except (OSError, ValueError, TypeError) as error:
                log.warning("The card %s of imported homebrew cannot be read: %s", card, str(error)[:100])
        return sorted(files, key=lambda file: (file.at, file.id))

    def current(self) -> dict[str, tuple[StoredFile, ...]]:
        """Return the files that each book is merged from, by its key, oldest first."""
        return current_files(self.files())

    def orphans(self) -> list[Path]:
        """Return the stored files without a card that can be read, except those of an import that is still running."""
        known = {stored.id for stored in self.files()}
        orphans = []
        for file in sorted(self.folder.glob("*.orcbrew")):
            with contextlib.suppress(OSError):
                is_settled = self._card(file.stem).exists() or time.time() - file.stat().st_mtime > _SETTLED_AFTER
                if file.stem not in known and file.is_file() and is_settled:
                    orphans.append(file)
        return orphans

    def faults(self, books: Iterable[str] = ()) -> dict[str, str]:
        """Return why stored files cannot be read, by book, or by file if its books are not known. Blocks: reads all.

        ``books`` are the keys of the imported books in the store.
        """
        current = self.current()
        faults = {book: "its file is missing from the library" for book in books if book not in current}
        faults |= {f"file {orphan.stem[:8]}": "its card is missing or damaged" for orphan in self.orphans()}
        for stored in self.files():
            try:
                self.read(stored)
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else "it is not the file that was imported"
                faults |= dict.fromkeys(stored.books, f"{self._source(stored.id)}: {reason}")
        return faults

    def read(self, stored: StoredFile) -> bytes:
        """Return the original bytes. Raises OSError, and ValueError if they have been damaged."""
        data = self._source(stored.id).read_bytes()
        if hashlib.sha256(data).hexdigest() != stored.sha256:
            raise ValueError(f"{self._source(stored.id)} is not the file that was imported")
        return data

    def every_file(self) -> Iterator[bytes]:
        """Yield the bytes of every stored file that can be read."""
        for stored in self.files():
            with contextlib.suppress(OSError, ValueError):
                yield self.read(stored)

    def write(self, stored: StoredFile, data: bytes | None = None) -> None:
        """Write the card of a file, after its bytes if it is new; no crash loses it then. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not self.id:
            self._write(self.folder / _ID_FILE, uuid.uuid4().hex.encode())
        if data is not None:
            self._write(self._source(stored.id), data)
        self._write(self._card(stored.id), stored.model_dump_json(indent=1).encode())
        if data is not None:
            self._note_removed(self.removed - set(stored.books))

    def remove(self, book: str) -> None:
        """Remove a book from every stored file, oldest first; no older version appears. Raises OSError."""
        if files := [stored for stored in self.files() if book in stored.books]:
            self._note_removed(self.removed | {book})
            for stored in files:
                self.write(stored.without(book))
            self.prune()

    def prune(self) -> None:
        """Delete files whose books were all removed, or replaced by newer files. Others stay, whatever their state."""
        files = self.files()
        needed = {stored.id for of_book in current_files(files).values() for stored in of_book}
        for stored in files:
            if stored.id not in needed:
                for file in (self._card(stored.id), self._source(stored.id)):
                    if not file.is_dir():
                        file.unlink(missing_ok=True)

    def _note_removed(self, books: set[str]) -> None:
        if books != self.removed:
            self._write(self.folder / _REMOVED_FILE, "\n".join(sorted(books)).encode())

    def _source(self, id_: str) -> Path:
        return self.folder / f"{id_}.orcbrew"

    def _card(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    def _text(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def _write(self, file: Path, data: bytes) -> None:
        """Replace a file so that a power failure leaves either the old or the new one."""
        if file.is_dir():
            file.rename(file.with_suffix(".damaged"))
        draft = file.with_name(f".{file.name}.{os.getpid()}.{uuid.uuid4().hex[:8]}")
        try:
            with draft.open("xb") as opened:
                opened.write(data)
                opened.flush()
                os.fsync(opened.fileno())
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
        if os.name == "posix":  # Windows cannot open folders, and needs no such sync
            handle = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def file_id(data: bytes, name: str) -> str:
    """Return the id of a stored file with these bytes and this name."""
    digest = hashlib.sha256(data).hexdigest()
    return hashlib.sha256(f"{digest} {name}".encode("utf-8", "replace")).hexdigest()[:32]


def current_files(files: Iterable[StoredFile]) -> dict[str, tuple[StoredFile, ...]]:
    """Return those of the files, which are sorted by age, that each book is merged from, by its key, oldest first."""
    newest: dict[str, dict[str, StoredFile]] = {}  # by book and origin
    for stored in files:
        for book in stored.books:
            of_book = newest.setdefault(book, {})
            of_book.pop(stored.origin, None)  # so that the newest comes last
            of_book[stored.origin] = stored
    return {book: tuple(of_book.values()) for book, of_book in newest.items()}
