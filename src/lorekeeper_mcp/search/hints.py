"""Hints about a search: how it was interpreted, what is only weakly related, which filter excludes everything."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from rapidfuzz import fuzz, process

from lorekeeper_mcp.filters import FILTERS, Applied, ColumnType, comparisons
from lorekeeper_mcp.filters.creature_columns import CASTS
from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.query import Query
from lorekeeper_mcp.search.names.kind_words import VALUES, is_kind_word
from lorekeeper_mcp.search.names.lexicon import book_name
from lorekeeper_mcp.search.names.missing_names import missing_names
from lorekeeper_mcp.search.names.name_index import FamilyIndexes
from lorekeeper_mcp.search.names.name_match import is_pattern, match_name
from lorekeeper_mcp.search.outcomes import KeyMatch, Listed, Outcome, Scored, Unrelated
from lorekeeper_mcp.search.question import Question, QuestionNames
from lorekeeper_mcp.search.scores import Relevance
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.memory.catalog import select
from lorekeeper_mcp.store.memory.query_terms import COMMON_WORDS
from lorekeeper_mcp.text import fold, slugify

NO_MODEL = "The embedding model is not ready, so results are ranked by names and keywords alone."
_NEAR = 3  # suggested names
_LONGEST_NAME, _SHORT_NAME = 5, 3  # words
_IN_NAMES = frozenset({"a", "an", "and", "of", "the"})  # words that occur in names
# Questions about one thing, which they name after these words: "how does flanking work".
_ASKED_ABOUT = re.compile(
    r"(?:how do(?:es)?|what(?:s| is| are| do| does)|who is|explain|describe|tell me about"
    r"|(?:cost|duration|price|range|rules|speed|weight) (?:for|of))(?: an?| the)? (.+?)"
    r"(?: work| do| mean| like)?"
)
# Words that describe things instead of naming one: "feats without prerequisites", "smallest fire spell".
_DESCRIBES = re.compile(
    r"(?:\w+ )?(?:armors?|backgrounds|classes|creatures|feats|features|items|monsters|races|rings|rules|spells|weapons)"
    r" (?:of|that|with|without)\b"
    r"|(?:b|bigg|cheap|fast|heavi|high|larg|light|long|low|short|small|strong|weak)est\b|(?:least|most|worst)\b"
)
# Both SRDs lack these, but game masters ask for them; the nearest records do not answer.
_TREASURE = re.compile(r"\b(?:gems|gemstones?|gem worth|jewel(?:le)?ry|art objects?|treasure (?:tables?|hoards?))\b")
_NO_TREASURE = "Neither SRD has tables of gems, art objects or treasure; these results only mention them."
_SELECTORS = {Family.RULES: "rule_type"}  # the argument that chooses kinds, where it is not "type"


def build_hints(
    cache: Cache,
    queries: Sequence[Query],
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
    scored = [one for one in outcomes if isinstance(one, Scored)]
    named_outright = [one for one in scored if one.exact]  # then the others are left out
    hints = [hint for one in named_outright or scored for hint in one.hints]
    if _is_named(outcomes):
        hints = [hint for hint in hints if hint != NO_MODEL]
    if queries and question.search != queries[0].search:
        hints.insert(0, f'Read as "{question.search[:80]}".')
    found = [
        (Relevance.NONE, one.similar_names) if isinstance(one, Unrelated) else (one.relevance, ())
        for one in outcomes
        if isinstance(one, Scored | Unrelated)
    ]
    # If a pattern matches in some families, do not mention the others.
    if found and not (is_pattern(question.search) and any(isinstance(one, Listed) for one in outcomes)):
        hints += relevance_hints(found, question.search if is_pattern(question.search) else "")
    if missing := _missing_names(requested, question, outcomes, named, indexes):
        hints.insert(0, missing_names_hint(missing, len(cache.catalog.document_sizes())))
    if any(query.family is Family.EQUIPMENT for query in queries) and _asks_for_treasure(question, outcomes):
        hints.insert(0, _NO_TREASURE)
    if empty:
        hints += empty_hints(cache, queries, everything=not any(one is requested for one in queries))
    return tuple(dict.fromkeys(hints))


def _asks_for_treasure(question: Question, outcomes: Sequence[Outcome]) -> bool:
    """Whether a question is about treasure, and not the name of a record with such a word."""
    return question.has_text and not _is_named(outcomes) and _TREASURE.search(fold(question.search)) is not None


def _missing_names(
    requested: Query, question: Question, outcomes: Sequence[Outcome], named: QuestionNames, indexes: FamilyIndexes
) -> tuple[str, ...]:
    """Names in the search that no record has: the whole question, its subject, or parts of it."""

    def is_held(name: str) -> bool:
        return _is_name(name, indexes)

    if not question.has_text or _is_named(outcomes):
        return ()
    parts = missing_names(requested.search, named.mentions, is_held)
    whole = _missing_name(question, outcomes, named, indexes)
    is_whole = whole and set(map(fold, parts)) <= {book_name(fold(whole))} and not is_held(whole)
    return (whole,) if is_whole else parts


def _is_named(outcomes: Sequence[Outcome]) -> bool:
    """Whether the whole question is a record's name or key."""
    return any(isinstance(one, KeyMatch) or (isinstance(one, Scored) and one.exact) for one in outcomes)


def _missing_name(question: Question, outcomes: Sequence[Outcome], named: QuestionNames, indexes: FamilyIndexes) -> str:
    """The subject of the question, or the whole, if it looks like a name; otherwise ""."""
    if _DESCRIBES.match(fold(question.search)):
        return ""
    about = _ASKED_ABOUT.fullmatch(fold(question.search))
    is_list = any(isinstance(one, Scored) and one.is_list for one in outcomes)
    short = question.has_text and not is_list and not named.mentions
    if about:
        return about[1] if short and _is_short(about[1], indexes.is_in_names, fewest=1) else ""
    if _looks_like_a_name(question, outcomes) or (short and _is_short(question.search, indexes.is_in_names)):
        return question.search
    return ""


def _looks_like_a_name(question: Question, outcomes: Sequence[Outcome]) -> bool:
    """Whether the search looks like a name that no record has: several capitalised words, or little related to it."""
    words = [word for word in question.search.split() if word.lower() not in COMMON_WORDS]
    asks = any(word in COMMON_WORDS - _IN_NAMES for word in fold(question.search).split())
    if 1 < len(words) <= _LONGEST_NAME and all(word[0].isupper() for word in words):
        return True
    strong = (isinstance(one, Scored) and one.relevance is not Relevance.WEAK for one in outcomes)
    if 1 < len(words) <= _LONGEST_NAME:
        return not asks and not any(strong)
    return len(words) == 1 and (not any(strong) or book_name(fold(question.search)) != fold(question.search))


def _is_name(search: str, indexes: FamilyIndexes) -> bool:
    """Whether any record has the name, apart from kinds that only describe others."""
    found = (id_ for one in map(indexes.of, Family) for id_ in match_name(search, one.names, one.entries).exact)
    return any(id_.partition(":")[0] not in VALUES - {Kind.DOCUMENT} for id_ in found)


def _is_short(text: str, in_names: Callable[[str], bool], fewest: int = 2) -> bool:
    """Whether a text may be a lower-case name: a few words, at least one of which occurs in no name."""
    telling = [word for word in fold(text).split() if word not in _IN_NAMES and not is_kind_word(word)]
    asks = any(word in COMMON_WORDS for word in telling)
    return fewest <= len(telling) <= _SHORT_NAME and not asks and not all(map(in_names, telling))


def relevance_hints(found: Sequence[tuple[Relevance, Sequence[str]]], pattern: str = "") -> list[str]:
    """Return a hint if nothing or little is related to a question.

    ``found`` has the relevance and the nearest names of each family; ``pattern`` is the search if it was one.
    """
    most = max((how for how, _ in found), default=Relevance.STRONG)
    if most is Relevance.WEAK:
        return ["Few records relate to this question; unrelated ones are left out."]
    if most is Relevance.STRONG:
        return []
    similar = [name for _, names in found for name in names[: max(1, _NEAR // len(found))]]
    if pattern:
        return [f'No name matches the pattern "{pattern[:80]}"{"; near it: " + ", ".join(similar) if similar else ""}.']
    known = f" Names near it: {', '.join(similar)}." if similar else ""
    return [f"No record relates to this question.{known}"]


def missing_names_hint(names: Sequence[str], books: int) -> str:
    """Say that nothing has the names in a search; shorthand is spelled out."""
    quoted = []
    for name in (name[:60].strip() for name in names[:_NEAR]):
        meant = book_name(fold(name))
        quoted.append(f'"{meant.title()}" ({name})' if meant != fold(name) else f'"{name}"')
    return f"No entry is called {' or '.join(quoted)} in the {books} books here."


def empty_hints(cache: Cache, queries: Sequence[Query], *, everything: bool) -> list[str]:
    """Say which value no record has, or how many results there would be without one of the arguments.

    ``queries`` are those of one question; ``everything`` if the tool is ``search_all``.
    """
    unknown = [_unknown_value(cache, query, applied) for query in queries for applied in query.filters]
    hints = [hint for hint in unknown if hint]
    if hints or not queries or is_pattern(queries[0].search):
        return hints
    return _without_one(cache, queries, everything=everything)


def _unknown_value(cache: Cache, query: Query, applied: Applied) -> str | None:
    """A hint if a free-text value equals nothing in its column, with the nearest existing values."""
    conditions = [one for value in applied.values for of in applied.filter.conditions(value) for one in comparisons(of)]
    wanted = [one for one in conditions if one.column.type in (ColumnType.LIST, ColumnType.TEXT)]
    values = {value for one in wanted for value in cache.values(query.family, one.column.name)}
    if any(one.column is CASTS for one in wanted):  # the column also has slugs of words that may not be spells
        values &= {slugify(entry.name) for entry in cache.catalog.of(Family.SPELLS).values()}
    unknown = next((str(one.value) for one in wanted if one.value not in values), None)
    if unknown is None or applied.ids:
        return None
    if not values:
        return f"No stored record has {applied.filter.argument}."
    near = [
        value for value, _, _ in process.extract(unknown, sorted(values), scorer=fuzz.WRatio, limit=5, score_cutoff=50)
    ]
    allowed = f"near it: {', '.join(near)}" if near else f"known values include {', '.join(sorted(values)[:8])}"
    return f'No stored record has {applied.filter.argument} "{unknown[:60]}"; {allowed}.'


def _without_one(cache: Cache, queries: Sequence[Query], *, everything: bool) -> list[str]:
    """How many results there would be without each argument, for those arguments that exclude everything."""
    shared = queries[0]
    own = [applied for applied in shared.filters if applied.filter in FILTERS[shared.family]]
    fewer = {
        applied.filter.argument: [replace(shared, filters=tuple(one for one in shared.filters if one is not applied))]
        for applied in own
    }
    if shared.has_chosen_kinds:
        families = list(Family) if everything else [shared.family]
        argument = "content_types" if everything else _SELECTORS.get(shared.family, "type")
        wider = [replace(shared, family=family, kinds=frozenset(FAMILIES[family])) for family in families]
        fewer[argument] = [replace(one, filters=tuple(own)) for one in wider]  # without the filters that a type implies
    if shared.edition is not None:
        fewer["edition"] = [replace(query, edition=None) for query in queries]
    if shared.documents is not None:
        fewer["documents"] = [replace(query, documents=None) for query in queries]
    if len(fewer) < 2:
        return []
    kinds = {str(kind) for query in queries for kind in query.kinds}
    found = [count for argument, questions in fewer.items() if (count := _count(cache, argument, questions, kinds))]
    return [f"No record matches all filters{'; ' if found else ''}{', '.join(found)}."]


def _count(cache: Cache, argument: str, queries: Sequence[Query], kinds: Collection[str]) -> str:
    """``without type there are 30 (magic-item)``; "" if there are none either."""
    found = Counter(
        str(entry.kind)
        for query in queries
        for entry in select(query.record_filter(), cache.catalog.of(query.family)).values()
    )
    if not found:
        return ""
    other = ", ".join(sorted(found.keys() - kinds))
    return f"without {argument} there are {found.total()}{f' ({other})' if other else ''}"
