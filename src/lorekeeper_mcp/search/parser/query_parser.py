"""Parses filters from a question: "undead between CR 5 and 8", "3rd level evocation", "cleric cantrips".

A number with its unit is a filter. A question that consists of nothing but filter values is filters, too. Other words
that name a value only boost matches: "undead wizard who hides his soul" asks for an undead, but a book might call it a
fiend. Arguments that were given are never parsed again from the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from lorekeeper_mcp.filters import FILTERS, HIDDEN_FILTERS, ActiveFilter, FilterValue, Scalar
from lorekeeper_mcp.filters.everyday_values import GP
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import (
    ABILITIES,
    CREATURE_TYPES,
    RARITIES,
    SCHOOLS,
    SIZES,
    SRD_CLASSES,
    WEAPON_PROPERTIES,
)
from lorekeeper_mcp.search.names.lexicon import expand_shorthand
from lorekeeper_mcp.search.parser.filter_phrases import FILTER_PHRASES
from lorekeeper_mcp.search.parser.measures import read_measures
from lorekeeper_mcp.search.parser.numeric_ranges import NUMBER
from lorekeeper_mcp.search.parser.order_words import parse_order
from lorekeeper_mcp.search.parser.parsed_query import ParsedQuery
from lorekeeper_mcp.search.parser.value_reader import ValueReader
from lorekeeper_mcp.store.query_terms import COMMON_WORDS

_CLASSES = ("artificer", *SRD_CLASSES)
# Nouns for kinds whose categories are filters; "poison" is a damage type, and "service" and "tool" are not nouns for
# kinds.
_CATEGORIES = {
    **{name: name for name in ("ring", "wand", "rod", "staff", "potion", "scroll", "shield", "armor", "weapon")},
    **{f"{name}s": name for name in ("ring", "wand", "rod", "potion", "scroll", "shield", "weapon", "poison", "mount")},
    "mount": "mount",
    **dict.fromkeys(("wondrous item", "wondrous items"), "wondrous-item"),
    **dict.fromkeys(("boats", "ships"), "waterborne-vehicle"),
    **{"adventuring gear": "adventuring-gear", "staffs": "staff", "poison": "poison"},
    **{"staves": "staff", "services": "service", "trade goods": "trade-good", "tools": "tools"},
}
_PRICED = "(?:worth|costs?|costing|priced)"
_PROPERTIES = tuple(name for name in WEAPON_PROPERTIES if name not in ("special", "finesse", "light"))
# The words after these describe the wanted thing; the words before them say what it is.
_CLAUSE = re.compile(
    r"\b(?:that|who|which|whose|with|without|when|while|for|to|against|from|by|like|vs|than|not|about)\b"
)
# "Common" is also an everyday word; the others say before a noun which things are asked for: "a rare sword". Creatures
# and what they do are legendary, too.
_RARE_THING = re.compile(
    r"\s*(?:an? |any |some |the |all )?(uncommon|very rare|rare|legendary)(?= \w)"
    rf"(?! (?:creature|monster|action|resistance|lair|{'|'.join(CREATURE_TYPES)})s?\b)"
)
_SHARED = re.compile(r"\b(?:both|shared?|in common)\b")  # between several classes
_NO_SAVE = re.compile(
    r"\b(?:without|no|(?:don't|doesn't|not) (?:allow|have|need|require))(?: an?| any)? (?:saves?|saving throws?)\b"
)
_PARTY = re.compile(
    r"\b(?:level (\d{1,2})|(\d{1,2})(?:st|nd|rd|th)[ -]level)"
    r"(?:s\b| (?:party|pcs|players|characters|adventurers|group)\b)"
)
_ABOVE_PARTY = 3  # a creature whose challenge rating is further above the party's level is no fair enemy
_WILD_SHAPE = re.compile(r"\bwild[ -]?shape(?:s|d)?(?: (?:into|forms?|options?))?\b")
_DRUID_LEVEL = re.compile(r"\b(?:at )?(?:level (\d{1,2})|(\d{1,2})(?:st|nd|rd|th)(?:[ -]level)?)\b")
_WILD_SHAPES = ((8, 1.0), (4, 0.5), (0, 0.25))  # the highest challenge rating from a level on, the same in both SRDs
_FLYING_SHAPE = 8  # the level from which on a shape may fly
# Words that name the kind, join a filter to it, or ask for what each line of a list says.
_FILLER = COMMON_WORDS | frozenset(
    "all allow allowing allows area background backgrounds best book books call calling calls cast class classes "
    "component components cost costing costs creature creatures damage deal dealing deals doing encounter encounters "
    "every exist exists feat feats feature features find force forces forcing having hit hits how item items just "
    "list magic magical many material materials monster monsters need needs only price priced prices proficiency race "
    "races require requires show size sized skill something species spell spells subclass subclasses take takes "
    "taking target targeting targets there things type types use uses using weapon weapons weight weights worth".split()
)
_LISTED = re.compile(r"\b(?:armor class|hit points)\b")  # each line of a list says these, too


def parse_query(search: str, family: Family, given: Iterable[ActiveFilter] = ()) -> ParsedQuery:
    """Parse the filters in a question to one family, except those that ``given`` filters already cover."""
    reader = ValueReader(_normal(search), family)
    given = tuple(given)
    read_measures(reader)
    if family in _READERS:
        _READERS[family](reader)
    for phrase in FILTER_PHRASES[family]:
        reader.read(phrase)
    columns = {column.name for active in given for column in active.filter.columns}
    rows = {row.argument: row for row in (*FILTERS[family], *HIDDEN_FILTERS.get(family, ()))}

    def active(values: Iterable[tuple[str, FilterValue]]) -> tuple[ActiveFilter, ...]:
        return tuple(
            ActiveFilter(rows[argument], value)
            for argument, value in values
            if not any(column.name in columns for column in rows[argument].columns)
        )

    repeated = [hit for one in given for value in one.values for hit in _repeats(reader.text, value)]
    for hit in repeated:
        reader.blank(hit.span())
    has_filters = bool(reader.filters or reader.boosts or reader.exclusions or repeated)
    order = parse_order(reader.rest, family)
    other_words = reader.rest if order is None else f"{reader.rest[: order[1][0]]} {reader.rest[order[1][1] :]}"
    if (has_filters or order) and set(re.findall(r"[a-z0-9]+", _LISTED.sub("", other_words))) <= _FILLER:
        sort = order[0] if order else None
        every = active([*reader.filters, *reader.boosts])
        return ParsedQuery(every, (), active(reader.exclusions), has_filters=True, filters_only=True, sort=sort)
    return ParsedQuery(active(reader.filters), active(reader.boosts), active(reader.exclusions), has_filters)


def _repeats(text: str, value: Scalar) -> Iterator[re.Match[str]]:
    """Find the words of a value in a text: "wind domain" for the class key."""
    words = re.findall(r"[a-z]+", value.rpartition("_")[2]) if isinstance(value, str) else []
    return re.finditer(r"\b" + r"\W+".join(words) + r"\b", text) if words else iter(())


_ASKS_HOW = re.compile(
    r"^(?:if|when|how|why|can|could|does|do|did|is|are|will|would|may|must|should|what happens|am i"
    r"|what does (?:the )?\w+ do)\b(?! there\b| you have\b| any\b| many\b.* (?:are|is) there\b)"
)
_COINS = re.compile(rf"\b{NUMBER} ?({'|'.join(coin for coin, worth in GP.items() if worth != 1)})(?: pieces)?\b")
_NO_APOSTROPHE = re.compile(r"(?<!thieves )(?<!thieves' )\b(are|ca|did|do|does|have|is|wo|would)nt\b")


def asks_for_things(search: str) -> bool:
    """Whether a question asks which things there are, so that a number narrows it, not how one thing works."""
    return _ASKS_HOW.match(_normal(search)) is None


def _normal(search: str) -> str:
    text = search.casefold().replace("–", "-").replace("—", "-").replace("’", "'").replace("can not", "cannot")
    text = _NO_APOSTROPHE.sub(r"\1n't", re.sub(r"\b(how|what|who)'?s\b", r"\1 is", text))
    text = re.sub(r"\b(?:w/o(?:ut)?|wo/)(?!\w)", "without", text)
    text = re.sub(r"\bw(?:/\s*| )(?=\w)", "with ", text).replace(" n ", " and ").replace(" & ", " and ")
    text = _COINS.sub(lambda coins: f"{float(coins[1].replace(',', '')) * GP[coins[2]]:g} gp", expand_shorthand(text))
    for level, word in enumerate(
        ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
    ):
        text = re.sub(rf"\b{word}(?=[\s-]level)", str(level), text)
    return " ".join(text.split())


def _head(text: str) -> str:
    """The part of a question before its relative clause, with spaces for the rest: "undead" of "undead that fly".

    The text after a comma is parsed separately: "boots to walk on water, uncommon". "" if nothing is before a clause.
    """
    asked = re.sub(r"^(?:which|who|what) ", lambda word: " " * len(word[0]), text)
    head = ",".join(_CLAUSE.split(part, maxsplit=1)[0].ljust(len(part)) for part in asked.split(","))
    return head if head.strip(" ,") else ""


def _read_creatures(reader: ValueReader) -> None:
    _read_wild_shape(reader)
    party = _PARTY.search(reader.text)
    if party and not reader.has("cr", "cr_min", "cr_max"):
        reader.filters.append(("cr_max", float(int(party[1] or party[2]) + _ABOVE_PARTY)))
        reader.blank(party.span())
    head = _head(reader.rest)
    types: dict[str, str] = {}
    for type_ in CREATURE_TYPES:
        plural = {"fey": "fey", "undead": "undead", "monstrosity": "monstrosities"}.get(type_, f"{type_}s")
        # "Giant worm" gives a size; "plant" and "construct" may be things that somebody makes.
        forms = (plural,) if type_ in ("giant", "plant") else (type_, plural)
        types |= dict.fromkeys(forms, type_)
    names = "|".join(sorted(types, key=len, reverse=True))
    noun = r"(?:giant|plant)(?= (?:creature|monster)s?\b)"
    reader.boost_if(rf"\b({names}|{noun})\b", "type", lambda hit: types.get(hit[1], hit[1]), head)
    sizes = "|".join(SIZES)
    reader.boost_if(rf"(?<!than )\b({sizes})\b(?!\+| or )", "size", lambda hit: hit[1], head)


def _read_wild_shape(reader: ValueReader) -> None:
    """Read what a druid of some level can turn into as the limits of the class's table."""
    shape, level = _WILD_SHAPE.search(reader.text), _DRUID_LEVEL.search(reader.text)
    if not (shape and level):
        return
    number = int(level[1] or level[2])
    reader.filters.append(("type", "beast"))
    if not reader.has("cr", "cr_min", "cr_max"):
        reader.filters.append(("cr_max", next(rating for least, rating in _WILD_SHAPES if number >= least)))
    if number < _FLYING_SHAPE:
        reader.exclusions.append(("speed", "fly"))
    for hit in (shape, level, *re.finditer(r"\b(?:beasts?|druids?)\b", reader.text)):
        reader.blank(hit.span())


def _read_spells(reader: ValueReader) -> None:
    text = reader.text
    if not reader.filters and not re.search(r"\b(?:than|not|no|non|except|besides)[\s-](?:an? )?cantrips?\b", text):
        hits = list(re.finditer(r"\bcantrips?\b", text))
        reader.filters += [("level", 0)] if hits else []
        for hit in hits:
            reader.blank(hit.span())
    classes = list(dict.fromkeys(hit[1] for hit in re.finditer(rf"\b({'|'.join(_CLASSES)})s?\b", text)))
    if len(classes) > 1 and (shared := _SHARED.search(text)):
        reader.filters += [("class_key", name) for name in classes]
        reader.blank(shared.span())
        for hit in re.finditer(rf"\b(?:{'|'.join(classes)})s?\b", text):
            reader.blank(hit.span())
    reader.boost_if(rf"\b({'|'.join(_CLASSES)})s?\b", "class_key", lambda hit: hit[1], _head(reader.rest))
    if re.search(r"\b(?:spell|cantrip|ritual)s?\b", text):
        reader.boost_if(rf"\bfor (?:an? |the |my )?({'|'.join(_CLASSES)})s?\b", "class_key", lambda hit: hit[1])
    if no_save := _NO_SAVE.search(text):
        reader.exclusions.append(("saving_throw", ABILITIES))
        reader.blank(no_save.span())
    reader.boost_if(rf"\b({'|'.join(SCHOOLS)})\b", "school", lambda hit: hit[1], _head(reader.rest))


def _read_equipment(reader: ValueReader) -> None:
    head = _head(reader.rest)
    rarities = {
        **{name.replace("-", " "): name for name in RARITIES},
        "artifacts": "artifact",
        "legendaries": "legendary",
    }
    ordered = "|".join(sorted(rarities, key=len, reverse=True))
    if first := _RARE_THING.match(head):
        reader.filters.append(("rarity", rarities[first[1]]))
        reader.blank(first.span())
    reader.boost_if(rf"\b({ordered})\b", "rarity", lambda hit: rarities[hit[1]], head)
    # Several adjectives may stand before the noun: "thrown finesse weapons".
    before_noun = r"(?=(?: (?:finesse|light|simple|martial|melee|ranged|magic|magical))* weapons?\b)"
    reader.boost_if(rf"\b({'|'.join(_PROPERTIES)}){before_noun}", "property", lambda hit: hit[1], head)
    simple = r"\b(simple|martial)(?: weapons?\b|\b(?=.* weapons?\b))"
    reader.boost_if(simple, "is_simple", lambda hit: hit[1] == "simple", head)
    ranged = r"\b(ranged|melee)(?: weapons?\b(?! attacks?\b)|\b(?=[\w -]* weapons\b))"
    reader.boost_if(ranged, "is_ranged", lambda hit: hit[1] == "ranged", head)
    if one_handed := re.search(r"\b(?:one|single)[ -]handed\b", reader.text):
        reader.exclusions.append(("property", "two-handed"))
        reader.blank(one_handed.span())
    # Words that already say that it is a weapon.
    is_weapon = reader.has("property", "is_simple", "is_ranged") or re.search(
        r"\b(?:finesse|light)\b.* weapons?\b|\bweapons? .*\b(?:finesse|light)\b", reader.text
    )
    if not is_weapon:
        reader.boost_if(r"\b(light|medium|heavy) armou?rs?\b", "category", lambda hit: hit[1], head)
        last = rf"\b({'|'.join(sorted(_CATEGORIES, key=len, reverse=True))})(?=\s*(?:$|[,.?!]|{_PRICED}\b))"
        reader.boost_if(last, "category", lambda hit: _CATEGORIES[hit[1]], head)


def _read_options(reader: ValueReader) -> None:
    of_class = (
        rf"\b({'|'.join(_CLASSES)})s?\b(?= (?:subclass(?:es)?|archetypes?|domains?|oaths?|schools?|circles?|paths?)\b)"
    )
    reader.boost_if(of_class, "class_key", lambda hit: hit[1])
    if re.search(r"\b(?:get|gain|receive|learn|features?)\b", reader.text):
        reader.boost_if(rf"\b(?:as|for|of) (?:an? |the )?({'|'.join(_CLASSES)})s?\b", "class_key", lambda hit: hit[1])


_READERS: Mapping[Family, Callable[[ValueReader], None]] = {
    Family.CREATURES: _read_creatures,
    Family.SPELLS: _read_spells,
    Family.EQUIPMENT: _read_equipment,
    Family.OPTIONS: _read_options,
}
