"""What every homebrew record has in common: its book as document, its key, its edition."""

from __future__ import annotations

import hashlib
import re
from typing import TypedDict

from lorekeeper_mcp.models import Document, Edition, Kind, Source
from lorekeeper_mcp.sources.orcbrew.book_file import Item
from lorekeeper_mcp.sources.orcbrew.fields import Fields
from lorekeeper_mcp.sources.orcbrew.text import titled
from lorekeeper_mcp.text import fold, slugify

_LONGEST = 80  # characters of a part of a key; the cache has room for 512 bytes in all
_LONGEST_NAME = 300
# fmt: off
# Keys of Open5e's documents and old spellings of them: a book that is called so gets a key of its own.
_TAKEN = frozenset({
    "a5e", "a5e-ag", "a5e-ddg", "a5e-gpg", "a5e-mm", "bfrd", "blackflag", "cc", "ccdx", "core", "deepm",
    "deepmx", "dmag", "dmag-e", "elderberry-inn-icons", "kp", "menagerie", "o5e", "open5e", "open5e-2024",
    "spells-that-dont-suck", "srd", "srd-2014", "srd-2024", "srd-5e", "srd51", "srd52", "5e", "taldorei",
    "tdcs", "tob", "tob-2023", "tob2", "tob3", "toh", "vom", "warlock", "wotc-srd", "wz"
})
# Classes and races of the SRD 5.1, which homebrew of the application refers to by their bare names.
_SRD_CLASSES = frozenset({
    "barbarian", "bard", "cleric", "druid", "fighter", "monk", "paladin", "ranger", "rogue", "sorcerer",
    "warlock", "wizard"
})
# fmt: on
_SRD_RACES = frozenset(["dragonborn", "dwarf", "elf", "gnome", "half-elf", "half-orc", "halfling", "human", "tiefling"])


class ItemError(ValueError):
    """The item makes no record; the message says why, without its path."""


class CommonFields(TypedDict):
    """The fields of every record, ready to be passed to a model."""

    kind: Kind
    key: str
    name: str
    document_key: str
    document_name: str
    document_source: Source
    documents: tuple[str, ...]
    editions: tuple[Edition, ...]
    text: str


def slug(name: str) -> str:
    """A name as part of a key: never empty, without ``_``, at most 80 characters, of other scripts the letters."""
    folded = fold(name)
    plain = slugify(name).replace("_", "-").strip("-") if folded.isascii() else folded.replace(" ", "-")
    plain = re.sub(r"-+", "-", plain)
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
    if not plain:
        return digest
    return plain if len(plain.encode()) <= _LONGEST else f"{plain[:24]}-{digest}"


def book_key(name: str) -> str:
    """A book's key. Names that differ only in case and punctuation are the same book."""
    made = slug(name)
    return f"{made}-homebrew" if made in _TAKEN else made


def document(name: str) -> Document:
    """The record of a book itself."""
    key = book_key(name)
    return Document(
        kind=Kind.DOCUMENT,
        key=key,
        name=name,
        document_key=key,
        document_name=name,
        document_source=Source.ORCBREW,
        documents=(key,),
        editions=(Edition.E2014,),
        type="HOMEBREW",
    )


def item_name(item: Item) -> str:
    """What an item is called where it gives no name itself."""
    fields = item.value if isinstance(item.value, dict) else {}
    name = fields.get("name")
    inner = fields.get("key")
    given = name if isinstance(name, str) and name.strip() else titled(item.key or (str(inner) if inner else ""))
    return " ".join(given.split())


def record_key(item: Item) -> str:
    """Unique by book, section and item: ``orcbrew_vale-of-ash_spells_spark-lance``. Open5e has no such prefix."""
    named = item.key or item_name(item)
    return f"orcbrew_{book_key(item.book)}_{slug(item.section)}_{slug(named)}"


def common_fields(item: Item, fields: Fields, kind: Kind, key: str) -> CommonFields:
    """The common fields of a record. The rules of the application are those of 2014. Raises ItemFault."""
    name = item_name(item)
    if not name:
        raise ItemError("it has neither a key nor a name")
    fields.drop("disabled?")
    for field, told in (("name", name), ("option-pack", item.book), ("key", item.key)):
        if fields.look(field) == told and len(told) <= _LONGEST_NAME:
            fields.drop(field)
    document_key = book_key(item.book)
    return {
        "kind": kind,
        "key": key,
        "name": name[:_LONGEST_NAME],
        "document_key": document_key,
        "document_name": item.book,
        "document_source": Source.ORCBREW,
        "documents": (document_key,),
        "editions": (Edition.E2014,),
        "text": fields.text("description", "desc", "text"),
    }


def class_reference(key: str, own: frozenset[str], book: str) -> str:
    """The key of the class that is meant: one of the same book, one of the SRD, or a bare name."""
    return _reference(key, own, book, "classes", _SRD_CLASSES)


def race_reference(key: str, own: frozenset[str], book: str) -> str:
    """The key of the race that is meant: one of the same book, one of the SRD, or a bare name."""
    return _reference(key, own, book, "races", _SRD_RACES)


def _reference(key: str, own: frozenset[str], book: str, section: str, of_srd: frozenset[str]) -> str:
    made = slug(key)
    if made in own:
        return f"orcbrew_{book_key(book)}_{section}_{made}"
    return f"srd_{made}" if made in of_srd else made
