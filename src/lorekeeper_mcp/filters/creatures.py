"""The filters of ``search_creature``, their columns, and how each value is read from a stat block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from lorekeeper_mcp.filters.argument_types import (
    FEET,
    POINTS,
    AbilityScores,
    ChallengeRating,
    alignment_key,
    choice,
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
    AnyOf,
    Clause,
    Column,
    Comparison,
    Condition,
    Filter,
    Params,
    bounds,
    compare,
    field_column,
    send,
)
from lorekeeper_mcp.filters.granted_spells import spells_granted, spells_listed
from lorekeeper_mcp.filters.words import (
    CAUSED,
    CREATURES,
    FOOT,
    LAST,
    WHOLE,
    Extremes,
    Measure,
    Scalar,
    Speech,
    Words,
    forms,
)
from lorekeeper_mcp.models import Action, ActionType, Creature, Section
from lorekeeper_mcp.models.vocabulary import (
    ABILITIES,
    CONDITIONS,
    CREATURE_SUBTYPES,
    CREATURE_TYPES,
    DAMAGE_TYPES,
    SIZES,
)
from lorekeeper_mcp.text import slugify

_CREATURES = "v2/creatures"
_sent = partial(send, _CREATURES)
MODES = ("fly", "swim", "climb", "burrow", "hover")
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
_OF_WEAPONS = ["bludgeoning", "piercing", "slashing"]
_DAMAGE = re.compile(rf"\b(?:{'|'.join(DAMAGE_TYPES)})\b")
_CONDITION = re.compile(rf"\b(?:{'|'.join(CONDITIONS)})\b")
_OF_SPELLS = re.compile(r"pellcast|\bspells\b|\bmaterial components\b")
_OF_SPELLS_WORDS = ("pellcast", "spells", "material components")  # faster to look for than the pattern
_AS_ACTION = re.compile(r"\((?:\d\w\w-level|cantrip)[;:] [VSM]\b", re.IGNORECASE)  # a spell listed as an action, in A5E
_LIST = re.compile(r"(?:at will|cantrips?|\d+/day(?: each)?)", re.IGNORECASE)  # a line of a spell list as a trait
_IN_BRACKETS = re.compile(r"\(([^()]*)\)")
_ALIGNMENT_AXES = frozenset({"lawful", "chaotic", "good", "evil", "neutral", "unaligned", "any"})
_LEGENDARY_ACTIONS = (ActionType.LEGENDARY_ACTION, ActionType.MYTHIC_ACTION)
_SINGULAR = {"fungi": "fungus", "mummies": "mummy", "sphinxes": "sphinx", "elves": "elf", "dwarves": "dwarf"}
# Other names of the habitats, by Open5e's keys.
_HABITAT_NAMES = {
    "ocean": "underwater aquatic water sea",
    "coast": "coastal beach shore",
    "underworld": "underdark",
    "forest": "jungle woods woodland rainforest",
    "arctic": "tundra snow ice",
    "grassland": "plains plain prairie savanna",
    "swamp": "marsh bog wetland",
    "mountain": "mountainous",
    "urban": "city town",
    "caves": "cave",
    "ruins": "dungeon",
    "hills": "hill",
    "tomb": "graveyard crypt",
}
_HABITATS = {name: key for key, names in _HABITAT_NAMES.items() for name in names.split()}


def habitat_key(text: str) -> str:
    """The key of a habitat: ``underwater`` -> ``ocean``, ``mountains`` -> ``mountain``; ``forest`` is kept."""
    key = slugify(text)
    plain = key if key in ("caves", "hills", "ruins") else key.removesuffix("s")
    return _HABITATS.get(key) or _HABITATS.get(plain) or (key if key.startswith(("srd_", "tob_")) else plain)


def _environments(creature: Creature) -> list[str]:
    """Every environment by key, bare key and the parts of its name, so that "Forest or Jungle" also matches forest."""
    return [
        name
        for ref in creature.environments
        for name in (ref.key, ref.key.rpartition("_")[2], slugify(ref.name), *slugify(ref.name).split("-or-"))
    ]


def _sizes(creature: Creature) -> list[str]:
    """The sizes; "Medium or Small" has both."""
    return [size.lower() for size in creature.size_text.split(" or ") if size] or [creature.size]


def _subtypes(creature: Creature) -> list[str]:
    """The subtypes in brackets after the type, and the group in the book: devil, goblinoid.

    Open5e drops the brackets of many creatures and keeps the group ("Devils").
    """
    printed = [name for tags in _IN_BRACKETS.findall(creature.type_text) for name in re.split(r",| or ", tags)]
    groups = re.split(r",\s*", creature.subcategory)
    return [subtype_key(name) for name in (*printed, *groups) if name.strip()]


def subtype_key(text: str) -> str:
    """``Devils`` -> ``devil``, ``Mummies`` -> ``mummy``."""
    key = slugify(text)
    return _SINGULAR.get(key, key.removesuffix("s"))


def _alignments(creature: Creature) -> list[str]:
    """The printed alignment and each of its words: "evil" matches neutral evil and any evil alignment."""
    printed = creature.alignment.lower()
    words = [word for word in re.findall(r"(?<!non-)\b[a-z]+\b", printed) if word in _ALIGNMENT_AXES]
    pairs = re.findall(r"\b(?:lawful|chaotic|neutral) (?:good|evil|neutral)\b", printed)
    true_neutral = ["true-neutral"] if printed == "neutral" else []
    return [*true_neutral, *(slugify(text) for text in (printed, *pairs, *words) if text)]


def _languages(creature: Creature) -> list[str]:
    """Languages by key and as printed; languages that are only understood count, too."""
    printed = creature.languages.lower()
    parts = re.split(r",|;|\band\b|\bor\b|\bplus\b", printed)
    names = (re.sub(r"\b(?:understands|speaks|the|languages?|but can.t speak.*)\b", "", part) for part in parts)
    telepathy = ["telepathy"] if "telepathy" in printed else []
    return [key for key in (*creature.language_keys, *map(slugify, names), *telepathy) if key]


def _speed_of(creature: Creature, mode: str) -> float | None:
    return creature.speed.get(mode)


def _speed_modes(creature: Creature) -> list[str]:
    return [*(mode for mode, feet in creature.speed.items() if feet), *(["hover"] if creature.hover else [])]


def _damage_types(creature: Creature, column: str) -> list[str]:
    """The damage types as printed. Open5e's keys have all three types of weapons where only one applies, or none.

    The keys are used if nothing is printed, or for "damage from nonmagical weapons".
    """
    keys: Sequence[str] = getattr(creature.defenses, column)
    text = getattr(creature.defenses, f"{column}_text").lower()
    if not text:
        return list(keys)
    types = _DAMAGE.findall(text)
    if "b/p/s" in text:
        types += _OF_WEAPONS
    elif not set(types) & set(_OF_WEAPONS) and "weapon" in text:
        types += [key for key in keys if key in _OF_WEAPONS]
    return list(dict.fromkeys(types))


def _senses(creature: Creature) -> list[str]:
    return [name for name in SENSES if getattr(creature.senses, name)]


def _condition_immunities(creature: Creature) -> list[str]:
    """Open5e's keys, with exhaustion for "exhausted", and the printed ones, which some books list with damage."""
    defenses = creature.defenses
    printed = f"{defenses.condition_immunities_text} {defenses.damage_immunities_text}".lower()
    return list(dict.fromkeys([*defenses.condition_immunities, *_CONDITION.findall(printed)]))


def _entries(creature: Creature) -> list[Section | Action]:
    return [*creature.traits, *creature.actions]


def _traits(creature: Creature) -> list[str]:
    """The names of its traits and of all of its actions, without remarks: ``legendary-resistance``."""
    return list(dict.fromkeys(filter(None, (trait_key(entry.name) for entry in _entries(creature)))))


def trait_key(text: str) -> str:
    """``Fire Breath (Recharge 5-6)`` -> ``fire-breath``."""
    return slugify(_IN_BRACKETS.sub("", text))


def _conditions(creature: Creature) -> list[str]:
    """The conditions that its traits and actions cause."""
    return list(dict.fromkeys(key for entry in _entries(creature) for key in conditions_caused(entry.text)))


def _is_legendary(creature: Creature) -> bool:
    return bool(creature.legendary_text) or any(action.type in _LEGENDARY_ACTIONS for action in creature.actions)


def _casts(creature: Creature) -> list[str]:
    """Slugs of the spells in its spellcasting lists and of those that traits and actions let it cast."""
    entries = _entries(creature)
    listed: list[str] = []
    mentioned: list[str] = []
    for entry in entries:
        if _is_about_spells(f"{entry.name} {entry.text}"):
            listed += spells_listed(entry.text)
        mentioned += spells_granted(entry.text, has_lists=False)
    for entry in entries:
        if _LIST.fullmatch(entry.name):
            listed += spells_listed(f"{entry.name}: {entry.text}")
    as_actions = [slugify(entry.name) for entry in entries if _AS_ACTION.match(entry.text)]
    return list(dict.fromkeys([*listed, *mentioned, *as_actions]))


def _is_about_spells(text: str) -> bool:
    return any(word in text for word in _OF_SPELLS_WORDS) and bool(_OF_SPELLS.search(text))


_RATING = field_column("challenge_rating", NUMBER)
_TYPE = field_column("type", TEXT)
_SUBTYPES = Column("subtypes", LIST, _subtypes)
_ABILITY_SCORES = {name: field_column(name, INTEGER, path=f"abilities.{name}") for name in ABILITIES}
_FASTEST = Column("fastest_speed", NUMBER, lambda creature: max(creature.speed.values(), default=None))
_SPEED_OF = {
    mode: Column(f"{mode}_speed", NUMBER, partial(_speed_of, mode=mode))
    for mode in ("walk", "fly", "swim", "climb", "burrow")
}
TRAITS = Column("traits", LIST, _traits)
CASTS = Column("casts", LIST, _casts)


def _abilities(argument: str, comparison: Comparison, lookup: str, help_: str, *words: Speech) -> Filter:
    def conditions(value: Scalar) -> tuple[Condition, ...]:
        scores = _score_by_ability(value)
        return tuple(Condition(_ABILITY_SCORES[name], comparison, score) for name, score in scores.items())

    def params(value: Scalar) -> Params:
        return {f"ability_score_{name}__{lookup}": str(score) for name, score in _score_by_ability(value).items()}

    columns = tuple(_ABILITY_SCORES.values())
    return Filter(argument, AbilityScores, help_, columns, conditions, {_CREATURES: params}, words=words)


def _score_by_ability(value: Scalar) -> dict[str, int]:
    """Read the sorted pairs that represent ability scores, so that filters are comparable and hashable."""
    pairs = (pair.partition("=") for pair in str(value).split(",") if pair)
    return {name: int(score) for name, _, score in pairs}


def _type_conditions(value: Scalar) -> tuple[Condition, ...]:
    """A creature type is compared with the type; any other word, such as devil, with the subtypes."""
    if value in CREATURE_TYPES:
        return (Condition(_TYPE, Comparison.EQUALS, value),)
    return (Condition(_SUBTYPES, Comparison.HAS, value),)


def _speeds(argument: str, comparison: Comparison, help_: str, *words: Speech, is_argument: bool = True) -> Filter:
    """``60`` is compared with the fastest speed, ``fly=60`` with the mode that the argument ``speed`` names."""

    def conditions(value: Scalar) -> tuple[Clause, ...]:
        modes, _, feet = str(value).rpartition("=")
        columns = [_SPEED_OF["fly" if mode == "hover" else mode] for mode in modes.split(",") if mode] or [_FASTEST]
        return (AnyOf(tuple(Condition(column, comparison, float(feet)) for column in columns)),)

    return Filter(
        argument,
        measure(FEET),
        help_,
        (_FASTEST, *_SPEED_OF.values()),
        conditions,
        qualified_by="speed",
        words=words,
        is_argument=is_argument,
    )


# -- the words of these filters

_WHO = r"(?:can|that|who|which|with an?|ha(?:ve|s) an?)"
_FORMS_OF_MODES = {
    "fly": "fly flies flying", "swim": "swim swims swimming", "climb": "climb climbs climbing",
    "burrow": "burrow burrows burrowing", "hover": "hover hovers hovering",
}  # fmt: skip
_TYPES = {word: key for word, key in forms(CREATURE_TYPES).items() if word not in ("giant", "plant")}
_PLACES = (
    "arctic cave caves coast desert forest forests grassland hills jungle mountain mountains ocean plains ruins "
    "sea sewer swamp swamps tundra underdark underwater urban volcano woods"
).split()
_LANGUAGES = (
    "abyssal aquan auran celestial common deep-speech draconic druidic dwarvish elvish giant gnomish goblin halfling "
    "ignan infernal orc primordial sylvan terran undercommon"
).split()


def _mode_speed(mode: str) -> Measure:
    """A speed: "fly speed of 60", "80+ ft swim speed", "burrows faster than 20 feet"."""
    verbs = _FORMS_OF_MODES[mode].replace(" ", "|")
    is_speed = rf"(?:{verbs})(?: speed|(?= (?:faster|slower|at least|over|more)\b))"
    return Measure(is_speed, rf"(?:{FOOT} )?(?:{verbs}) speed", prefix=f"{mode}=")


def _party_rating(text: str) -> float:
    """A creature whose challenge rating is further above a party's level is no fair enemy."""
    return float(int(text.split()[1]) + 3)


# Both names of a rating are sent: Open5e before 2.0.0 knows only the second, later releases only the first.
CREATURE_FILTERS: tuple[Filter, ...] = (
    compare(
        "cr",
        ChallengeRating,
        _RATING,
        'Challenge rating: 5, 0.25 or "1/4"',
        upstream=_sent("challenge_rating", "challenge_rating_decimal"),
    ).said(
        Measure("cr|challenge rating", steps=(0.0, 0.125, 0.25, 0.5, *WHOLE[1:31])),
        Extremes(
            "cr|challenge(?: rating)?",
            "strongest|toughest|hardest|deadliest|mightiest|most (?:dangerous|deadly|powerful)",
            "weakest|least (?:dangerous|powerful)",
        ),
    ),
    *bounds(
        "cr",
        ChallengeRating,
        _RATING,
        "challenge rating",
        upstream=(_CREATURES, "challenge_rating", "challenge_rating_decimal"),
        words_of_most=(
            Words(
                after="party|pcs|players|characters|adventurers|group",
                values=r"level \d{1,2}",
                restricts=True,
                read=_party_rating,
            ),
        ),
    ),
    Filter(
        "type",
        choice(*CREATURE_TYPES, unlisted=CREATURE_SUBTYPES),
        "Creature type",
        (_TYPE, _SUBTYPES),
        _type_conditions,
        {_CREATURES: lambda value: {"type": str(value)} if value in CREATURE_TYPES else {}},
        takes_several=True,
        words=(
            Words(alone="", values=_TYPES),
            Words(after=r"(?=(?:creature|monster)s?\b)", values={"giant": "giant", "plant": "plant"}),
        ),
    ),
    compare("subtype", normalized_by(subtype_key), _SUBTYPES, "devil, demon, goblinoid, shapechanger, elf …").said(
        Words(
            alone=rf"(?:{LAST}|(?=\s(?:who|of|in|from|immune|has|have)\b))",
            values=forms(CREATURE_SUBTYPES),
            read=subtype_key,
        )
    ),
    compare("size", choice(*SIZES), Column("size", LIST, _sizes), "Size", upstream=_sent("size")).said(
        Words(alone="", order=SIZES)
    ),
    compare(
        "alignment",
        normalized_by(alignment_key),
        Column("alignment", LIST, _alignments),
        "chaotic good, or one word: evil, unaligned …",
    ).said(
        Words(alone="", values="(?:lawful|chaotic|neutral) (?:good|neutral|evil)|unaligned"),
        Words(alone=rf"(?=(?: aligned)? {CREATURES}\b(?! (?:for|to|against)\b))", values="good|evil|lawful|chaotic"),
    ),
    *bounds(
        "armor_class",
        measure(POINTS),
        field_column("armor_class", INTEGER),
        "armor class",
        Measure("armor class", "armor class", WHOLE),
        Extremes("armor class"),
        upstream=(_CREATURES, "armor_class"),
        arguments="min",
    ),
    *bounds(
        "hit_points",
        measure(POINTS),
        field_column("hit_points", INTEGER),
        "hit points",
        Measure("hit points", "hit points"),
        Extremes("hit points"),
        arguments="min",
    ),
    compare(
        "environment",
        normalized_by(habitat_key),
        Column("environments", LIST, _environments),
        "Where it lives: forest, arctic, caves, desert, ocean, urban …",
    ).said(
        Words(
            rf"(?:(?:live|lives|living|found|dwell|dwells|dwelling|lurk|lurks|native)(?: (?:in|to|on|under|near))?"
            rf"|{CREATURES} (?:in|of|from|on)|from)(?: the| an?)?",
            rf"(?:dwelling )?(?={CREATURES}\b)",
            values={place: habitat_key(place) for place in _PLACES},
        )
    ),
    _abilities(
        "ability_min",
        Comparison.AT_LEAST,
        "gte",
        'Minimum ability scores, e.g. {"strength": 16}',
        *(Measure(rf"{name}(?: score)?", name, WHOLE, prefix=f"{name}=") for name in ABILITIES),
        Extremes("", "smartest|cleverest|most intelligent", column="intelligence"),
        *(Extremes(name, column=name) for name in ABILITIES),
    ),
    _abilities("ability_max", Comparison.AT_MOST, "lte", 'Maximum ability scores, e.g. {"intelligence": 4}'),
    compare(
        "speed", choice(*MODES, unlisted=("walk",)), Column("speed_modes", LIST, _speed_modes), "Movement mode"
    ).said(
        Words(
            _WHO,
            "speed",
            rf"(?= {CREATURES}\b)",
            {form: mode for mode, words in _FORMS_OF_MODES.items() for form in words.split()},
        )
    ),
    _speeds(
        "speed_min",
        Comparison.AT_LEAST,
        "Minimum speed in feet: in the mode given as speed, else the fastest",
        *map(_mode_speed, MODES),
        Measure("speed", rf"{FOOT}(?: (?:walking )?speed)?", context=r"\b(?:speed|faster|slower)\b"),
        Extremes("speed", "fastest", "slowest"),
    ),
    _speeds("speed_max", Comparison.AT_MOST, "Maximum speed in feet", is_argument=False),
    compare("sense", choice(*SENSES), Column("senses", LIST, _senses), "Special sense").said(
        Words("with|have|has|and")
    ),
    compare(
        "language",
        normalized_by(lambda text: slugify(text).removesuffix("-language")),
        Column("languages", LIST, _languages),
        "Speaks or understands: deep speech …",
    ).said(
        Words("with|have|has", alone="", values=dict.fromkeys(("telepathy", "telepathic"), "telepathy")),
        Words(
            r"(?:speak|speaks|speaking|understands?|know|knows)(?: the)?",
            r"speak\w*",
            values=forms(_LANGUAGES) | {"thieves' cant": "thieves-cant"},
        ),
    ),
    *(
        compare(
            f"damage_{defense}",
            choice(*DAMAGE_TYPES),
            Column(column, LIST, partial(_damage_types, column=column)),
            f"{help_} this damage",
        ).said(Words(before, rf"{defense[:6]}\w*"))
        for defense, column, help_, before in (
            ("immunity", "damage_immunities", "Immune to", r"immun(?:e|ity|ities) to"),
            ("resistance", "damage_resistances", "Resists", r"resist(?:s|ant|ance|ances)?(?: to)?"),
            ("vulnerability", "damage_vulnerabilities", "Vulnerable to", r"vulnerab\w+ to|weak (?:to|against)"),
        )
    ),
    compare(
        "condition_immunity",
        choice(*CONDITIONS),
        Column("condition_immunities", LIST, _condition_immunities),
        "Immune to this condition",
    ).said(Words(r"immun(?:e|ity) to(?: being| the)?|(?:can't|cannot) be", r"immun\w+")),
    compare("condition", choice(*CONDITIONS), Column("conditions", LIST, _conditions), "Can cause this condition").said(
        *CAUSED
    ),
    compare("trait", normalized_by(trait_key), TRAITS, "Trait or action: Pack Tactics, Parry …").said(
        Words(
            "(?:with|have|has|having)(?:(?: the)? trait)?",
            values=r"[a-z][a-z' -]{2,40}",
            read=trait_key,
            needs_known=True,
        )
    ),
    compare("legendary", bool, Column("legendary", FLAG, _is_legendary), "Has legendary actions").said(
        Words(after=rf"(?:actions|(?={CREATURES}\b))")
    ),
    # A name or a key: "Fireball" and "srd_fireball" are "fireball".
    compare(
        "casts", normalized_by(lambda text: slugify(text.rpartition("_")[2])), CASTS, "Casts this spell: a name or key"
    ).said(
        Words(
            rf"(?:can|who|that|which|{CREATURES}) (?:can )?casts?(?: the)?(?: spell)?|casters? of",
            r"(?: spell)?(?=$|[?.,;]| and\b| or\b| at\b| with\b)",
            values=r"[a-z][a-z'/ -]{2,40}?",
            needs_both=True,
        )
    ),
)
