"""Calculated modifications of a copied creature: numbers, sizes, senses, skills, spells."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION, EXPERIENCE
from lorekeeper_mcp.sources.fivetools.context import Item
from lorekeeper_mcp.sources.fivetools.growth import grow
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.reading import as_object, integer, listed, mapping, members, number, with_texts

Modification: TypeAlias = "Callable[[Item, str, Mapping[str, object]], None]"
_RANGE = re.compile(r"\d{1,9}")
_SIZES = "TSMLHG"
_ABILITIES = tuple(ABILITY_BY_ABBREVIATION)
_VARIABLE = re.compile(r"<\$([^$<>]{1,80})\$>")
_MAX_FORMULA = 100  # characters
_FORMULA = re.compile(r"\s*-?\s*\d{1,6}(?:\.\d{1,3})?(?:\s*[-+*/]\s*-?\d{1,6}(?:\.\d{1,3})?)*\s*")
_TERM = re.compile(r"([+-])?\s*(\d+(?:\.\d+)?)((?:\s*[*/]\s*\d+(?:\.\d+)?)*)")
_DICE = re.compile(r"([\d.]+)(?:d(\d+))?")
_FACTOR = re.compile(r"([*/])\s*(\d+(?:\.\d+)?)")
_SKILL_ABILITIES = {
    "athletics": "str", "acrobatics": "dex", "sleight of hand": "dex", "stealth": "dex", "arcana": "int",
    "history": "int", "investigation": "int", "nature": "int", "religion": "int", "animal handling": "wis",
    "insight": "wis", "medicine": "wis", "perception": "wis", "survival": "wis", "deception": "cha",
    "intimidation": "cha", "performance": "cha", "persuasion": "cha",
}  # fmt: skip


def list_of(item: Item, field: str) -> list[object]:
    """Return the list in a field, created if missing. Raises ItemError if the field is not a list."""
    value = item.setdefault(field, [])
    if not isinstance(value, list):
        raise ItemError(f'its modification is for a list, and "{field}" is not one')
    return value


def modify_numbers(work: Callable[[float, float], float]) -> Modification:
    """Return a modification of one or all numbers of an object."""

    def modify(item: Item, field: str, mod: Mapping[str, object]) -> None:
        scalar = float(str(mod.get("scalar") or 0))
        values = mapping(item.get(field))
        prop = str(mod.get("prop") or "*")
        modified = dict(values)
        for name, value in values.items():
            if (amount := integer(value)) is not None and prop in (name, "*"):
                result = int(work(amount, scalar))
                modified[name] = f"{result:+d}" if isinstance(value, str) else result
        if values:
            item[field] = modified

    return modify


def shift_tag(tag: str) -> Modification:
    """Return a modification of the numbers in a tag: ``{@hit 5}``."""
    pattern = re.compile(rf"\{{@{tag} ([+-]?\d+)")

    def modify(item: Item, field: str, mod: Mapping[str, object]) -> None:
        shift = integer(mod.get("scalar")) or 0
        text = json.dumps(item.get(field))
        item[field] = json.loads(pattern.sub(lambda match: f"{{@{tag} {int(match[1]) + shift}", text))

    return modify


def calculate(item: Item, field: str, mod: Mapping[str, object]) -> None:
    """Set a part of a field to the result of a formula with the creature's numbers."""
    formula = str(mod.get("formula") or "")
    text = str(fill_creature_variables(formula, item))
    if len(text) > _MAX_FORMULA or not _FORMULA.fullmatch(text):
        raise ItemError(f'its formula "{formula[:60]}" is unknown')
    total = 0.0
    for sign, amount, factors in _TERM.findall(text):
        term = float(amount)
        for operator, factor in _FACTOR.findall(factors):
            term = term * float(factor) if operator == "*" else term / (float(factor) or 1)
        total += -term if sign == "-" else term
    result: object = int(total) if total == int(total) else total
    if field in ("save", "skill") and isinstance(result, int):
        result = f"{result:+d}"
    item[field] = {**mapping(item.get(field)), str(mod.get("prop") or ""): result}


def fill_creature_variables(value: object, item: Item) -> object:
    """Resolve variables such as ``<$dc__con$>`` in a modification. Raises ItemError for an unknown one."""

    def filled(match: re.Match[str]) -> str:
        text = _variable(match[1], item)
        grow(len(text) - len(match[0]))
        return text

    return with_texts(value, lambda text: _VARIABLE.sub(filled, text))


def _variable(text: str, item: Item) -> str:
    kind, _, detail = text.partition("__")
    if kind in ("name", "title_name", "short_name", "title_short_name"):
        return _creature_name(kind, item)
    if kind[:3] in _ABILITIES and kind[3:] == "_mod":
        return str(_modifier(item, kind))
    if kind == "size_mult":
        size = str((listed(item.get("size")) or ["M"])[0])
        return str((integer(detail) or 0) * max(1, _SIZES.find(size) - 1))
    abilities = detail.rpartition("+")[2].strip() if kind == "damage_avg" else detail
    modifier = max(_modifier(item, ability.strip()) for ability in abilities.split(",")) if abilities else 0
    dice = _DICE.match(detail)
    match kind:
        case "prof_bonus" | "proficiency":
            value = str(_proficiency(item))
        case "dc" | "spell_dc":
            value = str(8 + modifier + _proficiency(item))
        case "to_hit":
            value = f"{modifier + _proficiency(item):+d}"
        case "damage_mod":
            value = f" {'+' if modifier > 0 else '-'} {abs(modifier)}" if modifier else ""
        case "damage_avg" if dice:
            value = str(int(float(dice[1]) * ((int(dice[2]) + 1) / 2 if dice[2] else 1) + modifier))
        case _:
            raise ItemError(f'its variable "{text[:40]}" is unknown')
    return value


def _creature_name(kind: str, item: Item) -> str:
    name = str(item.get("name") or "")
    name = name if item.get("isNamedCreature") else name.lower()
    if "short" in kind and isinstance(short := item.get("shortName"), str):
        name = short
    return name[:1].upper() + name[1:] if "title" in kind else name


def _modifier(item: Item, ability: str) -> int:
    """The modifier of an ability, named by its first three letters."""
    if ability[:3] not in _ABILITIES:
        raise ItemError(f'its variable is of "{ability[:20]}", which is not an ability')
    score = integer(item.get(ability[:3]))
    return ((score if score is not None else 10) - 10) // 2


def _proficiency(item: Item) -> int:
    """The proficiency bonus of a challenge rating."""
    rating = integer(as_object(item.get("cr"), "cr").get("cr"))
    return 2 if rating is None or rating < 5 else 2 + (rating - 1) // 4


def limit_size(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Limit the creature to a size."""
    sizes, largest = item.get("size"), str(mod.get("max"))
    item["size"] = [
        largest if _SIZES.find(str(size)) > _SIZES.find(largest) else size
        for size in (sizes if isinstance(sizes, list) else [sizes])
    ]


def scale_experience(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Multiply the creature's experience points, its own or those of its challenge rating."""
    value = item.get("cr")
    rating = dict(as_object(value, "cr"))
    points, challenge = integer(rating.get("xp")), number(rating.get("cr"))
    if points is None and challenge is not None:
        points = EXPERIENCE.get(challenge)
    if points is not None:
        item["cr"] = {**rating, "xp": int(points * float(str(mod.get("scalar") or 1)))}


def add_senses(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Add senses; each replaces one of the same kind with a shorter range."""
    senses = [str(sense) for sense in list_of(item, "senses")]
    for spec in map(mapping, listed(mod.get("senses"))):
        kind, feet = str(spec.get("type")), integer(spec.get("range")) or 0
        same_kind = [sense for sense in senses if sense.startswith(kind)]
        if all(int(match[0]) < feet for match in map(_RANGE.search, same_kind) if match):
            senses = [*(sense for sense in senses if sense not in same_kind), f"{kind} {feet} ft."]
    item["senses"] = list(senses)


def set_proficiency(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Calculate skills or saving throws from the creature's abilities and challenge rating."""
    field, prop = ("skill", "skills") if "Skills" in str(mod.get("mode")) else ("save", "saves")
    abilities = _SKILL_ABILITIES if field == "skill" else {ability: ability for ability in _ABILITIES}
    levels = mod.get(prop)
    if not isinstance(levels, Mapping):
        levels = dict.fromkeys(abilities, levels)
    bonuses = dict(mapping(item.get(field)))
    for name, level in levels.items():
        score = integer(item.get(abilities.get(name, name))) or 10
        bonuses[name] = f"{(score - 10) // 2 + (integer(level) or 1) * _proficiency(item):+d}"
    item[field] = bonuses


def change_spells(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Add, remove or replace spells in a creature's first list, or in the one that is named."""
    mode, name = str(mod.get("mode")), mod.get("name")
    lists = [spells for spells in list_of(item, "spellcasting") if isinstance(spells, dict)]
    casting = next((spells for spells in lists if not name or spells.get("name") == name), None)
    if casting is None:
        raise ItemError("its original casts no spells that could be modified")
    if "will" in mod:
        casting["will"] = _changed_spells(mode, casting.get("will"), mod["will"])
    for level, change in mapping(mod.get("spells")).items():
        slots = casting.setdefault("spells", {}).setdefault(level, {})
        new = mapping(change).get("spells", change) if mode == "addSpells" else change
        slots["spells"] = _changed_spells(mode, slots.get("spells"), new)
    for period in ("daily", "weekly", "monthly", "yearly"):
        for uses, change in mapping(mod.get(period)).items():
            spells = casting.setdefault(period, {})
            spells[uses] = _changed_spells(mode, spells.get(uses), change)


def _changed_spells(mode: str, spells: object, change: object) -> list[object]:
    changed = list(members(spells))
    for spell in members(change):
        if mode == "replaceSpells":
            old, new = mapping(spell).get("replace"), mapping(spell).get("with")
            changed = [new if known == old else known for known in changed]
        elif mode == "removeSpells":
            changed = [known for known in changed if known != spell]
        elif spell not in changed:
            changed.append(spell)
    return changed
