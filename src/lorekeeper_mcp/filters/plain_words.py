"""How people say the values of each filter; ``search/grammar.py`` parses questions with these tables.

A value may stand after some words ("immune to FIRE"), before some ("FIRE damage"), or alone in what the question asks
for ("EVOCATION spells that burn"). By default, the values are those of the filter itself. A number has a unit before or
after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import get_args

from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.filters.argument_types import casting_time_key, dice
from lorekeeper_mcp.filters.creatures import habitat_key, subtype_key, trait_key
from lorekeeper_mcp.filters.filter_row import FilterValue, Scalar
from lorekeeper_mcp.filters.rules import section_key
from lorekeeper_mcp.filters.spells import duration_key
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import (
    ABILITIES,
    CONDITIONS,
    CREATURE_SUBTYPES,
    CREATURE_TYPES,
    DAMAGE_TYPES,
    MASTERIES,
    RARITIES,
    SIZES,
    SRD_CLASSES,
    WEAPON_PROPERTIES,
)
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.text import slugify


@dataclass(frozen=True, eq=False)  # compared by identity, since patterns are compiled once for each
class Words:
    """The words for an argument.

    ``before`` and ``after`` are patterns of the words around a value, "" if it needs others. ``alone`` is a pattern for
    what follows a value that stands for itself in the head of a question; None if it never does. ``values`` maps what
    is said to the value, or is the pattern of a text that ``read`` turns into it; by default, what is said are the
    filter's own values. ``restricts`` if the words leave no doubt; otherwise they restrict only a question that
    consists of filters. ``order`` has ascending values, for "large or smaller". ``needs_known`` if the value has to be
    one that a record has, ``needs_both`` if it needs the words before and after it. Nothing is read if one of the
    arguments ``unless`` already says more.
    """

    argument: str
    before: str = ""
    after: str = ""
    alone: str | None = None
    values: Mapping[str, FilterValue] | str = ""
    restricts: bool = False
    order: tuple[str, ...] = ()
    read: Callable[[str], FilterValue] = slugify
    needs_known: bool = False
    needs_both: bool = False
    unless: tuple[str, ...] = ()

    @property
    def is_flag(self) -> bool:
        """Whether the opposite of the value is another value, and not the lack of one."""
        return not isinstance(self.values, str) and all(isinstance(value, bool) for value in self.values.values())

    @property
    def pattern(self) -> str:
        """The pattern of one value."""
        if isinstance(self.values, str):
            return self.values
        longest_first = sorted(self.values, key=len, reverse=True)
        return "|".join(re.escape(word).replace("\\ ", "[ -]") for word in longest_first)


@dataclass(frozen=True)
class Unit:
    """A unit, as patterns: ``before`` a number ("CR 5"), and what also follows one ("60 hit points"), "" if nothing.

    ``steps`` are the valid values, ascending; without them, all whole numbers are, or hundredths of one that
    ``is_fractional``. "Above CR 5" starts at 6, and "under 60 hit points" ends at 59.
    """

    before: str
    after: str = ""
    steps: tuple[float, ...] = ()
    is_fractional: bool = False

    def next(self, value: float) -> float | None:
        """The lowest value above one; None if there is none."""
        if self.steps:
            return next((step for step in self.steps if step > value), None)
        return round(value + (0.01 if self.is_fractional else 1), 2)

    def previous(self, value: float) -> float | None:
        """The highest value below one; None if there is none."""
        if self.steps:
            return next((step for step in reversed(self.steps) if step < value), None)
        return round(value - (0.01 if self.is_fractional else 1), 2)


@dataclass(frozen=True)
class Measure:
    """A unit, and the name of its arguments without ``_min`` and ``_max``.

    Without a maximum, an upper bound excludes the records above it. ``prefix`` goes before the number in a value:
    ``strength=``. ``context`` has to be in the question, too; "a wall worth 50 gp" is no price of a spell.
    """

    name: str
    unit: Unit
    prefix: str = ""
    context: str = ""

    def arguments(self, family: Family) -> tuple[str, str, str]:
        """The arguments for a minimum, a maximum and an exact number, each "" if there is none."""
        rows = {row.argument for row in FILTERS[family]}
        least, most = (name if (name := f"{self.name}_{end}") in rows else "" for end in ("min", "max"))
        return least, most, self.name if self.unit.steps and self.name in rows else least

    def value(self, number: float) -> Scalar:
        """The value of an argument."""
        return f"{self.prefix}{number:g}" if self.prefix else int(number) if number == int(number) else number


@dataclass(frozen=True)
class Extremes:
    """Words that ask for an order by a column: "the highest AC", "the strongest". ``nouns`` follow "highest"."""

    column: str
    nouns: str = ""
    highest: str = ""
    lowest: str = ""


def _forms(values: Iterable[str], **others: FilterValue) -> dict[str, FilterValue]:
    """Keys as words, in both numbers, and other words with their values."""
    words = {key.replace("-", " "): key for key in values}
    plurals = {plural: key for word, key in words.items() for plural in singular_or_plural_forms(word)}
    return {**plurals, **words, **{word.replace("_", " "): value for word, value in others.items()}}


def _flag(words: str) -> dict[str, FilterValue]:
    return dict.fromkeys(words.split("|"), True)


def _completed(words: Words | Measure, family: Family) -> Words | Measure:
    """The words with the values of the filter: those of its choice, or its own name for a flag."""
    if isinstance(words, Measure) or words.values:
        return words
    annotation = next(row.annotation for row in FILTERS[family] if row.argument == words.argument)
    keys = get_args(next(iter(get_args(annotation)), None))
    name = words.argument.removeprefix("is_")
    return replace(words, values=_forms(keys) if keys else _flag(f"{name}|{name}s"))


_CREATURES = (
    rf"(?:creatures?|monsters?|stat blocks?|enem(?:y|ies)|foes?|(?:{'|'.join(CREATURE_TYPES)})s?|monstrosities)"
)
_LAST = (
    r"(?=\s*(?:$|[,.?!]|(?:that|which|with|without|at|above|below|under|over|worth|costs?|costing|cheaper|to|for)\b))"
)
_END = rf"(?:{_LAST}|(?=\s(?:who|of|in|from|immune|has|have)\b))"
_SPELL = r"(?= (?:[\w-]+ )??(?:spell|cantrip|ritual)s?\b)"
_WEAPON = r"(?=(?: (?:finesse|light|simple|martial|melee|ranged|magic|magical|thrown|heavy))* weapons?\b)"
_WITH = r"(?:with|that (?:are|have|can be)|have|has|and)(?: the)?"
_NEEDS = r"(?:needs?|requires?|requiring|uses?|allows?|with|makes?|takes?|has|have)(?: an?)?"
_DEALS = "do|does|doing|deals?|dealing|inflicts?"
_ACTIONS = _forms(("bonus-action", "reaction"))
_TIME = r"(?:\d+|an?)[ -](?:minute|hour|action|reaction)s?"
_SPAN = r"(?:\d+|an?|one)[ -](?:round|minute|hour|day)s?"
_FEET = r"(?:feet|foot|ft\.?)"
_GOLD = Unit("worth|costs?|costing|priced at", "gp|gold(?: pieces)?", is_fractional=True)
_PART = "(?:component|material)s?"
_WEAPONS_WORDS = ("property", "is_simple", "is_ranged", "is_finesse", "is_light", "damage_dice")  # say what it is
_CAUSES: dict[str, FilterValue] = {
    "blind": "blinded", "charm": "charmed", "deafen": "deafened", "frighten": "frightened", "grapple": "grappled",
    "incapacitate": "incapacitated", "paralyze": "paralyzed", "petrify": "petrified", "poison": "poisoned",
    "restrain": "restrained", "stun": "stunned", "knock prone": "prone", "knock people prone": "prone",
}  # fmt: skip
_STATES = _forms(CONDITIONS, fear="frightened", paralysis="paralyzed", blindness="blinded", deafness="deafened")
_CLASSES = _forms(("artificer", *SRD_CLASSES), sorc="sorcerer")
_WHOLE = tuple(float(number) for number in range(41))
_MODES = {
    "fly": "fly flies flying", "swim": "swim swims swimming", "climb": "climb climbs climbing",
    "burrow": "burrow burrows burrowing", "hover": "hover hovers hovering",
}  # fmt: skip
_TYPES = {word: key for word, key in _forms(CREATURE_TYPES).items() if word not in ("giant", "plant")}
_PLACES = (
    "arctic cave caves coast desert forest forests grassland hills jungle mountain mountains ocean plains ruins "
    "sea sewer swamp swamps tundra underdark underwater urban volcano woods"
).split()
_LANGUAGES = (
    "abyssal aquan auran celestial common deep-speech draconic druidic dwarvish elvish giant gnomish goblin halfling "
    "ignan infernal orc primordial sylvan terran undercommon"
).split()
_CATEGORIES = _forms(
    ("ring", "wand", "rod", "staff", "potion", "scroll", "shield", "weapon", "poison", "mount", "wondrous-item"),
    **{"armor": "armor", "adventuring_gear": "adventuring-gear", "services": "service", "trade_goods": "trade-good"},
    **{"tools": "tools", "boats": "waterborne-vehicle", "ships": "waterborne-vehicle", "staffs": "staff"},
)


def _caused() -> tuple[Words, ...]:
    """Conditions that something causes: "that can paralyze", "that cause fear", "make the target frightened"."""
    return (
        Words("condition", "that|which|who|can|could", values=_CAUSES),
        Words("condition", r"(?:causes?|inflicts?|imposes?)(?: the)?", values=_STATES),
        Words("condition", r"(?:leaves?|makes?|renders?|knocks?)(?: (?:an? |the |your )?\w+)?", values=_STATES),
    )


def _speed(mode: str, verbs: str) -> Measure:
    """A speed: "fly speed of 60", "80+ ft swim speed", "burrows faster than 20 feet"."""
    unit = Unit(rf"(?:{verbs})(?: speed|(?= (?:faster|at least|over|more)\b))", rf"(?:{_FEET} )?(?:{verbs}) speed")
    return Measure("speed", unit, f"{mode}=")


def _span(read: Callable[[str], str]) -> Callable[[str], str]:
    """Read a time that may begin with an article: "an hour", "1-minute"."""
    return lambda text: read(re.sub(r"^(?:an?|one) ", "1 ", text.replace("-", " ")))


_WORDS: Mapping[Family, tuple[Words | Measure, ...]] = {
    Family.CREATURES: (
        Measure("cr", Unit("cr|challenge rating", steps=(0.0, 0.125, 0.25, 0.5, *_WHOLE[1:31]))),
        Measure("armor_class", Unit("armor class", "armor class", _WHOLE)),
        Measure("hit_points", Unit("hit points", "hit points")),
        *(Measure("ability", Unit(rf"{name}(?: score)?", name, _WHOLE), f"{name}=") for name in ABILITIES),
        *(_speed(mode, forms.replace(" ", "|")) for mode, forms in _MODES.items()),
        Measure("speed", Unit("speed", rf"{_FEET}(?: (?:walking )?speed)?"), context=r"\b(?:speed|faster)\b"),
        # A creature whose challenge rating is further above a party's level is no fair enemy.
        Words(
            "cr_max",
            after="party|pcs|players|characters|adventurers|group",
            values=r"level \d{1,2}",
            restricts=True,
            read=lambda text: float(int(text.split()[1]) + 3),
        ),
        Words("type", alone="", values=_TYPES),
        Words("type", after=r"(?=(?:creature|monster)s?\b)", values={"giant": "giant", "plant": "plant"}),
        Words(
            "casts",
            rf"(?:can|who|that|which|{_CREATURES}) (?:can )?casts?(?: the)?(?: spell)?|casters? of",
            r"(?: spell)?(?=$|[?.,;]| and\b| or\b| at\b| with\b)",
            values=r"[a-z][a-z'/ -]{2,40}?",
            needs_both=True,
        ),
        Words("language", "with|have|has", alone="", values=dict.fromkeys(("telepathy", "telepathic"), "telepathy")),
        Words(
            "trait",
            "(?:with|have|has|having)(?:(?: the)? trait)?",
            values=r"[a-z][a-z' -]{2,40}",
            read=trait_key,
            needs_known=True,
        ),
        Words("damage_vulnerability", r"vulnerab\w+ to|weak (?:to|against)", r"vulnerab\w+"),
        Words("damage_resistance", r"resist(?:s|ant|ance|ances)?(?: to)?", r"resist\w*"),
        Words("damage_immunity", r"immun(?:e|ity|ities) to", r"immun\w+"),
        Words("condition_immunity", r"immun(?:e|ity) to(?: being| the)?|(?:can't|cannot) be", r"immun\w+"),
        *_caused(),
        Words(
            "language",
            r"(?:speak|speaks|speaking|understands?|know|knows)(?: the)?",
            r"speak\w*",
            values=_forms(_LANGUAGES) | {"thieves' cant": "thieves-cant"},
        ),
        Words("alignment", alone="", values="(?:lawful|chaotic|neutral) (?:good|neutral|evil)|unaligned"),
        Words(
            "alignment",
            alone=rf"(?=(?: aligned)? {_CREATURES}\b(?! (?:for|to|against)\b))",
            values="good|evil|lawful|chaotic",
        ),
        Words(
            "speed",
            r"(?:can|that|who|which|with an?|ha(?:ve|s) an?)",
            "speed",
            rf"(?= {_CREATURES}\b)",
            {form: mode for mode, forms in _MODES.items() for form in forms.split()},
        ),
        Words("sense", "with|have|has|and"),
        Words(
            "environment",
            rf"(?:(?:live|lives|living|found|dwell|dwells|dwelling|lurk|lurks|native)(?: (?:in|to|on|under|near))?"
            rf"|{_CREATURES} (?:in|of|from|on)|from)(?: the| an?)?",
            rf"(?:dwelling )?(?={_CREATURES}\b)",
            values={place: habitat_key(place) for place in _PLACES},
        ),
        Words("legendary", after=rf"(?:actions|(?={_CREATURES}\b))"),
        Words("subtype", alone=_END, values=_forms(CREATURE_SUBTYPES), read=subtype_key),
        Words("size", alone="", order=SIZES),
    ),
    Family.SPELLS: (
        Measure("level", Unit("level", steps=_WHOLE[:10])),
        Measure(
            "material_cost",
            replace(_GOLD, before=f"{_GOLD.before}|of"),
            context=r"\b(?:components?|materials?|costs?|costing|diamonds?|gems?|expensive)\b",
        ),
        Measure(
            "range",
            Unit(r"range(?= (?:of|over|above|at|longer|greater|more|beyond|from|between)\b)", rf"{_FEET}(?: range)?"),
            context=r"\brange\b",
        ),
        Words("level", alone="", values={"cantrip": 0, "cantrips": 0}, restricts=True),
        *(Words(name, after=rf"{_PART}(?! worth| costing)", restricts=True) for name in ("verbal", "somatic")),
        Words("material", after=rf"{_PART}(?! worth| costing)", restricts=True),
        Words(
            "material_cost_min", after=f"(?:material )?{_PART}", values={"costly": 1, "expensive": 1}, restricts=True
        ),
        Words("concentration", f"are|is|{_NEEDS}|an?", _SPELL, restricts=True),
        Words("ritual", "as an?|are", alone=""),
        Words(
            "attack_roll",
            _NEEDS,
            _SPELL,
            values=_flag("ranged spell attack|melee spell attack|spell attack|attack roll"),
        ),
        *(
            Words("casting_time", before, alone=alone, values=_ACTIONS, restricts=not before)
            for before, alone in (("", _SPELL), ("as an?", ""))
        ),
        Words("casting_time", "casting time of", "casting time", values=_TIME, read=_span(casting_time_key)),
        Words("casting_time", _NEEDS, "to cast", values=_TIME, read=_span(casting_time_key), needs_both=True),
        Words("range", r"range(?: of| is)?", r"range|(?= (?:spell|cantrip|buff)s?\b)"),
        Words("area", r"(?:shaped like|shape of|area is|in|hits?|with) an?", rf"(?:shaped)?{_SPELL}|areas?"),
        Words(
            "duration",
            "lasts?(?: for)?|lasting(?: for)?|duration of",
            "(?:long )?duration",
            values=_SPAN,
            read=_span(duration_key),
        ),
        Words("duration", after=_SPELL, values="instantaneous", read=duration_key),
        Words("saving_throw", after=r"(?:saves?|saving throws?)"),
        Words(
            "saving_throw", _NEEDS, values=dict.fromkeys(("saving throw", "saving throws", "save", "saves"), ABILITIES)
        ),
        Words("damage_type", _DEALS, rf"damage|{_SPELL}"),
        Words(
            "damage_type",
            "that do|that deal",
            r"(?=(?:spell|cantrip)s\b)",
            values=dict.fromkeys(("damage", "damaging"), DAMAGE_TYPES),
        ),
        *_caused(),
        Words("school", alone=""),
        Words("class_key", r"(?:for|that|on(?: both)?)(?: an?| the| my)?", alone="", values=_CLASSES),
    ),
    Family.EQUIPMENT: (
        Measure("cost", _GOLD),
        Measure("weight", Unit("weighs?|weighing", r"lbs?|pounds?", is_fractional=True)),
        *(Words(name, _WITH, _WEAPON, restricts=True) for name in ("is_finesse", "is_light")),
        Words("requires_attunement", _NEEDS, values=_flag("attunement|attuning|attuned|attune"), restricts=True),
        Words(
            "stealth_disadvantage",
            "gives?|has|have|with|imposes?|causes?",
            alone="",
            values=_flag("stealth disadvantage|disadvantage on stealth|disadvantage to stealth"),
            restricts=True,
        ),
        Words("damage_dice", _DEALS, r"(?:damage|(?=weapons?\b))", values=r"\d?d\d+", read=dice),
        Words(
            "damage_type",
            f"{_DEALS}|with",
            r"(?:damage ?)?(?=weapons?\b)|damage",
            values=_forms(("slashing", "piercing", "bludgeoning")),
        ),
        Words(
            "is_magic",
            "are|is",
            r"(?=(?:weapon|armou?r|item|ring|shield|staff|wand|rod|thing)s?\b)",
            values=_flag("magic|magical"),
        ),
        Words("is_magic", alone="", values=dict.fromkeys(("nonmagical", "non magical", "mundane", "nonmagic"), False)),
        Words(
            "property",
            rf"{_WITH}|can(?: be)?",
            rf"{_WEAPON}|mastery|property",
            values=_forms({*WEAPON_PROPERTIES, *MASTERIES} - {"special", "finesse", "light"}, throw="thrown"),
        ),
        Words("is_simple", alone=r"(?=.* weapons?\b)", values={"simple": True, "martial": False}),
        Words(
            "is_ranged", alone=r"(?=(?: [\w-]+)*? weapons?\b(?! attacks?\b))", values={"ranged": True, "melee": False}
        ),
        Words(
            "rarity",
            alone=rf"(?= \w)(?! (?:actions?|resistance|lair|{_CREATURES})\b)",
            values={name.replace("-", " "): name for name in RARITIES[1:5]},
            restricts=True,
            order=RARITIES,
        ),
        Words("rarity", alone="", values=_forms(RARITIES, legendaries="legendary"), order=RARITIES),
        Words("category", after="armou?rs?", values={name: name for name in ("light", "medium", "heavy")}),
        Words("category", alone=_LAST, values=_CATEGORIES, unless=_WEAPONS_WORDS),
    ),
    Family.OPTIONS: (
        Measure("level", Unit("level", steps=_WHOLE[:21]), context=r"\b(?:features?|gets?|gains?|receives?|learns?)"),
        Words("feat_type", after="feats?(?: list)?"),
        Words(
            "skill",
            r"proficien\w+ (?:in|with)|grants?|gives?|teach(?:es)?"
            r"|(?:backgrounds?|feats?|species|races?|class(?:es)?) with",
            r"(?:skill )?proficiency",
        ),
        Words("has_prerequisite", _NEEDS, values=_flag("prerequisite|prerequisites|prereqs")),
        Words("hit_die", after="(?:an? |the )?hit (?:die|dice)", values=r"d\d+", read=lambda text: int(text[1:])),
        Words(
            "ability",
            r"(?:increase|raise|boost|improve)s?(?: your| the| to)?"
            r"|(?:backgrounds?|class(?:es)?|feats?|races?|species) (?:based on|for|(?:that )?uses?|with)(?: high)?",
        ),
        Words(
            "class_key",
            r"(?:gets?|gains?|learns?|features?|subclass(?:es)?|archetypes?)(?: (?!that\b)\w+){0,5}? "
            r"(?:as|for|of|does|do)(?: an?| the)?",
            r"(?:(?:class )?features?|subclass(?:es)?|archetypes?|domains?|oaths?|circles?|paths?"
            r"|gets?|gains?|receives?|learns?)",
            values=_CLASSES,
        ),
    ),
    Family.RULES: (
        Words("section", "the", "(?:chapter|section)s?", values=r"[\w' ]{3,40}", read=section_key, needs_both=True),
    ),
}
WORDS = {family: tuple(_completed(words, family) for words in rows) for family, rows in _WORDS.items()}
_MOST_DANGEROUS = "strongest|toughest|hardest|deadliest|mightiest|most (?:dangerous|deadly|powerful)"
EXTREMES: Mapping[Family, tuple[Extremes, ...]] = {
    Family.CREATURES: (
        Extremes(
            "challenge_rating", "cr|challenge(?: rating)?", _MOST_DANGEROUS, "weakest|least (?:dangerous|powerful)"
        ),
        Extremes("fastest_speed", "speed", "fastest", "slowest"),
        Extremes("armor_class", "armor class"),
        Extremes("hit_points", "hit points"),
        Extremes("intelligence", "intelligence", "smartest|cleverest|most intelligent"),
        *(Extremes(name, name) for name in ABILITIES if name != "intelligence"),
    ),
    Family.SPELLS: (
        Extremes("level", "level"),
        Extremes("material_cost", "material cost", rf"(?:most expensive|costliest)(?: (?:material )?{_PART})?"),
        Extremes("range", "range"),
    ),
    Family.EQUIPMENT: (
        Extremes("cost", "price|cost", "most (?:expensive|costly)|priciest|costliest", "cheapest|least expensive"),
        Extremes("weight", "weight", "heaviest", "lightest"),
    ),
    Family.OPTIONS: (
        Extremes("levels", "", "", r"(?:at each|at every|by|for each|per) level"),
        Extremes("hit_die", r"hit (?:dic?e|points)|hp"),
    ),
}
