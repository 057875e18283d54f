"""Modifications of copies (``_mod``): of texts, lists and numbers, with variables for the copy's own numbers.

One that is not known, or that does not fit the original, is listed in the copy instead of being applied.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import re2

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.field_reader import JsonObject, as_object, integer, listed, mapping, with_texts
from lorekeeper_mcp.sources.fivetools.context import Item
from lorekeeper_mcp.sources.fivetools.growth import grow, size_of

Modification: TypeAlias = "Callable[[Item, str, JsonObject], None]"
_NOT_APPLIED = "modifications not applied"
_TEXT_FIELDS = (
    "trait", "action", "bonus", "reaction", "legendary", "mythic", "variant", "spellcasting", "entries",
    "actionHeader", "bonusHeader", "reactionHeader", "legendaryHeader", "mythicHeader",
)  # fmt: skip
_MAX_PATTERN = 500  # characters
_GROUP = re.compile(r"\$(\d{1,2}|&)")
_RANGE = re.compile(r"\d{1,9}")
_SIZES = "TSMLHG"
_VARIABLE = re.compile(r"<\$([^$<>]{1,80})\$>")
_DICE = re.compile(r"([\d.]+)(?:d(\d+))?")


class ModificationError(ValueError):
    """The modification does not fit; the message says why."""


def modify(item: Item, target: str, modification: object) -> None:
    """Apply one modification to a field, to every text (``*``) or to the item (``_``), or note that it does not fit."""
    if modification == "remove":
        item.pop(target, None)
        return
    grow(size_of(modification))
    mode = str(mapping(modification).get("mode"))
    try:
        filled = mapping(_filled(modification, item))
        for field in [field for field in _TEXT_FIELDS if field in item] if target == "*" else [target]:
            _MODES[mode](item, field, filled)
    except (ModificationError, KeyError) as error:
        reason = str(error) if isinstance(error, ModificationError) else "it is unknown"
        left_out = {"name": mode, "reason": reason, "field": target, **as_object(modification, "what")}
        left_out.pop("mode", None)
        item[_NOT_APPLIED] = [*listed(item.get(_NOT_APPLIED)), left_out]


# --- Texts ---


def _pattern(text: object, flags: object) -> re.Pattern[str]:
    """Compile a pattern of the file, which matches in linear time. Raises ModificationError if it is not supported."""
    options = re2.Options()
    options.case_sensitive = "i" not in str(flags or "")
    options.log_errors = False
    try:
        if len(str(text)) <= _MAX_PATTERN:
            pattern: re.Pattern[str] = re2.compile(str(text), options)
            return pattern
    except re2.error:
        pass
    raise ModificationError(f'the pattern "{str(text)[:60]}" is invalid or too complex')


def _replacing(mod: JsonObject) -> Callable[[str], str]:
    """Return the function that replaces every match; ``$1`` and ``$&`` are what a group and the pattern matched."""
    pattern, replacement = _pattern(mod.get("replace"), mod.get("flags")), str(mod.get("with", ""))

    def new_text(match: re.Match[str]) -> str:
        try:
            new = _GROUP.sub(lambda group: match[0 if group[1] == "&" else int(group[1])] or "", replacement)
        except IndexError:
            reason = f'the replacement "{replacement[:60]}" names a group that the pattern lacks'
            raise ModificationError(reason) from None
        grow(len(new) - len(match[0]))
        return new

    return lambda text: pattern.sub(new_text, text)


def _replace_text(item: Item, field: str, mod: JsonObject) -> None:
    replace, props = _replacing(mod), mod.get("props")

    def replaced(value: object, name: str | None = None) -> object:
        if isinstance(value, str):
            is_changed = name in props if isinstance(props, list) else name not in ("name", "type", "source")
            return replace(value) if is_changed else value
        if isinstance(value, list):
            return [replaced(part, name) for part in value]
        if isinstance(value, Mapping):
            return {inner: replaced(part, inner) for inner, part in value.items()}
        return value

    if field in item:
        item[field] = replaced(item[field])


def _replace_name(item: Item, field: str, mod: JsonObject) -> None:
    replace = _replacing(mod)
    for entry in _list_of(item, field):
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            entry["name"] = replace(entry["name"])


def _append_text(item: Item, field: str, mod: JsonObject) -> None:
    text = item.get(field)
    item[field] = f"{text}{mod.get('joiner', '')}{mod.get('str', '')}" if text else str(mod.get("str", ""))


# --- Lists and fields ---


def _list_of(item: Item, field: str) -> list[object]:
    """Return the list in a field, created if missing. Raises ModificationError if the field is not a list."""
    value = item.setdefault(field, [])
    if not isinstance(value, list):
        raise ModificationError(f'"{field}" is not a list')
    return value


def _insert(item: Item, field: str, mod: JsonObject) -> None:
    """Insert at the beginning, at an index, or at the end."""
    entries = _list_of(item, field)
    ends = {"prependArr": 0, "appendArr": len(entries)}
    index = ends.get(str(mod.get("mode")), integer(mod.get("index")) or 0)
    entries[index:index] = listed(mod.get("items"))


def _replace(item: Item, field: str, mod: JsonObject) -> None:
    entries = _list_of(item, field)
    index = _index(entries, mod.get("replace"))
    if index is None and mod.get("mode") == "replaceArr":
        raise ModificationError(f'the original has no "{mod.get("replace")}" in "{field}" to replace')
    at = slice(len(entries), None) if index is None else slice(index, index + 1)
    entries[at] = listed(mod.get("items"))


def _index(entries: Sequence[object], wanted: object) -> int | None:
    """The place of an entry, given by its name, by an index, or by a pattern for its name."""
    spec = mapping(wanted)
    if "index" in spec:
        index = integer(spec["index"])
        return index if index is not None and 0 <= index < len(entries) else None
    pattern = _pattern(spec["regex"], spec.get("flags")) if "regex" in spec else None
    names = map(_name, entries)
    return next(
        (at for at, name in enumerate(names) if (pattern.search(str(name)) if pattern else name == wanted)), None
    )


def _name(entry: object) -> object:
    return entry.get("name") if isinstance(entry, Mapping) else entry


def _remove(item: Item, field: str, mod: JsonObject) -> None:
    def content(value: object) -> str:
        return json.dumps(value, sort_keys=True, default=str)

    removed = set(map(content, listed(mod.get("names", mod.get("items")))))
    item[field] = [entry for entry in _list_of(item, field) if not removed & {content(_name(entry)), content(entry)}]


def _rename(item: Item, field: str, mod: JsonObject) -> None:
    renames = {str(spec.get("rename")): spec.get("with") for spec in map(mapping, listed(mod.get("renames")))}
    for entry in _list_of(item, field):
        if isinstance(entry, dict) and str(entry.get("name")) in renames:
            entry["name"] = renames[str(entry["name"])]


def _set(item: Item, field: str, mod: JsonObject) -> None:
    *outer, last = str(mod.get("prop") or field).split(".")
    target: Item = item
    for name in outer:
        inner = target.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ModificationError(f'it sets a part of "{name}", which has no parts')
        target = inner
    target[last] = mod.get("value")


def _add_senses(item: Item, _: str, mod: JsonObject) -> None:
    """Add senses; each replaces one of the same kind with a shorter range."""
    senses = [str(sense) for sense in _list_of(item, "senses")]
    for spec in map(mapping, listed(mod.get("senses"))):
        kind, feet = str(spec.get("type")), integer(spec.get("range")) or 0
        same_kind = [sense for sense in senses if sense.startswith(kind)]
        if all(int(match[0]) < feet for match in map(_RANGE.search, same_kind) if match):
            senses = [*(sense for sense in senses if sense not in same_kind), f"{kind} {feet} ft."]
    item["senses"] = list(senses)


# --- Numbers ---


def _modify_numbers(work: Callable[[float, float], float]) -> Modification:
    """Return a modification of one or all numbers of an object."""

    def modify(item: Item, field: str, mod: JsonObject) -> None:
        scalar, prop, values = float(str(mod.get("scalar") or 0)), str(mod.get("prop") or "*"), mapping(item.get(field))
        modified = dict(values)
        for name, value in values.items():
            if (amount := integer(value)) is not None and prop in (name, "*"):
                result = int(work(amount, scalar))
                modified[name] = f"{result:+d}" if isinstance(value, str) else result
        if values:
            item[field] = modified

    return modify


def _shift_tag(tag: str) -> Modification:
    """Return a modification of the numbers in a tag: ``{@hit 5}``."""
    pattern = re.compile(rf"(\{{@{tag} )([+-]?\d+)")

    def modify(item: Item, field: str, mod: JsonObject) -> None:
        shift = integer(mod.get("scalar")) or 0
        item[field] = with_texts(
            item.get(field), lambda text: pattern.sub(lambda match: f"{match[1]}{int(match[2]) + shift}", text)
        )

    return modify


def _filled(value: object, item: Item) -> object:
    """Resolve variables such as ``<$dc__con$>`` in a modification. Raises ModificationError for an unknown one."""

    def filled(match: re.Match[str]) -> str:
        text = _variable(match[1], item)
        grow(len(text) - len(match[0]))
        return text

    return with_texts(value, lambda text: _VARIABLE.sub(filled, text))


def _variable(text: str, item: Item) -> str:
    """The value of ``dc__con``, ``to_hit__str,dex``, ``damage_avg__2d6+dex``, ``size_mult__5`` or ``name``."""
    kind, _, detail = text.partition("__")
    if kind in ("name", "title_name", "short_name", "title_short_name"):
        return _creature_name(kind, item)
    if kind.endswith("_mod") and kind != "damage_mod":
        return str(_modifier(item, kind))
    if kind == "size_mult":
        size = str((listed(item.get("size")) or ["M"])[0])
        return str((integer(detail) or 0) * max(1, _SIZES.find(size) - 1))
    abilities = detail.rpartition("+")[2] if kind == "damage_avg" else detail
    modifier = max(_modifier(item, ability) for ability in abilities.split(",")) if abilities else 0
    rating = integer(as_object(item.get("cr"), "cr").get("cr"))
    proficiency = 2 if rating is None or rating < 5 else 2 + (rating - 1) // 4
    if kind == "damage_avg" and (dice := _DICE.match(detail)):
        return str(int(float(dice[1]) * ((int(dice[2]) + 1) / 2 if dice[2] else 1) + modifier))
    values = {
        **dict.fromkeys(("prof_bonus", "proficiency"), str(proficiency)),
        **dict.fromkeys(("dc", "spell_dc"), str(8 + modifier + proficiency)),
        "to_hit": f"{modifier + proficiency:+d}",
        "damage_mod": f" {'+' if modifier > 0 else '-'} {abs(modifier)}" if modifier else "",
    }
    if kind not in values:
        raise ModificationError(f'the variable "{text[:40]}" is unknown')
    return values[kind]


def _creature_name(kind: str, item: Item) -> str:
    name = str(item.get("name") or "")
    name = name if item.get("isNamedCreature") else name.lower()
    if "short" in kind and isinstance(short := item.get("shortName"), str):
        name = short
    return name[:1].upper() + name[1:] if "title" in kind else name


def _modifier(item: Item, ability: str) -> int:
    """The modifier of an ability, named by its first three letters."""
    code = ability.strip()[:3]
    if code not in ABILITY_BY_ABBREVIATION:
        raise ModificationError(f'the variable is of "{ability[:20]}", which is not an ability')
    score = integer(item.get(code))
    return ((score if score is not None else 10) - 10) // 2


_MODES: Mapping[str, Modification] = {
    "replaceTxt": _replace_text,
    "replaceName": _replace_name,
    "appendStr": _append_text,
    **dict.fromkeys(("prependArr", "appendArr", "insertArr"), _insert),
    **dict.fromkeys(("replaceArr", "replaceOrAppendArr"), _replace),
    "removeArr": _remove,
    "renameArr": _rename,
    "setProp": _set,
    "setProps": lambda item, _, mod: item.update(mapping(mod.get("props"))),
    "scalarAddProp": _modify_numbers(lambda number, amount: number + amount),
    "scalarMultProp": _modify_numbers(lambda number, factor: number * factor),
    "scalarAddHit": _shift_tag("hit"),
    "scalarAddDc": _shift_tag("dc"),
    "addSenses": _add_senses,
}
