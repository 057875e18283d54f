"""A creature as the fields of a 5etools monster."""

from __future__ import annotations

import re
from fractions import Fraction

from lorekeeper_mcp.models import Creature
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.fivetools.codes import SIZES, codes_of
from lorekeeper_mcp.sources.fivetools.creature_actions import ACTIONS
from lorekeeper_mcp.sources.fivetools.creatures import DEFENSES
from lorekeeper_mcp.sources.fivetools.texts.requirements import ALIGNMENT
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import entries
from lorekeeper_mcp.sources.stat_block import printed_name

_SHORT = codes_of(ABILITY_BY_ABBREVIATION)
_SIZES = codes_of(SIZES)
_TYPE = re.compile(r"([a-z ]+) \((.+)\)")
_SWARM = re.compile(r"swarm of (\w+) (.+?)s?", re.IGNORECASE)


def creature_fields(record: Creature) -> dict[str, object]:
    """Return the fields of a monster; those that the record does not have are empty."""
    scores = record.abilities.model_dump()
    defenses = record.defenses.model_dump()
    made: dict[str, object] = {
        "size": [_SIZES.get(part.lower(), part) for part in (record.size_text or record.size).split(" or ") if part],
        "type": _type(record),
        "alignment": _alignment(record.alignment),
        "ac": [{"ac": record.armor_class, "from": [record.armor_text]} if record.armor_text else record.armor_class],
        "hp": {"average": record.hit_points, "formula": record.hit_dice.replace("+", " + ")},
        "speed": _speed(record),
        **{short: scores[name] for short, name in ABILITY_BY_ABBREVIATION.items()},
        "save": {_SHORT.get(name, name): f"{bonus:+d}" for name, bonus in record.saving_throws.items()},
        "skill": {name.replace("-", " "): f"{bonus:+d}" for name, bonus in record.skills.items()},
        "senses": record.senses.text.split(", ") if record.senses.text else _senses(record),
        "passive": record.senses.passive_perception,
        "languages": record.languages.split(", ") if record.languages else [],
        **{field: _defended(defenses[name], defenses[f"{name}_text"]) for name, field in DEFENSES.items()},
        "cr": str(Fraction(record.challenge_rating)) if record.challenge_rating is not None else None,
        "trait": [{"name": one.name, "entries": entries(one.text)} for one in record.traits],
        "legendaryHeader": entries(record.legendary_text) if record.legendary_text else None,
        "environment": [one.name.lower() for one in record.environments],
        "group": list(record.creature_sets),
    }
    for field, kind in ACTIONS.items():
        actions = [one for one in record.actions if one.type is kind]
        made[field] = [{"name": printed_name(one), "entries": entries(one.text)} for one in actions]
    if record.armor_class is None:
        made["ac"] = [{"special": record.armor_text}] if record.armor_text else None
    if record.hit_points is None and not record.hit_dice:
        made["hp"] = None
    return made


def _defended(keys: tuple[str, ...], text: str) -> list[object]:
    """Damage types or conditions; conditional entries as printed."""
    found: list[object] = []
    for clause in filter(None, map(str.strip, text.split(";"))):
        parts = [part.strip().lower() for part in clause.split(",")]
        found += [{"special": clause}] if any(" " in part for part in parts) else parts
    return found or list(keys)


def _type(record: Creature) -> object:
    if swarm := _SWARM.fullmatch(record.type_text):
        return {"type": swarm[2].lower(), "swarmSize": _SIZES.get(swarm[1].lower(), swarm[1])}
    if tagged := _TYPE.fullmatch(record.type_text):
        return {"type": tagged[1], "tags": tagged[2].split(", ")}
    return record.type_text or record.type


def _alignment(text: str) -> list[str] | list[dict[str, str]]:
    codes = {name: code for code, name in ALIGNMENT.items()}
    letters = [codes.get(text)] if text in codes else [codes.get(word) for word in text.split()]
    plain = [letter for letter in letters if letter]
    return plain if len(plain) == len(letters) else [{"special": text}]


def _speed(record: Creature) -> dict[str, object]:
    made: dict[str, object] = {mode: int(feet) if feet == int(feet) else feet for mode, feet in record.speed.items()}
    return {**made, "canHover": True} if record.hover else made


def _senses(record: Creature) -> list[str]:
    ranges = record.senses.model_dump(include={"darkvision", "blindsight", "tremorsense", "truesight"})
    return [f"{name} {feet:g} ft." for name, feet in ranges.items() if feet is not None]
