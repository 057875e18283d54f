"""Resolves the copies of a file: finds their originals, and what they inherit."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.field_reader import JsonObject, listed, mapping, objects
from lorekeeper_mcp.sources.fivetools.context import Item, Lists, lists_of
from lorekeeper_mcp.sources.fivetools.growth import grow, size_of
from lorekeeper_mcp.sources.fivetools.modifications import modify
from lorekeeper_mcp.sources.fivetools.stored_items import item_of
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.originals import Originals, with_record

KINDS: dict[str, tuple[Kind, ...]] = {
    "monster": (Kind.CREATURE,),
    "spell": (Kind.SPELL,),
    "item": (Kind.MAGIC_ITEM, Kind.WEAPON, Kind.ARMOR, Kind.ITEM),
    "baseitem": (Kind.WEAPON, Kind.ARMOR, Kind.ITEM),
    "race": (Kind.SPECIES,),
    "background": (Kind.BACKGROUND,),
    "feat": (Kind.FEAT,),
    "optionalfeature": (Kind.FEAT,),
    "condition": (Kind.CONDITION,),
    "language": (Kind.LANGUAGE,),
}
"""The kinds of record that an item of a section may be copied from."""
# Fields that a copy does not inherit unless ``_preserve`` lists them.
_NOT_INHERITED = frozenset(
    {"_versions", "page", "srd", "srd52", "basicRules", "basicRules2024", "otherSources", "hasFluff",
     "hasFluffImages", "hasToken", "reprintedAs", "legendaryGroup", "environment", "soundClip", "altArt", "variant",
     "dragonCastingColor", "familiar", "lootTables", "tier"}
)  # fmt: skip
_MAX_DEPTH = 20  # copies of copies
ItemsByName = Mapping[str, Sequence[Item]]
"""Items by name in lower case."""


class CopiedItems:
    """Resolves the copies of one file: of its own items, of other files' items, of records."""

    def __init__(self, lists: Lists, originals: Originals) -> None:
        self._originals = originals
        self._sizes: dict[int, tuple[Item, int]] = {}  # originals and their sizes, by id
        self._own = {section: _by_name(items) for section, items in lists.items()}

    def resolve_part(self, section: str, part: object) -> object:
        """Resolve a part of another item; unchanged if its original is not found."""
        if isinstance(part, dict) and "_copy" in part:
            with contextlib.suppress(TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
                return self.resolve(section, part)
        return part

    def resolve(self, section: str, item: Item, _copies: tuple[int, ...] = ()) -> Item:
        """Return the item itself, or the result of its ``_copy`` of an original. Raises ItemError.

        Modifications that are not known, or do not fit the original, are a field of the copy.
        """
        reference = item.get("_copy")
        if not isinstance(reference, Mapping):
            return item
        if id(item) in _copies:
            raise ItemError("it is a copy of itself")
        if len(_copies) > _MAX_DEPTH:
            raise ItemError(f"it is a copy of copies, more than {_MAX_DEPTH} deep")
        original = self._original(section, item, reference)
        resolved = self.resolve(section, original, (*_copies, id(item)))
        if resolved is not original or id(original) not in self._sizes:
            self._sizes[id(original)] = (original, size_of(resolved))
        grow(self._sizes[id(original)][1])
        changes = [*map(self._template, objects(listed(reference.get("_templates")))), reference]
        preserved = mapping(reference.get("_preserve"))
        left_out = {"_copy"} if "*" in preserved else {"_copy", *(_NOT_INHERITED - preserved.keys())}
        copied = {name: copy.deepcopy(value) for name, value in resolved.items() if name not in left_out}
        for change in changes:
            copied |= copy.deepcopy(dict(mapping(change.get("_root"))))
        copied |= {name: value for name, value in item.items() if name != "_copy"}
        copied = {name: value for name, value in copied.items() if value is not None or name not in item}
        for change in changes:
            for target, modifications in mapping(change.get("_mod")).items():
                for modification in listed(modifications):
                    modify(copied, target, modification)
        return copied

    def shared_text(self, key: tuple[str, ...]) -> Item | None:
        """Return a shared text of another file by its identity. It is then stored with this file."""
        name, source = key
        item = _first(self._others.get("itemEntry", {}), {"name": name, "source": source})
        if item is not None:
            self._originals.use("itemEntry", item)
        return item

    def _original(self, section: str, item: Item, reference: JsonObject) -> Item:
        """The original of a copy: of the file, of another one, which is then stored with it, or a record."""
        if original := _first(self._own.get(section, {}), reference, besides=item):
            return original
        if original := _first(self._others.get(section, {}), reference, besides=item):
            self._originals.use(section, original)
            return original
        name, source = str(reference.get("name")), str(reference.get("source") or "")
        fields = {field: value for field, value in reference.items() if not field.startswith("_")}

        def written(record: Record) -> Item:
            return with_record(item_of(record, source) | fields, record)

        if original := self._originals.find(section, KINDS.get(section, ()), name, source, written):
            return original
        of_source = f" ({source})" if source else ""
        raise ItemError(f'it is a copy of "{name}"{of_source}, which is not in these files, the SRD or the store')

    def _template(self, reference: JsonObject) -> JsonObject:
        """The changes of a template. Raises ItemError if it is in no file."""
        for items in (self._own, self._others):
            if template := _first(items.get("monsterTemplate", {}), reference):
                return mapping(template.get("apply"))
        raise ItemError(f'its template "{reference.get("name")}" is not in these files')

    @cached_property
    def _others(self) -> Mapping[str, ItemsByName]:
        """The items of other files by section and name."""
        lists: dict[str, list[Item]] = {}
        for file in (*self._originals.files(), self._originals.kept):
            for section, items in lists_of(mapping(file)).items():
                lists.setdefault(section, []).extend(items)
        return {section: _by_name(items) for section, items in lists.items()}


def _by_name(items: Iterable[Item]) -> ItemsByName:
    by_name: dict[str, list[Item]] = {}
    for item in items:
        by_name.setdefault(str(item.get("name", "")).lower(), []).append(item)
    return by_name


def _first(items: ItemsByName, reference: JsonObject, besides: Item | None = None) -> Item | None:
    """The first item that a reference fits: all of its fields are equal."""
    wanted = {name: str(value).lower() for name, value in reference.items() if not name.startswith("_")}
    for item in items.get(wanted.get("name", ""), ()):
        if item != besides and all(str(item.get(name, "")).lower() == value for name, value in wanted.items()):
            return item
    return None
