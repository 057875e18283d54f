"""Spells. Concentration is only in the duration's text, the effects of a spell only in its description."""

from __future__ import annotations

import re

from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.models import Ref, Spell
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import parent_key, slug
from lorekeeper_mcp.sources.orcbrew.fields import Fields, Keys
from lorekeeper_mcp.sources.orcbrew.markup import titled
from lorekeeper_mcp.sources.saving_throws import saving_throw
from lorekeeper_mcp.sources.spell_texts import (
    damage,
    material_consumed,
    material_cost,
    needs_attack_roll,
    spell_level,
    without_concentration,
)

_DISTANCE = re.compile(r"(\d[\d,]{0,9})[\s-]*(feet|foot|ft\.?|miles?)", re.I)
_HIGHER = re.compile(r"\n[ \t*]{0,8}at higher levels?[ \t.:*]{0,8}", re.I)
_TIME = re.compile(
    r"\s*(\d{1,4})?\s*(bonus[\s-]*action|reaction|action|minute|min|hour|hr|round|turn|day|week)s?\b", re.I
)


def spell(common: CommonFields, fields: Fields, book_classes: Keys) -> Spell:
    """Return a spell. Raises ItemError if its level is not known."""
    level = spell_level(fields.integer("level"))
    text, higher_level = _split(common["text"])
    common["text"] = text
    time_text = fields.text("casting-time")
    key, condition = _casting_time(time_text)
    range_text = fields.text("range")
    distance, unit = _range(range_text)
    duration = fields.text("duration")
    is_concentration = "concentration" in duration.lower()
    components = fields.part("components")
    material_text = components.text("material-component") or fields.text("material-component")
    damage_types, damage_roll = damage(text)
    return Spell(
        **common,
        level=level,
        school=slug(school) if (school := fields.text("school")) else "",
        casting_time=key,
        casting_time_text=_as_printed(time_text.removesuffix(")").removesuffix(condition).rstrip(" ,;:(")),
        reaction_condition=condition,
        range=distance,
        range_unit=unit,
        range_text=range_text[:1].upper() + range_text[1:],
        verbal=components.flag("verbal") or False,
        somatic=components.flag("somatic") or False,
        material=components.flag("material") or bool(material_text),
        material_text=material_text,
        material_cost=material_cost(material_text),
        material_consumed=material_consumed(material_text),
        duration=without_concentration(duration).rstrip(")").strip() if is_concentration else duration,
        concentration=is_concentration or fields.flag("concentration") or False,
        ritual=fields.flag("ritual") or False,
        classes=_classes(fields, book_classes),
        damage_types=damage_types,
        damage_roll=damage_roll,
        saving_throw=saving_throw(text),
        attack_roll=bool(fields.flag("attack-roll?")) or needs_attack_roll(text),
        higher_level=higher_level,
        other=fields.other(),
    )


def _split(text: str) -> tuple[str, str]:
    """The description, and its part on higher levels, for which the application has no field."""
    heading = _HIGHER.search(text)
    return (text[: heading.start()].rstrip(), text[heading.end() :].strip()) if heading else (text, "")


def _casting_time(text: str) -> tuple[str, str]:
    """The key of a casting time and, after a comma, the trigger of a reaction."""
    match = _TIME.match(text[:200])
    if not match:
        return slug(text) if text else "", ""
    is_reaction = match[2].lower() == "reaction"
    condition = text[match.end() :].strip(" ,;:(").removesuffix(")") if is_reaction else ""
    return casting_time_key(match[0] if match[1] else f"1 {match[0]}"), condition


def _as_printed(text: str) -> str:
    """``10 minute`` is 10 minutes."""
    match = _TIME.fullmatch(text)
    return f"{text}s" if match and int(match[1] or 1) > 1 and not text.endswith(("s", ".")) else text


def _range(text: str) -> tuple[float | None, str]:
    """The distance and unit; self and touch are 0 feet, anything unclear is None."""
    if match := _DISTANCE.search(text):
        return float(match[1].replace(",", "")), "miles" if match[2].lower().startswith("mile") else "feet"
    return (0.0, "feet") if text.strip().lower().startswith(("self", "touch")) else (None, "")


def _classes(fields: Fields, book_classes: Keys) -> tuple[Ref, ...]:
    """The classes with the spell on their list; false in ``:spell-lists`` means that it is not on it."""
    keys = fields.names("spell-lists", "classes", "class")
    return tuple(Ref(name=titled(key), key=parent_key(key, book_classes, SRD_CLASSES)) for key in keys)
