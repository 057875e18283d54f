"""A spell as the fields of a 5etools spell."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Spell
from lorekeeper_mcp.sources.fivetools.codes import codes_of
from lorekeeper_mcp.sources.fivetools.spells import SCHOOLS
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import ItemFields, entries, source_of, without_blanks

_SCHOOLS = codes_of(SCHOOLS)
_TIME = re.compile(r"(\d+)? ?(bonus[ -]action|[a-z]+?)s?\b")
_TIMED = re.compile(r"(?:up to )?(\d+) (round|minute|hour|day|week|month|year)s?", re.IGNORECASE)


def spell_fields(record: Spell, source: str) -> ItemFields:
    """Return the fields of a spell; those that the record does not have are empty."""
    higher = {"type": "entries", "name": "At Higher Levels", "entries": entries(record.higher_level)}
    classes = [{"name": ref.name, "source": source_of(ref, source)} for ref in record.classes]
    return {
        "level": record.level,
        "school": _SCHOOLS.get(record.school, record.school),
        "time": [without_blanks(_time(record))],
        "range": _range(record),
        "components": without_blanks(_components(record)),
        "duration": [_duration(record)] if record.duration else [],
        "meta": {"ritual": True} if record.ritual else None,
        "classes": {"fromClassList": classes} if classes else None,
        "damageInflict": list(record.damage_types),
        "savingThrow": [record.saving_throw] if record.saving_throw else None,
        "spellAttack": ["R"] if record.attack_roll else None,
        "entriesHigherLevel": [higher] if record.higher_level else None,
    }


def _time(record: Spell) -> ItemFields:
    time = _TIME.match(record.casting_time_text.lower() or record.casting_time)
    if not time:
        return {}
    unit = "bonus" if time[2].startswith("bonus") else time[2]
    return {"number": int(time[1] or 1), "unit": unit, "condition": record.reaction_condition}


def _range(record: Spell) -> ItemFields:
    if record.range:
        amount = int(record.range) if record.range == int(record.range) else record.range
        return {"type": "point", "distance": {"type": record.range_unit or "feet", "amount": amount}}
    if record.shape_type and record.shape_size is not None:
        return {"type": record.shape_type, "distance": {"type": "feet", "amount": int(record.shape_size)}}
    for kind in ("self", "touch", "sight", "unlimited"):
        if record.range_text.lower().startswith(kind):
            return {"type": "point", "distance": {"type": kind}}
    return {"type": "special"}


def _components(record: Spell) -> ItemFields:
    components: ItemFields = {"v": record.verbal or None, "s": record.somatic or None}
    if record.material:
        cost = round(record.material_cost * 100) if record.material_cost is not None else None
        details = without_blanks({"cost": cost, "consume": record.material_consumed or None})
        components["m"] = {"text": record.material_text, **details} if details else record.material_text or True
    return components


def _duration(record: Spell) -> ItemFields:
    if record.duration.lower().startswith("instant"):
        return {"type": "instant"}
    timed = _TIMED.fullmatch(record.duration)
    if not timed:
        return {"type": "special"}
    duration: ItemFields = {"type": "timed", "duration": {"type": timed[2].lower(), "amount": int(timed[1])}}
    return {**duration, "concentration": True} if record.concentration else duration
