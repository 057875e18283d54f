"""Parses filters from a question: "undead between CR 5 and 8", "3rd level evocation", "monsters with pack tactics".

One grammar reads the words of the rows in ``filters``: numbers with units and bounds; values after, before or without
other words, joined by "or" and "and", denied by "no" or "without", compared ("large or smaller"). A number with its
unit restricts, and so do all values of a question that consists of nothing else. In any other question values only
boost matches: "undead wizard who hides his soul" asks for an undead, but a book might call it a fiend. Arguments that
were given are never parsed again from the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import TypeVar, get_args

from lorekeeper_mcp.filters import ROWS, ActiveFilter, ColumnType, Filter, FilterValue, Scalar
from lorekeeper_mcp.filters.argument_types import GP, ORDINALS
from lorekeeper_mcp.filters.words import Extremes, Measure, Words, flag, forms
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES, SRD_CLASSES
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.names.lexicon import expand_shorthand
from lorekeeper_mcp.store.query_terms import COMMON_WORDS

_Span = tuple[int, int]
_Speech = TypeVar("_Speech", Words, Measure, Extremes)
_Said = tuple[str, FilterValue]  # an argument and its value

# -- The words between values

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
    "all allow allowing allows area ask asking asks background backgrounds best book books call calling calls cast "
    "casting class classes component components cost costing costs creature creatures damage deal dealing deals doing "
    "encounter encounters enemies every exist exists feat feats feature features find force forces forcing gain gained "
    "gains having hit hits how item items just level list living magic magical many mastery material materials monster "
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

# -- What was read


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
        is_rated = any(one.filter.argument in ("cr", "cr_min", "cr_max") for one in self.filters)  # creatures alone are
        return self.filters_only and (is_rated or len(self.filters) > 1 or self.sort is not None or self.names_kind)

    def may_mean_characters(self, kinds: frozenset[Kind]) -> bool:
        """Whether, in a search of all kinds, characters may be meant: "an ambush for level 3", "who can cast Wish".

        ``kinds`` are those that the question mentions.
        """
        arguments = {active.filter.argument for active in self.filters}
        has_level = not arguments.isdisjoint(("level", "level_min", "level_max")) and Kind.SPELL not in kinds
        return (has_level and not self.filters_only) or ("casts" in arguments and not kinds)

    def relaxed_queries(self) -> Iterator[ParsedQuery]:
        """Yield the same query, then with ever fewer filters, least certain first dropped; these become ``unmet``."""
        if self.filters or self.filters_only or self.exclusions:
            yield self
        for count in range(len(self.filters) - 1, 0, -1):
            yield replace(self, filters=self.filters[:count], unmet=self.filters[count:], filters_only=False, sort=None)

    def hints(self, family: Family | None = None) -> list[str]:
        """Sentences that say how the question was read.

        If other families are searched, too, only what excludes records of this ``family``.
        """
        where = f" for {family}" if family else ""
        hints = filters_hint(self.filters, where)
        if self.exclusions:
            hints.append(f"Excluded{where}: {_listed(self.exclusions)}.")
        if self.unmet:
            hints.append(f"No result also matches {_listed(self.unmet)}, so this was ignored.")
        if self.sort is not None:
            first = "highest" if self.sort.is_descending else "lowest"
            hints.append(f"Sorted by {self.sort.column.replace('_', ' ')}, {first} first.")
        if self.boosts and not family:
            hints.append(f"Ranked higher: {_listed(self.boosts)}.")
        if self.unread and not family:
            hints.append(f"Not read as filters: {' '.join(self.unread)}.")
        return hints


def filters_hint(filters: Sequence[ActiveFilter], where: str = "") -> list[str]:
    """A sentence about filters that were parsed from words; nothing if there are none."""
    return [f"Interpreted as a filter{where}: {_listed(filters)}."] if filters else []


def _listed(active: Iterable[ActiveFilter]) -> str:
    return ", ".join(
        f"{one.filter.argument}={'any' if _is_any(one.values) else ' or '.join(map(_plain, one.values))}"
        for one in active
    )


def _is_any(values: FilterValue) -> bool:
    return values in (ABILITIES, DAMAGE_TYPES)


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
    reader, given = _Reader(_normal(search), family, known), tuple(given)
    sort = reader.read_all()
    is_repeated = reader.blank_repeated(value for one in given for value in one.values)
    columns = {column.name for one in given for column in one.filter.columns}
    rows = _rows(family)

    def active(said: Iterable[_Said]) -> tuple[ActiveFilter, ...]:
        every = (ActiveFilter(rows[argument], value) for argument, value in said)
        return tuple(one for one in every if columns.isdisjoint(column.name for column in one.filter.columns))

    filters, boosts, exclusions = map(active, (reader.filters, reader.boosts, reader.exclusions))
    has_filters = bool(reader.filters or reader.boosts or reader.exclusions) or is_repeated
    unread = tuple(word for word in re.findall(r"[a-z0-9'-]+", _LISTED.sub("", reader.rest)) if word not in _FILLER)
    if (has_filters or sort) and not unread:
        return ParsedQuery((*filters, *boosts), (), exclusions, has_filters=True, filters_only=True, sort=sort)
    return ParsedQuery(filters, boosts, exclusions, has_filters, unread=unread if has_filters else ())


# -- How it is read


@dataclass
class _Reader:
    """Collects the values in a question to one family; what was read is blanked out of ``rest``."""

    text: str
    family: Family
    known: Collection[str]
    filters: list[_Said] = field(default_factory=list)
    boosts: list[_Said] = field(default_factory=list)
    exclusions: list[_Said] = field(default_factory=list)
    rest: str = ""

    def has(self, argument: str) -> bool:
        """Whether an argument has a value, or one of its bounds."""
        stem = argument.removesuffix("_min").removesuffix("_max")
        names = {stem, f"{stem}_min", f"{stem}_max"}
        return any(name in names for name, _ in (*self.filters, *self.boosts, *self.exclusions))

    def blank(self, span: _Span) -> None:
        """Blank out what was read."""
        self.rest = f"{self.rest[: span[0]]}{' ' * (span[1] - span[0])}{self.rest[span[1] :]}"

    def blank_repeated(self, values: Iterable[Scalar]) -> bool:
        """Blank out the words of given values: "wind domain" for a class key. Returns whether any is there."""
        words = [re.findall(r"[a-z]+", value.rpartition("_")[2]) for value in values if isinstance(value, str)]
        patterns = [r"\b" + r"\W+".join(own) + r"\b" for own in words if own]
        spans = [hit.span() for pattern in patterns for hit in re.finditer(pattern, self.text)]
        for span in spans:
            self.blank(span)
        return bool(spans)

    def read_all(self) -> Sort | None:
        """Read the numbers, what is denied, and the other values. Returns the order asked for."""
        self.text = self.rest = _with_levels_after_the_word(self.text) if "level" in self.text else self.text
        for row, measure in _said_by(self.family, Measure) if re.search(r"\d", self.rest) else ():
            if re.search(measure.context, self.text):
                self._read_number(row.argument.removesuffix("_min"), measure)
        self.text = self.rest = " ".join(self.rest.split())
        sort = self._read_order()
        phrases = _phrases(self.family)
        qualified = [pattern for phrase in phrases for pattern in phrase.qualified]
        meant = {hit.span("value"): hit.start() for pattern in qualified for hit in pattern.finditer(self.rest)}
        for phrase in phrases:
            self._read_denied(phrase, meant)
        for phrase in phrases:
            self._read(phrase)
        self._read_only([phrase for phrase in phrases if phrase.is_flag])
        return sort

    def _read_number(self, name: str, measure: Measure) -> None:
        bound = bounds(self.rest, measure)
        if (
            bound is None
            or is_of_another(self.rest[: bound.span[0]], self.family)
            or not self._is_meant(name, measure, bound)
        ):
            return
        exact = name if measure.steps and name in _rows(self.family) else f"{name}_min"
        if bound.values:
            self.filters.append((exact, tuple(map(measure.value, bound.values))))
        elif bound.low is not None and bound.low == bound.high:
            self.filters.append((exact, measure.value(bound.low)))
        else:
            ends = ((f"{name}_min", bound.low), (f"{name}_max", bound.high))
            self.filters += [(argument, measure.value(number)) for argument, number in ends if number is not None]
        self.blank(bound.span)

    def _is_meant(self, name: str, measure: Measure, bound: Bounds) -> bool:
        """Whether numbers may be values of a filter: a level that a spell can have, and not that of a slot."""
        if self.family is Family.SPELLS and name == "level" and _OTHER_LEVEL.search(self.text):
            return False
        if name not in ("level", "cr"):
            return not bound.values  # a list of other numbers is ambiguous
        return max(bound.low or 0, bound.high or 0) <= measure.steps[-1]

    def _read_order(self) -> Sort | None:
        """Read an order: "the cheapest", "highest AC"."""
        for row, extremes in _said_by(self.family, Extremes):
            for degree, adjectives, falls in ((_MOST, extremes.highest, True), (_LEAST, extremes.lowest, False)):
                of_noun = rf"(?:{degree})[ -](?:{extremes.nouns})\b" if extremes.nouns else ""
                pattern = "|".join(filter(None, (adjectives, of_noun)))
                if pattern and (hit := re.search(rf"\b(?:{pattern})", self.rest)):
                    self.blank(hit.span())
                    return Sort(extremes.column or row.columns[0].name, falls)
        return None

    def _read_only(self, flags: Sequence[_Phrase]) -> None:
        """Read "only verbal components": the other flags with the same noun are false."""
        for phrase in flags:
            value = f"(?:{phrase.value})"
            if re.search(rf"\b(?:only|just)(?: an?| the)? {value}\b|\b{value}[ -]only\b", self.text):
                others = [one for one in flags if one.words is phrase.words and not self.has(one.argument)]
                self.filters += [(other.argument, False) for other in others]

    def _read_denied(self, phrase: _Phrase, meant: Mapping[_Span, int]) -> None:
        """Read the values that the question denies: "without darkvision", "not undead".

        ``meant`` has where the words before a value begin: "that can't be charmed" says what is wanted.
        """
        for hit in list(phrase.denied.finditer(self.rest)):
            if meant.get(hit.span("value"), len(self.rest)) <= hit.start():
                continue
            value, span = self._value(phrase, hit)
            if value is None or (self.has(phrase.argument) and phrase.argument not in _ALL_OF and not phrase.is_flag):
                continue
            if phrase.is_flag and isinstance(value, bool):
                self.filters.append((phrase.argument, not value))
            else:
                self.exclusions.append((phrase.argument, value))
            self.blank(span)

    def _read(self, phrase: _Phrase) -> None:
        """Read the values of an argument that the question says of what it asks for."""
        words, argument = phrase.words, phrase.argument
        if any(map(self.has, words.unless)):
            return
        if words.order and not self.has(argument):
            self._compare(phrase)
        stated = self._stated(phrase)
        if argument not in _ALL_OF and (self.has(argument) or len(stated) > 1):
            return
        read = self.filters if words.restricts else self.boosts
        for value, spans in stated.items():
            each = value if isinstance(value, tuple) and self._all_hold(phrase.row, value, spans[0]) else [value]
            read += [(argument, one) for one in each if (argument, one) not in read]
            for span in spans:
                self.blank(span)

    def _stated(self, phrase: _Phrase) -> dict[FilterValue, list[_Span]]:
        stated: dict[FilterValue, list[_Span]] = {}
        for hit in sorted(self._hits(phrase), key=lambda hit: hit.start("value")):
            value, span = self._value(phrase, hit)
            if value is not None and not is_of_another(self.rest[: hit.start()], self.family):
                stated.setdefault(value, []).append(span)
        return stated

    def _hits(self, phrase: _Phrase) -> Iterator[re.Match[str]]:
        """The values that nothing else has read: anywhere among their words, or alone in the head of the question."""
        qualified = [hit for pattern in phrase.qualified for hit in pattern.finditer(self.text)]
        head = _head(self.text) if phrase.alone else ""
        alone = phrase.alone.finditer(self.text) if phrase.alone else ()
        in_head = [hit for hit in alone if head[slice(*hit.span("value"))] == hit["value"]]
        return (hit for hit in (*qualified, *in_head) if self.rest[slice(*hit.span("value"))] == hit["value"])

    def _value(self, phrase: _Phrase, hit: re.Match[str]) -> tuple[FilterValue | None, _Span]:
        """The value or values that a match says, and its position; None if no record has it."""
        words = phrase.words
        if words.needs_known:
            parts = hit["value"].split(" ")
            for count in range(len(parts), 0, -1):
                said = " ".join(parts[:count])
                if (key := words.read(said)) in self.known:
                    return key, (hit.start(), hit.start("value") + len(said))
            return None, hit.span()
        if not phrase.values:
            return words.read(hit["value"]), hit.span()
        values: list[Scalar] = []
        for said in re.split(r"(?:, |,? (?:or|and) )(?:the )?", hit["value"]):
            value = phrase.values[said.replace("-", " ")]
            values += value if isinstance(value, tuple) else [value]
        distinct = tuple(dict.fromkeys(values))
        return distinct if len(distinct) > 1 else distinct[0], hit.span()

    def _all_hold(self, row: Filter, values: tuple[Scalar, ...], span: _Span) -> bool:
        """Whether one record has to have all of several values: "immune to fire and poison"."""
        if row.argument == "class_key":
            if shared := _SHARED.search(self.text):
                self.blank(shared.span())
            return shared is not None
        is_list = any(column.type is ColumnType.LIST for column in row.columns)
        return is_list and not _is_any(values) and " and " in self.text[slice(*span)]

    def _compare(self, phrase: _Phrase) -> None:
        """Read "smaller than large", "large or smaller" and "huge+" as several values."""
        order, value = phrase.words.order, phrase.value
        head = _head(self.rest.replace(" than ", " then ")).replace(" then ", " than ")
        than = re.search(rf"\b({_MORE}|{_LESS}) than (?P<value>{value})\b", head)
        beside = re.search(rf"\b(?P<value>{value})(?:\+| (?:or|and) ({_MORE}|{_LESS})\b)(?: in size)?", head)
        if hit := than or beside:
            place = order.index(str(phrase.values[hit["value"].replace("-", " ")]))
            is_less = bool(re.search(rf"\b(?:{_LESS})\b", hit[0]))
            start, stop = (place + bool(than), None) if not is_less else (0, place + (not than))
            self.boosts.append((phrase.argument, order[start:stop]))
            self.blank(hit.span())


@cache
def _rows(family: Family) -> Mapping[str, Filter]:
    return {row.argument: row for row in ROWS[family]}


def _said_by(family: Family, type_: type[_Speech]) -> list[tuple[Filter, _Speech]]:
    """The words of one type, with the rows that they say."""
    return [(row, words) for row in ROWS[family] for words in row.words if isinstance(words, type_)]


@dataclass(frozen=True)
class _Phrase:
    """The words for a row, compiled: its values qualified by others, alone in the head of a question, and denied.

    ``value`` is the pattern of one value.
    """

    row: Filter
    words: Words
    values: Mapping[str, FilterValue]
    value: str
    qualified: tuple[re.Pattern[str], ...]
    alone: re.Pattern[str] | None
    denied: re.Pattern[str]

    @property
    def argument(self) -> str:
        return self.row.argument

    @property
    def is_flag(self) -> bool:
        """Whether the opposite of the value is another value, and not the lack of one."""
        return bool(self.values) and all(isinstance(value, bool) for value in self.values.values())


@cache
def _phrases(family: Family) -> tuple[_Phrase, ...]:
    """The phrases of a family, those that are read only if nothing else says more at the end."""
    phrases = [_phrase(row, words) for row, words in _said_by(family, Words)]
    return tuple(sorted(phrases, key=lambda phrase: bool(phrase.words.unless)))


def _values(row: Filter, words: Words) -> Mapping[str, FilterValue]:
    """What is said, with its value: by default what the row allows, or the name of a flag. Empty for any text."""
    if words.values:
        return {} if isinstance(words.values, str) else words.values
    name = row.argument.removeprefix("is_")
    keys = get_args(next(iter(get_args(row.annotation)), None))
    return forms(keys) if keys else flag(f"{name}|{name}s")


def _phrase(row: Filter, words: Words) -> _Phrase:
    values = _values(row, words)
    if isinstance(words.values, str) and words.values:
        value = several = words.values
    else:
        longest_first = sorted(values, key=len, reverse=True)
        value = "|".join(re.escape(word).replace("\\ ", "[ -]") for word in longest_first)
        several = rf"(?:{value})(?:(?:, |,? (?:or|and) )(?:the )?(?:{value}))*"
    group = rf"(?P<value>{several})\b"
    before = rf"(?:{words.before}) " if words.before else ""
    after = rf"[ -]?(?:{words.after})" if words.after else ""
    if words.needs_both:
        qualified = [rf"\b{before}{group}{after}"]
    else:
        qualified = [rf"\b{before}{group}" + (rf"(?:{after}\b)?" if after else "")] if before else []
        qualified += [rf"\b{group}{after}\b"] if after else []
    is_open = not values and not words.needs_known  # any text, which only the words before it show
    denied = rf"\b{_DENIAL}(?:{before}){'' if is_open else '?'}{group}(?:{after}\b){'' if words.needs_both else '?'}"
    alone = None if words.alone is None else re.compile(rf"(?<!than )(?<!than an )(?<!than a )\b{group}{words.alone}")
    return _Phrase(row, words, values, value, tuple(map(re.compile, qualified)), alone, re.compile(denied))


def _head(text: str) -> str:
    """The part of a question before its relative clause, with spaces for the rest: "undead" of "undead that fly".

    The text after a comma is parsed separately: "boots to walk on water, uncommon". "" if nothing is before a clause.
    """
    asked = re.sub(r"^(?:which|who|what) ", lambda word: " " * len(word[0]), text)
    head = ",".join(_CLAUSE.split(part, maxsplit=1)[0].ljust(len(part)) for part in asked.split(","))
    return head if head.strip(" ,") else ""


# -- Spelling

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?(?:/[1-9])?"
_COINS = re.compile(rf"\b({NUMBER}) ?({'|'.join(coin for coin, worth in GP.items() if worth != 1)})(?: pieces)?\b")
_LEVEL = r"\b(\d{1,2})(?:st|nd|rd|th)?"
_SPELLINGS: tuple[tuple[str, str], ...] = (
    (r"\bcan not\b", "cannot"),
    (r"\b(how|what|who)'?s\b", r"\1 is"),
    (r"(?<!thieves )(?<!thieves' )\b(are|ca|did|do|does|have|is|wo|would)nt\b", r"\1n't"),
    (r"\b(?:w/o(?:ut)?|wo/)(?!\w)", "without"),
    (r"\bw(?:/\s*| )(?=\w)", "with "),
    (r" [n&] ", " and "),
    (r" nor ", " and no "),
    (r"neither ", "no "),
)


def _normal(search: str) -> str:
    text = search.casefold().translate(str.maketrans("–—’", "--'"))
    for pattern, plain in _SPELLINGS:
        text = re.sub(pattern, plain, text)
    text = _COINS.sub(lambda coins: f"{float(coins[1].replace(',', '')) * GP[coins[2]]:g} gp", expand_shorthand(text))
    text = re.sub(
        r"\b(\d+|an?|one) miles?\b", lambda found: f"{5280 * int(found[1] if found[1].isdigit() else 1)} feet", text
    )
    for word, level in ORDINALS.items():
        text = re.sub(rf"\b{word}(?=[\s-]level)", str(level), text) if word in text else text
    return " ".join(text.split())


def _with_levels_after_the_word(text: str) -> str:
    """``1st to 3rd level`` -> ``level 1 to 3``."""
    text = re.sub(rf"{_LEVEL},? (or|and) (\d{{1,2}})(?:st|nd|rd|th)?[\s-]level\b", r"level \1 \2 \3", text)
    text = re.sub(rf"{_LEVEL}[\s-]level(?! \d)", r"level \1", text)
    text = re.sub(rf"{_LEVEL}\s*(?:to|-|through)\s*level (\d)", r"level \1 to \2", text)
    return re.sub(r"\blevels\b", "level", text)


# -- Numbers with a unit: "CR 5 to 8", "level 3 or lower", "at least AC 18", "under 60 hit points"

# Words before a number, by how they bound it.
_COMPARISONS = {
    "least": r"at least|minimum(?: of)?|min|no (?:less|fewer|lower) than|from",
    "over": r"above|over|beyond|exceeding"
    r"|(?:more|higher|greater|bigger|larger|stronger|tougher|better|faster|longer|farther|heavier) than",
    "most": r"at most|up to|maximum(?: of)?|max|no (?:more|higher|greater) than",
    "under": r"below|under|(?:less|lower|fewer|weaker|cheaper|smaller|lighter) than",
    "about": r"around|about|roughly|approximately|near|~",
}
_COMPARED = "|".join(_COMPARISONS.values())
_OF = r"(?:\s+(?!or\b|and\b)[a-z]+)?"  # "level 3 spells or lower"
_UP = rf"\s*\+|{_OF}\s*,?\s*(?:or|and)\s+(?:higher|more|above|greater|up|over|better|bigger|larger|stronger|faster)\b"
_DOWN = rf"{_OF}\s*,?\s*(?:or|and)\s+(?:lower|less|below|under|fewer|smaller|down|cheaper|weaker)\b"
_OF_ANOTHER_UNIT = r"(?!\s*(?:hp|hit|feet|ft|gp)\b)"


@dataclass(frozen=True)
class Bounds:
    """An inclusive range, in which None is unbounded, or several ``values``. ``span`` is its position in the text."""

    low: float | None
    high: float | None
    span: _Span
    values: tuple[float, ...] = ()


def bounds(text: str, unit: Measure) -> Bounds | None:
    """Parse the only number, range or list of numbers of a measure; None if there is none, or several ranges."""
    listed, between, single, named = _number_patterns(unit)
    if unit.steps and (match := listed.search(text)):
        values = tuple(map(_number, re.findall(NUMBER, match["list"])))
        return Bounds(min(values), max(values), match.span(), values) if set(values) <= set(unit.steps) else None
    for match in between.finditer(text):
        if named.search(match[0]) and (match["joint"] != "and" or "between" in match[0] or "from" in match[0]):
            low, high = sorted((_number(match["low"]), _number(match["high"])))
            return Bounds(low, high, match.span())
    found = [bound for match in single.finditer(text) if (bound := _single(match, unit))]
    return found[0] if len(found) == 1 else None


@cache
def _number_patterns(unit: Measure) -> tuple[re.Pattern[str], ...]:
    """The patterns of a list, a range and a number with a bound ("over 60 feet", "CR above 5"), and of the unit."""
    before = rf"(?:\b(?:{unit.before})s?\s*(?:of\s+|is\s+)?)"
    behind = unit.after or "(?!)"
    after = rf"(?:\s*(?:{behind})\b)"
    number = rf"{NUMBER}(?![\d/])"
    listed = (
        rf"(?<!between ){before}(?P<list>{number}(?:,\s*{number})*,?\s+(?:or|and)\s+{before}?{number})"
        rf"(?=\s*$|[.,?!]|\s+[a-z]){_OF_ANOTHER_UNIT}"
    )
    between = (
        rf"(?:\b(?:between|from)\s+)?{before}?(?:between\s+|from\s+)?(?P<low>{number}){after}?"
        rf"\s*(?P<joint>to|-|through|up to|\.\.|and)\s*{before}?(?P<high>{number}){after}?"
    )
    single = (
        rf"(?:(?:\b|(?=~))(?P<first>{_COMPARED})\s*(?:an?\s+)?)?(?P<unit>{before})?(?:\b(?P<second>{_COMPARED})\s+)?"
        rf"(?<![\d/.])(?P<number>{number})(?P<after>{after})?(?P<bound>(?P<more>{_UP})|{_DOWN})?(?P<last>{after})?"
    )
    named = rf"\b(?:{unit.before})|\d\s*(?:{behind})\b"
    return re.compile(listed), re.compile(between), re.compile(single), re.compile(named)


def _single(match: re.Match[str], unit: Measure) -> Bounds | None:
    """The bounds of one number. A unit after it needs a bound, too: "60 feet or more"."""
    words = match["first"] or match["second"]
    if not match["unit"] and not ((match["after"] or match["last"]) and (words or match["bound"])):
        return None
    value = _number(match["number"])
    if words:
        kind = next(kind for kind, pattern in _COMPARISONS.items() if re.fullmatch(pattern, words))
    else:
        kind = "exactly" if not match["bound"] else "least" if match["more"] else "most"
    low = {"exactly": value, "least": value, "over": unit.next(value), "about": max(0.0, value - 1)}.get(kind)
    high = {"exactly": value, "most": value, "under": unit.previous(value), "about": value + 1}.get(kind)
    return None if low is None and high is None else Bounds(low, high, match.span())


def _number(text: str) -> float:
    return float(Fraction(text.replace(",", "")))
