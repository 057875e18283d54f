"""Modifications of a copied creature that reckon: numbers, sizes, senses, skills, spells."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.sources.fivetools.fields import mapping, whole

Item: TypeAlias = "dict[str, object]"
Modification: TypeAlias = "Callable[[Item, str, Mapping[str, object]], None]"
_SIZES = "TSMLHG"
_SKILL_ABILITIES = {
    "athletics": "str", "acrobatics": "dex", "sleight of hand": "dex", "stealth": "dex", "arcana": "int",
    "history": "int", "investigation": "int", "nature": "int", "religion": "int", "animal handling": "wis",
    "insight": "wis", "medicine": "wis", "perception": "wis", "survival": "wis", "deception": "cha",
    "intimidation": "cha", "performance": "cha", "persuasion": "cha",
}  # fmt: skip


class CopyError(ValueError):
    """A copy cannot be worked out; the message says why."""


def list_of(item: Item, name: str) -> list[object]:
    """Return the list in a field, made where there is none. Raises CopyError where the field holds something else."""
    value = item.setdefault(name, [])
    if not isinstance(value, list):
        raise CopyError(f'its modification is for a list, and "{name}" is none')
    return value


def scalar(work: Callable[[float, float], float]) -> Modification:
    """A modification of a number, or of each number of an object."""

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
    """A modification of the numbers in a tag: ``{@hit 5}``."""

    pattern = re.compile(rf"\{{@{tag} ([+-]?\d+)")

    def apply(item: Item, name: str, mod: Mapping[str, object]) -> None:
        by = whole(mod.get("scalar")) or 0
        text = json.dumps(item.get(name))
        item[name] = json.loads(pattern.sub(lambda hit: f"{{@{tag} {int(hit[1]) + by}", text))

    return apply


def limit_size(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Make the creature no larger than a size."""
    existing, most = item.get("size"), str(mod.get("max"))
    sizes = existing if isinstance(existing, list) else [existing]
    item["size"] = [most if _SIZES.find(str(one)) > _SIZES.find(most) else one for one in sizes]


def scale_experience(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Multiply the experience points that the creature states."""
    rating = mapping(item.get("cr"))
    if (xp := whole(rating.get("xp"))) is not None:
        item["cr"] = {**rating, "xp": int(xp * float(str(mod.get("scalar") or 1)))}


def add_senses(item: Item, _: str, mod: Mapping[str, object]) -> None:
    """Add senses, each in place of its like."""
    given = mod.get("senses")
    existing = [str(one) for one in list_of(item, "senses")]
    for one in given if isinstance(given, list) else [given]:
        kind = str(mapping(one).get("type"))
        new = f"{kind} {mapping(one).get('range')} ft."
        existing = [*(sense for sense in existing if not sense.startswith(kind)), new]
    item["senses"] = list(existing)


def proficient(prop: str) -> Modification:
    """Skills or saving throws, worked out of the creature's abilities and challenge rating."""
    field = "skill" if prop == "skills" else "save"

    def apply(item: Item, _: str, mod: Mapping[str, object]) -> None:
        given = mod.get(prop)
        every = list(_SKILL_ABILITIES) if field == "skill" else ["str", "dex", "con", "int", "wis", "cha"]
        wanted = dict(mapping(given)) if isinstance(given, Mapping) else dict.fromkeys(every, given)
        existing = dict(mapping(item.get(field)))
        for name, level in wanted.items():
            score = whole(item.get(_SKILL_ABILITIES.get(name, name) if field == "skill" else name)) or 10
            existing[name] = f"{(score - 10) // 2 + (whole(level) or 1) * _proficiency(item):+d}"
        item[field] = existing

    return apply


def _proficiency(item: Item) -> int:
    rating = item.get("cr")
    rating = mapping(rating).get("cr") if isinstance(rating, Mapping) else rating
    number = whole(rating)
    return 2 if number is None or number < 5 else 2 + (number - 1) // 4


def change_spells(work: str) -> Modification:
    """Spells of a creature's first list of them: added, removed or replaced."""

    def change(existing: object, given: object) -> object:
        values = list(existing) if isinstance(existing, list) else []
        for one in given if isinstance(given, list) else []:
            if work == "replace":
                values = [
                    mapping(one).get("with") if value == mapping(one).get("replace") else value for value in values
                ]
            elif work == "remove":
                values = [value for value in values if value != one]
            elif one not in values:
                values.append(one)
        return values

    def apply(item: Item, _: str, mod: Mapping[str, object]) -> None:
        lists = [one for one in list_of(item, "spellcasting") if isinstance(one, dict)]
        found = next((one for one in lists if not mod.get("name") or one.get("name") == mod.get("name")), None)
        if found is None:
            raise CopyError("its original casts no spells that could be modified")
        if "will" in mod:
            found["will"] = change(found.get("will"), mod["will"])
        for level, given in mapping(mod.get("spells")).items():
            part = found.setdefault("spells", {}).setdefault(level, {})
            part["spells"] = change(part.get("spells"), mapping(given).get("spells", given) if work == "add" else given)
        for often in ("daily", "weekly", "monthly", "yearly"):
            for times, given in mapping(mod.get(often)).items():
                part = found.setdefault(often, {})
                part[times] = change(part.get(times), given)

    return apply
