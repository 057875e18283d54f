"""Spells, and the fields that only version 1 has: the classes, and ranges with the area in brackets."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Ref, Spell
from lorekeeper_mcp.models.printed_values import damage_in, damage_types_in
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.field_reader import Table, flag, integer, number, text
from lorekeeper_mcp.sources.open5e.adapters.served import (
    Context,
    Open5eFields,
    Served,
    key,
    keys,
    lower,
    move_to_guide,
    positive,
    prose,
    read,
    refs,
)
from lorekeeper_mcp.sources.spell_form import material_consumed, material_cost, needs_attack_roll, saving_throw
from lorekeeper_mcp.text import slugify

_SPELLED = {"sorceror": "Sorcerer"}
_COUNTED = re.compile(r"(\d+)\s*(\D+)")
_FEET = re.compile(r"(?<=\d) ?ft\b\.?")
_DICE = re.compile(r"\d+d\d+|\d+")
_CLAUSE = re.compile(r"(?<=[.;])\s")
_RESISTED = re.compile(r"\b(?:resistance|immunity|vulnerability) to\b")


def _in_words(value: object) -> str:
    """``10minutes`` is 10 minutes, ``bonus-action`` is 1 bonus action."""
    casting_time = text(value)
    if counted := _COUNTED.fullmatch(casting_time):
        return f"{counted[1]} {counted[2]}"
    return f"1 {casting_time.replace('-', ' ')}" if casting_time else ""


def _unit(value: object) -> str:
    """Both ``feet`` and ``ft`` are served."""
    return "feet" if text(value) == "ft" else text(value)


# A program filled in the lists of higher slots and levels from the sentence beside them, and the number of targets;
# they are left out.
_FIELDS: Table = {
    "level": ("level", integer),
    "school": ("school", key),
    "casting_time": ("casting_time", text),
    "casting_time_text": ("casting_time", _in_words),
    "reaction_condition": ("reaction_condition", text),
    "range": ("range", number),
    "range_unit": ("range_unit", _unit),
    "range_text": ("range_text", lambda value: _FEET.sub(" feet", text(value))),
    "verbal": ("verbal", flag),
    "somatic": ("somatic", flag),
    "material": ("material", flag),
    "material_text": ("material_specified", text),
    "material_cost": ("material_cost", positive),
    "concentration": ("concentration", flag),
    "duration": ("duration", text),
    "ritual": ("ritual", flag),
    "classes": ("classes", refs),
    "shape_type": ("shape_type", text),
    "shape_size": ("shape_size", number),
    "shape_unit": ("shape_size_unit", _unit),
    "higher_level": ("higher_level", prose),
}


def spell(head: Open5eFields, served: Served, _: Context) -> Spell:
    """Adapt a record of ``v2/spells``. What Open5e derives from the text is checked against it."""
    record = Spell.model_validate({"level": 0, **head, **read(served, _FIELDS)})
    words, material = record.text, record.material_text
    roll = text(served.get("damage_roll"))
    rolled = list(dict.fromkeys(dice for dice, _ in damage_in(words.lower())))
    return record.model_copy(
        update={
            "material_cost": record.material_cost or material_cost(material),
            "material_consumed": bool(flag(served.get("material_consumed"))) or material_consumed(material),
            "damage_types": _damage_types(keys(served.get("damage_types")), f"{words} {record.higher_level}".lower()),
            # Not "d"; a lost one is the text's only roll.
            "damage_roll": roll if _DICE.match(roll) else rolled[0] if len(rolled) == 1 else "",
            "saving_throw": saving_throw(words, lower(served.get("saving_throw_ability"))),
            "attack_roll": bool(flag(served.get("attack_roll"))) or needs_attack_roll(words),
        }
    )


def archived_spell(head: Open5eFields, served: Served, _: Context) -> Spell:
    """Adapt a record of ``v1/spells`` under its key in version 2, with only the fields that complete that record."""
    move_to_guide(head)
    names = [_SPELLED.get(one.lower(), one) for one in map(str.strip, text(served.get("dnd_class")).split(",")) if one]
    slugs = [(one, slugify(one)) for one in names]
    classes = tuple(Ref(name=one, key=f"srd_{slug}" if slug in SRD_CLASSES else slug) for one, slug in slugs)
    level = integer(served.get("level_int")) or 0
    return Spell(**head, level=level, range_text=text(served.get("range")), classes=classes)


def _damage_types(served: tuple[str, ...], words: str) -> tuple[str, ...]:
    """The types that the text deals: those that it rolls, and served ones that it has and not only resists."""
    dealt = [clause for clause in _CLAUSE.split(words) if not _RESISTED.search(clause)]
    rolled = [type_ for _, phrase in damage_in(words) for type_ in damage_types_in(phrase)]
    kept = [type_ for type_ in served if any(type_ in clause for clause in dealt)]
    is_general = not rolled and not any(type_ in words for type_ in served)  # "the weapon's damage"
    return tuple(dict.fromkeys((*(served if is_general else kept), *rolled)))
