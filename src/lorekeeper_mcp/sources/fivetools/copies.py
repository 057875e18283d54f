"""Resolves the copies of a file: finds their originals, and what they inherit."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Mapping, Sequence
from functools import cached_property

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.field_reader import listed, mapping, objects
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
    {"_copy", "_versions", "page", "srd", "srd52", "basicRules", "basicRules2024", "otherSources", "hasFluff",
     "hasFluffImages", "hasToken", "reprintedAs", "legendaryGroup", "environment", "soundClip", "altArt", "variant",
     "dragonCastingColor", "familiar", "lootTables", "tier"}
)  # fmt: skip
_MAX_DEPTH = 20  # copies of copies
ItemsByName = Mapping[str, Sequence[Item]]
"""Items by name, and by name and source, in lower case."""


class CopiedItems:
    """Resolves the copies of one file: of its own items, of other files' items, of records."""

    def __init__(self, lists: Lists, originals: Originals) -> None:
        self._lists = lists
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
        copied = {name: copy.deepcopy(value) for name, value in resolved.items() if _is_inherited(name, preserved)}
        for change in changes:
            copied |= copy.deepcopy(dict(mapping(change.get("_root"))))
        copied |= {name: value for name, value in item.items() if name != "_copy"}
        copied = {name: value for name, value in copied.items() if value is not None or name not in item}
        for change in changes:
            for target, modifications in mapping(change.get("_mod")).items():
                for modification in listed(modifications):
                    modify(copied, target, modification)
        return copied

    def shared_text(self, key: tuple[str, str]) -> Item | None:
        """Return a shared text of another file by its identity. It is then stored with this file."""
        for item in self._others.get("itemEntry", {}).get("|".join(key), ()):
            self._originals.use("itemEntry", item)
            return item
        return None

    def _original(self, section: str, item: Item, reference: Mapping[str, object]) -> Item:
        """The original of a copy: of the file, of another one, which is then stored with it, or a record."""
        if original := _original_of(item, reference, self._own.get(section, {})):
            return original
        if original := _original_of(item, reference, self._others.get(section, {})):
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

    def _template(self, reference: Mapping[str, object]) -> Mapping[str, object]:
        """The changes of a template. Raises ItemError if it is in no file."""
        name = str(reference.get("name", "")).lower()
        for items in (self._own, self._others):
            for template in items.get("monsterTemplate", {}).get(name, ()):
                if _matches(template, reference):
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


def _by_name(items: Sequence[Item]) -> ItemsByName:
    by_name: dict[str, list[Item]] = {}
    for item in items:
        name, source = str(item.get("name", "")).lower(), str(item.get("source", "")).lower()
        for key in (name, f"{name}|{source}"):
            by_name.setdefault(key, []).append(item)
    return by_name


def _original_of(item: Item, reference: Mapping[str, object], originals: ItemsByName) -> Item | None:
    """The original of a copy, by its ``_copy``, among some items."""
    name = str(reference.get("name", "")).lower()
    key = f"{name}|{str(reference['source']).lower()}" if "source" in reference else name
    candidates = (candidate for candidate in originals.get(key, []) if candidate != item)
    return next((candidate for candidate in candidates if _matches(candidate, reference)), None)


def _matches(item: Item, reference: Mapping[str, object]) -> bool:
    names = [name for name in reference if not name.startswith("_")]
    return all(str(item.get(name, "")).lower() == str(reference[name]).lower() for name in names)


def _is_inherited(name: str, preserved: Mapping[str, object]) -> bool:
    return name != "_copy" and (name not in _NOT_INHERITED or "*" in preserved or name in preserved)
