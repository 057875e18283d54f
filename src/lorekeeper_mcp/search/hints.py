"""Hints about a search: how it was read, how related the results are, what is not stored, and what excludes it.

Each rule is a function from a search to its sentences; the first rules are the most important.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz, process

from lorekeeper_mcp.answer import NameForm
from lorekeeper_mcp.filters import FILTERS, ActiveFilter, ColumnType, Scalar, comparisons
from lorekeeper_mcp.filters.creatures import CASTS
from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.models.printed_values import words
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.query import FamilyQuery, Query
from lorekeeper_mcp.search.family_index import FamilyIndexes
from lorekeeper_mcp.search.names.kind_words import VALUE_KINDS, is_kind_word
from lorekeeper_mcp.search.names.lexicon import book_name
from lorekeeper_mcp.search.names.mentions import missing_names
from lorekeeper_mcp.search.names.name_index import is_pattern, match_name
from lorekeeper_mcp.search.names.part_names import holders_hint, owners_hint
from lorekeeper_mcp.search.question import Question, QuestionNames
from lorekeeper_mcp.search.ranking import Matches, Ranking, Relevance
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry, select
from lorekeeper_mcp.store.query_terms import COMMON_WORDS
from lorekeeper_mcp.text import fold, slugify

NOT_EMBEDDED = "Some records are not embedded yet and match by keyword only; ask again later."
NO_MODEL = "The embedding model is not ready, so results are ranked by names and keywords alone."
_MAX_SUGGESTIONS = 3  # suggested names
_MIN_SIMILARITY = 75  # of 100, of a suggested value
_MAX_NAME_WORDS = 3  # of a name in lower case
_MAX_VALUE_TEXT = 60  # characters of an argument's values
_IN_NAMES = frozenset({"a", "an", "and", "of", "the"})  # words that occur in names
# Questions about a single entry, whose name follows these words: "how does flanking work".
_ASKED_ABOUT = re.compile(
    r"(?:how do(?:es)?|what(?:s| is| are| do| does)|who is|explain|describe|tell me about"
    r"|(?:cost|duration|price|range|rules|speed|weight) (?:for|of))(?: an?| the)? (.+?)"
    r"(?: work| do| mean| like)?"
)
# Questions that describe entries instead of naming one: "feats without prerequisites", "smallest fire spell".
_DESCRIBES = re.compile(r"\b(?:that|with|without|\w{3,}est|least|most|worst)\b")


@dataclass(frozen=True)
class Search:
    """A search and what was found: of each query, and in all."""

    cache: Cache
    indexes: FamilyIndexes
    queries: Sequence[FamilyQuery]
    found: Sequence[Matches]
    question: Question
    names: QuestionNames
    requested: Query
    ranking: Ranking

    @property
    def may_name_others(self) -> bool:
        """Whether the question may have names of records that were not found."""
        is_named = any(matches.exact for matches in self.found)  # the whole question is a name or key
        return self.question.has_text and bool(self.queries) and not is_named

    @property
    def is_of_all_kinds(self) -> bool:
        """Whether the tool is ``search_all``."""
        return not isinstance(self.requested, FamilyQuery)


def build_hints(search: Search) -> tuple[str, ...]:
    """Return every hint of a search, each once."""
    exact = [matches for matches in search.found if matches.exact]
    hints = [*_excluded_name(search), *_not_stored(search), *map(holders_hint, search.names.parts)]
    options = search.indexes.of(Family.OPTIONS).entries
    hints += [] if exact else [owners_hint(mention, options) for mention in search.names.mentions]
    if search.queries and search.question.search != search.queries[0].search:
        hints.append(f'Interpreted as "{search.question.search[:80]}".')
    is_name = bool(exact) or isinstance(search.ranking.form, NameForm)
    for matches in exact or search.found:  # of named records only theirs, since the others are not shown
        hints += [hint for hint in matches.hints if not (is_name and hint in (NO_MODEL, NOT_EMBEDDED))]
    hints += [*_relevance(search), *_nothing_found(search)]
    return tuple(dict.fromkeys(filter(None, hints)))


# -- names that are not stored


def _not_stored(search: Search) -> Iterator[str]:
    """The names in the search that no record has: the whole question, its subject, or parts of it."""
    if not search.may_name_others or search.names.has_only_parts:
        return

    def is_stored(name: str) -> bool:
        indexes = map(search.indexes.of, Family)
        ids = (id_ for index in indexes for id_ in match_name(name, index.names, index.entries).exact)
        return any(id_.partition(":")[0] not in VALUE_KINDS - {Kind.DOCUMENT} for id_ in ids)

    names = missing_names(search.requested.search, search.names.mentions, is_stored)
    whole = _whole_name(search)
    if whole and set(map(fold, names)) <= {book_name(fold(whole))} and not is_stored(whole):
        names = (whole,)
    if names:
        yield missing_names_hint(names, len(search.cache.catalog.document_sizes()))


def _whole_name(search: Search) -> str:
    """The subject of the question, or the whole question, if it reads like a name; otherwise ""."""
    folded = fold(search.question.search)
    if _DESCRIBES.search(folded) or search.names.mentions or any(matches.is_list for matches in search.found):
        return ""
    about = _ASKED_ABOUT.fullmatch(folded)
    text = about[1] if about else search.question.search
    words = [word for word in text.split() if fold(word) not in _IN_NAMES and not is_kind_word(fold(word))]
    return text if _reads_as_name(words, search, is_asked_about=about is not None) else ""


def _reads_as_name(words: Sequence[str], search: Search, *, is_asked_about: bool) -> bool:
    """Whether words are a name: a few, capitalized or not all in names; one alone if little relates to it."""
    folded = [fold(word) for word in words]
    if not 0 < len(folded) <= _MAX_NAME_WORDS or not COMMON_WORDS.isdisjoint(folded):
        return False
    if len(folded) == 1 and not is_asked_about:
        is_related = any(matches.relevance is Relevance.STRONG for matches in search.found)
        return not is_related or book_name(folded[0]) != folded[0]
    is_capitalized = len(folded) > 1 and all(word[0].isupper() for word in words)
    return is_capitalized or not all(map(search.indexes.is_in_names, folded))


def missing_names_hint(names: Sequence[str], books: int) -> str:
    """Say that no entry has the names in a search. Abbreviations are spelled out."""
    quoted = []
    for name in (name[:60].strip() for name in names[:_MAX_SUGGESTIONS]):
        meant = book_name(fold(name))
        quoted.append(f'"{meant.title()}" ({name})' if meant != fold(name) else f'"{name}"')
    return f"No entry is called {' or '.join(quoted)} in the {books} stored books."


def _relevance(search: Search) -> Iterator[str]:
    """Say if nothing or little is related to the question; of keys and patterns only if no family matches."""
    ranked = [matches.relevance for matches in search.found if matches.relevance is not None]
    if len(ranked) < len(search.found) or not ranked:
        return
    highest = max(ranked)
    if highest is Relevance.WEAK:
        is_restricted = search.requested.is_restricted
        others = "the others that match the arguments follow" if is_restricted else "the others were left out"
        yield f"Only a few records relate to this question; {others}."
    elif highest is Relevance.NONE:
        pattern = search.question.search[:80] if is_pattern(search.question.search) else ""
        yield f'No name matches the pattern "{pattern}".' if pattern else "No record relates to this question."
        similar = [name for matches in search.found for name in matches.similar_names][:_MAX_SUGGESTIONS]
        yield f"Similar names: {', '.join(similar)}." if similar else ""


# -- arguments that exclude


def _without_each(search: Search) -> Iterator[tuple[str, str, list[FamilyQuery]]]:
    """Each argument that restricts, as it was given, and the queries of a search without it."""
    shared = search.queries[0]
    own = [active for active in shared.filters if active.filter in FILTERS[shared.family]]
    for active in own:
        others = tuple(other for other in shared.filters if other is not active)
        yield active.filter.argument, _given(active.filter.argument, active.values), [replace(shared, filters=others)]
    if shared.has_chosen_kinds:  # a type may imply filters, which are left out as well
        families, argument = [shared.family], "rule_type" if shared.family is Family.RULES else "type"
        if search.is_of_all_kinds:
            families, argument = list(Family), "content_types"
        every = replace(shared, filters=tuple(own))
        kinds = sorted({str(kind) for query in search.queries for kind in query.kinds})
        wider = [replace(every, family=family, kinds=frozenset(FAMILIES[family])) for family in families]
        yield argument, _given(argument, kinds) if len(kinds) == 1 else argument, wider
    if shared.editions:
        without = [replace(query, editions=frozenset()) for query in search.queries]
        yield "edition", _given("edition", sorted(shared.editions)), without
    if shared.documents is not None:
        without = [replace(query, documents=None) for query in search.queries]
        yield "documents", _given("documents", sorted(shared.documents)), without


def _given(argument: str, values: Iterable[Scalar]) -> str:
    """An argument as a caller would write it, or its name if that is long."""
    plain = (f"{value:g}" if isinstance(value, float) else value for value in values)
    text = ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in plain)
    return f"{argument}={text}" if len(text) <= _MAX_VALUE_TEXT else argument


def _entries(search: Search, queries: Iterable[FamilyQuery]) -> Iterator[Entry]:
    for query in queries:
        yield from select(query.record_filter(), search.cache.catalog.of(query.family)).values()


def _excluded_name(search: Search) -> Iterator[str]:
    """A record that has the question as its name or key, but that an argument excludes."""
    if not search.may_name_others:
        return
    given = list(_without_each(search))
    families = Family if search.is_of_all_kinds else [search.queries[0].family]
    named = {
        id_: search.indexes.of(family).entries[id_]
        for family in families
        for id_ in search.indexes.of(family).names.lookup(search.question.search)
    }
    kept = {id_: entry for id_, entry in named.items() if not (search.is_of_all_kinds and entry.kind in VALUE_KINDS)}
    for entry in sorted(kept.values() if given else (), key=lambda one: SRD_ORDER.get(one.document_key, 2)):
        excluding = [label for _, label, wider in given if entry in _entries(search, wider)]
        excluding = excluding or [label for _, label, _ in given]  # several of them together
        yield f'"{entry.name}" ({words(entry.kind)}) is stored, but does not match {", ".join(excluding)}.'
        return


def _nothing_found(search: Search) -> Iterator[str]:
    """If nothing was found: a value that no record has, or how many results there are without one of the arguments."""
    if search.ranking.groups or not search.queries or is_pattern(search.queries[0].search):
        return
    unknown = [_unknown_value(search.cache, query, active) for query in search.queries for active in query.filters]
    if any(unknown):
        yield from unknown
        return
    arguments = list(_without_each(search))
    if len(arguments) < 2:
        yield from (f"No stored record matches {given}." for _, given, _ in arguments)
        return
    own_kinds = {str(kind) for query in search.queries for kind in query.kinds}
    counts = []
    for argument, _, wider in arguments:
        if by_kind := Counter(str(entry.kind) for entry in _entries(search, wider)):
            other = ", ".join(sorted(by_kind.keys() - own_kinds))
            counts.append(f"without {argument} there are {by_kind.total()}{f' ({other})' if other else ''}")
    yield "; ".join(["No record matches all filters", *[", ".join(counts)] * bool(counts)]) + "."


def _unknown_value(cache: Cache, query: FamilyQuery, active: ActiveFilter) -> str:
    """A hint about a free-text value that does not occur in its column, with similar values that do; or ""."""
    clauses = [clause for value in active.values for clause in active.filter.conditions(value)]
    texts = (ColumnType.LIST, ColumnType.TEXT)
    conditions = [one for clause in clauses for one in comparisons(clause) if one.column.type in texts]
    columns = {condition.column for condition in conditions}
    values = {value for column in columns for value in cache.catalog.column_values(query.family, column.name)}
    if CASTS in columns:  # it also has slugs of words that may not be spells
        values &= {slugify(entry.name) for entry in cache.catalog.of(Family.SPELLS).values()}
    unknown = [str(condition.value) for condition in conditions if condition.value not in values]
    return "" if not unknown or active.ids else _similar_values(active.filter.argument, unknown[0], sorted(values))


def _similar_values(argument: str, unknown: str, values: Sequence[str]) -> str:
    if not values:
        return f"No stored record has {argument}."
    similar = process.extract(unknown, values, scorer=fuzz.WRatio, limit=5, score_cutoff=_MIN_SIMILARITY)
    examples = [value for value, _, _ in similar] or values[:8]
    listed = ", ".join(re.sub(r"^(\d+)([a-z]{3})", r"\1 \2", value) for value in examples)  # 10minutes
    which = "similar values:" if similar else "known values include"
    return f'No stored record has {argument} "{unknown[:60]}"; {which} {listed}.'
