"""What a file says of all its items: its books, its own codes, and how its items refer to each other."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pydantic import ValidationError

from lorekeeper_mcp.models import Document, Edition
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES, SRD_RACES
from lorekeeper_mcp.sources.field_reader import JsonObject, as_object, listed, mapping, objects
from lorekeeper_mcp.sources.fivetools.entries import markdown, text_in
from lorekeeper_mcp.sources.fivetools.values import plain_texts
from lorekeeper_mcp.sources.imported import book_key, document, parent_key

# Arrays without content: settings of the site, and data for other programs.
NOT_CONTENT = frozenset({"$schema", "_meta", "siteVersion", "blocklist", "_test", "linkedLootTables"})
Item: TypeAlias = "dict[str, object]"
Lists: TypeAlias = "Mapping[str, Sequence[Item]]"
Key: TypeAlias = "tuple[str, ...]"
# The sections of features: the fields that identify one, and the places of their values in a reference to it.
_REFERENCE_PARTS: Mapping[str, tuple[tuple[str, int], ...]] = {
    "classFeature": (("name", 0), ("className", 1), ("level", 3)),
    "subclassFeature": (("name", 0), ("className", 1), ("subclassShortName", 3), ("level", 5)),
}
PART_SECTIONS = frozenset({*_REFERENCE_PARTS, "legendaryGroup", "itemProperty", "itemType"})


def is_dependent(section: str) -> bool:
    """Whether the items of a section may be part of others' records."""
    return section in PART_SECTIONS or section == "itemEntry" or section.endswith("Fluff")


def lists_of(data: JsonObject) -> dict[str, list[Item]]:
    """Return the objects of every list of a file."""
    return {
        section: [item for item in values if isinstance(item, dict)]
        for section, values in data.items()
        if isinstance(values, list) and section not in NOT_CONTENT
    }


def code(value: object) -> str:
    """Return a code without its source: ``M`` for ``M|XPHB``."""
    return str(value).partition("|")[0].strip() if value is not None else ""


def identity(item: JsonObject) -> Key:
    """Return the name and source in lower case, the identity of an item in this format."""
    return str(item.get("name")).lower(), str(item.get("source")).lower()


def feature_reference(value: object, section: str) -> tuple[str, Key, str]:
    """Return the name, the identity and the source of the feature that a value refers to.

    The value is ``Ki|Monk||2``, or an object with it. The source is that of the class or subclass if there is no other.
    """
    reference = value.get(section) if isinstance(value, Mapping) else value
    parts = [*map(str.strip, str(reference).split("|")), *[""] * 8]
    last = _REFERENCE_PARTS[section][-1][1]
    key = tuple(parts[place].lower() for _, place in _REFERENCE_PARTS[section])
    return parts[0], key, parts[last + 1] or parts[last - 1]


def property_name(item: JsonObject) -> str:
    """Return the name of a property or a type of items: its own, that of its entries, or its code."""
    first = next(iter(objects(item.get("entries") or item.get("entriesTemplate"))), {})
    return text_in(item, "name") or text_in(first, "name") or code(item.get("abbreviation"))


class DependentItems:
    """The items of a file that are part of others' records. One that none of these uses gets its own record."""

    def __init__(self, lists: Lists) -> None:
        self._items: dict[tuple[str, Key], list[Item]] = {}
        for section in filter(is_dependent, lists):
            for item in lists[section]:
                self._items.setdefault((section, _key(section, item)), []).append(item)
        self._used: set[int] = set()  # ids of items
        self._pending: set[int] = set()  # those that the record in the making uses

    def find(self, section: str, key: Key, source: str = "", *, name_only: bool = False) -> Item | None:
        """Return the item that another one refers to. It is used, unless it has a text and only its name is shown.

        Of several with one key, return the last of the source; if there is none, the last.
        """
        items = self._items.get((section, key), []) if any(key) else []
        of_source = [item for item in items if str(item.get("source")).lower() == source.lower()]
        if not items:
            return None
        item = (of_source or items)[-1]
        if not name_only or not (item.get("entries") or item.get("entriesTemplate")):
            self._pending.add(id(item))
        return item

    def settle(self, *, has_record: bool) -> None:
        """End the making of a record; without one, what it would have used is not used."""
        if has_record:
            self._used |= self._pending
        self._pending.clear()

    def is_used(self, section: str, item: Item) -> bool:
        """Whether another item's record has all of an item, or of an equal one."""
        same_key = self._items.get((section, _key(section, item)), [])
        return any(id(other) in self._used for other in same_key if other == item)


def _key(section: str, item: Item) -> Key:
    """What others call an item: its code, or its identity."""
    if section in ("itemProperty", "itemType"):
        return (code(item.get("abbreviation")),)
    if section in _REFERENCE_PARTS:
        return tuple(str(item.get(field, "")).lower() for field, _ in _REFERENCE_PARTS[section])
    return identity(item)


class Context:
    """Names of a file's own codes, its dependent items, and the keys of its classes and races."""

    def __init__(self, lists: Lists, meta: JsonObject, key_of: Callable[[str, Item], str]) -> None:
        """Collect the definitions. ``key_of`` gives the key of a section's item."""

        def names(field: str) -> dict[str, str]:
            specs = {code: as_object(spec, "full") for code, spec in mapping(meta.get(field)).items()}
            return {code: str(spec.get("full") or code) for code, spec in specs.items()}

        self.schools = names("spellSchools")
        self.feat_categories = names("featCategories")
        self.feature_types = names("optionalFeatureTypes")
        self.dependents = DependentItems(lists)
        self._keys: dict[tuple[str, Key], str] = {}
        for section in ("class", "race"):
            for item in lists.get(section, []):
                key, (name, source) = key_of(section, item), identity(item)
                self._keys[section, (name, source)] = key
                self._keys.setdefault((section, (name, "")), key)  # a reference may have no source

    def item_type(self, uid: object) -> str:
        """Return the name of a type of items of this file, by its code and source; empty if there is none."""
        type_ = self.dependents.find("itemType", (code(uid),), str(uid).partition("|")[2], name_only=True)
        return str(type_.get("name")) if type_ else ""

    def property_of(self, uid: object) -> tuple[str, str] | None:
        """Return the name and text of a weapon property of this file. Raises ItemError if it is nested too deep."""
        item = self.dependents.find("itemProperty", (code(uid),), str(uid).partition("|")[2])
        if item is None:
            return None
        name, blocks = property_name(item), [*listed(item.get("entries")), *listed(item.get("entriesTemplate"))]
        first = mapping(blocks[0]) if blocks else {}
        if first.get("entries") is not None and first.get("name") in (name, None):
            blocks[:1] = listed(first["entries"])  # without the heading
        return name, markdown(blocks)

    def parent_key(self, section: str, name: str, source: str = "") -> str:
        """Return the key of a class or a race: one of this file, one of the SRD, or a bare name."""
        of_srd = SRD_CLASSES if section == "class" else SRD_RACES
        return self._keys.get((section, (name.lower(), source.lower()))) or parent_key(name, {}, of_srd)


class BookSources:
    """The books of one file, and what its metadata says of them."""

    def __init__(self, meta: JsonObject, name: str) -> None:
        """Collect the sources. ``name`` is the book of items without a source."""
        self.default_name = name or "Unnamed Content"
        self._file_edition = meta.get("edition")
        sources = [mapping(source) for source in listed(meta.get("sources"))]
        self._by_code = {str(source.get("json", "")).lower(): source for source in sources}

    def book_of(self, item: JsonObject) -> str:
        """Return the name of an item's book."""
        source = item.get("source") or mapping(item.get("inherits")).get("source")
        if not isinstance(source, str) or not source.strip():
            return self.default_name
        return " ".join(str(self._by_code.get(source.lower(), {}).get("full") or source).split())

    def editions_of(self, item: JsonObject) -> tuple[Edition, ...]:
        """Return the editions of an item: its own, else its book's."""
        if item.get("edition") == "one":
            return (Edition.E2024,)
        return self._editions(self._by_code.get(str(item.get("source")).lower(), {}))

    def document(self, key: str, name: str) -> Document:
        """Return the record of a book, with its release date if that is valid."""
        sources = self._by_code.values()
        of_book = (source for source in sources if book_key(str(source.get("full") or source.get("json"))) == key)
        source = next(of_book, {})
        url, license_ = str(source.get("url") or ""), str(source.get("license") or "")
        authors = ", ".join(plain_texts(source.get("authors")))
        book = document(name, self._editions(source), author=authors, permalink=url, license=license_)
        with contextlib.suppress(ValidationError):
            return Document.model_validate({**book.model_dump(), "published": source.get("dateReleased")})
        return book

    def _editions(self, source: JsonObject) -> tuple[Edition, ...]:
        edition = source.get("edition") or self._file_edition
        return (Edition.E2024,) if edition in ("one", "2024") else (Edition.E2014,)
