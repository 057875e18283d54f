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
import logging
import os
import re
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, ValidationError

from lorekeeper_mcp.settings import Settings, default_db_path

log = logging.getLogger(__name__)
_ID_FILE = "shelf.id"  # existing libraries have this name; without it their books are not imported into a new store
_REMOVED_FILE = "removed"  # the keys of books that a command removed, a line each
_SETTLED_AFTER = 60.0  # seconds, after which a file without a card is no import that is still running
_VERSION_MARK = re.compile(r"\.[0-9a-f]{8}$")


class ImportRecord(BaseModel):
    """The card of a stored file. ``books`` are keys, ``at`` nanoseconds since 1970."""

    model_config = ConfigDict(frozen=True)

    name: str  # of the file without its extension, used as the book of a file that names none
    path: str = ""  # its origin; empty for standard input
    sha256: str
    books: tuple[str, ...]
    at: int
    originals: dict[str, list[dict[str, object]]] = {}  # stored records that items of the file copy


@dataclass(frozen=True)
class StoredFile:
    """A stored file. ``id`` is derived from its bytes and its name."""

    id: str
    card: ImportRecord


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
        try:
            return (self.folder / _ID_FILE).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def add(
        self,
        data: bytes,
        name: str,
        books: Sequence[str],
        path: str = "",
        originals: Mapping[str, Sequence[Mapping[str, object]]] = MappingProxyType({}),
    ) -> StoredFile:
        """Store a file's bytes with the keys of its books. Once this returns, no crash loses them. Raises OSError.

        ``originals`` are the stored records that items of the file copy, by section.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not self.id:
            self._write(self.folder / _ID_FILE, uuid.uuid4().hex.encode())
        digest = hashlib.sha256(data).hexdigest()
        newest = max((stored.card.at for stored in self.stored_files()), default=0)
        card = ImportRecord(
            name=name,
            path=path,
            sha256=digest,
            books=tuple(books),
            at=max(time.time_ns(), newest + 1),
            originals={section: list(map(dict, items)) for section, items in originals.items()},
        )
        stored = StoredFile(file_id(data, name), card)
        self._write(self._source(stored.id), data)
        self._write_card(stored)
        self._note_removed(self.removed - set(books))
        return stored

    def stored_files(self) -> list[StoredFile]:
        """Return every stored file, oldest first. An unreadable card is logged."""
        stored_files = []
        for file in sorted(self.folder.glob("*.json")):
            try:
                stored_files.append(StoredFile(file.stem, ImportRecord.model_validate_json(file.read_bytes())))
            except FileNotFoundError:
                continue  # another process has just removed it
            except (OSError, ValidationError) as error:
                log.warning("The card %s of imported homebrew cannot be read: %s", file, str(error)[:100])
        return sorted(stored_files, key=_age)

    def orphans(self) -> list[str]:
        """Return the ids of the stored files without a card that can be read."""
        known = {stored.id for stored in self.stored_files()}
        orphans = []
        for file in self.folder.glob("*.orcbrew"):
            with contextlib.suppress(OSError):
                is_settled = self._card(file.stem).exists() or time.time() - file.stat().st_mtime > _SETTLED_AFTER
                if file.stem not in known and file.is_file() and is_settled:
                    orphans.append(file.stem)
        return sorted(orphans)

    def read_orphan(self, id_: str) -> bytes:
        """Return the bytes of a file without a card. Raises OSError."""
        return self._source(id_).read_bytes()

    def adopt(self, id_: str, data: bytes, name: str, books: Sequence[str]) -> None:
        """Write the card of an orphan again, as old as its file. Raises OSError."""
        digest, at = hashlib.sha256(data).hexdigest(), self._source(id_).stat().st_mtime_ns
        if (card := self._card(id_)).is_dir():
            card.rename(card.with_suffix(".damaged"))
        self._write_card(StoredFile(id_, ImportRecord(name=name, sha256=digest, books=tuple(books), at=at)))

    def restore_id(self, id_: str) -> None:
        """Write a lost or damaged identity again. Raises OSError."""
        file = self.folder / _ID_FILE
        if file.is_dir():
            file.rename(file.with_suffix(".damaged"))
        self._write(file, (id_ or uuid.uuid4().hex).encode())

    @property
    def removed(self) -> set[str]:
        """The keys of the books that a command removed, and that were not imported again."""
        try:
            return set((self.folder / _REMOVED_FILE).read_text(encoding="utf-8").splitlines())
        except (OSError, UnicodeDecodeError):
            return set()

    def _note_removed(self, books: set[str]) -> None:
        if books != self.removed:
            self._write(self.folder / _REMOVED_FILE, "\n".join(sorted(books)).encode())

    def faults(self) -> dict[str, str]:
        """Return why stored files cannot be read, by book, or by file if its books are not known. Blocks: reads all."""
        faults = {f"file {id_[:8]}": "its card is missing or damaged" for id_ in self.orphans()}
        for stored in self.stored_files():
            try:
                self.read(stored)
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else "it is not the file that was imported"
                faults |= dict.fromkeys(stored.card.books, f"{self._source(stored.id)}: {reason}")
        return faults

    def current(self) -> dict[str, tuple[StoredFile, ...]]:
        """Return the files that each book is merged from, by its key, oldest first."""
        return _current(self.stored_files())

    def read(self, stored: StoredFile) -> bytes:
        """Return the original bytes. Raises OSError, and ValueError if they have been damaged."""
        data = self._source(stored.id).read_bytes()
        if hashlib.sha256(data).hexdigest() != stored.card.sha256:
            raise ValueError(f"{self._source(stored.id)} is not the file that was imported")
        return data

    def every_file(self) -> Iterator[bytes]:
        """Yield the bytes of every stored file that can be read."""
        for stored in self.stored_files():
            with contextlib.suppress(OSError, ValueError):
                yield self.read(stored)

    def remove(self, book: str) -> bool:
        """Remove a book from every stored file, oldest first; no older version appears. Return whether it existed."""
        with_book = [stored for stored in self.stored_files() if book in stored.card.books]
        if with_book:
            self._note_removed(self.removed | {book})
        for stored in with_book:
            self.release(stored.id, book)
        self.prune()
        return bool(with_book)

    def release(self, id_: str, book: str) -> None:
        """Take a book away from a stored file, since another file replaces it. Raises OSError."""
        for stored in self.stored_files():
            if stored.id == id_:
                other_books = tuple(key for key in stored.card.books if key != book)
                self._write_card(StoredFile(id_, stored.card.model_copy(update={"books": other_books})))

    def prune(self) -> None:
        """Delete files whose books were all removed, or replaced by newer files. Others stay, whatever their state."""
        stored_files = self.stored_files()
        needed = {stored.id for files in _current(stored_files).values() for stored in files}
        for stored in stored_files:
            if stored.id not in needed:
                for file in (self._card(stored.id), self._source(stored.id)):
                    if not file.is_dir():
                        file.unlink(missing_ok=True)

    def _source(self, id_: str) -> Path:
        return self.folder / f"{id_}.orcbrew"

    def _card(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    def _write_card(self, stored: StoredFile) -> None:
        self._write(self._card(stored.id), stored.card.model_dump_json(indent=1).encode())

    def _write(self, file: Path, data: bytes) -> None:
        """Replace a file so that a power failure leaves either the old or the new one."""
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


def _age(stored: StoredFile) -> tuple[int, str]:
    return stored.card.at, stored.id


def _current(stored_files: Iterable[StoredFile]) -> dict[str, tuple[StoredFile, ...]]:
    newest: dict[str, dict[str, StoredFile]] = {}  # by book and path
    for stored in stored_files:
        for book in stored.card.books:
            newest.setdefault(book, {})[stored.card.path or stored.id] = stored
    return {book: tuple(sorted(files.values(), key=_age)) for book, files in newest.items()}
