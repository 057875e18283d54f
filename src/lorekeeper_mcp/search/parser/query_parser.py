"""Parses filters from a question: "undead between CR 5 and 8", "3rd level evocation", "cleric cantrips".

A number with its unit is a filter. A question that consists of nothing but filter values is filters, too. Other words
that name a value only boost matches: "undead wizard who hides his soul" asks for an undead, but a book might call it a
fiend. Arguments that were given are never parsed again from the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from lorekeeper_mcp.filters import FILTERS, HIDDEN_FILTERS, ActiveFilter, FilterValue, Scalar
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
from lorekeeper_mcp.search.parser.filter_phrase import BOUND_WORDS, number
from lorekeeper_mcp.search.parser.filter_phrases import FILTER_PHRASES
from lorekeeper_mcp.search.parser.numeric_ranges import Bounds, alternatives, bounds
from lorekeeper_mcp.search.parser.order_words import parse_order
from lorekeeper_mcp.search.parser.parsed_query import ParsedQuery
from lorekeeper_mcp.search.parser.value_reader import ValueReader
from lorekeeper_mcp.store.memory.query_terms import COMMON_WORDS

_RATINGS = (0.0, 0.125, 0.25, 0.5, *(float(n) for n in range(1, 31)))
_LEVELS = tuple(float(n) for n in range(10))
_CLASSES = ("artificer", *SRD_CLASSES)
# Nouns for kinds whose categories are filters; "poison" is a damage type, and "service" and "tool" are not nouns for
# kinds.
_CATEGORIES = {
    **{name: name for name in ("ring", "wand", "rod", "staff", "potion", "scroll", "shield", "armor", "weapon")},
    **{f"{name}s": name for name in ("ring", "wand", "rod", "potion", "scroll", "shield", "weapon", "poison", "mount")},
    "mount": "mount",
    **dict.fromkeys(("wondrous item", "wondrous items"), "wondrous-item"),
    **{"staves": "staff", "services": "service", "trade goods": "trade-good", "tools": "tools"},
}
_PRICED = f"(?:{BOUND_WORDS}|worth|costing|cheaper|lighter|heavier)"
_PROPERTIES = tuple(name for name in WEAPON_PROPERTIES if name not in ("special", "finesse", "light"))
# The words after these describe the wanted thing; the words before them say what it is.
_CLAUSE = re.compile(
    r"\b(?:that|who|which|whose|with|without|when|while|for|to|against|from|by|like|vs|than|not|about)\b"
)
_SHARED = re.compile(r"\b(?:both|shared?|in common)\b")  # between several classes
_NO_SAVE = re.compile(
    r"\b(?:without|no|(?:don't|doesn't|not) (?:allow|have|need|require))(?: an?| any)? (?:saves?|saving throws?)\b"
)
# Before a spell with its level: it is somebody else's spell, as in "stop a 5th level spell".
_OPPOSES = re.compile(
    r"\b(?:absorb|against|avoid|block|break|cancel|copy|counter|deflect|dispel|end|identify|ignore|interrupt|negate"
    r"|prevent|reflect|resist|scribe|steal|stop|suppress|survive|undo)(?:p?s|p?ed|p?ing|es)?\b[^,.;]{0,20}"
    r"\blevel \d(?: \w+)? spells?\b"
)
_FEW_HIT_POINTS = re.compile(r"\b(?:(under|below|less than|fewer than)|at most|up to) (\d[\d,]*) (?:hp|hit points)\b")
_PARTY = re.compile(
    r"\b(?:level (\d{1,2})|(\d{1,2})(?:st|nd|rd|th)[ -]level)"
    r"(?:s\b| (?:party|pcs|players|characters|adventurers|group)\b)"
)
_ABOVE_PARTY = 3  # a creature whose challenge rating is further above the party's level is no fair enemy
_FILLER = COMMON_WORDS | frozenset(
    "all background backgrounds book books cast class classes cost costs creature creatures damage deal dealing deals "
    "every exist exists feat feats feature features find how item items list magic magical many monster monsters need "
    "needs only proficiency race races require requires show skill species spell spells subclass subclasses there type "
    "types use uses using weapon weapons".split()
)


def parse_query(search: str, family: Family, given: Iterable[ActiveFilter] = ()) -> ParsedQuery:
    """Parse the filters in a question to one family, except those that ``given`` filters already cover."""
    reader = ValueReader(_normal(search), family)
    given = tuple(given)
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
    beside = reader.rest if order is None else f"{reader.rest[: order[1][0]]} {reader.rest[order[1][1] :]}"
    if (has_filters or order) and set(re.findall(r"[a-z0-9]+", beside)) <= _FILLER:
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
_NO_APOSTROPHE = re.compile(r"(?<!thieves )(?<!thieves' )\b(are|ca|did|do|does|have|is|wo|would)nt\b")


def asks_for_things(search: str) -> bool:
    """Whether a question asks which things there are, so that a number narrows it, not how one thing works."""
    return _ASKS_HOW.match(_normal(search)) is None


def _normal(search: str) -> str:
    text = search.casefold().replace("–", "-").replace("—", "-").replace("’", "'").replace("can not", "cannot")
    text = _NO_APOSTROPHE.sub(r"\1n't", re.sub(r"\b(how|what|who)'?s\b", r"\1 is", text))
    for level, word in enumerate(
        ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
    ):
        text = re.sub(rf"\b{word}(?=[\s-]level)", str(level), text)
    return " ".join(text.split())


def _head(text: str) -> str:
    """The part of a question before its relative clause: "undead" of "undead that drain life".

    The text after a comma is parsed separately: "boots to walk on water, uncommon".
    """
    return ",".join(_CLAUSE.split(part, maxsplit=1)[0] for part in text.split(","))


def _read_bounds(
    reader: ValueReader, bound: Bounds | None, argument: str, low: str, high: str, *, is_integer: bool = False
) -> None:
    if bound is None:
        return
    form: Callable[[float], Scalar] = int if is_integer else float
    reader.blank(bound.span)
    if bound.low is not None and bound.low == bound.high:
        reader.filters.append((argument, form(bound.low)))
        return
    if bound.low is not None:
        reader.filters.append((low, form(bound.low)))
    if bound.high is not None:
        reader.filters.append((high, form(bound.high)))


def _creatures(reader: ValueReader) -> None:
    ratings = alternatives(reader.text, "cr|challenge rating", _RATINGS)
    rating = None if ratings else bounds(reader.text, "cr|challenge rating", _RATINGS)
    if ratings:
        values, span = ratings
        reader.filters.append(("cr", values))
        reader.blank(span)
    if rating and max(rating.low or 0, rating.high or 0) <= 30:
        _read_bounds(reader, rating, "cr", "cr_min", "cr_max")
    armor = bounds(reader.text, "ac|armou?r class", [float(n) for n in range(40)])
    if armor and armor.low != armor.high:
        if armor.low is not None:
            reader.filters.append(("armor_class_min", int(armor.low)))
        if armor.high is not None:
            reader.exclusions.append(("armor_class_min", int(armor.high) + 1))
        reader.blank(armor.span)
    if few := _FEW_HIT_POINTS.search(reader.text):
        reader.exclusions.append(("hit_points_min", number(few[2]) + (0 if few[1] else 1)))
        reader.blank(few.span())
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
    reader.likely_if(rf"\b({names}|{noun})\b", "type", lambda hit: types.get(hit[1], hit[1]), head)
    sizes = "|".join(SIZES)
    if not re.search(r"\b(?:smaller|larger|bigger)\b", head):
        reader.likely_if(rf"\b({sizes})\b", "size", lambda hit: hit[1], head)


def _spells(reader: ValueReader) -> None:
    text = re.sub(r"\b(\d)(?:st|nd|rd|th)?,? (or|and) (\d)(?:st|nd|rd|th)?[\s-]level\b", r"level \1 \2 \3", reader.text)
    text = re.sub(r"\b(\d)(?:st|nd|rd|th)?[\s-]level(?! \d)", r"level \1", text)
    text = re.sub(r"\b(\d)(?:st|nd|rd|th)?\s*(?:to|-|through)\s*level (\d)", r"level \1 to \2", text)
    text = re.sub(r"\b(?:lvls?|levels)\b", "level", text)
    reader.text = reader.rest = text
    caster = "|".join((*_CLASSES, "character", "caster", "party", "player", "pc", "slot"))
    other = (
        rf"slot|upcast|\bat (?:a )?level|\bcast at\b|as a level|level \d+ (?:{caster})\b(?! (?:spell|cantrip|ritual))"
    )
    if not re.search(other, text) and not _OPPOSES.search(text):
        levels = alternatives(text, "level", _LEVELS)
        level = None if levels else bounds(text, "level", _LEVELS)
        if levels:
            reader.filters.append(("level", tuple(map(int, levels[0]))))
            reader.blank(levels[1])
        if level and max(level.low or 0, level.high or 0) <= 9:
            _read_bounds(reader, level, "level", "level_min", "level_max", is_integer=True)
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
    reader.likely_if(rf"\b({'|'.join(_CLASSES)})s?\b", "class_key", lambda hit: hit[1], _head(reader.rest))
    if re.search(r"\b(?:spell|cantrip|ritual)s?\b", text):
        reader.likely_if(rf"\bfor (?:an? |the |my )?({'|'.join(_CLASSES)})s?\b", "class_key", lambda hit: hit[1])
    if no_save := _NO_SAVE.search(text):
        reader.exclusions.append(("saving_throw", ABILITIES))
        reader.blank(no_save.span())
    reader.likely_if(rf"\b({'|'.join(SCHOOLS)})\b", "school", lambda hit: hit[1], _head(reader.rest))


def _equipment(reader: ValueReader) -> None:
    head = _head(reader.rest)
    rarities = {
        **{name.replace("-", " "): name for name in RARITIES},
        "artifacts": "artifact",
        "legendaries": "legendary",
    }
    ordered = "|".join(sorted(rarities, key=len, reverse=True))
    reader.likely_if(rf"\b({ordered})\b", "rarity", lambda hit: rarities[hit[1]], head)
    reader.likely_if(rf"\b({'|'.join(_PROPERTIES)}) weapons?\b", "property", lambda hit: hit[1], head)
    simple = r"\b(simple|martial)(?: weapons?\b|\b(?=.* weapons?\b))"
    reader.likely_if(simple, "is_simple", lambda hit: hit[1] == "simple", head)
    ranged = r"\b(ranged|melee)(?: weapons?\b(?! attacks?\b)|\b(?=[\w -]* weapons\b))"
    reader.likely_if(ranged, "is_ranged", lambda hit: hit[1] == "ranged", head)
    if one_handed := re.search(r"\b(?:one|single)[ -]handed\b", reader.text):
        reader.exclusions.append(("property", "two-handed"))
        reader.blank(one_handed.span())
    # Words that already say that it is a weapon.
    is_weapon = reader.has("property", "is_simple", "is_ranged") or re.search(
        r"\b(?:finesse|light)\b.* weapons?\b|\bweapons? .*\b(?:finesse|light)\b", reader.text
    )
    if not is_weapon:
        reader.likely_if(r"\b(light|medium|heavy) armou?rs?\b", "category", lambda hit: hit[1], head)
        last = rf"\b({'|'.join(sorted(_CATEGORIES, key=len, reverse=True))})(?=\s*(?:$|[,.?!]|{_PRICED}\b))"
        reader.likely_if(last, "category", lambda hit: _CATEGORIES[hit[1]], head)


def _options(reader: ValueReader) -> None:
    of_class = (
        rf"\b({'|'.join(_CLASSES)})s?\b(?= (?:subclass(?:es)?|archetypes?|domains?|oaths?|schools?|circles?|paths?)\b)"
    )
    reader.likely_if(of_class, "class_key", lambda hit: hit[1])
    if re.search(r"\b(?:get|gain|receive|learn|features?)\b", reader.text):
        reader.likely_if(rf"\b(?:as|for|of) (?:an? |the )?({'|'.join(_CLASSES)})s?\b", "class_key", lambda hit: hit[1])


_READERS: Mapping[Family, Callable[[ValueReader], None]] = {
    Family.CREATURES: _creatures,
    Family.SPELLS: _spells,
    Family.EQUIPMENT: _equipment,
    Family.OPTIONS: _options,
}
