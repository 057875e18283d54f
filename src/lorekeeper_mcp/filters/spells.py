"""The filters of ``search_spell``."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

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
    FLAG,
    INTEGER,
    LIST,
    NUMBER,
    TEXT,
    Column,
    Filter,
    Params,
    bounds,
    compare,
    field_column,
    send,
)
from lorekeeper_mcp.filters.words import (
    CAUSED,
    CLASS_NAMES,
    DEALS,
    FOOT,
    NEEDS,
    WHOLE,
    Extremes,
    Measure,
    Scalar,
    Words,
    flag,
    forms,
)
from lorekeeper_mcp.models import Spell
from lorekeeper_mcp.models.printed_values import saves_in
from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES, SCHOOLS, SRD_CLASSES
from lorekeeper_mcp.text import slugify

_SPELLS = "v2/spells"
_Level = level(0, 9)
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


LEVEL = field_column("level", INTEGER)
CLASSES = Column("classes", LIST, _class_keys)

_sent = partial(send, _SPELLS)
_SPELL = r"(?= (?:[\w-]+ )??(?:spell|cantrip|ritual)s?\b)"
_PART = "(?:component|material)s?"
_COMPONENT = Words(after=rf"(?:{_PART}(?! worth| costing)|only)", restricts=True)
_ACTIONS = forms(("bonus-action", "reaction"))
_TIME = r"(?:\d+|an?)[ -](?:minute|hour|action|reaction)s?"
_SPAN = r"(?:\d+|an?|one)[ -](?:round|minute|hour|day)s?"
_COMPONENTS = ("verbal", "somatic", "material")


def _span(read: Callable[[str], str]) -> Callable[[str], str]:
    """Read a time that may begin with an article: "an hour", "1-minute"."""
    return lambda text: read(re.sub(r"^(?:an?|one) ", "1 ", text.replace("-", " ")))


SPELL_FILTERS: tuple[Filter, ...] = (
    compare("level", _Level, LEVEL, "Spell level; 0 = cantrip", upstream=_sent("level")).said(
        Measure("level", steps=WHOLE[:10]),
        Extremes("level"),
        Words(alone="", values={"cantrip": 0, "cantrips": 0}, restricts=True),
    ),
    *bounds("level", _Level, LEVEL, "level", upstream=(_SPELLS, "level")),
    compare("school", choice(*SCHOOLS), TEXT, "School of magic", upstream=_sent("school__key")).said(Words(alone="")),
    compare(
        "class_key",
        CLASS_KEY,
        CLASSES,
        "On the list of this class or subclass: wizard (any edition) or a key such as srd_wizard",
        upstream={_SPELLS: _send_class},
    ).said(Words(r"(?:for|that|on(?: both)?)(?: an?| the| my)?", alone="", values=CLASS_NAMES)),
    compare("concentration", bool, FLAG, "Requires concentration", upstream=_sent("concentration")).said(
        Words(f"are|is|{NEEDS}|an?", _SPELL, restricts=True)
    ),
    compare("ritual", bool, FLAG, "Can be cast as a ritual").said(Words("as an?|are", alone="")),
    compare(
        "casting_time",
        normalized_by(casting_time_key),
        TEXT,
        "action, bonus action, reaction, 1 minute, 10 minutes, 1 hour …",
        upstream={_SPELLS: lambda value: {"casting_time": str(value)} if value in _CASTING_TIMES else {}},
    ).said(
        Words(alone=_SPELL, values=_ACTIONS, restricts=True),
        Words("as an?", alone="", values=_ACTIONS),
        Words("casting time of", "casting time", values=_TIME, read=_span(casting_time_key)),
        Words(NEEDS, "to cast", values=_TIME, read=_span(casting_time_key), needs_both=True),
    ),
    compare("damage_type", choice(*DAMAGE_TYPES), field_column("damage_types", LIST), "Deals this damage").said(
        Words(DEALS, rf"damage|{_SPELL}"),
        Words(
            "that do|that deal", r"(?=(?:spell|cantrip)s\b)", values=dict.fromkeys(("damage", "damaging"), DAMAGE_TYPES)
        ),
    ),
    compare("area", choice(*SHAPES), Column("areas", LIST, _areas), "Shape of its area").said(
        Words(r"(?:shaped like|shape of|area is|in|hits?|with) an?", rf"(?:shaped)?{_SPELL}|areas?")
    ),
    compare("attack_roll", bool, FLAG, "Needs an attack roll").said(
        Words(NEEDS, _SPELL, values=flag("ranged spell attack|melee spell attack|spell attack|attack roll"))
    ),
    compare(
        "saving_throw",
        choice(*ABILITIES),
        Column("saving_throws", LIST, _saving_throws),
        "Ability of a saving throw that it asks for",
    ).said(
        Words(after=r"(?:saves?|saving throws?)"),
        Words(NEEDS, values=dict.fromkeys(("saving throw", "saving throws", "save", "saves"), ABILITIES)),
    ),
    compare(
        "condition",
        choice(*CONDITIONS),
        Column("conditions", LIST, lambda spell: conditions_caused(spell.text)),
        "Causes this condition",
    ).said(*CAUSED),
    compare(
        "duration",
        normalized_by(duration_key),
        Column("durations", LIST, _durations),
        "instantaneous, 1 minute, 8 hours …",
    ).said(
        Words(
            "lasts?(?: for)?|lasting(?: for)?|duration of", "(?:long )?duration", values=_SPAN, read=_span(duration_key)
        ),
        Words(after=_SPELL, values="instantaneous", read=duration_key),
    ),
    *(
        compare(name, bool, field_column(name, FLAG), f"Has a {name} component").said(_COMPONENT)
        for name in _COMPONENTS
    ),
    *bounds(
        "material_cost",
        measure(GP, is_whole=False),
        field_column("material_cost", NUMBER),
        "material cost in gp",
        Measure(
            "worth|costs?|costing|priced at|of",
            "gp|gold(?: pieces)?",
            is_fractional=True,
            context=r"\b(?:components?|materials?|costs?|costing|diamonds?|gems?|expensive)\b",
        ),
        Extremes("material cost", rf"(?:most expensive|costliest)(?: (?:material )?{_PART})?"),
        Words(after=f"(?:material )?{_PART}", values={"costly": 1, "expensive": 1}, restricts=True),
    ),
    compare("range", choice("self", "touch"), Column("range_word", TEXT, _range_word), "Self or touch").said(
        Words(r"range(?: of| is)?", r"range|(?= (?:spell|cantrip|buff)s?\b)")
    ),
    *bounds(
        "range",
        measure(FEET),
        Column("range", NUMBER, _range),
        "range in feet",
        Measure(
            r"range(?= (?:of|over|above|at|longer|greater|more|beyond|from|between)\b)",
            rf"{FOOT}(?: range)?",
            context=r"\brange\b",
        ),
        Extremes("range"),
        arguments="min",
    ),
)
