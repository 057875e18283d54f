"""Filters that are a number with a unit: challenge ratings, levels, armor class, speeds, prices, weights."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lorekeeper_mcp.filters import Scalar
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import ABILITIES, SRD_CLASSES
from lorekeeper_mcp.search.parser.filter_phrases import is_of_another
from lorekeeper_mcp.search.parser.numeric_ranges import Unit, alternatives, bounds
from lorekeeper_mcp.search.parser.value_reader import ValueReader

_FEET = r"(?:feet|foot|ft\.?)"
_GOLD = "gp|gold(?: pieces)?"


@dataclass(frozen=True)
class Measure:
    """A unit and its arguments for a minimum, a maximum and an exact number, each "" if there is none.

    Without a maximum, an upper bound excludes the records above it. ``prefix`` goes before the number in a value:
    ``strength=``. ``context`` has to be in the question, too; "a wall worth 50 gp" is no price of a spell.
    """

    unit: Unit
    least: str = ""
    most: str = ""
    exact: str = ""
    prefix: str = ""
    context: str = ""
    is_integer: bool = True

    def value(self, number: float) -> Scalar:
        """The value of an argument."""
        if self.prefix:
            return f"{self.prefix}{number:g}"
        return int(number) if self.is_integer else number


def _speed(mode: str, verbs: str) -> Measure:
    """A speed: "fly speed of 60", "80+ ft swim speed", "burrows faster than 20 feet"."""
    unit = Unit(rf"(?:{verbs})(?: speed|(?= (?:faster|at least|over|more)\b))", rf"(?:{_FEET} )?(?:{verbs}) speed")
    return Measure(unit, least="speed_min", exact="speed_min", prefix=f"{mode}=")


_RATING = Unit("cr|challenge rating", steps=(0.0, 0.125, 0.25, 0.5, *(float(n) for n in range(1, 31))))
_LEVEL = Unit("level", steps=tuple(float(n) for n in range(10)))
_MEASURES: Mapping[Family, tuple[Measure, ...]] = {
    Family.CREATURES: (
        Measure(_RATING, "cr_min", "cr_max", "cr", is_integer=False),
        Measure(Unit("armor class", "armor class", tuple(float(n) for n in range(40))), "armor_class_min"),
        Measure(Unit("hit points", "hit points"), "hit_points_min"),
        *(
            Measure(
                Unit(rf"{name}(?: score)?", name, tuple(map(float, range(31)))),
                "ability_min",
                "ability_max",
                "ability_min",
                f"{name}=",
            )
            for name in ABILITIES
        ),
        _speed("fly", "fly|flies|flying"),
        _speed("swim", "swims?|swimming"),
        _speed("climb", "climbs?|climbing"),
        _speed("burrow", "burrows?|burrowing"),
        _speed("hover", "hovers?|hovering"),
        Measure(Unit("speed", rf"{_FEET}(?: (?:walking )?speed)?"), least="speed_min", context=r"\b(?:speed|faster)\b"),
    ),
    Family.SPELLS: (
        Measure(_LEVEL, "level_min", "level_max", "level"),
        Measure(
            Unit("worth|costs?|costing|of", _GOLD, is_fractional=True),
            "material_cost_min",
            "material_cost_max",
            "material_cost_min",
            context=r"\b(?:components?|materials?|costs?|costing|diamonds?|gems?|expensive)\b",
        ),
        Measure(
            Unit(r"range(?= (?:of|over|above|at|longer|greater|more|beyond|from|between)\b)", rf"{_FEET}(?: range)?"),
            least="range_min",
            exact="range_min",
            context=r"\brange\b",
        ),
    ),
    Family.EQUIPMENT: (
        Measure(
            Unit("worth|costs?|costing|priced at", _GOLD, is_fractional=True), "cost_min", "cost_max", is_integer=False
        ),
        Measure(Unit("lb", r"lbs?|pounds?", is_fractional=True), most="weight_max", is_integer=False),
    ),
}
_CASTER = "|".join(("artificer", *SRD_CLASSES, "character", "caster", "party", "player", "pc", "slot"))
# A level that is not a spell's: of a slot, or of a character ("level 5 wizard", but "spells level 5 wizard").
_OTHER_LEVEL = re.compile(
    r"slot|upcast|\bat (?:a )?level|\bcast at\b|as a level"
    rf"|(?<!spells )level \d+ (?:{_CASTER})\b(?! (?:spell|cantrip|ritual))"
)
# Before a spell with its level: it is somebody else's spell, as in "stop a 5th level spell".
_OPPOSES = re.compile(
    r"\b(?:absorb|against|avoid|block|break|cancel|copy|counter|deflect|dispel|end|identify|ignore|interrupt|negate"
    r"|prevent|reflect|resist|scribe|steal|stop|suppress|survive|undo)(?:p?s|p?ed|p?ing|es)?\b[^,.;]{0,20}"
    r"\blevel \d(?: \w+)? spells?\b"
)


def read_measures(reader: ValueReader) -> None:
    """Read the numbers with units in a question, and take them out of its text."""
    if reader.family is Family.SPELLS:
        reader.text = reader.rest = _with_levels_after_the_word(reader.text)
    if not re.search(r"\d", reader.text):
        return
    for measure in _MEASURES.get(reader.family, ()):
        if measure.exact == "level" and (_OTHER_LEVEL.search(reader.text) or _OPPOSES.search(reader.text)):
            continue
        if measure.context and not re.search(measure.context, reader.text):
            continue
        _read(reader, measure)
    reader.text = reader.rest = " ".join(reader.rest.split())


def _with_levels_after_the_word(text: str) -> str:
    """``1st to 3rd level`` -> ``level 1 to 3``."""
    text = re.sub(r"\b(\d)(?:st|nd|rd|th)?,? (or|and) (\d)(?:st|nd|rd|th)?[\s-]level\b", r"level \1 \2 \3", text)
    text = re.sub(r"\b(\d)(?:st|nd|rd|th)?[\s-]level(?! \d)", r"level \1", text)
    text = re.sub(r"\b(\d)(?:st|nd|rd|th)?\s*(?:to|-|through)\s*level (\d)", r"level \1 to \2", text)
    text = re.sub(r"\blevels\b", "level", text)
    return re.sub(r"\b(\d+|an?|one) miles?\b", _feet, text)


def _feet(match: re.Match[str]) -> str:
    return f"{5280 * (int(match[1]) if match[1].isdigit() else 1)} feet"


def _read(reader: ValueReader, measure: Measure) -> None:
    is_counted = measure.exact in ("cr", "level")  # these numbers also name single values
    if is_counted and (several := alternatives(reader.rest, measure.unit)):
        values, span = several
        reader.filters.append((measure.exact, tuple(map(measure.value, values))))
        reader.blank(span)
        return
    bound = bounds(reader.rest, measure.unit)
    if bound is None or (is_counted and max(bound.low or 0, bound.high or 0) > measure.unit.steps[-1]):
        return
    if not is_counted and is_of_another(reader.rest[: bound.span[0]], reader.family):
        return
    limits = [(measure.least, bound.low), (measure.most, bound.high)]
    exceeded: list[tuple[str, float]] = []
    if bound.low == bound.high:
        limits = [(measure.exact, bound.low)]
    elif bound.high is not None and not measure.most:
        exceeded = [(measure.least, bound.high + 1)]
    filters = [(argument, measure.value(number)) for argument, number in limits if argument and number is not None]
    if filters or exceeded:
        reader.filters += filters
        reader.exclusions += [(argument, measure.value(number)) for argument, number in exceeded]
        reader.blank(bound.span)
