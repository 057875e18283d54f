"""Calculated modifications of a copied creature: numbers, sizes, senses, skills, spells."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION, EXPERIENCE
from lorekeeper_mcp.sources.fivetools.context import Item
from lorekeeper_mcp.sources.fivetools.fields import decimal, whole
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed, mapping, with_texts

Modification: TypeAlias = "Callable[[Item, str, Mapping[str, object]], None]"
_FEET = re.compile(r"\d{1,9}")
_SIZES = "TSMLHG"
_ABILITIES = tuple(ABILITY_BY_ABBREVIATION)
_VARIABLE = re.compile(r"<\$([^$<>]{1,80})\$>")
_LONGEST_SUM = 100  # characters
_SUM = re.compile(r"\s*-?\s*\d{1,6}(?:\.\d{1,3})?(?:\s*[-+*/]\s*-?\d{1,6}(?:\.\d{1,3})?)*\s*")
_SKILL_ABILITIES = {
    "athletics": "str", "acrobatics": "dex", "sleight of hand": "dex", "stealth": "dex", "arcana": "int",
    "history": "int", "investigation": "int", "nature": "int", "religion": "int", "animal handling": "wis",
    "insight": "wis", "medicine": "wis", "perception": "wis", "survival": "wis", "deception": "cha",
    "intimidation": "cha", "performance": "cha", "persuasion": "cha",
}  # fmt: skip


def list_of(item: Item, name: str) -> list[object]:
    """Return the list in a field, created if missing. Raises ItemError if the field is not a list."""
    value = item.setdefault(name, [])
    if not isinstance(value, list):
        raise ItemError(f'its modification is for a list, and "{name}" is not one')
    return value


def scalar(work: Callable[[float, float], float]) -> Modification:
    """Modify a number, or each number of an object."""

    def apply(item: Item, name: str, mod: Mapping[str, object]) -> None:
        by = float(str(mod.get("scalar") or 0))
        existing = mapping(item.get(name))
        wanted = str(mod.get("prop") or "*")
        made = dict(existing)
        for key, value in existing.items():
            if (number := whole(value)) is not None and wanted in (key, "*"):
                new = int(work(number, by))
                made[key] = f"{new:+d}" if isinstance(value, str) else new
        if existing:
            item[name] = made

    return apply


def shift_tag(tag: str) -> Modification:
    """Modify the numbers in a tag: ``{@hit 5}``."""

    pattern = re.compile(rf"\{{@{tag} ([+-]?\d+)")

    def apply(item: Item, name: str, mod: Mapping[str, object]) -> None:
        by = whole(mod.get("scalar")) or 0
        text = json.dumps(item.get(name))
        item[name] = json.loads(pattern.sub(lambda hit: f"{{@{tag} {int(hit[1]) + by}", text))

    return apply


def calculate(item: Item, name: str, mod: Mapping[str, object]) -> None:
    """Set a part of a field to the result of a formula with the creature's numbers."""
    formula = str(mod.get("formula") or "")
    text = str(with_variables(formula, item))
    if len(text) > _LONGEST_SUM or not _SUM.fullmatch(text):
        raise ItemError(f'its formula "{formula[:60]}" is not known')
    total, sign = 0.0, "+"
    for found in re.finditer(r"([+-])?\s*(\d+(?:\.\d+)?)((?:\s*[*/]\s*\d+(?:\.\d+)?)*)", text):
        value = float(found[2])
        for work, by in re.findall(r"([*/])\s*(\d+(?:\.\d+)?)", found[3]):
            value = value * float(by) if work == "*" else value / (float(by) or 1)
        sign = found[1] or "+"
        total += value if sign == "+" else -value
    existing = mapping(item.get(name))
    prop = str(mod.get("prop") or "")
    made: object = int(total) if total == int(total) else total
    item[name] = {**existing, prop: f"{made:+d}" if name in ("save", "skill") and isinstance(made, int) else made}


def with_variables(value: object, item: Item) -> object:
    """Resolve variables such as ``<$dc__con$>`` in a modification. Raises ItemError for an unknown one."""
    return with_texts(value, lambda text: _VARIABLE.sub(lambda hit: _variable(hit[1], item), text))


def _variable(text: str, item: Item) -> str:
    kind, _, detail = text.partition("__")
    ability = detail.rpartition("+")[2].strip() if kind == "damage_avg" else "" if kind == "size_mult" else detail
    modifier = max((_modifier(item, code.strip()) for code in ability.split(",")), default=0) if ability else 0
    name = str(item.get("name") or "")
    bare = name if item.get("isNamedCreature") else name.lower()
    sizes = listed(item.get("size")) or ["M"]
    numbers = {
        **dict.fromkeys(("prof_bonus", "proficiency"), _proficiency(item)),
        **{f"{code}_mod": _modifier(item, code) for code in _ABILITIES},
        **dict.fromkeys(("dc", "spell_dc"), 8 + modifier + _proficiency(item)),
        "size_mult": (whole(detail) or 0) * max(1, _SIZES.find(str(sizes[0])) - 1),
    }
    if kind in ("name", "title_name", "short_name", "title_short_name"):
        short = str(item["shortName"]) if isinstance(item.get("shortName"), str) and "short" in kind else bare
        return short[:1].upper() + short[1:] if "title" in kind else short
    if kind in ("to_hit", "damage_mod"):
        sign, number = ("", modifier + _proficiency(item)) if kind == "to_hit" else (" ", modifier)
        return f"{number:+d}" if not sign else f" {'+' if number > 0 else '-'} {abs(number)}" if number else ""
    if kind == "damage_avg" and (dice := re.match(r"([\d.]+)(?:d(\d+))?", detail)):
        return str(int(float(dice[1]) * ((int(dice[2]) + 1) / 2 if dice[2] else 1) + modifier))
    if kind in numbers:
        return str(numbers[kind])
    raise ItemError(f'its variable "{text[:40]}" is not known')


def _modifier(item: Item, code: str) -> int:
    score = whole(item.get(code[:3]))
    if code[:3] not in _ABILITIES:
        raise ItemError(f'its variable is of "{code[:20]}", which is not an ability')
    return ((score if score is not None else 10) - 10) // 2


def limit_size(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Limit the creature to a size."""
    existing, most = item.get("size"), str(mod.get("max"))
    sizes = existing if isinstance(existing, list) else [existing]
    item["size"] = [most if _SIZES.find(str(one)) > _SIZES.find(most) else one for one in sizes]


def scale_experience(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Multiply the creature's experience points, its own or those of its challenge rating."""
    given = item.get("cr")
    rating = dict(given) if isinstance(given, Mapping) else {"cr": given}
    number, points = decimal(rating.get("cr")), whole(rating.get("xp"))
    points = points if points is not None else EXPERIENCE.get(number) if number is not None else None
    if points is not None:
        item["cr"] = {**rating, "xp": int(points * float(str(mod.get("scalar") or 1)))}


def add_senses(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Add senses; each replaces one of the same kind with a shorter range."""
    existing = [str(one) for one in list_of(item, "senses")]
    for one in map(mapping, listed(mod.get("senses"))):
        kind, reach = str(one.get("type")), whole(one.get("range")) or 0
        like = [sense for sense in existing if sense.startswith(kind)]
        if all(int(found[0]) < reach for found in map(_FEET.search, like) if found):
            existing = [*(sense for sense in existing if sense not in like), f"{kind} {reach} ft."]
    item["senses"] = list(existing)


def proficient(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Calculate skills or saving throws from the creature's abilities and challenge rating."""
    field, prop, every = ("save", "saves", dict.fromkeys(_ABILITIES, ""))
    if "Skills" in str(mod.get("mode")):
        field, prop, every = "skill", "skills", _SKILL_ABILITIES
    given = mod.get(prop)
    existing = dict(mapping(item.get(field)))
    for name, level in (given if isinstance(given, Mapping) else dict.fromkeys(every, given)).items():
        score = whole(item.get(every.get(name) or name)) or 10
        existing[name] = f"{(score - 10) // 2 + (whole(level) or 1) * _proficiency(item):+d}"
    item[field] = existing


def _proficiency(item: Item) -> int:
    rating = item.get("cr")
    rating = mapping(rating).get("cr") if isinstance(rating, Mapping) else rating
    number = whole(rating)
    return 2 if number is None or number < 5 else 2 + (number - 1) // 4


def change_spells(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Add, remove or replace spells in a creature's first list."""
    work = str(mod.get("mode"))
    lists = [one for one in list_of(item, "spellcasting") if isinstance(one, dict)]
    found = next((one for one in lists if not mod.get("name") or one.get("name") == mod.get("name")), None)
    if found is None:
        raise ItemError("its original casts no spells that could be modified")
    if "will" in mod:
        found["will"] = _changed_spells(work, found.get("will"), mod["will"])
    for level, given in mapping(mod.get("spells")).items():
        part = found.setdefault("spells", {}).setdefault(level, {})
        new = mapping(given).get("spells", given) if work == "addSpells" else given
        part["spells"] = _changed_spells(work, part.get("spells"), new)
    for often in ("daily", "weekly", "monthly", "yearly"):
        for times, given in mapping(mod.get(often)).items():
            part = found.setdefault(often, {})
            part[times] = _changed_spells(work, part.get(times), given)


def _changed_spells(work: str, existing: object, given: object) -> object:
    values = list(existing) if isinstance(existing, list) else []
    for one in given if isinstance(given, list) else []:
        if work == "replaceSpells":
            old, new = mapping(one).get("replace"), mapping(one).get("with")
            values = [new if value == old else value for value in values]
        elif work == "removeSpells":
            values = [value for value in values if value != one]
        elif one not in values:
            values.append(one)
    return values
