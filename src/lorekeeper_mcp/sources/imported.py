"""The common result of all homebrew readers: books of records, and a reason for each item without one.

A reader is a package with one function from bytes to an ``ImportedFile``. It never raises and stores nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lorekeeper_mcp.models import Document, Edition, Kind, Record, Source
from lorekeeper_mcp.sources.features import with_features
from lorekeeper_mcp.sources.official_documents import OFFICIAL_KEYS, own_name
from lorekeeper_mcp.text import fold, slugify

_LONGEST_PART = 80  # bytes of a part of a key; the cache has room for 512 in all


@dataclass(frozen=True)
class ImportedItem:
    """What became of one item. ``path`` is where it stands in the file; without a record ``reason`` says why."""

    section: str
    path: str
    record: Record | None = None
    reason: str = ""


@dataclass(frozen=True)
class ImportedBook:
    """A book: its document and its items. ``sections`` also names empty ones, ``unknown`` those kept as rules."""

    document: Document
    items: tuple[ImportedItem, ...]
    sections: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """The key of the book's document."""
        return self.document.key

    def records(self) -> list[Record]:
        """Every record of the book, its document first, features behind what has them; nothing without items."""
        own = [item.record for item in self.items if item.record is not None]
        return [self.document, *with_features(own)] if own else []


@dataclass(frozen=True)
class ImportedFile:
    """What a file holds, or ``fault``: one sentence why it cannot be read.

    ``invisible`` counts characters that nobody sees and that were removed. ``foreign`` where the file is of no format
    that is known here.
    """

    books: tuple[ImportedBook, ...] = ()
    fault: str = ""
    invisible: int = 0
    foreign: bool = False


def slug(name: str) -> str:
    """A name as part of a key: never empty, without ``_``, at most 80 bytes, of other scripts the letters."""
    folded = fold(name)
    plain = slugify(name).replace("_", "-").strip("-") if folded.isascii() else folded.replace(" ", "-")
    plain = re.sub(r"-+", "-", plain)
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
    if not plain:
        return digest
    return plain if len(plain.encode()) <= _LONGEST_PART else f"{plain[:24]}-{digest}"


def book_key(name: str) -> str:
    """A book's key. Names that differ only in case and punctuation are the same book; official keys are taken."""
    made = slug(name)
    return f"{made}-homebrew" if made in OFFICIAL_KEYS or own_name(name) != name else made


def record_key(book: str, section: str, name: str) -> str:
    """Unique by book, section and item: ``orcbrew_vale-of-ash_spells_spark-lance``. Open5e has no such prefix."""
    return f"orcbrew_{book_key(book)}_{slug(section)}_{slug(name)}"


def document(name: str, editions: Sequence[Edition] = (Edition.E2014,), **fields: str) -> Document:
    """The record of a book itself; ``fields`` are further ones of ``Document``, such as its licence."""
    key = book_key(name)
    return Document.model_validate(
        {
            "kind": Kind.DOCUMENT,
            "key": key,
            "name": own_name(name),
            "document_key": key,
            "document_name": own_name(name),
            "document_source": Source.ORCBREW,
            "documents": (key,),
            "editions": tuple(editions),
            "type": "HOMEBREW",
            **fields,
        }
    )
