"""Applies the modifications of copies to their originals in the same file."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from lorekeeper_mcp.sources.fivetools.context import Item
from lorekeeper_mcp.sources.fivetools.copies.creature_modifications import (
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
from lorekeeper_mcp.sources.fivetools.texts.bounded_patterns import compile_pattern
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed, mapping, whole_number

_TEXT_FIELDS = ("trait", "action", "bonus", "reaction", "legendary", "mythic", "variant", "spellcasting", "entries")
# Fields that a copy does not inherit unless ``_preserve`` lists them.
_NOT_INHERITED = frozenset(
    {"_copy", "_versions", "page", "srd", "srd52", "basicRules", "basicRules2024", "otherSources", "hasFluff",
     "hasFluffImages", "hasToken", "reprintedAs", "legendaryGroup", "environment", "soundClip", "altArt", "variant",
     "dragonCastingColor", "familiar", "lootTables", "tier"}
)  # fmt: skip
_MAX_DEPTH = 20  # copies of copies
ItemsByName: TypeAlias = "Mapping[str, Sequence[Item]]"
"""Items by name, and by name and source, see ``items_by_name``."""


def items_by_name(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Map names, and names with sources, in lower case to their items, to look up originals."""
    by_name: dict[str, list[Item]] = {}
    for item in items:
        name, source = str(item.get("name", "")).lower(), str(item.get("source", "")).lower()
        for key in (name, f"{name}|{source}"):
            by_name.setdefault(key, []).append(item)
    return by_name


def original_of(item: Item, reference: Mapping[str, object], originals: ItemsByName) -> Item | None:
    """Return the original of a copy, by its ``_copy``, among some items."""
    name = str(reference.get("name", "")).lower()
    key = f"{name}|{str(reference['source']).lower()}" if "source" in reference else name
    candidates = (candidate for candidate in originals.get(key, []) if candidate != item)
    return next((candidate for candidate in candidates if _matches(candidate, reference)), None)


def resolve_copy(
    item: Item,
    find: Callable[[Item, Mapping[str, object]], Item | None],
    templates: ItemsByName = MappingProxyType({}),
    _copies: tuple[int, ...] = (),
) -> Item:
    """Return the item itself, or the result of its ``_copy`` of an original. Raises ItemError.

    ``find`` returns the original of a copy by its ``_copy``.
    """
    reference = item.get("_copy")
    if not isinstance(reference, Mapping):
        return item
    if id(item) in _copies:
        raise ItemError("it is a copy of itself")
    if len(_copies) > _MAX_DEPTH:
        raise ItemError(f"it is a copy of copies, more than {_MAX_DEPTH} deep")
    original = find(item, reference)
    if original is None:
        source = f" ({reference['source']})" if reference.get("source") else ""
        raise ItemError(
            f'it is a copy of "{reference.get("name")}"{source}, which is not in these files, the SRD or the store'
        )
    preserved = mapping(reference.get("_preserve"))
    copied: Item = {
        name: copy.deepcopy(value)
        for name, value in resolve_copy(original, find, templates, (*_copies, id(item))).items()
        if name not in _NOT_INHERITED or "*" in preserved or name in preserved
    }
    copied.pop("_copy", None)
    changes = [_template(template, templates) for template in listed(reference.get("_templates"))]
    for change in changes:
        copied |= copy.deepcopy(dict(mapping(change.get("_root"))))
    copied |= {name: value for name, value in item.items() if name != "_copy"}
    copied = {name: value for name, value in copied.items() if value is not None or name not in item}
    for change in (*changes, reference):
        for target, modifications in mapping(change.get("_mod")).items():
            for modification in modifications if isinstance(modifications, list) else [modifications]:
                _modify(copied, target, fill_creature_variables(copy.deepcopy(modification), copied))
    return copied


def _template(reference: object, templates: ItemsByName) -> Mapping[str, object]:
    """The changes of a template. Raises ItemError if it is in no file."""
    name = mapping(reference).get("name", "")
    for template in templates.get(str(name).lower(), []):
        if _matches(template, mapping(reference)):
            return mapping(template.get("apply"))
    raise ItemError(f'its template "{mapping(reference).get("name")}" is not in these files')


def _matches(item: Item, reference: Mapping[str, object]) -> bool:
    names = [name for name in reference if not name.startswith("_")]
    return all(str(item.get(name, "")).lower() == str(reference[name]).lower() for name in names)


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


def _name(entry: object) -> object:
    return entry.get("name") if isinstance(entry, Mapping) else entry


def _index(entries: Sequence[object], wanted: object) -> int | None:
    """The place of an entry, given by its name, by an index, or by a pattern for its name."""
    spec = mapping(wanted)
    if "index" in spec:
        index = whole_number(spec["index"])
        return index if index is not None and 0 <= index < len(entries) else None
    if "regex" in spec:
        pattern = compile_pattern(str(spec["regex"]), str(spec.get("flags") or ""))
        return next((at for at, entry in enumerate(entries) if pattern.matches(str(_name(entry)))), None)
    return next((at for at, entry in enumerate(entries) if _name(entry) == wanted), None)


def _replace_text(item: Item, field: str, mod: Mapping[str, object]) -> None:
    pattern = compile_pattern(str(mod.get("replace")), str(mod.get("flags") or ""))
    # JavaScript's $1 and $& as Python's \1 and \g<0>
    new = re.sub(r"\$(\d)", r"\\\1", str(mod.get("with", "")).replace("\\", r"\\")).replace(r"$&", r"\g<0>")
    props = mod.get("props")

    def replaced(value: object, name: str | None = None) -> object:
        if isinstance(value, str):
            is_changed = name in props if isinstance(props, list) else name not in ("name", "type", "source")
            return pattern.replace_in(value, new) if is_changed else value
        if isinstance(value, list):
            return [replaced(part, name) for part in value]
        if isinstance(value, Mapping):
            return {inner: replaced(part, inner) for inner, part in value.items()}
        return value

    if field in item:
        item[field] = replaced(item[field])


def _replace_name(item: Item, field: str, mod: Mapping[str, object]) -> None:
    pattern = compile_pattern(str(mod.get("replace")), str(mod.get("flags") or ""))
    for entry in list_of(item, field):
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            entry["name"] = pattern.replace_in(entry["name"], str(mod.get("with", "")).replace("\\", r"\\"))


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
    index = ends.get(str(mod.get("mode")), whole_number(mod.get("index")) or 0)
    entries[index:index] = listed(mod.get("items"))


def _append_missing(item: Item, field: str, mod: Mapping[str, object]) -> None:
    entries = list_of(item, field)
    item[field] = [*entries, *(entry for entry in listed(mod.get("items")) if entry not in entries)]


def _replace(item: Item, field: str, mod: Mapping[str, object]) -> None:
    entries = list_of(item, field)
    index = _index(entries, mod.get("replace"))
    if index is None and mod.get("mode") == "replaceArr":
        raise ItemError(f'its original has no "{mod.get("replace")}" in "{field}" to replace')
    if index is None:
        entries += listed(mod.get("items"))
    else:
        entries[index : index + 1] = listed(mod.get("items"))


def _remove(item: Item, field: str, mod: Mapping[str, object]) -> None:
    removed = [json.dumps(value) for value in listed(mod.get("names", mod.get("items")))]
    item[field] = [
        entry
        for entry in list_of(item, field)
        if json.dumps(_name(entry)) not in removed and json.dumps(entry) not in removed
    ]


def _rename(item: Item, field: str, mod: Mapping[str, object]) -> None:
    for rename in map(mapping, listed(mod.get("renames"))):
        for entry in list_of(item, field):
            if isinstance(entry, dict) and entry.get("name") == rename.get("rename"):
                entry["name"] = rename.get("with")


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
