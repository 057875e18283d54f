"""Spells, and the fields that only version 1 has: the classes, and ranges with the area in brackets."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Ref, Spell
from lorekeeper_mcp.models.printed_values import damage_in, damage_types_in
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields, move_to_guide
from lorekeeper_mcp.sources.reading import flag
from lorekeeper_mcp.sources.spell_form import material_consumed, material_cost, needs_attack_roll, saving_throw
from lorekeeper_mcp.text import slugify

_SPELLED = {"sorceror": "Sorcerer"}
_COUNTED = re.compile(r"(\d+)\s*(\D+)")
_FEET = re.compile(r"(?<=\d) ?ft\b\.?")
_DICE = re.compile(r"\d+d\d+|\d+")
_CLAUSE = re.compile(r"(?<=[.;])\s")
_RESISTED = re.compile(r"\b(?:resistance|immunity|vulnerability) to\b")
_NO_LIMITS = ("instantaneous", "special")  # of concentration


def spell(head: Open5eFields, served: Served, _: Context) -> Spell:
    """Adapt a record of ``v2/spells``.

    A program filled in its lists of higher slots and levels from the sentence beside them, and its number of targets;
    they are left out.
    """
    casting_time = coercion.text(served.get("casting_time")).strip()
    material = coercion.text(served.get("material_specified"))
    text, higher = head["text"], coercion.prose(served.get("higher_level"))
    duration, concentration = coercion.text(served.get("duration")), bool(flag(served.get("concentration")))
    roll = coercion.text(served.get("damage_roll"))
    rolled = list(dict.fromkeys(dice for dice, _ in damage_in(text.lower())))
    return Spell(
        **head,
        level=coercion.integer(served.get("level")) or 0,
        school=coercion.key(served.get("school")),
        casting_time=casting_time,
        casting_time_text=_in_words(casting_time),
        reaction_condition=coercion.text(served.get("reaction_condition")),
        range=coercion.number(served.get("range")),
        range_unit=_unit(served.get("range_unit")),
        range_text=_FEET.sub(" feet", coercion.text(served.get("range_text"))),
        verbal=bool(flag(served.get("verbal"))),
        somatic=bool(flag(served.get("somatic"))),
        material=bool(flag(served.get("material"))),
        material_text=material,
        material_cost=coercion.number(served.get("material_cost")) or material_cost(material),  # 0.00 is unknown
        material_consumed=bool(flag(served.get("material_consumed"))) or material_consumed(material),
        duration="" if concentration and duration in _NO_LIMITS else duration,
        concentration=concentration,
        ritual=bool(flag(served.get("ritual"))),
        classes=coercion.refs(served.get("classes")),
        damage_types=_damage_types(coercion.keys(served.get("damage_types")), f"{text} {higher}".lower()),
        # Not "d"; a lost one is the text's only roll.
        damage_roll=roll if _DICE.match(roll) else rolled[0] if len(rolled) == 1 else "",
        saving_throw=saving_throw(text, coercion.text(served.get("saving_throw_ability")).strip().lower()),
        attack_roll=bool(flag(served.get("attack_roll"))) or needs_attack_roll(text),
        shape_type=coercion.text(served.get("shape_type")),
        shape_size=coercion.number(served.get("shape_size")),
        shape_unit=_unit(served.get("shape_size_unit")),
        higher_level=higher,
    )


def archived_spell(head: Open5eFields, served: Served, _: Context) -> Spell:
    """Adapt a record of ``v1/spells`` under its key in version 2, with only the fields that complete that record."""
    move_to_guide(head)
    names = (name.strip() for name in coercion.text(served.get("dnd_class")).split(","))
    return Spell(
        **head,
        level=coercion.integer(served.get("level_int")) or 0,
        range_text=coercion.text(served.get("range")).strip(),
        classes=tuple(_class(_SPELLED.get(name.lower(), name)) for name in names if name),
    )


def _class(name: str) -> Ref:
    """A class by name, with version 2's key for the classes of the SRD."""
    slug = slugify(name)
    return Ref(name=name, key=f"srd_{slug}" if slug in SRD_CLASSES else slug)


def _in_words(casting_time: str) -> str:
    """``10minutes`` is 10 minutes, ``bonus-action`` is 1 bonus action."""
    counted = _COUNTED.fullmatch(casting_time)
    if counted:
        return f"{counted[1]} {counted[2]}"
    return f"1 {casting_time.replace('-', ' ')}" if casting_time else ""


def _unit(value: object) -> str:
    """Both ``feet`` and ``ft`` are served."""
    unit = coercion.text(value).strip()
    return "feet" if unit == "ft" else unit


def _damage_types(served: tuple[str, ...], text: str) -> tuple[str, ...]:
    """The types that the text deals: those that it rolls, and served ones that it has and not only resists."""
    dealt = [clause for clause in _CLAUSE.split(text) if not _RESISTED.search(clause)]
    rolled = [type_ for _, phrase in damage_in(text) for type_ in damage_types_in(phrase)]
    kept = [type_ for type_ in served if any(type_ in clause for clause in dealt)]
    is_general = not rolled and not any(type_ in text for type_ in served)  # "the weapon's damage"
    return tuple(dict.fromkeys((*(served if is_general else kept), *rolled)))
