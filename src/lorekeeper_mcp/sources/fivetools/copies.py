"""Applies the modifications of copies to their originals in the same file."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from lorekeeper_mcp.sources.fivetools.context import Item
from lorekeeper_mcp.sources.fivetools.creature_modifications import (
    Modification,
    add_senses,
    calculate,
    change_spells,
    limit_size,
    list_of,
    proficient,
    scalar,
    scale_experience,
    shift_tag,
    with_variables,
)
from lorekeeper_mcp.sources.fivetools.fields import whole
from lorekeeper_mcp.sources.fivetools.texts.bounded_patterns import compile_pattern
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed, mapping

_TEXTS = ("trait", "action", "bonus", "reaction", "legendary", "mythic", "variant", "spellcasting", "entries")
# Fields that a copy does not inherit unless ``_preserve`` lists them.
_OWN = frozenset(
    {"_copy", "_versions", "page", "srd", "srd52", "basicRules", "basicRules2024", "otherSources", "hasFluff",
     "hasFluffImages", "hasToken", "reprintedAs", "legendaryGroup", "environment", "soundClip", "altArt", "variant",
     "dragonCastingColor", "familiar", "lootTables", "tier"}
)  # fmt: skip
_DEEPEST = 20  # copies of copies


class MissingOriginalError(ItemError):
    """The original of a copy is in no file; the message names it. ``wanted`` is the copy's reference."""

    def __init__(self, wanted: Mapping[str, object]) -> None:
        self.wanted = wanted
        source = f" ({wanted['source']})" if wanted.get("source") else ""
        super().__init__(
            f'it is a copy of "{wanted.get("name")}"{source}, which is not in these files, the SRD or the store'
        )


def by_name(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Map names, and names with sources, in lower case to their items, to look up originals."""
    found: dict[str, list[Item]] = {}
    for item in items:
        name, source = (str(item.get(key, "")).lower() for key in ("name", "source"))
        for key in (name, f"{name}|{source}"):
            found.setdefault(key, []).append(item)
    return found


def resolved(
    item: Item,
    others: Mapping[str, Sequence[Item]],
    templates: Mapping[str, Sequence[Item]] = MappingProxyType({}),
    _seen: tuple[int, ...] = (),
) -> Item:
    """Return the item itself, or the result of its ``_copy`` of an original among the others. Raises ItemError."""
    wanted = item.get("_copy")
    if not isinstance(wanted, Mapping):
        return item
    if id(item) in _seen:
        raise ItemError("it is a copy of itself")
    if len(_seen) > _DEEPEST:
        raise ItemError(f"it is a copy of copies, more than {_DEEPEST} deep")
    original = _original(item, wanted, others)
    if original is None:
        raise MissingOriginalError(wanted)
    kept = mapping(wanted.get("_preserve"))
    made: Item = {
        name: copy.deepcopy(value)
        for name, value in resolved(original, others, templates, (*_seen, id(item))).items()
        if name not in _OWN or "*" in kept or name in kept
    }
    made.pop("_copy", None)
    applied = [_template(one, templates) for one in listed(wanted.get("_templates"))]
    for one in applied:
        made |= copy.deepcopy(dict(mapping(one.get("_root"))))
    made |= {name: value for name, value in item.items() if name != "_copy"}
    made = {name: value for name, value in made.items() if value is not None or name not in item}
    for mods in (*(mapping(one.get("_mod")) for one in applied), mapping(wanted.get("_mod"))):
        for target, given in mods.items():
            for mod in given if isinstance(given, list) else [given]:
                _modify(made, target, with_variables(copy.deepcopy(mod), made))
    return made


def _original(item: Item, wanted: Mapping[str, object], others: Mapping[str, Sequence[Item]]) -> Item | None:
    name = str(wanted.get("name", "")).lower()
    named = others.get(f"{name}|{str(wanted['source']).lower()}" if "source" in wanted else name, [])
    return next((one for one in named if one is not item and _is_meant(one, wanted)), None)


def ancestors(item: Item, others: Mapping[str, Sequence[Item]]) -> Iterator[Item]:
    """Yield the originals of a resolved copy, the nearest first."""
    for _ in range(_DEEPEST):
        wanted = item.get("_copy")
        found = _original(item, wanted, others) if isinstance(wanted, Mapping) else None
        if found is None:
            return
        yield (item := found)


def _template(wanted: object, templates: Mapping[str, Sequence[Item]]) -> Mapping[str, object]:
    """The changes of a template. Raises ItemError if it is in no file."""
    named = templates.get(str(mapping(wanted).get("name", "")).lower(), [])
    found = next((one for one in named if _is_meant(one, mapping(wanted))), None)
    if found is None:
        raise ItemError(f'its template "{mapping(wanted).get("name")}" is not in these files')
    return mapping(found.get("apply"))


def _is_meant(item: Item, wanted: Mapping[str, object]) -> bool:
    keys = [key for key in wanted if not key.startswith("_")]
    return all(str(item.get(key, "")).lower() == str(wanted[key]).lower() for key in keys)


def _modify(item: Item, target: str, mod: object) -> None:
    """Apply one modification to a field, to every text (``*``) or to the item (``_``)."""
    if mod == "remove":
        item.pop(target, None)
        return
    mode = str(mapping(mod).get("mode"))
    if mode not in _MODES:
        raise ItemError(f'its modification "{mode[:40]}" is not known')
    for name in [name for name in _TEXTS if name in item] if target == "*" else [target]:
        _MODES[mode](item, name, mapping(mod))


def _called(entry: object) -> object:
    return entry.get("name") if isinstance(entry, Mapping) else entry


def _place(values: Sequence[object], wanted: object) -> int | None:
    spec = mapping(wanted)
    if "index" in spec:
        at = whole(spec["index"])
        return at if at is not None and 0 <= at < len(values) else None
    if "regex" in spec:
        wanted_name = compile_pattern(str(spec["regex"]), str(spec.get("flags") or ""))
        return next((at for at, one in enumerate(values) if wanted_name.matches(str(_called(one)))), None)
    return next((at for at, one in enumerate(values) if _called(one) == wanted), None)


def _replace_text(item: Item, name: str, mod: Mapping[str, object]) -> None:
    old = compile_pattern(str(mod.get("replace")), str(mod.get("flags") or ""))
    new = re.sub(r"\$(\d)", r"\\\1", str(mod.get("with", "")).replace("\\", r"\\")).replace(r"$&", r"\g<0>")

    props = mod.get("props")

    def replaced(value: object, key: str | None = None) -> object:
        if isinstance(value, str):
            is_meant = key in props if isinstance(props, list) else key not in ("name", "type", "source")
            return old.replace_in(value, new) if is_meant else value
        if isinstance(value, list):
            return [replaced(one, key) for one in value]
        if isinstance(value, Mapping):
            return {inner: replaced(one, inner) for inner, one in value.items()}
        return value

    if name in item:
        item[name] = replaced(item[name])


def _replace_name(item: Item, name: str, mod: Mapping[str, object]) -> None:
    old = compile_pattern(str(mod.get("replace")), str(mod.get("flags") or ""))
    for entry in list_of(item, name):
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            entry["name"] = old.replace_in(entry["name"], str(mod.get("with", "")).replace("\\", r"\\"))


def _append_text(item: Item, name: str, mod: Mapping[str, object]) -> None:
    old = item.get(name)
    item[name] = f"{old}{mod.get('joiner', '')}{mod.get('str', '')}" if old else str(mod.get("str", ""))


def _affix(item: Item, name: str, mod: Mapping[str, object]) -> None:
    prop = str(mod.get("prop") or name)
    item[prop] = f"{mod.get('prefix', '')}{item.get(prop, '')}{mod.get('suffix', '')}"


def _insert(item: Item, name: str, mod: Mapping[str, object]) -> None:
    """Insert at the beginning, at an index, or at the end."""
    existing = list_of(item, name)
    ends = {"prependArr": 0, "appendArr": len(existing)}
    at = ends.get(str(mod.get("mode")), whole(mod.get("index")) or 0)
    existing[at:at] = listed(mod.get("items"))


def _append_missing(item: Item, name: str, mod: Mapping[str, object]) -> None:
    existing = list_of(item, name)
    item[name] = [*existing, *(one for one in listed(mod.get("items")) if one not in existing)]


def _replace(item: Item, name: str, mod: Mapping[str, object]) -> None:
    existing = list_of(item, name)
    at = _place(existing, mod.get("replace"))
    if at is None and mod.get("mode") == "replaceArr":
        raise ItemError(f'its original has no "{mod.get("replace")}" in "{name}" to replace')
    existing[slice(at, at + 1) if at is not None else slice(len(existing), None)] = listed(mod.get("items"))


def _remove(item: Item, name: str, mod: Mapping[str, object]) -> None:
    removed = {json.dumps(one) for one in listed(mod.get("names", mod.get("items")))}
    item[name] = [one for one in list_of(item, name) if removed.isdisjoint((json.dumps(_called(one)), json.dumps(one)))]


def _rename(item: Item, name: str, mod: Mapping[str, object]) -> None:
    for one in listed(mod.get("renames")):
        for entry in list_of(item, name):
            if isinstance(entry, dict) and entry.get("name") == mapping(one).get("rename"):
                entry["name"] = mapping(one).get("with")


def _set(item: Item, name: str, mod: Mapping[str, object]) -> None:
    path = str(mod.get("prop") or name).split(".")
    at: Item = item
    for step in path[:-1]:
        inner = at.setdefault(step, {})
        if not isinstance(inner, dict):
            raise ItemError(f'its modification sets a part of "{step}", which has none')
        at = inner
    at[path[-1]] = mod.get("value")


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
    "scalarAddProp": scalar(lambda value, by: value + by),
    "scalarMultProp": scalar(lambda value, by: value * by),
    "scalarAddHit": shift_tag("hit"),
    "scalarAddDc": shift_tag("dc"),
    "scalarMultXp": scale_experience,
    "maxSize": limit_size,
    "addSenses": add_senses,
    **dict.fromkeys(("addSkills", "addAllSkills", "addSaves", "addAllSaves"), proficient),
    **dict.fromkeys(("addSpells", "removeSpells", "replaceSpells"), change_spells),
}
