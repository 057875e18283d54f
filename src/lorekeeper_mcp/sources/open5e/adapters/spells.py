"""Spells."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import CastingOption, Spell
from lorekeeper_mcp.sources.materials import material_consumed, material_cost
from lorekeeper_mcp.sources.open5e.adapters import reading
from lorekeeper_mcp.sources.open5e.adapters.heading import Context, Head
from lorekeeper_mcp.sources.open5e.adapters.reading import Served

_COUNTED = re.compile(r"(\d+)\s*(\D+)")
_EMPTY = "0"  # A5E has options whose duration or range is "0" where the spell's own does not change.


def spell(head: Head, served: Served, _: Context) -> Spell:
    """A record of ``v2/spells``."""
    casting_time = reading.text(served.get("casting_time")).strip()
    material = reading.text(served.get("material_specified"))
    return Spell(
        **head,
        level=reading.integer(served.get("level")) or 0,
        school=reading.key(served.get("school")),
        casting_time=casting_time,
        casting_time_text=_in_words(casting_time),
        reaction_condition=reading.text(served.get("reaction_condition")),
        range=reading.number(served.get("range")),
        range_unit=_unit(served.get("range_unit")),
        range_text=reading.text(served.get("range_text")),
        verbal=bool(reading.flag(served.get("verbal"))),
        somatic=bool(reading.flag(served.get("somatic"))),
        material=bool(reading.flag(served.get("material"))),
        material_text=material,
        material_cost=reading.number(served.get("material_cost")) or material_cost(material),  # 0.00 is unknown
        material_consumed=bool(reading.flag(served.get("material_consumed"))) or material_consumed(material),
        duration=reading.text(served.get("duration")),
        concentration=bool(reading.flag(served.get("concentration"))),
        ritual=bool(reading.flag(served.get("ritual"))),
        classes=reading.refs(served.get("classes")),
        damage_types=reading.keys(served.get("damage_types")),
        damage_roll=reading.text(served.get("damage_roll")),
        saving_throw=reading.text(served.get("saving_throw_ability")).strip().lower(),
        attack_roll=bool(reading.flag(served.get("attack_roll"))),
        target_type=reading.text(served.get("target_type")),
        target_count=reading.integer(served.get("target_count")),
        shape_type=reading.text(served.get("shape_type")),
        shape_size=reading.number(served.get("shape_size")),
        shape_unit=_unit(served.get("shape_size_unit")),
        higher_level=reading.prose(served.get("higher_level")),
        casting_options=_casting_options(served.get("casting_options")),
    )


def _in_words(casting_time: str) -> str:
    """``10minutes`` is 10 minutes, ``bonus-action`` is 1 bonus action."""
    counted = _COUNTED.fullmatch(casting_time)
    if counted:
        return f"{counted[1]} {counted[2]}"
    return f"1 {casting_time.replace('-', ' ')}" if casting_time else ""


def _unit(value: object) -> str:
    """Both ``feet`` and ``ft`` are served."""
    unit = reading.text(value).strip()
    return "feet" if unit == "ft" else unit


def _casting_options(value: object) -> tuple[CastingOption, ...]:
    options = (_casting_option(option) for option in reading.objects(value))
    return tuple(option for option in options if option != CastingOption(type="default"))


def _casting_option(option: Served) -> CastingOption:
    duration, range_ = reading.text(option.get("duration")), reading.text(option.get("range"))
    return CastingOption(
        type=reading.text(option.get("type")) or "default",
        damage_roll=reading.text(option.get("damage_roll")),
        target_count=reading.integer(option.get("target_count")),
        duration="" if duration == _EMPTY else duration,
        range="" if range_ == _EMPTY else range_,
        concentration=reading.flag(option.get("concentration")),
        shape_size=reading.number(option.get("shape_size")),
        text=reading.prose(option.get("desc")),
    )
