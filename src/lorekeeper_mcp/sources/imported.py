"""The common result of all homebrew readers: books of records, and a reason for each item without one.

A reader is a package with one function from bytes to an ``ImportedFile``. It never raises and stores nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pydantic import ValidationError

from lorekeeper_mcp.models import Document, Edition, Kind, Record, Source
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.features import with_features
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.official_documents import OFFICIAL_KEYS, own_name
from lorekeeper_mcp.text import fold, slugify

MAX_FILE = 24 * 1024 * 1024  # bytes, of which a server needs eight times as much; the largest library has about 4 MB
MAX_ITEMS = 50_000  # of a file, a minute's reading; the largest known library has about 8,000
TOO_MANY = f"The file has more than {MAX_ITEMS:,} items; no homebrew is that large."
_MAX_PART = 80  # bytes of a part of a key; the cache allows 512 in all
_MAX_NAME = 300  # characters


class ItemError(ValueError):
    """The item yields no record; the message is the reason, without the path."""


@dataclass(frozen=True)
class ImportedItem:
    """The outcome of one item. ``path`` is its place in the file; ``reason`` explains a missing record."""

    section: str
    path: str
    record: Record | None = None
    reason: str = ""


@dataclass(frozen=True)
class ImportedBook:
    """A book: its document and its items. ``sections`` also names empty ones, ``unknown`` those kept as rules.

    ``file`` is the name of the file.
    """

    document: Document
    items: tuple[ImportedItem, ...]
    sections: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()
    file: str = ""

    @property
    def key(self) -> str:
        """The key of the book's document."""
        return self.document.key

    def records(self) -> list[Record]:
        """Return every record of the book, its document first, features after their parents; nothing without items.

        Each names the file and the book's author, whom answers credit.
        """
        records = with_features([item.record for item in self.items if item.record is not None])
        author = self.document.publisher or self.document.author
        credits_ = {"file": self.file} | ({"publisher": author} if author else {})
        book = self.document.model_copy(update={"file": self.file})
        return [book, *(record.model_copy(update=credits_) for record in records)] if records else []


@dataclass(frozen=True)
class ImportedFile:
    """The content of a file, or ``fault``: one sentence on why it cannot be read.

    ``invisible`` counts the invisible characters that were removed. ``foreign`` means that the file's format is not
    known. ``name`` is the name of the folder, if its book has that instead of the file's. ``addressed`` names books and
    items whose text addresses an assistant.
    """

    books: tuple[ImportedBook, ...] = ()
    fault: str = ""
    invisible: int = 0
    foreign: bool = False
    name: str = ""
    addressed: tuple[str, ...] = ()


@lru_cache(maxsize=10_000)  # called for the book, section and kind of each item
def slug(name: str) -> str:
    """Return a name as part of a key: never empty, without ``_``, at most 80 bytes; other scripts are kept."""
    folded = fold(name)
    plain = slugify(name).replace("_", "-").strip("-") if folded.isascii() else folded.replace(" ", "-")
    plain = re.sub(r"-+", "-", plain)
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
    if not plain:
        return digest
    return plain if len(plain.encode()) <= _MAX_PART else f"{plain[:24]}-{digest}"


@lru_cache(maxsize=1000)
def book_key(name: str) -> str:
    """Return a book's key, the same for names that differ only in case and punctuation; official keys are reserved."""
    key = slug(name)
    return f"{key}-homebrew" if key in OFFICIAL_KEYS or own_name(name) != name else key


def record_key(book: str, section: str, name: str) -> str:
    """Return a key by book, section and item: ``orcbrew_vale-of-ash_spells_spark-lance``. Open5e has no such prefix."""
    return f"orcbrew_{book_key(book)}_{slug(section)}_{slug(name)}"


def parent_key(name: str, own: Mapping[str, str], of_srd: Collection[str]) -> str:
    """Return the key of a class or a race: one of the same book, one of the SRD, or a bare name.

    ``own`` maps the slugs of the book's own names to keys; ``of_srd`` are slugs.
    """
    key = slug(name)
    return own.get(key) or (f"srd_{key}" if key in of_srd else key)


def common_fields(
    book: str, kind: Kind, key: str, name: str, text: str = "", editions: Sequence[Edition] = (Edition.E2014,)
) -> CommonFields:
    """Return the fields that every record of a book has. Raises ItemError if there is no name.

    A name too long for a list is cut off, and printed in full before the text.
    """
    plain = " ".join(name.split())
    if not plain:
        raise ItemError("it has no name")
    if len(plain) > _MAX_NAME:
        text = f"{plain}\n\n{text}".strip()
        plain = f"{plain[: _MAX_NAME - 1]}…"
    document_key = book_key(book)
    return {
        "kind": kind,
        "key": key,
        "name": plain,
        "document_key": document_key,
        "document_name": own_name(" ".join(book.split())),
        "document_source": Source.HOMEBREW,
        "documents": (document_key,),
        "editions": tuple(editions),
        "text": text,
    }


def document(name: str, editions: Sequence[Edition] = (Edition.E2014,), **fields: str) -> Document:
    """Return the record of the book itself; ``fields`` are further fields of ``Document``, such as its licence."""
    head = common_fields(name, Kind.DOCUMENT, book_key(name), own_name(name), editions=editions)
    return Document.model_validate({**head, "type": "HOMEBREW", **fields})


class BookBuilder:
    """Collects the items of books, each under a unique key.

    ``invisible`` counts the invisible characters that only appear once HTML or JSON within a text is decoded.
    """

    def __init__(self) -> None:
        self.invisible = 0
        self._items: dict[str, list[ImportedItem]] = {}
        self._names: dict[str, str] = {}
        self._licenses: dict[str, dict[str, None]] = {}
        self._editions: dict[str, dict[Edition, None]] = {}
        self._taken: set[str] = set()

    def adapt(
        self,
        book: str,
        section: str,
        path: str,
        make: Callable[[], Record],
        edition: Edition = Edition.E2014,
        license_: str = "",
    ) -> bool:
        """Add the record that a function makes of an item, or note why there is none; return whether there is one."""
        try:
            self._add(book, section, make(), edition, license_)
        except ItemError as error:
            reason = str(error)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            reason = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            reason = f"its fields do not fit the format ({type(error).__name__})"
        else:
            return True
        self.skip(book, section, path, reason)
        return False

    def skip(self, book: str, section: str, path: str, reason: str) -> None:
        """Note an item that yields no record."""
        self._put(book, ImportedItem(section, place(book, section, path), reason=reason))

    def books(
        self, document_of: Callable[[str, str], Document] | None = None, known: Collection[str] | None = None
    ) -> tuple[ImportedBook, ...]:
        """Return every book with its items.

        ``document_of`` returns the record of a book by its key and name; ``known`` has the sections of the format.
        """
        books = []
        for key, name in self._names.items():
            items = tuple(self._items[key])
            sections = tuple(dict.fromkeys(item.section for item in items))
            unknown = frozenset(sections).difference(sections if known is None else known)
            editions = tuple(self._editions.get(key, (Edition.E2014,)))
            licenses = ", ".join(self._licenses.get(key, ()))
            about = document_of(key, name) if document_of else document(name, editions, license=licenses)
            books.append(ImportedBook(about, items, sections, unknown))
        return tuple(books)

    def _add(self, book: str, section: str, record: Record, edition: Edition, license_: str) -> None:
        """Add a record to a book, with a suffix on its key if that is taken."""
        clean, count = visible(record.model_dump(mode="python"))
        self.invisible += count
        record = type(record).model_validate(clean) if count else record
        if edition is not Edition.E2014:
            record = record.model_copy(update={"editions": (edition,)})
        self._editions.setdefault(record.document_key, {})[edition] = None
        if license_:
            self._licenses.setdefault(record.document_key, {})[str(visible(license_)[0])] = None
        if (key := record.key) in self._taken:  # an item of the same name, perhaps an equal one
            digest = hashlib.blake2b(record.model_dump_json().encode("utf-8", "replace"), digest_size=4).hexdigest()
            key = f"{key}-{digest}"
            record = record.model_copy(update={"key": f"{key}-{len(self._taken)}" if key in self._taken else key})
        self._taken.add(record.key)
        self._put(book, ImportedItem(section, place(book, section, record.name), record))

    def _put(self, book: str, item: ImportedItem) -> None:
        name = str(visible(book)[0])
        key = book_key(name)
        self._names.setdefault(key, name)
        self._items.setdefault(key, []).append(item)


def place(book: str, *steps: str) -> str:
    """Return the place of an item in the words of a notice: its book, its section, its name."""
    return " › ".join(filter(None, (own_name(book), *steps)))
