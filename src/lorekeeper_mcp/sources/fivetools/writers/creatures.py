"""A creature as the fields of a 5etools monster."""

from __future__ import annotations

import re
from fractions import Fraction

from lorekeeper_mcp.models import Creature
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.fivetools.codes import ABILITY_CODES, size_codes
from lorekeeper_mcp.sources.fivetools.creature_actions import ACTIONS
from lorekeeper_mcp.sources.fivetools.creatures import DEFENSES
from lorekeeper_mcp.sources.fivetools.texts.requirements import ALIGNMENT
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import ItemFields, entries
from lorekeeper_mcp.sources.stat_block import printed_name

_ALIGNMENT = {name: code for code, name in ALIGNMENT.items()}
_TYPE = re.compile(r"([a-z ]+) \((.+)\)")
_SWARM = re.compile(r"swarm of (\w+) (.+?)s?", re.IGNORECASE)


def creature_fields(record: Creature) -> ItemFields:
    """Return the fields of a monster; those that the record does not have are empty."""
    scores = record.abilities.model_dump()
    defenses = record.defenses.model_dump()
    return {
        "size": size_codes(record.size_text or record.size),
        "type": _type(record),
        "alignment": _alignment(record.alignment),
        "ac": _armor(record),
        "hp": _hit_points(record),
        "speed": _speed(record),
        **{code: scores[ability] for code, ability in ABILITY_BY_ABBREVIATION.items()},
        "save": {ABILITY_CODES.get(name, name): f"{bonus:+d}" for name, bonus in record.saving_throws.items()},
        "skill": {name.replace("-", " "): f"{bonus:+d}" for name, bonus in record.skills.items()},
        "senses": record.senses.text.split(", ") if record.senses.text else _senses(record),
        "passive": record.senses.passive_perception,
        "languages": record.languages.split(", ") if record.languages else [],
        **{field: _defenses(defenses[name], defenses[f"{name}_text"]) for name, field in DEFENSES.items()},
        "cr": str(Fraction(record.challenge_rating)) if record.challenge_rating is not None else None,
        "trait": [{"name": trait.name, "entries": entries(trait.text)} for trait in record.traits],
        "legendaryHeader": entries(record.legendary_text) if record.legendary_text else None,
        "environment": [environment.name.lower() for environment in record.environments],
        "group": list(record.creature_sets),
        **{
            field: [
                {"name": printed_name(action), "entries": entries(action.text)}
                for action in record.actions
                if action.type is kind
            ]
            for field, kind in ACTIONS.items()
        },
    }


def _armor(record: Creature) -> list[object]:
    if record.armor_class is None:
        return [{"special": record.armor_text}] if record.armor_text else []
    return [{"ac": record.armor_class, "from": [record.armor_text]} if record.armor_text else record.armor_class]


def _hit_points(record: Creature) -> ItemFields:
    if record.hit_points is None and not record.hit_dice:
        return {}
    return {"average": record.hit_points, "formula": record.hit_dice.replace("+", " + ")}


def _defenses(keys: tuple[str, ...], text: str) -> list[object]:
    """Damage types or conditions; conditional entries as printed."""
    defenses: list[object] = []
    for clause in filter(None, map(str.strip, text.split(";"))):
        parts = [part.strip().lower() for part in clause.split(",")]
        defenses += [{"special": clause}] if any(" " in part for part in parts) else parts
    return defenses or list(keys)


def _type(record: Creature) -> object:
    if swarm := _SWARM.fullmatch(record.type_text):
        return {"type": swarm[2].lower(), "swarmSize": size_codes(swarm[1])[0]}
    if tagged := _TYPE.fullmatch(record.type_text):
        return {"type": tagged[1], "tags": tagged[2].split(", ")}
    return record.type_text or record.type


def _alignment(text: str) -> list[object]:
    names = [text] if text in _ALIGNMENT else text.split()
    codes = [_ALIGNMENT[name] for name in names if name in _ALIGNMENT]
    return [*codes] if len(codes) == len(names) else [{"special": text}]


def _speed(record: Creature) -> ItemFields:
    speeds: ItemFields = {mode: int(feet) if feet == int(feet) else feet for mode, feet in record.speed.items()}
    return {**speeds, "canHover": True} if record.hover else speeds


def _senses(record: Creature) -> list[str]:
    ranges = record.senses.model_dump(include={"darkvision", "blindsight", "tremorsense", "truesight"})
    return [f"{name} {feet:g} ft." for name, feet in ranges.items() if feet is not None]
