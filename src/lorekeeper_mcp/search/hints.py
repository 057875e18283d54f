"""Hints about a search: how it was interpreted, how related the results are, and which filter excludes everything."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from rapidfuzz import fuzz, process

from lorekeeper_mcp.filters import FILTERS, ActiveFilter, ColumnType, comparisons
from lorekeeper_mcp.filters.creatures import CASTS
from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.query import FamilyQuery, Query
from lorekeeper_mcp.search.names.excluded_names import excluded_name_hint, format_value, selector
from lorekeeper_mcp.search.names.kind_words import VALUE_KINDS, is_kind_word
from lorekeeper_mcp.search.names.lexicon import book_name
from lorekeeper_mcp.search.names.missing_names import missing_names
from lorekeeper_mcp.search.names.name_index import FamilyIndexes
from lorekeeper_mcp.search.names.name_match import is_pattern, match_name
from lorekeeper_mcp.search.names.part_names import holders_hint
from lorekeeper_mcp.search.outcomes import KeyMatch, NoMatch, Outcome, ScoredMatches, UnrankedMatches
from lorekeeper_mcp.search.question import Question, QuestionNames
from lorekeeper_mcp.search.scores import Relevance
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import select
from lorekeeper_mcp.store.query_terms import COMMON_WORDS
from lorekeeper_mcp.text import fold, slugify

NO_MODEL = "The embedding model is not ready, so results are ranked by names and keywords alone."
_MAX_SUGGESTIONS = 3  # suggested names
_MIN_SIMILARITY = 75  # of 100, of a suggested value
_MAX_NAME_WORDS, _MAX_SHORT_NAME = 5, 3  # words
_IN_NAMES = frozenset({"a", "an", "and", "of", "the"})  # words that occur in names
# Questions about a single entry, whose name follows these words: "how does flanking work".
_ASKED_ABOUT = re.compile(
    r"(?:how do(?:es)?|what(?:s| is| are| do| does)|who is|explain|describe|tell me about"
    r"|(?:cost|duration|price|range|rules|speed|weight) (?:for|of))(?: an?| the)? (.+?)"
    r"(?: work| do| mean| like)?"
)
# Questions that describe entries instead of naming one: "feats without prerequisites", "smallest fire spell".
_DESCRIBES = re.compile(
    r"(?:\w+ )?(?:armors?|backgrounds|classes|creatures|feats|features|items|monsters|races|rings|rules|spells|weapons)"
    r" (?:of|that|with|without)\b"
    r"|(?:b|bigg|cheap|fast|heavi|high|larg|light|long|low|short|small|strong|weak)est\b|(?:least|most|worst)\b"
)
# Both SRDs lack these, but game masters ask for them; the nearest records do not answer.
_TREASURE = re.compile(r"\b(?:gems|gemstones?|gem worth|jewel(?:le)?ry|art objects?|treasure (?:tables?|hoards?))\b")
_NO_TREASURE = "Neither SRD has tables of gems, art objects or treasure; these results only mention them."


def build_hints(
    cache: Cache,
    queries: Sequence[FamilyQuery],
    outcomes: Sequence[Outcome],
    question: Question,
    named: QuestionNames,
    requested: Query,
    *,
    empty: bool,
    indexes: FamilyIndexes,
) -> tuple[str, ...]:
    """Return every hint of a search, each once.

    ``empty`` if the search found nothing; ``indexes`` have all names.
    """
    scored = [outcome for outcome in outcomes if isinstance(outcome, ScoredMatches)]
    exact = [outcome for outcome in scored if outcome.exact]  # if there are any, the others are not shown
    hints = [hint for outcome in exact or scored for hint in outcome.hints]
    is_named = _is_named(outcomes)
    if is_named:
        hints = [hint for hint in hints if hint != NO_MODEL]
    if queries and question.search != queries[0].search:
        hints.insert(0, f'Interpreted as "{question.search[:80]}".')
    relevances = [
        (Relevance.NONE, outcome.similar_names) if isinstance(outcome, NoMatch) else (outcome.relevance, ())
        for outcome in outcomes
        if isinstance(outcome, ScoredMatches | NoMatch)
    ]
    # If a key or a pattern matches in some families, do not mention the others.
    if relevances and not any(isinstance(outcome, KeyMatch | UnrankedMatches) for outcome in outcomes):
        pattern = question.search if is_pattern(question.search) else ""
        hints += relevance_hints(relevances, pattern, is_restricted=requested.is_restricted)
    everything = not isinstance(requested, FamilyQuery)
    if question.has_text and queries and not is_named:
        if not named.has_only_parts and (missing := _missing_names(requested, question, outcomes, named, indexes)):
            hints.insert(0, missing_names_hint(missing, len(cache.catalog.document_sizes())))
        if any(query.family is Family.EQUIPMENT for query in queries) and _TREASURE.search(fold(question.search)):
            hints.insert(0, _NO_TREASURE)
        hints[:0] = map(holders_hint, named.parts)
        hints.insert(0, excluded_name_hint(question.search, queries, indexes, everything=everything))
    if empty:
        hints += empty_hints(cache, queries, everything=everything)
    return tuple(dict.fromkeys(filter(None, hints)))


def _missing_names(
    requested: Query, question: Question, outcomes: Sequence[Outcome], named: QuestionNames, indexes: FamilyIndexes
) -> tuple[str, ...]:
    """The names in the search that no record has: the whole question, its subject, or parts of it."""

    def is_stored(name: str) -> bool:
        return _is_name(name, indexes)

    parts = missing_names(requested.search, named.mentions, is_stored)
    whole_name = _missing_name(question, outcomes, named, indexes)
    is_whole = whole_name and set(map(fold, parts)) <= {book_name(fold(whole_name))} and not is_stored(whole_name)
    return (whole_name,) if is_whole else parts


def _is_named(outcomes: Sequence[Outcome]) -> bool:
    """Whether the whole question is a record's name or key."""
    return any(
        isinstance(outcome, KeyMatch) or (isinstance(outcome, ScoredMatches) and outcome.exact) for outcome in outcomes
    )


def _missing_name(question: Question, outcomes: Sequence[Outcome], named: QuestionNames, indexes: FamilyIndexes) -> str:
    """The subject of the question, or the whole question, if it looks like a name; otherwise ""."""
    if _DESCRIBES.match(fold(question.search)):
        return ""
    about = _ASKED_ABOUT.fullmatch(fold(question.search))
    is_list = any(isinstance(outcome, ScoredMatches) and outcome.is_list for outcome in outcomes)
    may_be_name = not is_list and not named.mentions
    if about:
        return about[1] if may_be_name and _is_short(about[1], indexes.is_in_names, min_words=1) else ""
    if _looks_like_a_name(question, outcomes) or (may_be_name and _is_short(question.search, indexes.is_in_names)):
        return question.search
    return ""


def _looks_like_a_name(question: Question, outcomes: Sequence[Outcome]) -> bool:
    """Whether the search looks like a name that no record has: several capitalized words, or hardly any results."""
    words = [word for word in question.search.split() if word.lower() not in COMMON_WORDS]
    asks = any(word in COMMON_WORDS - _IN_NAMES for word in fold(question.search).split())
    if 1 < len(words) <= _MAX_NAME_WORDS and all(word[0].isupper() for word in words):
        return True
    is_related = any(
        isinstance(outcome, ScoredMatches) and outcome.relevance is not Relevance.WEAK for outcome in outcomes
    )
    if 1 < len(words) <= _MAX_NAME_WORDS:
        return not asks and not is_related
    return len(words) == 1 and (not is_related or book_name(fold(question.search)) != fold(question.search))


def _is_name(search: str, indexes: FamilyIndexes) -> bool:
    """Whether a record has the name, not counting kinds that only describe other records."""
    ids = (id_ for index in map(indexes.of, Family) for id_ in match_name(search, index.names, index.entries).exact)
    return any(id_.partition(":")[0] not in VALUE_KINDS - {Kind.DOCUMENT} for id_ in ids)


def _is_short(text: str, is_in_names: Callable[[str], bool], min_words: int = 2) -> bool:
    """Whether a text may be a lower-case name: a few words, at least one of which occurs in no name."""
    significant = [word for word in fold(text).split() if word not in _IN_NAMES and not is_kind_word(word)]
    asks = any(word in COMMON_WORDS for word in significant)
    return min_words <= len(significant) <= _MAX_SHORT_NAME and not asks and not all(map(is_in_names, significant))


def relevance_hints(
    relevances: Sequence[tuple[Relevance, Sequence[str]]], pattern: str = "", *, is_restricted: bool = False
) -> list[str]:
    """Return a hint if nothing or little is related to a question.

    ``relevances`` has the relevance and the nearest names of each family; ``pattern`` is the search if it was one.
    If arguments restrict the question, everything that matches them is listed.
    """
    highest = max((relevance for relevance, _ in relevances), default=Relevance.STRONG)
    if highest is Relevance.WEAK:
        others = "the others that match the arguments follow" if is_restricted else "the others were left out"
        return [f"Only a few records relate to this question; {others}."]
    if highest is Relevance.STRONG:
        return []
    similar = [name for _, names in relevances for name in names[: max(1, _MAX_SUGGESTIONS // len(relevances))]]
    if pattern:
        suggestion = f"; similar names: {', '.join(similar)}" if similar else ""
        return [f'No name matches the pattern "{pattern[:80]}"{suggestion}.']
    suggestion = f" Similar names: {', '.join(similar)}." if similar else ""
    return [f"No record relates to this question.{suggestion}"]


def missing_names_hint(names: Sequence[str], books: int) -> str:
    """Say that no entry has the names in a search. Abbreviations are spelled out."""
    quoted = []
    for name in (name[:60].strip() for name in names[:_MAX_SUGGESTIONS]):
        meant = book_name(fold(name))
        quoted.append(f'"{meant.title()}" ({name})' if meant != fold(name) else f'"{name}"')
    return f"No entry is called {' or '.join(quoted)} in the {books} stored books."


def empty_hints(cache: Cache, queries: Sequence[FamilyQuery], *, everything: bool) -> list[str]:
    """Say which value no record has, or how many results there would be without one of the arguments.

    ``queries`` are all queries of one question; ``everything`` if the tool is ``search_all``.
    """
    unknown = [_unknown_value(cache, query, active) for query in queries for active in query.filters]
    hints = [hint for hint in unknown if hint]
    if hints or not queries or is_pattern(queries[0].search):
        return hints
    return _count_without_each(cache, queries, everything=everything)


def _unknown_value(cache: Cache, query: FamilyQuery, active: ActiveFilter) -> str | None:
    """A hint about a free-text value that does not occur in its column, with similar values that do."""
    clauses = (clause for value in active.values for clause in active.filter.conditions(value))
    conditions = [
        condition
        for clause in clauses
        for condition in comparisons(clause)
        if condition.column.type in (ColumnType.LIST, ColumnType.TEXT)
    ]
    values = {
        value for condition in conditions for value in cache.catalog.column_values(query.family, condition.column.name)
    }
    if any(condition.column is CASTS for condition in conditions):
        # The column also has slugs of words that may not be spells.
        values &= {slugify(entry.name) for entry in cache.catalog.of(Family.SPELLS).values()}
    unknown = next((str(condition.value) for condition in conditions if condition.value not in values), None)
    if unknown is None or active.ids:
        return None
    if not values:
        return f"No stored record has {active.filter.argument}."
    similar = process.extract(unknown, sorted(values), scorer=fuzz.WRatio, limit=5, score_cutoff=_MIN_SIMILARITY)
    examples = [value for value, _, _ in similar] or sorted(values)[:8]
    listed = f"{'similar values:' if similar else 'known values include'} {', '.join(map(_with_space, examples))}"
    return f'No stored record has {active.filter.argument} "{unknown[:60]}"; {listed}.'


def _with_space(value: str) -> str:
    """Separate the number from the unit in a duration: ``10minutes`` -> ``10 minutes``."""
    return re.sub(r"^(\d+)([a-z]{3})", r"\1 \2", value)


def _count_without_each(cache: Cache, queries: Sequence[FamilyQuery], *, everything: bool) -> list[str]:
    """Say how many results there would be without each argument that excludes everything."""
    shared = queries[0]
    own = [active for active in shared.filters if active.filter in FILTERS[shared.family]]
    wider = {
        active.filter.argument: [
            replace(shared, filters=tuple(other for other in shared.filters if other is not active))
        ]
        for active in own
    }
    if shared.has_chosen_kinds:
        families = list(Family) if everything else [shared.family]
        argument = selector(shared.family, everything=everything)
        of_every_kind = [replace(shared, family=family, kinds=frozenset(FAMILIES[family])) for family in families]
        # A type may imply filters, which are left out as well.
        wider[argument] = [replace(query, filters=tuple(own)) for query in of_every_kind]
    if shared.editions:
        wider["edition"] = [replace(query, editions=frozenset()) for query in queries]
    if shared.documents is not None:
        wider["documents"] = [replace(query, documents=None) for query in queries]
    if len(wider) < 2:
        return [
            f"No stored record matches {active.filter.argument} {format_value(active.values[0])}." for active in own
        ]
    kinds = {str(kind) for query in queries for kind in query.kinds}
    counts = [count for argument, without_it in wider.items() if (count := _count(cache, argument, without_it, kinds))]
    return [f"No record matches all filters{'; ' if counts else ''}{', '.join(counts)}."]


def _count(cache: Cache, argument: str, queries: Sequence[FamilyQuery], kinds: Collection[str]) -> str:
    """``without type there are 30 (magic-item)``; "" if there would be none, either."""
    counts = Counter(
        str(entry.kind)
        for query in queries
        for entry in select(query.record_filter(), cache.catalog.of(query.family)).values()
    )
    if not counts:
        return ""
    other = ", ".join(sorted(counts.keys() - kinds))
    return f"without {argument} there are {counts.total()}{f' ({other})' if other else ''}"
