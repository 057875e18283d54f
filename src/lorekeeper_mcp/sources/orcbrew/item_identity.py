"""The identity of OrcBrew records: name, key, the book's own classes and races."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import ItemError, common_fields, record_key, slug
from lorekeeper_mcp.sources.orcbrew.book_file import Item
from lorekeeper_mcp.sources.orcbrew.fields import Fields
from lorekeeper_mcp.sources.orcbrew.markup import scalar, titled

Keys = Mapping[str, str]
"""Keys of the classes or races of the same book, by the slugs of their names."""

_LONGEST_NAME = 300


def item_name(item: Item) -> str:
    """Return an item's name, or one derived from its key."""
    fields = item.value if isinstance(item.value, dict) else {}
    name = fields.get("name")
    inner = fields.get("key")
    given = name if isinstance(name, str) and name.strip() else titled(item.key or (str(inner) if inner else ""))
    return " ".join(given.split())


def item_key(item: Item) -> str:
    """Return the key of an item's record."""
    return record_key(item.book, item.section, item.key or item_name(item))


def item_fields(item: Item, fields: Fields, kind: Kind, key: str) -> CommonFields:
    """Return the common fields of a record. The application uses the 2014 rules. Raises ItemError."""
    name = item_name(item)
    if not name:
        raise ItemError("it has neither a key nor a name")
    fields.drop("disabled?", "edit-event")
    for field, told in (("name", name), ("option-pack", item.book), ("key", item.key)):
        if fields.peek(field) == told and len(told) <= _LONGEST_NAME:
            fields.drop(field)
    if scalar(inner := fields.peek("key")) and slug(str(inner)) == slug(name):
        fields.drop("key")
    return common_fields(item.book, kind, key, name, fields.text("description", "desc", "text", "help"))
