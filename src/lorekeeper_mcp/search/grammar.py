"""Parses filters from a question: "undead between CR 5 and 8", "3rd level evocation", "monsters with pack tactics".

One grammar reads the tables of ``filters/plain_words.py``: values after, before or without other words, joined by "or"
and "and", denied by "no" or "without", compared ("large or smaller"), and numbers with bounds. A number with its unit
restricts, and so do all values of a question that consists of nothing else. In any other question values only boost
matches: "undead wizard who hides his soul" asks for an undead, but a book might call it a fiend. Arguments that were
given are never parsed again from the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from lorekeeper_mcp.filters import FILTERS, HIDDEN_FILTERS, ActiveFilter, ColumnType, FilterValue, Scalar
from lorekeeper_mcp.filters.argument_types import GP, ORDINALS
from lorekeeper_mcp.filters.plain_words import EXTREMES, WORDS, Measure, Words
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES, SRD_CLASSES
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.names.lexicon import expand_shorthand
from lorekeeper_mcp.search.numeric_ranges import NUMBER, Bounds, bounds
from lorekeeper_mcp.store.query_terms import COMMON_WORDS

_LEVEL_ARGUMENTS = frozenset({"level", "level_min", "level_max"})
_MEANS_ONE = frozenset({"cr", "cr_min", "cr_max"})  # only creatures have a challenge rating
# Right before a value: things that have it are not wanted.
_DENIAL = (
    r"(?:(?:that |which |who )?(?:are |is |do |does )?not|non|no|without|isn't|aren't|don't|doesn't|can't|cannot"
    r"|lack(?:s|ing)?|except|besides|other than|instead of)[\s-]"
    r"(?:(?:an?|any|the|be|deal|have|allow|need|require|cause)\b ?)*"
)
# Earlier in the same clause: nobody has the value, or somebody else does.
_LACKS = (
    r"not|never|no|non|without|isn't|aren't|don't|doesn't|can't|cannot|lacks?|lose|loses|bypass(?:es)?|ignor(?:e|es|ing)"
    r"|overcomes?|against|protects?|protection|remov(?:es?|ing)|negat(?:es?|ing)|stops?|blocks?|than|counters?|absorbs?"
    r"|dispels?|breaks?|forbids?"
)
_GIVES = r"mak(?:e|es|ing)|becom(?:e|es)|grants?|gives?|giving|rais(?:es?|ing)|boosts?|improves?|bonus to|advantage on"
_OF_ANOTHER = re.compile(rf"\b(?:{_LACKS}|{_GIVES})\b[^,.;]{{0,30}}$")
_LACKED = re.compile(rf"\b(?:{_LACKS})\b[^,.;]{{0,30}}$")  # an option may well give something
# The words after these describe the wanted thing; the words before them say what it is.
_CLAUSE = re.compile(
    r"\b(?:that|who|which|whose|with|without|when|while|for|to|against|from|by|like|vs|than|not|about|but)\b"
)
_MOST, _LEAST = (
    "highest|most|greatest|best|biggest|largest|longest|farthest|furthest",
    "lowest|least|fewest|smallest|worst|shortest",
)
_MORE, _LESS = "larger|bigger|higher|better|more|up|above|over|rarer", "smaller|lower|less|below|under|down"
_SHARED = re.compile(r"\b(?:both|shared?|in common)\b")  # between several classes
_ALL_OF = frozenset({"property", "sense", "speed", "condition_immunity", "language", "trait", "condition"})
_CASTER = "|".join(("artificer", *SRD_CLASSES, "character", "caster", "party", "player", "pc", "slot"))
# A level that is not a spell's: of a slot, or of a character ("level 5 wizard", but "spells level 5 wizard").
_OTHER_LEVEL = re.compile(
    r"slot|upcast|\bat (?:a )?level|\bcast at\b|as a level"
    rf"|(?<!spells )level \d+ (?:{_CASTER})\b(?! (?:spell|cantrip|ritual))"
)
# Words that name the kind, join a filter to it, or ask for what each line of a list says.
_FILLER = COMMON_WORDS | frozenset(
    "all allow allowing allows area background backgrounds best book books call calling calls cast casting class "
    "classes component components cost costing costs creature creatures damage deal dealing deals doing encounter "
    "encounters enemies every exist exists feat feats feature features find force forces forcing gain gained gains "
    "having hit hits how item items just level list living magic magical many mastery material materials monster "
    "monsters need needs only people price priced prices proficiency property race races require requires rule "
    "rules show size sized skill something species spell spells spend subclass subclasses take takes taking target "
    "targeting targets there thing things time type types use uses using weapon weapons weigh weighs weight weights "
    "worth".split()
)
_LISTED = re.compile(r"\b(?:armor class|hit points)\b")  # each line of a list says these, too
_ASKS_HOW = re.compile(
    r"^(?:if|when|how|why|can|could|does|do|did|is|are|will|would|may|must|should|what happens|am i"
    r"|what does (?:the )?\w+ do)\b(?! there\b| you have\b| any\b| many\b.* (?:are|is) there\b)"
)
_COINS = re.compile(rf"\b({NUMBER}) ?({'|'.join(coin for coin, worth in GP.items() if worth != 1)})(?: pieces)?\b")
_NO_APOSTROPHE = re.compile(r"(?<!thieves )(?<!thieves' )\b(are|ca|did|do|does|have|is|wo|would)nt\b")


@dataclass(frozen=True)
class ParsedQuery:
    """The filters in a question: ``filters`` restrict, ``boosts`` only raise the score, ``exclusions`` rule out.

    ``has_filters`` is also true if the question repeats given arguments. ``filters_only`` if it says nothing else, so
    that all matches are equally good; ``sort`` is then the order it asks for. ``names_kind`` if it names the kind that
    has these filters, or asks for a list without one. ``unmet`` are filters in it that nothing matches together with
    the others, ``unread`` words that were not read as filters.
    """

    filters: tuple[ActiveFilter, ...] = ()
    boosts: tuple[ActiveFilter, ...] = ()
    exclusions: tuple[ActiveFilter, ...] = ()
    has_filters: bool = False
    filters_only: bool = False
    names_kind: bool = False
    sort: Sort | None = None
    unmet: tuple[ActiveFilter, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def is_unambiguous(self) -> bool:
        """Whether, in a search of all kinds, the question can only mean the one with these filters."""
        means_one = len(self.filters) > 1 or any(one.filter.argument in _MEANS_ONE for one in self.filters)
        return self.filters_only and (means_one or self.sort is not None or self.names_kind)

    def may_mean_characters(self, kinds: frozenset[Kind]) -> bool:
        """Whether, in a search of all kinds, characters may be meant: "an ambush for level 3", "who can cast Wish".

        ``kinds`` are those that the question mentions.
        """
        arguments = {active.filter.argument for active in self.filters}
        has_level = not arguments.isdisjoint(_LEVEL_ARGUMENTS) and Kind.SPELL not in kinds
        return (has_level and not self.filters_only) or ("casts" in arguments and not kinds)

    def relaxed_queries(self) -> Iterator[ParsedQuery]:
        """Yield the same query, then with ever fewer filters, least certain first dropped; these become ``unmet``."""
        if self.filters or self.filters_only or self.exclusions:
            yield self
        for count in range(len(self.filters) - 1, 0, -1):
            yield replace(self, filters=self.filters[:count], unmet=self.filters[count:], filters_only=False, sort=None)

    def hints(self) -> list[str]:
        """Hints that say how a question to one tool was interpreted."""
        higher = [f"Ranked higher: {_listed(self.boosts)}."] if self.boosts else []
        unread = [f"Not read as filters: {' '.join(self.unread)}."] if self.unread else []
        return [*self._filter_hints(), *self._more_hints(), *higher, *unread]

    def hints_of(self, family: Family) -> list[str]:
        """The same if other families are searched, too: only what excludes records of this one."""
        return [*self._filter_hints(f" for {family}"), *self._more_hints()]

    def _filter_hints(self, where: str = "") -> list[str]:
        excluded = [f"Excluded{where}: {_listed(self.exclusions)}."] if self.exclusions else []
        return [*filters_hint(self.filters, where), *excluded]

    def _more_hints(self) -> list[str]:
        unmet = [f"No result also matches {_listed(self.unmet)}, so this was ignored."] if self.unmet else []
        if self.sort is None:
            return unmet
        first = "highest" if self.sort.is_descending else "lowest"
        return [*unmet, f"Sorted by {self.sort.column.replace('_', ' ')}, {first} first."]


def filters_hint(filters: Sequence[ActiveFilter], where: str = "") -> list[str]:
    """A sentence about filters that were parsed from words; nothing if there are none."""
    return [f"Interpreted as a filter{where}: {_listed(filters)}."] if filters else []


def _listed(active: Iterable[ActiveFilter]) -> str:
    return ", ".join(f"{one.filter.argument}={_values(one)}" for one in active)


def _values(active: ActiveFilter) -> str:
    whole = active.values in (ABILITIES, DAMAGE_TYPES)
    return "any" if whole else " or ".join(map(_plain, active.values))


def _plain(value: Scalar) -> str:
    """A value as arguments have it; of a qualified value (``fly=60``) the part after ``=``."""
    if isinstance(value, float):
        return f"{value:g}"
    qualifier, _, own = str(value).lower().rpartition("=")
    return f"{own} ({qualifier})" if qualifier else own


def is_of_another(before: str, family: Family) -> bool:
    """Whether the words before a value say that the thing lacks it, or gives it to others."""
    return (_LACKED if family is Family.OPTIONS else _OF_ANOTHER).search(before) is not None


def asks_for_things(search: str) -> bool:
    """Whether a question asks which things there are, so that a number narrows it, not how one thing works."""
    return _ASKS_HOW.match(_normal(search)) is None


def parse_query(
    search: str, family: Family, given: Iterable[ActiveFilter] = (), known: Collection[str] = ()
) -> ParsedQuery:
    """Parse the filters in a question to one family, except those that ``given`` filters already cover.

    ``known`` are the keys of the traits that creatures have.
    """
    reader = _Reader(_normal(search), family, known)
    sort = reader.read_all()
    rows = {row.argument: row for row in (*FILTERS[family], *HIDDEN_FILTERS.get(family, ()))}
    columns: set[str] = set()
    is_repeated = False
    for one in given:
        columns.update(column.name for column in one.filter.columns)
        for hit in (hit for value in one.values for hit in _repeats(reader.text, value)):
            reader.blank(hit.span())
            is_repeated = True

    def active(values: Iterable[tuple[str, FilterValue]]) -> tuple[ActiveFilter, ...]:
        every = (ActiveFilter(rows[argument], value) for argument, value in values)
        return tuple(one for one in every if columns.isdisjoint(column.name for column in one.filter.columns))

    has_filters = bool(reader.filters or reader.boosts or reader.exclusions) or is_repeated
    unread = tuple(word for word in re.findall(r"[a-z0-9'-]+", _LISTED.sub("", reader.rest)) if word not in _FILLER)
    if (has_filters or sort) and not unread:
        every = active([*reader.filters, *reader.boosts])
        return ParsedQuery(every, (), active(reader.exclusions), has_filters=True, filters_only=True, sort=sort)
    filters, boosts, exclusions = map(active, (reader.filters, reader.boosts, reader.exclusions))
    return ParsedQuery(filters, boosts, exclusions, has_filters, unread=unread if has_filters else ())


@dataclass
class _Reader:
    """Collects the values in a question to one family; what was read is blanked out of ``rest``."""

    text: str
    family: Family
    known: Collection[str]
    filters: list[tuple[str, FilterValue]] = field(default_factory=list)
    boosts: list[tuple[str, FilterValue]] = field(default_factory=list)
    exclusions: list[tuple[str, FilterValue]] = field(default_factory=list)
    rest: str = ""

    def __post_init__(self) -> None:
        self.rest = self.text

    def has(self, argument: str) -> bool:
        """Whether an argument has a value, or one of its bounds."""
        stem = argument.removesuffix("_min").removesuffix("_max")
        names = {stem, f"{stem}_min", f"{stem}_max"}
        return any(name in names for name, _ in (*self.filters, *self.boosts, *self.exclusions))

    def blank(self, span: tuple[int, int]) -> None:
        """Blank out what was read."""
        self.rest = f"{self.rest[: span[0]]}{' ' * (span[1] - span[0])}{self.rest[span[1] :]}"

    def is_of_another(self, start: int) -> bool:
        """Whether the words before a value say that the thing lacks it, or gives it to others."""
        return is_of_another(self.rest[:start], self.family)

    def read_all(self) -> Sort | None:
        """Read the numbers, what is denied, and the other values. Returns the order asked for."""
        self.read_numbers()
        sort = self.read_order()
        every_words = [words for words in WORDS[self.family] if isinstance(words, Words)]
        qualified = [pattern for words in every_words for pattern in _patterns(words).qualified]
        meant = {hit.span("value"): hit.start() for pattern in qualified for hit in pattern.finditer(self.rest)}
        for words in every_words:
            self.read_denied(words, meant)
        for words in every_words:
            self.read(words)
        return sort

    # -- numbers

    def read_numbers(self) -> None:
        """Read the numbers with units."""
        self.text = self.rest = _with_levels_after_the_word(self.text) if "level" in self.text else self.text
        for measure in WORDS[self.family] if re.search(r"\d", self.text) else ():
            if isinstance(measure, Measure) and re.search(measure.context, self.text):
                self._read_number(measure)
        self.text = self.rest = " ".join(self.rest.split())

    def _read_number(self, measure: Measure) -> None:
        least, most, exact = measure.arguments(self.family)
        bound = bounds(self.rest, measure.unit)
        if bound is None or self.is_of_another(bound.span[0]) or not self._is_possible(measure, bound):
            return
        if bound.values:
            limits: list[tuple[str, FilterValue]] = [(exact, tuple(map(measure.value, bound.values)))]
        else:
            ends = ((exact, bound.low),) if bound.low == bound.high else ((least, bound.low), (most, bound.high))
            limits = [(name, measure.value(number)) for name, number in ends if name and number is not None]
            if not most and bound.high is not None and bound.low != bound.high:
                beyond = measure.unit.next(bound.high)
                self.exclusions += [(least, measure.value(beyond))] if beyond is not None else []
        self.filters += limits
        self.blank(bound.span)

    def _is_possible(self, measure: Measure, bound: Bounds) -> bool:
        """Whether numbers may be values of a filter: a level that a spell can have, and not that of a slot."""
        if self.family is Family.SPELLS and measure.name == "level" and _OTHER_LEVEL.search(self.text):
            return False
        if measure.name not in ("level", "cr"):
            return not bound.values  # a list of other numbers is ambiguous
        return max(bound.low or 0, bound.high or 0) <= measure.unit.steps[-1]

    def read_order(self) -> Sort | None:
        """Read an order: "the cheapest", "highest AC"."""
        for extremes in EXTREMES.get(self.family, ()):
            for degree, adjectives, falls in ((_MOST, extremes.highest, True), (_LEAST, extremes.lowest, False)):
                of_noun = rf"(?:{degree})[ -](?:{extremes.nouns})\b" if extremes.nouns else ""
                pattern = "|".join(filter(None, (adjectives, of_noun)))
                if pattern and (hit := re.search(rf"\b(?:{pattern})", self.rest)):
                    self.blank(hit.span())
                    return Sort(extremes.column, falls)
        return None

    # -- values

    def read(self, words: Words) -> None:
        """Read the values of an argument."""
        patterns = _patterns(words)
        if any(map(self.has, words.unless)):
            return
        if words.order and not self.has(words.argument):
            self._compare(words)
        stated = self._stated(words, patterns)
        takes_all = words.argument in _ALL_OF
        if not takes_all and (self.has(words.argument) or len(stated) > 1):
            return
        read = self.filters if words.restricts else self.boosts
        for value, spans in stated.items():
            each = value if isinstance(value, tuple) and self._all_hold(words, value, spans[0]) else [value]
            read += [(words.argument, one) for one in each if (words.argument, one) not in read]
            for span in spans:
                self.blank(span)

    def _stated(self, words: Words, patterns: _Patterns) -> dict[FilterValue, list[tuple[int, int]]]:
        """The values that the question says of what it asks for, and their positions."""
        stated: dict[FilterValue, list[tuple[int, int]]] = {}
        for hit in sorted(self._hits(patterns), key=lambda hit: hit.start("value")):
            if not self.is_of_another(hit.start()):
                value, span = self._value(words, hit)
                if value is not None:
                    stated.setdefault(value, []).append(span)
        return stated

    def _hits(self, patterns: _Patterns) -> Iterator[re.Match[str]]:
        """The values that nothing else has read: anywhere among their words, or alone in the head of the question."""
        for pattern in patterns.qualified:
            yield from (hit for hit in pattern.finditer(self.text) if self._is_left(hit, self.rest))
        if patterns.alone:
            head = _head(self.text)
            yield from (
                hit
                for hit in patterns.alone.finditer(self.text)
                if self._is_left(hit, head) and self._is_left(hit, self.rest)
            )

    @staticmethod
    def _is_left(hit: re.Match[str], rest: str) -> bool:
        return rest[slice(*hit.span("value"))] == hit["value"]

    def _value(self, words: Words, hit: re.Match[str]) -> tuple[FilterValue | None, tuple[int, int]]:
        """The value or values that a match says, and its position; None if no record has it."""
        if isinstance(words.values, str):
            if not words.needs_known:
                return words.read(hit["value"]), hit.span()
            parts = hit["value"].split(" ")
            for count in range(len(parts), 0, -1):
                said = " ".join(parts[:count])
                if (key := words.read(said)) in self.known:
                    return key, (hit.start(), hit.start("value") + len(said))
            return None, hit.span()
        one_or_more = re.split(r"(?:, |,? (?:or|and) )(?:the )?", hit["value"])
        values = [words.values[said.replace("-", " ")] for said in one_or_more]
        if len(values) == 1:
            return values[0], hit.span()
        flat = tuple(
            dict.fromkeys(one for value in values for one in (value if isinstance(value, tuple) else (value,)))
        )
        return flat if len(flat) > 1 else flat[0], hit.span()

    def _all_hold(self, words: Words, values: tuple[Scalar, ...], span: tuple[int, int]) -> bool:
        """Whether one record has to have all of several values: "immune to fire and poison"."""
        if words.argument == "class_key":
            shared = _SHARED.search(self.text)
            if shared:
                self.blank(shared.span())
            return shared is not None
        if values in (ABILITIES, DAMAGE_TYPES):
            return False
        columns = [row.columns for row in FILTERS[self.family] if row.argument == words.argument]
        is_list = any(column.type is ColumnType.LIST for of_row in columns for column in of_row)
        return is_list and " and " in self.text[slice(*span)]

    def read_denied(self, words: Words, meant: Mapping[tuple[int, int], int]) -> None:
        """Read the values that the question denies: "without darkvision", "not undead".

        ``meant`` has where the words before a value begin: "that can't be charmed" says what is wanted.
        """
        for hit in list(_patterns(words).denied.finditer(self.rest)):
            if meant.get(hit.span("value"), len(self.rest)) <= hit.start():
                continue
            value, span = self._value(words, hit)
            if value is None or (self.has(words.argument) and words.argument not in _ALL_OF and not words.is_flag):
                continue
            if words.is_flag and isinstance(value, bool):
                self.filters.append((words.argument, not value))
            else:
                self.exclusions.append((words.argument, value))
            self.blank(span)

    def _compare(self, words: Words) -> None:
        """Read "smaller than large", "large or smaller" and "huge+" as several values."""
        value = words.pattern
        head = _head(self.rest, comparing=True)
        than = re.search(rf"\b({_MORE}|{_LESS}) than (?P<value>{value})\b", head)
        beside = re.search(rf"\b(?P<value>{value})(?:\+| (?:or|and) ({_MORE}|{_LESS})\b)(?: in size)?", head)
        hit = than or beside
        if hit is None or isinstance(words.values, str):
            return
        place = words.order.index(str(words.values[hit["value"].replace("-", " ")]))
        is_less = bool(re.search(rf"\b(?:{_LESS})\b", hit[0]))
        start, stop = (place + bool(than), None) if not is_less else (0, place + (not than))
        self.boosts.append((words.argument, words.order[start:stop]))
        self.blank(hit.span())


@dataclass(frozen=True)
class _Patterns:
    """The compiled patterns of some words: qualified by others, alone in the head of a question, and denied."""

    qualified: tuple[re.Pattern[str], ...]
    alone: re.Pattern[str] | None
    denied: re.Pattern[str]


@cache
def _patterns(words: Words) -> _Patterns:
    value = words.pattern
    several = value if isinstance(words.values, str) else rf"(?:{value})(?:(?:, |,? (?:or|and) )(?:the )?(?:{value}))*"
    group = rf"(?P<value>{several})\b"
    qualified = []
    if words.before and words.after and words.needs_both:
        qualified.append(rf"\b(?:{words.before}) {group}[ -]?(?:{words.after})")
    else:
        if words.before:
            after = rf"(?:[ -]?(?:{words.after})\b)?" if words.after else ""
            qualified.append(rf"\b(?:{words.before}) {group}{after}")
        if words.after:
            qualified.append(rf"\b{group}[ -]?(?:{words.after})\b")
    is_open = isinstance(words.values, str) and not words.needs_known  # any text, which only the words before it show
    before = rf"(?:(?:{words.before}) ){'' if is_open else '?'}" if words.before else ""
    after = rf"(?:[ -]?(?:{words.after})\b){'' if words.needs_both else '?'}" if words.after else ""
    denied = rf"\b{_DENIAL}{before}{group}{after}"
    alone = None if words.alone is None else re.compile(rf"(?<!than )(?<!than an )(?<!than a )\b{group}{words.alone}")
    return _Patterns(tuple(map(re.compile, qualified)), alone, re.compile(denied))


def _repeats(text: str, value: Scalar) -> Iterator[re.Match[str]]:
    """Find the words of a value in a text: "wind domain" for the class key."""
    words = re.findall(r"[a-z]+", value.rpartition("_")[2]) if isinstance(value, str) else []
    return re.finditer(r"\b" + r"\W+".join(words) + r"\b", text) if words else iter(())


def _normal(search: str) -> str:
    text = search.casefold().replace("–", "-").replace("—", "-").replace("’", "'").replace("can not", "cannot")
    text = _NO_APOSTROPHE.sub(r"\1n't", re.sub(r"\b(how|what|who)'?s\b", r"\1 is", text))
    text = re.sub(r"\b(?:w/o(?:ut)?|wo/)(?!\w)", "without", text)
    text = re.sub(r"\bw(?:/\s*| )(?=\w)", "with ", text).replace(" n ", " and ").replace(" & ", " and ")
    text = text.replace(" nor ", " and no ").replace("neither ", "no ")
    text = _COINS.sub(lambda coins: f"{float(coins[1].replace(',', '')) * GP[coins[2]]:g} gp", expand_shorthand(text))
    text = re.sub(
        r"\b(\d+|an?|one) miles?\b", lambda found: f"{5280 * int(found[1] if found[1].isdigit() else 1)} feet", text
    )
    for word, level in ORDINALS.items():
        text = re.sub(rf"\b{word}(?=[\s-]level)", str(level), text) if word in text else text
    return " ".join(text.split())


def _with_levels_after_the_word(text: str) -> str:
    """``1st to 3rd level`` -> ``level 1 to 3``."""
    number = r"\b(\d{1,2})(?:st|nd|rd|th)?"
    text = re.sub(rf"{number},? (or|and) (\d{{1,2}})(?:st|nd|rd|th)?[\s-]level\b", r"level \1 \2 \3", text)
    text = re.sub(r"\b(\d{1,2})(?:st|nd|rd|th)?[\s-]level(?! \d)", r"level \1", text)
    text = re.sub(rf"{number}\s*(?:to|-|through)\s*level (\d)", r"level \1 to \2", text)
    return re.sub(r"\blevels\b", "level", text)


def _head(text: str, *, comparing: bool = False) -> str:
    """The part of a question before its relative clause, with spaces for the rest: "undead" of "undead that fly".

    The text after a comma is parsed separately: "boots to walk on water, uncommon". "" if nothing is before a clause.
    If it is searched for a comparison, "than" belongs to it.
    """
    asked = re.sub(r"^(?:which|who|what) ", lambda word: " " * len(word[0]), text)
    if comparing:
        asked = asked.replace(" than ", " then ")
    head = ",".join(_CLAUSE.split(part, maxsplit=1)[0].ljust(len(part)) for part in asked.split(","))
    head = head.replace(" then ", " than ") if comparing else head
    return head if head.strip(" ,") else ""
