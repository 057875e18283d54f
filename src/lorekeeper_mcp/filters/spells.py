"""The filters of ``search_spell``."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated

from pydantic import Field

from lorekeeper_mcp.filters.argument_types import (
    CLASS_KEY,
    FEET,
    GP,
    casting_time_key,
    choice,
    class_key,
    level,
    measure,
    normalized_by,
)
from lorekeeper_mcp.filters.caused_conditions import conditions_caused
from lorekeeper_mcp.filters.filter_row import (
    Column,
    ColumnType,
    Filter,
    Params,
    Scalar,
    bounds,
    compare,
    flag_column,
    integer_column,
    list_column,
    number_column,
    send,
    send_flag,
    text_column,
)
from lorekeeper_mcp.models import Spell
from lorekeeper_mcp.models.printed_values import saves_in
from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES, SCHOOLS, SRD_CLASSES
from lorekeeper_mcp.text import slugify

_SPELLS = "v2/spells"
_Level = level(0, 9)
_Gold = measure(Annotated[float, Field(ge=0, le=10_000_000, allow_inf_nan=False)], GP)
_Feet = measure(Annotated[int, Field(ge=0, le=100_000_000)], FEET)
_FEET_OF = {"feet": 1, "miles": 5280}
_SIGHT = 2020  # feet: what Open5e has for a range of sight, which has no number

SHAPES = ("cone", "cube", "cylinder", "emanation", "line", "sphere")
_AREA = re.compile(
    rf"\b\d+[- ](?:foot|feet|ft\.?)(?:[- ](?!or\b|and\b|in\b)[\w-]+,?){{0,4}}[- ]({'|'.join(SHAPES)})\b", re.IGNORECASE
)

# Open5e answers 400 to any other value of its ``casting_time`` parameter.
_CASTING_TIMES = frozenset(
    "reaction bonus-action action turn round 1minute 5minutes 10minutes 1hour 4hours 7hours 8hours 9hours 12hours"
    " 24hours 1week".split()
)


def _class_keys(spell: Spell) -> list[str]:
    """Every class and subclass by full key and bare name, so that ``wizard`` matches both editions."""
    return [
        name
        for ref in (*spell.classes, *spell.subclasses)
        for name in (ref.key, class_key(ref.key.rpartition("_")[2] or ref.name))
    ]


def is_of_class(value: Scalar) -> bool:
    """Whether a ``class_key`` means a class. Open5e's spells name no subclasses, whose lists are in their own texts."""
    return str(value).rpartition("_")[2] in SRD_CLASSES


def _send_class(value: Scalar) -> Params:
    """A bare name queries both editions; the duplicate rows in the response are dropped by key."""
    name = str(value)
    if not is_of_class(name):
        return {}
    return {"classes__key__in": name if "_" in name else f"srd_{name},srd-2024_{name}"}


def _durations(spell: Spell) -> list[str]:
    """The printed duration, and its first part, such as "1 minute" of "1 minute, until expended"."""
    printed = spell.duration.lower().removeprefix("up to ")
    first_part = re.split(r",| or |;", printed)[0]
    return [key for key in dict.fromkeys(map(slugify, (printed, first_part))) if key]


def duration_key(text: str) -> str:
    """``Concentration, up to 1 minute`` and ``1 min`` -> ``1-minute``."""
    plain = re.sub(r"^(?:concentration,?\s*)?(?:up to )?", "", text.strip().lower())
    plain = re.sub(r"\bmins?\b\.?", "minute", re.sub(r"\bhrs?\b\.?", "hour", plain))
    plain = re.sub(r"\b(?:(?:[02-9]|[1-9]\d+)) (minute|hour|day|round)\b", lambda match: f"{match[0]}s", plain)
    return "instantaneous" if plain == "instant" else slugify(plain)


def _range(spell: Spell) -> float | None:
    """The range in feet; None for sight and special ranges."""
    if spell.range is None or spell.range == _SIGHT or spell.range_text.lower() == "special":
        return None
    return spell.range * _FEET_OF.get(spell.range_unit or "feet", 1)


def _saving_throws(spell: Spell) -> list[str]:
    """The ability served, and every other save that the text asks for."""
    return list(dict.fromkeys(filter(None, (spell.saving_throw, *map(str.lower, saves_in(spell.text))))))


def _areas(spell: Spell) -> list[str]:
    """The shape of the area as served; half of the books have none, but "a 60-foot-long, 5-foot-wide line"."""
    if spell.shape_type:
        return [spell.shape_type]
    in_text = _AREA.search(f"{spell.range_text}. {spell.text}")
    return [in_text[1].lower()] if in_text else []


def _range_word(spell: Spell) -> str:
    """``touch``, or ``self`` for "Self (15-foot cone)"; "" for a distance."""
    word = re.match(r"(?:self|touch)\b", spell.range_text.lower())
    return word[0] if word else ""


LEVEL = integer_column("level")
CLASSES = Column("classes", ColumnType.LIST, _class_keys)
_SAVES = Column("saving_throws", ColumnType.LIST, _saving_throws)
_CONDITIONS_CAUSED = Column("conditions", ColumnType.LIST, lambda spell: conditions_caused(spell.text))
_DURATIONS = Column("durations", ColumnType.LIST, _durations)

_sent = partial(send, _SPELLS)

SPELL_FILTERS: tuple[Filter, ...] = (
    compare("level", _Level, LEVEL, "Spell level; 0 = cantrip", _sent("level")),
    *bounds("level", _Level, LEVEL, "level", _SPELLS, "level"),
    compare("school", choice(*SCHOOLS), text_column("school"), "School of magic", _sent("school__key")),
    compare(
        "class_key",
        CLASS_KEY,
        CLASSES,
        "On the list of this class or subclass: wizard (any edition) or a key such as srd_wizard",
        {_SPELLS: _send_class},
    ),
    compare(
        "concentration",
        bool,
        flag_column("concentration"),
        "Requires concentration",
        send_flag(_SPELLS, "concentration"),
    ),
    compare("ritual", bool, flag_column("ritual"), "Can be cast as a ritual"),
    compare(
        "casting_time",
        normalized_by(casting_time_key),
        text_column("casting_time"),
        "action, bonus action, reaction, 1 minute, 10 minutes, 1 hour …",
        {_SPELLS: lambda value: {"casting_time": str(value)} if value in _CASTING_TIMES else {}},
    ),
    compare("damage_type", choice(*DAMAGE_TYPES), list_column("damage_types"), "Deals this damage"),
    compare("area", choice(*SHAPES), Column("areas", ColumnType.LIST, _areas), "Shape of its area"),
    compare("attack_roll", bool, flag_column("attack_roll"), "Needs an attack roll"),
    compare("saving_throw", choice(*ABILITIES), _SAVES, "Ability of a saving throw that it asks for"),
    compare("condition", choice(*CONDITIONS), _CONDITIONS_CAUSED, "Causes this condition"),
    compare("duration", normalized_by(duration_key), _DURATIONS, "instantaneous, 1 minute, 8 hours …"),
    compare("verbal", bool, flag_column("verbal"), "Has a verbal component"),
    compare("somatic", bool, flag_column("somatic"), "Has a somatic component"),
    compare("material", bool, flag_column("material"), "Has a material component"),
    *bounds("material_cost", _Gold, number_column("material_cost"), "material cost in gp"),
    compare("range", choice("self", "touch"), Column("range_word", ColumnType.TEXT, _range_word), "Self or touch"),
    *bounds("range", _Feet, Column("range", ColumnType.NUMBER, _range), "range in feet", ends="min"),
)
