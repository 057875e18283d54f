"""How people say the values of each filter; ``search/grammar.py`` parses questions with these tables.

A value may stand after some words ("immune to FIRE"), before some ("FIRE damage"), or alone in what the question asks
for ("EVOCATION spells that burn"). A number has a unit before or after it, and arguments for its bounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.filters.argument_types import casting_time_key, dice
from lorekeeper_mcp.filters.creature_columns import SENSES, subtype_key, trait_key
from lorekeeper_mcp.filters.creatures import habitat_key
from lorekeeper_mcp.filters.filter_row import FilterValue, Scalar
from lorekeeper_mcp.filters.rules import section_key
from lorekeeper_mcp.filters.spells import SHAPES, duration_key
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import (
    ABILITIES,
    CONDITIONS,
    CREATURE_SUBTYPES,
    CREATURE_TYPES,
    DAMAGE_TYPES,
    FEAT_TYPES,
    MASTERIES,
    RARITIES,
    SCHOOLS,
    SIZES,
    SKILLS,
    SRD_CLASSES,
    WEAPON_PROPERTIES,
)
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.text import slugify


@dataclass(frozen=True, eq=False)  # compared by identity, since patterns are compiled once for each
class Words:
    """The words for an argument.

    ``values`` maps what is said to the value, or is the pattern of a text that ``read`` turns into it. ``before`` and
    ``after`` are patterns of the words around a value, "" if it needs others. ``alone`` is a pattern for what follows a
    value that stands for itself in the head of a question; None if it never does. ``restricts`` if the words leave no
    doubt; otherwise they restrict only a question that consists of filters. ``order`` has ascending values, for "large
    or smaller". ``needs_known`` if the value has to be one that a record has, ``needs_both`` if it
    needs the words before and after it. Nothing is read if one of the arguments ``unless`` already says more.
    """

    argument: str
    values: Mapping[str, FilterValue] | str
    before: str = ""
    after: str = ""
    alone: str | None = None
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

    @property
    def is_counted(self) -> bool:
        """Whether numbers are also names of single values: "level 1 or 2"."""
        return bool(self.exact) and self.exact not in (self.least, self.most)

    def value(self, number: float) -> Scalar:
        """The value of an argument."""
        if self.prefix:
            return f"{self.prefix}{number:g}"
        return int(number) if self.is_integer and number == int(number) else number


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


def _flag(word: str) -> dict[str, FilterValue]:
    return dict.fromkeys(word.split("|"), True)


def spoken(words: Words) -> str:
    """The pattern of one value."""
    if isinstance(words.values, str):
        return words.values
    return "|".join(re.escape(word).replace("\\ ", "[ -]") for word in sorted(words.values, key=len, reverse=True))


_THINGS = (
    r"(?:creatures?|monsters?|stat blocks?|encounters?|enem(?:y|ies)|foes?|monstrosities"
    rf"|(?:{'|'.join(CREATURE_TYPES)})s?)"
)
_END = (
    r"(?=\s*(?:$|[,.?!]|(?:that|who|which|with|without|of|in|from|immune|has|have|at|above|below|under|over|worth|for)"
    r"\b))"
)
_LAST = (
    r"(?=\s*(?:$|[,.?!]|(?:that|which|with|without|at|above|below|under|over|worth|costs?|costing|cheaper|to|for)\b))"
)
_OF_WEAPONS = ("property", "is_simple", "is_ranged", "is_finesse", "is_light", "damage_dice")  # say that it is a weapon
_SPELL_NOUN = r"(?= (?:[\w-]+ )??(?:spell|cantrip|ritual)s?\b)"
_VERBS: dict[str, FilterValue] = {
    "blind": "blinded", "charm": "charmed", "deafen": "deafened", "frighten": "frightened", "grapple": "grappled",
    "incapacitate": "incapacitated", "paralyze": "paralyzed", "petrify": "petrified", "poison": "poisoned",
    "restrain": "restrained", "stun": "stunned", "knock prone": "prone",
}  # fmt: skip
_STATES: dict[str, FilterValue] = {
    **_forms(CONDITIONS),
    **{"fear": "frightened", "paralysis": "paralyzed", "blindness": "blinded", "deafness": "deafened"},
}
_WEAPON = r"(?=(?: (?:finesse|light|simple|martial|melee|ranged|magic|magical|thrown|heavy))* weapons?\b)"
_WITH = r"(?:with|that (?:are|have|can be)|have|has|and)(?: the)?"
_TIME = r"(?:\d+|an?) (?:minute|hour|action|reaction)s?"
_CLASSES = _forms(("artificer", *SRD_CLASSES), sorc="sorcerer")
_SPANS = r"(?:\d+|an?|one) (?:round|minute|hour|day)s?"
_FEET = r"(?:feet|foot|ft\.?)"
_GOLD = "gp|gold(?: pieces)?"
_NORMAL_WEAPONS = r"(?:non-?magic(?:al)?|normal|mundane|ordinary|regular) (?:weapons?|weapon attacks?|attacks?)"
_WHOLE = tuple(float(number) for number in range(41))


def _caused(argument: str = "condition") -> tuple[Words, ...]:
    """Conditions that something causes: "that can paralyze", "that cause fear", "make the target frightened"."""
    return (
        Words(argument, _VERBS, before="that|which|who|can|could"),
        Words(argument, _STATES, before=r"(?:causes?|inflicts?|imposes?)(?: the)?"),
        Words(argument, _STATES, before=r"(?:leaves?|makes?|renders?|knocks?)(?: (?:an? |the |your )?\w+)?"),
    )


def _spell(text: str) -> str:
    return slugify(re.sub(r"^(?:the )?(?:spell )?|(?: spell)?$", "", text.strip()))


def _duration(text: str) -> str:
    return duration_key(re.sub(r"^(?:an?|one) ", "1 ", text))


def _time(text: str) -> str:
    return casting_time_key(re.sub(r"^an? ", "1 ", text))


def _speed(mode: str, verbs: str) -> Measure:
    """A speed: "fly speed of 60", "80+ ft swim speed", "burrows faster than 20 feet"."""
    unit = Unit(rf"(?:{verbs})(?: speed|(?= (?:faster|at least|over|more)\b))", rf"(?:{_FEET} )?(?:{verbs}) speed")
    return Measure(unit, least="speed_min", exact="speed_min", prefix=f"{mode}=")


_MODES: dict[str, FilterValue] = {
    form: mode
    for mode, forms in {
        "fly": "fly flies flying",
        "swim": "swim swims swimming",
        "climb": "climb climbs climbing",
        "burrow": "burrow burrows burrowing",
        "hover": "hover hovers hovering",
    }.items()
    for form in forms.split()
}
_PLACES: dict[str, FilterValue] = {
    place: habitat_key(place)
    for place in (
        "arctic cave caves coast desert forest forests grassland hills jungle mountain mountains ocean plains ruins "
        "sea sewer swamp swamps tundra underdark underwater urban volcano woods"
    ).split()
}
_LANGUAGES: dict[str, FilterValue] = {
    language: slugify(language)
    for language in (
        "abyssal,aquan,auran,celestial,common,deep speech,draconic,druidic,dwarvish,elvish,giant,gnomish,goblin,"
        "halfling,ignan,infernal,orc,primordial,sylvan,terran,thieves' cant,undercommon"
    ).split(",")
}
_ALIGNMENTS: dict[str, FilterValue] = {
    "unaligned": "unaligned",
    **{
        f"{law} {good}": f"{law}-{good}"
        for law in ("lawful", "chaotic", "neutral")
        for good in ("good", "evil", "neutral")
    },
}
_TYPES = {word: key for word, key in _forms(CREATURE_TYPES).items() if word not in ("giant", "plant")}
_CATEGORIES = _forms(
    ("ring", "wand", "rod", "staff", "potion", "scroll", "shield", "weapon", "poison", "mount", "wondrous-item"),
    **{"armor": "armor", "adventuring_gear": "adventuring-gear", "services": "service", "trade_goods": "trade-good"},
    **{"tools": "tools", "boats": "waterborne-vehicle", "ships": "waterborne-vehicle", "staffs": "staff"},
)
_PROPERTIES = _forms(name for name in (*WEAPON_PROPERTIES, *MASTERIES) if name not in ("special", "finesse", "light"))

WORDS: Mapping[Family, tuple[Words | Measure, ...]] = {
    Family.CREATURES: (
        Measure(
            Unit("cr|challenge rating", steps=(0.0, 0.125, 0.25, 0.5, *_WHOLE[1:31])),
            *("cr_min", "cr_max", "cr"),
            is_integer=False,
        ),
        Measure(Unit("armor class", "armor class", _WHOLE), "armor_class_min"),
        Measure(Unit("hit points", "hit points"), "hit_points_min"),
        *(
            Measure(Unit(rf"{name}(?: score)?", name, _WHOLE), "ability_min", "ability_max", "ability_min", f"{name}=")
            for name in ABILITIES
        ),
        _speed("fly", "fly|flies|flying"),
        _speed("swim", "swims?|swimming"),
        _speed("climb", "climbs?|climbing"),
        _speed("burrow", "burrows?|burrowing"),
        _speed("hover", "hovers?|hovering"),
        Measure(Unit("speed", rf"{_FEET}(?: (?:walking )?speed)?"), "speed_min", context=r"\b(?:speed|faster)\b"),
        # A creature whose challenge rating is further above a party's level is no fair enemy.
        Words(
            "cr_max",
            r"level \d{1,2}",
            after="party|pcs|players|characters|adventurers|group",
            restricts=True,
            read=lambda text: float(int(text.split()[1]) + 3),
        ),
        Words("type", _TYPES, alone=""),
        Words("type", {"giant": "giant", "plant": "plant"}, after=r"(?=(?:creature|monster)s?\b)"),
        Words(
            "casts",
            r"[a-z][a-z'/ -]{2,40}?",
            rf"(?:can|who|that|which|{_THINGS}) (?:can )?casts?|casters? of",
            r"(?=$|[?.,;]| and\b| or\b| at\b| with\b)",
            read=_spell,
            needs_both=True,
        ),
        Words("trait", r"[a-z][a-z' -]{2,40}", "with|have|has|having", read=trait_key, needs_known=True),
        Words("damage_vulnerability", _forms(DAMAGE_TYPES), r"vulnerab\w+ to|weak (?:to|against)", r"vulnerab\w+"),
        Words("damage_resistance", _forms(DAMAGE_TYPES), r"resist(?:s|ant|ance|ances)?(?: to)?", r"resist\w*"),
        Words("damage_immunity", _forms(DAMAGE_TYPES), r"immun(?:e|ity|ities) to", r"immun\w+"),
        # Most stat blocks have the three damage types of weapons together; oozes are immune to slashing alone.
        Words(
            "damage_immunity",
            _NORMAL_WEAPONS,
            r"immun(?:e|ity) to(?: damage (?:from|by))?|(?:can't|cannot) be (?:harmed|hurt|damaged|hit) (?:by|with)",
            read=lambda _: "bludgeoning",
        ),
        Words(
            "damage_resistance",
            _NORMAL_WEAPONS,
            r"resist\w*(?: to)?(?: damage (?:from|by))?",
            read=lambda _: "bludgeoning",
        ),
        Words(
            "condition_immunity",
            _forms(CONDITIONS),
            r"immun(?:e|ity) to(?: being| the)?|(?:can't|cannot) be",
            r"immun\w+",
        ),
        *_caused(),
        Words("language", _LANGUAGES, r"(?:speak|speaks|speaking|understands?|know|knows)(?: the)?", r"speak\w*"),
        Words("language", {"telepathy": "telepathy", "telepathic": "telepathy"}, "with|have|has", alone=""),
        Words("alignment", _ALIGNMENTS, alone=""),
        Words(
            "alignment", "good|evil|lawful|chaotic", alone=rf"(?=(?: aligned)? {_THINGS}\b(?! (?:for|to|against)\b))"
        ),
        Words("speed", _MODES, r"(?:can|that|who|which|with an?|ha(?:ve|s) an?)", "speed", rf"(?= {_THINGS}\b)"),
        Words("sense", _forms(SENSES), "with|have|has|and"),
        Words(
            "environment",
            _PLACES,
            rf"(?:(?:live|lives|living|found|dwell|dwells|dwelling|lurk|lurks|native)(?: (?:in|to|on|under|near))?"
            rf"|{_THINGS} (?:in|of|from|on)|from)(?: the| an?)?",
            rf"(?:dwelling )?(?={_THINGS}\b)",
        ),
        Words("legendary", _flag("legendary"), after=rf"(?:actions|(?={_THINGS}\b))", restricts=False),
        Words("subtype", _forms(CREATURE_SUBTYPES), alone=_END, read=subtype_key),
        Words("size", _forms(SIZES), alone="", order=SIZES),
    ),
    Family.SPELLS: (
        Measure(Unit("level", steps=_WHOLE[:10]), "level_min", "level_max", "level"),
        Measure(
            Unit("worth|costs?|costing|of", _GOLD, is_fractional=True),
            *("material_cost_min", "material_cost_max", "material_cost_min"),
            context=r"\b(?:components?|materials?|costs?|costing|diamonds?|gems?|expensive)\b",
        ),
        Measure(
            Unit(r"range(?= (?:of|over|above|at|longer|greater|more|beyond|from|between)\b)", rf"{_FEET}(?: range)?"),
            *("range_min", "", "range_min"),
            context=r"\brange\b",
        ),
        Words("level", {"cantrip": 0, "cantrips": 0}, alone="", restricts=True),
        Words("verbal", _flag("verbal"), after="(?:component|material)s?", restricts=True),
        Words("somatic", _flag("somatic"), after="(?:component|material)s?", restricts=True),
        Words("material", _flag("material"), after="(?:component|material)s?(?! worth| costing)", restricts=True),
        Words(
            "material_cost_min",
            {"costly": 1, "expensive": 1},
            after="(?:material )?(?:material|component)s?",
            restricts=True,
        ),
        Words(
            "concentration",
            _flag("concentration"),
            "are|is|needs?|requires?|takes?|uses?|with|an?",
            rf"{_SPELL_NOUN}",
            restricts=True,
        ),
        Words("ritual", _flag("ritual|rituals"), "as an?|are", alone=""),
        Words(
            "attack_roll",
            _flag("spell attack|spell attack roll|attack roll|ranged spell attack|melee spell attack"),
            r"needs?(?: an?)?|requires?(?: an?)?|uses?(?: an?)?|with(?: an?)?|makes?(?: an?)?",
            _SPELL_NOUN,
        ),
        Words(
            "casting_time", {"bonus action": "bonus-action", "reaction": "reaction"}, alone=_SPELL_NOUN, restricts=True
        ),
        Words(
            "casting_time",
            {"bonus action": "bonus-action", "reaction": "reaction", "reactions": "reaction"},
            "as an?",
            alone="",
        ),
        Words("casting_time", _TIME, "casting time of", read=_time),
        Words("casting_time", _TIME, "takes?|taking|needs?", "to cast", read=_time, needs_both=True),
        Words("range", _forms(("touch", "self")), r"range(?: of| is)?", r"(?:range)?(?= (?:spell|cantrip|buff)s?\b)"),
        Words(
            "area",
            _forms(SHAPES),
            r"(?:shaped like|shape of|area is|in|hits?|with) an?",
            rf"(?:shaped)?{_SPELL_NOUN}|areas?",
        ),
        Words("duration", _SPANS, "lasts?(?: for)?|lasting(?: for)?|duration of", "(?:long )?duration", read=_duration),
        Words("duration", "instantaneous", after=_SPELL_NOUN, read=_duration),
        Words("saving_throw", _forms(ABILITIES), after=r"(?:saves?|saving throws?)"),
        Words(
            "saving_throw",
            {"saving throw": ABILITIES, "saving throws": ABILITIES, "save": ABILITIES, "saves": ABILITIES},
            "(?:needs?|allows?|requires?|with)(?: an?)?",
        ),
        Words("damage_type", _forms(DAMAGE_TYPES), "do|does|deals?|dealing|inflicts?", rf"damage|{_SPELL_NOUN}"),
        Words(
            "damage_type",
            {"damage": DAMAGE_TYPES, "damaging": DAMAGE_TYPES},
            "that do|that deal",
            r"(?=(?:spell|cantrip)s\b)",
        ),
        *_caused(),
        Words("school", _forms(SCHOOLS), alone=""),
        Words("class_key", _CLASSES, r"(?:for|that|on(?: both)?)(?: an?| the| my)?", alone=""),
    ),
    Family.EQUIPMENT: (
        Measure(
            Unit("worth|costs?|costing|priced at", _GOLD, is_fractional=True), "cost_min", "cost_max", is_integer=False
        ),
        Measure(Unit("weighs?|weighing", r"lbs?|pounds?", is_fractional=True), "", "weight_max", is_integer=False),
        Words("is_finesse", _flag("finesse"), _WITH, _WEAPON, restricts=True),
        Words("is_light", _flag("light"), _WITH, _WEAPON, restricts=True),
        Words(
            "requires_attunement",
            _flag("attunement|attuning|attuned|attune"),
            r"requires?|requiring|needs?|with",
            restricts=True,
        ),
        Words(
            "stealth_disadvantage",
            _flag("stealth disadvantage|disadvantage on stealth|disadvantage to stealth"),
            "gives?|has|have|with|imposes?|causes?",
            alone="",
            restricts=True,
        ),
        Words("damage_dice", r"\d?d\d+", "do|does|doing|deals?|dealing", r"(?:damage|(?=weapons?\b))", read=dice),
        Words(
            "damage_type",
            _forms(("slashing", "piercing", "bludgeoning")),
            r"deals?|dealing|with",
            r"(?:damage ?)?(?=weapons?\b)|damage",
        ),
        Words(
            "is_magic",
            _flag("magic|magical"),
            "are|is",
            r"(?=(?:weapon|armou?r|item|ring|shield|staff|wand|rod|thing)s?\b)",
        ),
        Words("is_magic", {"nonmagical": False, "non magical": False, "mundane": False, "nonmagic": False}, alone=""),
        Words("property", _PROPERTIES, _WITH, rf"{_WEAPON}|mastery|property"),
        Words("property", "throwable|throwing|throw|thrown", "(?:can|to)(?: be)?", _WEAPON, read=lambda _: "thrown"),
        Words("is_simple", {"simple": True, "martial": False}, alone=r"(?=.* weapons?\b)"),
        Words("is_ranged", {"ranged": True, "melee": False}, alone=r"(?=(?: [\w-]+)*? weapons?\b(?! attacks?\b))"),
        Words(
            "rarity",
            {name.replace("-", " "): name for name in RARITIES[1:5]},
            alone=rf"(?= \w)(?! (?:actions?|resistance|lair|{_THINGS})\b)",
            restricts=True,
            order=RARITIES,
        ),
        Words("rarity", _forms(RARITIES, legendaries="legendary"), alone="", order=RARITIES),
        Words("category", {"light": "light", "medium": "medium", "heavy": "heavy"}, after="armou?rs?"),
        Words("category", _CATEGORIES, alone=_LAST, unless=_OF_WEAPONS),
    ),
    Family.OPTIONS: (
        Measure(
            Unit("level", steps=_WHOLE[:21]),
            "",
            "",
            "level",
            context=r"\b(?:features?|gets?|gains?|receives?|learns?)\b",
        ),
        Words("feat_type", _forms(FEAT_TYPES), after="feats?(?: list)?"),
        Words(
            "skill",
            _forms(SKILLS),
            r"proficien\w+ (?:in|with)|grants?|gives?|teach(?:es)?"
            r"|(?:backgrounds?|feats?|species|races?|class(?:es)?) with",
            r"(?:skill )?proficiency",
        ),
        Words("has_prerequisite", _flag("prerequisite|prerequisites|prereqs"), "with|have|has|need|require"),
        Words(
            "hit_die",
            r"d(?:6|8|10|12)",
            after="(?:as )?(?:an? |the )?hit (?:die|dice)",
            read=lambda text: int(text[1:]),
        ),
        Words(
            "ability",
            _forms(ABILITIES),
            r"(?:increase|raise|boost|improve)s?(?: your| the| to)?"
            r"|(?:backgrounds?|class(?:es)?|feats?|races?|species) (?:based on|for|(?:that )?uses?|with)(?: high)?",
        ),
        Words(
            "class_key",
            _CLASSES,
            r"(?:gets?|gains?|learns?|features?|subclass(?:es)?|archetypes?)(?: (?!that\b)\w+){0,5}? "
            r"(?:as|for|of|does|do)(?: an?| the)?",
            r"(?:(?:class )?features?|subclass(?:es)?|archetypes?|domains?|oaths?|circles?|paths?"
            r"|gets?|gains?|receives?|learns?)",
        ),
    ),
    Family.RULES: (
        Words("section", r"[\w' ]{3,40}", "the", "(?:chapter|section)s?", read=section_key, needs_both=True),
    ),
}
EXTREMES: Mapping[Family, tuple[Extremes, ...]] = {
    Family.CREATURES: (
        Extremes(
            "challenge_rating",
            "cr|challenge(?: rating)?",
            "strongest|toughest|hardest|deadliest|mightiest|most (?:dangerous|deadly|powerful)",
            "weakest|least (?:dangerous|powerful)",
        ),
        Extremes("fastest_speed", "speed", "fastest", "slowest"),
        Extremes("armor_class", "armor class"),
        Extremes("hit_points", "hit points"),
        Extremes("intelligence", "intelligence", "smartest|cleverest|most intelligent"),
        *(Extremes(name, name) for name in ABILITIES if name != "intelligence"),
    ),
    Family.SPELLS: (
        Extremes("level", "level"),
        Extremes(
            "material_cost",
            "material cost",
            r"(?:most expensive|costliest)(?: (?:material )?(?:component|material)s?)?",
        ),
        Extremes("range", "range"),
    ),
    Family.EQUIPMENT: (
        Extremes(
            "cost", "price|cost", "most expensive|priciest|costliest|dearest|most costly", "cheapest|least expensive"
        ),
        Extremes("weight", "weight", "heaviest", "lightest"),
    ),
    Family.OPTIONS: (
        Extremes("levels", "", "", r"(?:at each|at every|by|for each|per) level"),
        Extremes("hit_die", r"hit (?:dic?e|points)|hp"),
    ),
}
