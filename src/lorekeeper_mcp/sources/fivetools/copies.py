"""Resolves the copies of a file: finds their originals, and applies their modifications."""

from __future__ import annotations

import contextlib
import copy
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

import re2

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.fivetools.context import Item, Lists, lists_of
from lorekeeper_mcp.sources.fivetools.creature_modifications import (
    Modification,
    add_senses,
    calculate,
    change_spells,
    fill_creature_variables,
    limit_size,
    list_of,
    modify_numbers,
    scale_experience,
    set_proficiency,
    shift_tag,
)
from lorekeeper_mcp.sources.fivetools.growth import grow, size_of
from lorekeeper_mcp.sources.fivetools.stored_items import item_of
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.originals import Originals, with_record
from lorekeeper_mcp.sources.reading import integer, listed, mapping

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
_TEXT_FIELDS = (
    "trait", "action", "bonus", "reaction", "legendary", "mythic", "variant", "spellcasting", "entries",
    "actionHeader", "bonusHeader", "reactionHeader", "legendaryHeader", "mythicHeader",
)  # fmt: skip
# Fields that a copy does not inherit unless ``_preserve`` lists them.
_NOT_INHERITED = frozenset(
    {"_copy", "_versions", "page", "srd", "srd52", "basicRules", "basicRules2024", "otherSources", "hasFluff",
     "hasFluffImages", "hasToken", "reprintedAs", "legendaryGroup", "environment", "soundClip", "altArt", "variant",
     "dragonCastingColor", "familiar", "lootTables", "tier"}
)  # fmt: skip
_MAX_DEPTH = 20  # copies of copies
_MAX_PATTERN = 500  # characters
_GROUP = re.compile(r"\$(\d{1,2}|&)")
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
        """Return the item itself, or the result of its ``_copy`` of an original. Raises ItemError."""
        reference = item.get("_copy")
        if not isinstance(reference, Mapping):
            return item
        if id(item) in _copies:
            raise ItemError("it is a copy of itself")
        if len(_copies) > _MAX_DEPTH:
            raise ItemError(f"it is a copy of copies, more than {_MAX_DEPTH} deep")
        if (original := self._original(section, item, reference)) is None:
            source = f" ({reference['source']})" if reference.get("source") else ""
            raise ItemError(
                f'it is a copy of "{reference.get("name")}"{source}, which is not in these files, the SRD or the store'
            )
        preserved = mapping(reference.get("_preserve"))
        resolved = self.resolve(section, original, (*_copies, id(item)))
        if resolved is not original or id(original) not in self._sizes:
            self._sizes[id(original)] = (original, size_of(resolved))
        grow(self._sizes[id(original)][1])
        copied: Item = {
            name: copy.deepcopy(value)
            for name, value in resolved.items()
            if name not in _NOT_INHERITED or "*" in preserved or name in preserved
        }
        copied.pop("_copy", None)
        changes = [self._template(mapping(template)) for template in listed(reference.get("_templates"))]
        for change in changes:
            copied |= copy.deepcopy(dict(mapping(change.get("_root"))))
        copied |= {name: value for name, value in item.items() if name != "_copy"}
        copied = {name: value for name, value in copied.items() if value is not None or name not in item}
        for change in (*changes, reference):
            for target, modifications in mapping(change.get("_mod")).items():
                for modification in listed(modifications):
                    grow(size_of(modification))
                    _modify(copied, target, fill_creature_variables(copy.deepcopy(modification), copied))
        return copied

    def shared_text(self, key: tuple[str, str]) -> Item | None:
        """Return a shared text of another file by its identity. It is then stored with this file."""
        for item in self._others.get("itemEntry", {}).get("|".join(key), ()):
            self._originals.use("itemEntry", item)
            return item
        return None

    def _original(self, section: str, item: Item, reference: Mapping[str, object]) -> Item | None:
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

        return self._originals.find(section, KINDS.get(section, ()), name, source, written)

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


# --- Modifications ---


def _modify(item: Item, target: str, modification: object) -> None:
    """Apply one modification to a field, to every text (``*``) or to the item (``_``)."""
    if modification == "remove":
        item.pop(target, None)
        return
    mode = str(mapping(modification).get("mode"))
    if mode not in _MODES:
        raise ItemError(f'its modification "{mode[:40]}" is unknown')
    for field in [field for field in _TEXT_FIELDS if field in item] if target == "*" else [target]:
        _MODES[mode](item, field, mapping(modification))


def _pattern(text: str, flags: object) -> re.Pattern[str]:
    """Compile a pattern of the file, which matches in linear time. Raises ItemError if it is not supported."""
    options = re2.Options()
    options.case_sensitive = "i" not in str(flags or "")
    options.log_errors = False
    try:
        if len(text) <= _MAX_PATTERN:
            pattern: re.Pattern[str] = re2.compile(text, options)
            return pattern
    except re2.error:
        pass
    raise ItemError(f'its pattern "{text[:60]}" is invalid or too complex')


def _replaced(pattern: re.Pattern[str], text: str, replacement: str) -> str:
    """Replace every match; ``$1`` and ``$&`` in the replacement are what a group and the whole pattern matched."""

    def new_text(match: re.Match[str]) -> str:
        try:
            new = _GROUP.sub(lambda group: match[0 if group[1] == "&" else int(group[1])] or "", replacement)
        except IndexError:
            raise ItemError(f'its replacement "{replacement[:60]}" names a group that the pattern lacks') from None
        grow(len(new) - len(match[0]))
        return new

    return pattern.sub(new_text, text)


def _replace_text(item: Item, field: str, mod: Mapping[str, object]) -> None:
    pattern, props = _pattern(str(mod.get("replace")), mod.get("flags")), mod.get("props")
    new = str(mod.get("with", ""))

    def replaced(value: object, name: str | None = None) -> object:
        if isinstance(value, str):
            is_changed = name in props if isinstance(props, list) else name not in ("name", "type", "source")
            return _replaced(pattern, value, new) if is_changed else value
        if isinstance(value, list):
            return [replaced(part, name) for part in value]
        if isinstance(value, Mapping):
            return {inner: replaced(part, inner) for inner, part in value.items()}
        return value

    if field in item:
        item[field] = replaced(item[field])


def _replace_name(item: Item, field: str, mod: Mapping[str, object]) -> None:
    pattern = _pattern(str(mod.get("replace")), mod.get("flags"))
    for entry in list_of(item, field):
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            entry["name"] = _replaced(pattern, entry["name"], str(mod.get("with", "")))


def _append_text(item: Item, field: str, mod: Mapping[str, object]) -> None:
    text = item.get(field)
    item[field] = f"{text}{mod.get('joiner', '')}{mod.get('str', '')}" if text else str(mod.get("str", ""))


def _affix(item: Item, field: str, mod: Mapping[str, object]) -> None:
    name = str(mod.get("prop") or field)
    item[name] = f"{mod.get('prefix', '')}{item.get(name, '')}{mod.get('suffix', '')}"


def _insert(item: Item, field: str, mod: Mapping[str, object]) -> None:
    """Insert at the beginning, at an index, or at the end."""
    entries = list_of(item, field)
    ends = {"prependArr": 0, "appendArr": len(entries)}
    index = ends.get(str(mod.get("mode")), integer(mod.get("index")) or 0)
    entries[index:index] = listed(mod.get("items"))


def _append_missing(item: Item, field: str, mod: Mapping[str, object]) -> None:
    entries = list_of(item, field)
    known = set(map(_content, entries))
    item[field] = [*entries, *(entry for entry in listed(mod.get("items")) if _content(entry) not in known)]


def _replace(item: Item, field: str, mod: Mapping[str, object]) -> None:
    entries = list_of(item, field)
    index = _index(entries, mod.get("replace"))
    if index is None and mod.get("mode") == "replaceArr":
        raise ItemError(f'its original has no "{mod.get("replace")}" in "{field}" to replace')
    if index is None:
        entries += listed(mod.get("items"))
    else:
        entries[index : index + 1] = listed(mod.get("items"))


def _index(entries: Sequence[object], wanted: object) -> int | None:
    """The place of an entry, given by its name, by an index, or by a pattern for its name."""
    spec = mapping(wanted)
    if "index" in spec:
        index = integer(spec["index"])
        return index if index is not None and 0 <= index < len(entries) else None
    if "regex" in spec:
        pattern = _pattern(str(spec["regex"]), spec.get("flags"))
        return next((at for at, entry in enumerate(entries) if pattern.search(str(_name(entry)))), None)
    return next((at for at, entry in enumerate(entries) if _name(entry) == wanted), None)


def _name(entry: object) -> object:
    return entry.get("name") if isinstance(entry, Mapping) else entry


def _content(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _remove(item: Item, field: str, mod: Mapping[str, object]) -> None:
    removed = {_content(value) for value in listed(mod.get("names", mod.get("items")))}
    item[field] = [entry for entry in list_of(item, field) if not removed & {_content(_name(entry)), _content(entry)}]


def _rename(item: Item, field: str, mod: Mapping[str, object]) -> None:
    renames = {str(spec.get("rename")): spec.get("with") for spec in map(mapping, listed(mod.get("renames")))}
    for entry in list_of(item, field):
        if isinstance(entry, dict) and str(entry.get("name")) in renames:
            entry["name"] = renames[str(entry["name"])]


def _set(item: Item, field: str, mod: Mapping[str, object]) -> None:
    *outer, last = str(mod.get("prop") or field).split(".")
    target: Item = item
    for name in outer:
        inner = target.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ItemError(f'its modification sets a part of "{name}", which has no parts')
        target = inner
    target[last] = mod.get("value")


_MODES: Mapping[str, Modification] = {
    "replaceTxt": _replace_text,
    "replaceName": _replace_name,
    "appendStr": _append_text,
    "prefixSuffixStringProp": _affix,
    **dict.fromkeys(("prependArr", "appendArr", "insertArr"), _insert),
    "appendIfNotExistsArr": _append_missing,
    **dict.fromkeys(("replaceArr", "replaceOrAppendArr"), _replace),
    "removeArr": _remove,
    "renameArr": _rename,
    "setProp": _set,
    "setProps": lambda item, _, mod: item.update(mapping(mod.get("props"))),
    "calculateProp": calculate,
    "scalarAddProp": modify_numbers(lambda number, amount: number + amount),
    "scalarMultProp": modify_numbers(lambda number, factor: number * factor),
    "scalarAddHit": shift_tag("hit"),
    "scalarAddDc": shift_tag("dc"),
    "scalarMultXp": scale_experience,
    "maxSize": limit_size,
    "addSenses": add_senses,
    **dict.fromkeys(("addSkills", "addAllSkills", "addSaves", "addAllSaves"), set_proficiency),
    **dict.fromkeys(("addSpells", "removeSpells", "replaceSpells"), change_spells),
}
