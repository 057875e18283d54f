"""What every homebrew record has in common: its book as document, its key, its edition."""

from __future__ import annotations

from typing import TypedDict

from lorekeeper_mcp.models import Edition, Kind, Source
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.imported import book_key, record_key, slug
from lorekeeper_mcp.sources.official_documents import own_name
from lorekeeper_mcp.sources.orcbrew.book_file import Item
from lorekeeper_mcp.sources.orcbrew.fields import Fields
from lorekeeper_mcp.sources.orcbrew.text import titled

_LONGEST_NAME = 300
# Races of the SRD 5.1, which homebrew of the application refers to by their bare names, as it does to classes.
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


def item_name(item: Item) -> str:
    """What an item is called where it gives no name itself."""
    fields = item.value if isinstance(item.value, dict) else {}
    name = fields.get("name")
    inner = fields.get("key")
    given = name if isinstance(name, str) and name.strip() else titled(item.key or (str(inner) if inner else ""))
    return " ".join(given.split())


def item_key(item: Item) -> str:
    """The key of an item's record."""
    return record_key(item.book, item.section, item.key or item_name(item))


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
        "document_name": own_name(item.book),
        "document_source": Source.ORCBREW,
        "documents": (document_key,),
        "editions": (Edition.E2014,),
        "text": fields.text("description", "desc", "text"),
    }


def class_reference(key: str, own: frozenset[str], book: str) -> str:
    """The key of the class that is meant: one of the same book, one of the SRD, or a bare name."""
    return _reference(key, own, book, "classes", frozenset(SRD_CLASSES))


def race_reference(key: str, own: frozenset[str], book: str) -> str:
    """The key of the race that is meant: one of the same book, one of the SRD, or a bare name."""
    return _reference(key, own, book, "races", _SRD_RACES)


def _reference(key: str, own: frozenset[str], book: str, section: str, of_srd: frozenset[str]) -> str:
    made = slug(key)
    if made in own:
        return f"orcbrew_{book_key(book)}_{section}_{made}"
    return f"srd_{made}" if made in of_srd else made
