"""The inputs of one family's search: the question, the candidates, and how the question is read for this family."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.search.grammar import ParsedQuery, asks_for_things, parse_query
from lorekeeper_mcp.search.intent import asks_for_all, asks_for_list, kinds_mentioned
from lorekeeper_mcp.search.names.mentions import mention_weight
from lorekeeper_mcp.search.names.name_match import NameMatch
from lorekeeper_mcp.search.question import Question, QuestionNames
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold


@dataclass(frozen=True)
class ResolvedQuestion:
    """A parsed question with its names and vectors, the same for all families.

    ``vectors`` has one per text of the question, the whole question first; empty without a model.
    ``is_only_family`` if only one family is searched.
    """

    question: Question
    named: QuestionNames
    vectors: tuple[Vector, ...]
    is_only_family: bool


@dataclass(frozen=True)
class Candidates:
    """The entries of a family that match all filters, and the filter itself."""

    filter: RecordFilter
    entries: Mapping[str, Entry]

    @property
    def family(self) -> Family:
        """The family of the filter."""
        return self.filter.family


@dataclass(frozen=True)
class WordHits:
    """A family's keyword hits: BM25 scores of records, and of passages with their record and position."""

    records: Sequence[tuple[str, float]] = ()
    passages: Sequence[tuple[str, int, float]] = ()


@dataclass(frozen=True)
class FamilySearch:
    """The search of one family.

    ``frequencies`` has the number of the family's passages that contain each word of the question, ``traits`` the keys
    of all traits and actions of creatures.
    """

    query: FamilyQuery
    candidates: Candidates
    words: WordHits
    frequencies: Mapping[str, int]
    traits: Collection[str] = ()


@dataclass(frozen=True)
class Reading:
    """How a question is read for a family: its names, filters and boosts, and the kinds that it mentions.

    ``mentioned`` has the weight of each record whose name occurs in the question.
    """

    match: NameMatch
    parsed: ParsedQuery
    kinds: frozenset[Kind]
    mentioned: Mapping[str, float]


def read_question(family_search: FamilySearch, resolved: ResolvedQuestion, match: NameMatch) -> Reading:
    """Return the names in a question, and its filters if it can be about this family."""
    search, query = resolved.question.search, family_search.query
    kinds = kinds_mentioned(search)
    parsed = ParsedQuery()
    if _may_have_filters(family_search, resolved, match, kinds):
        parsed = parse_query(search, query.family, query.filters, family_search.traits)
        if kinds & query.kinds and asks_for_all(search) and not parsed.filters_only:
            parsed = ParsedQuery(has_filters=True, filters_only=True)
    if parsed.filters_only:  # "reaction spells" is not a misspelling of the spell Creation
        match = replace(match, exact=frozenset(), fuzzy={})
    if match.is_confident or (not resolved.is_only_family and parsed.may_mean_characters(kinds)):
        parsed = ParsedQuery()
    parsed = replace(parsed, names_kind=kinds <= query.kinds if kinds else asks_for_list(search))
    mentioned = {
        id_: mention_weight(mention, family_search.frequencies)
        for mention in resolved.named.mentions
        for id_ in mention.ids
    }
    return Reading(match, parsed, kinds, mentioned)


def subject_ids(family_search: FamilySearch, resolved: ResolvedQuestion, reading: Reading) -> frozenset[str]:
    """Return the ids of the records whose name begins the question.

    Their kind must be one that it mentions: "epic boon feats" is about feats, not about the feature Epic Boon.
    """
    subject = set()
    entries = family_search.candidates.entries
    for mention in resolved.named.mentions:
        for id_ in mention.ids & entries.keys() if mention.start == 0 else ():
            entry = entries[id_]
            if entry.folded == mention.name and (not reading.kinds or entry.kind in reading.kinds):
                subject.add(id_)
    return frozenset(subject)


def _may_have_filters(
    family_search: FamilySearch, resolved: ResolvedQuestion, match: NameMatch, kinds: frozenset[Kind]
) -> bool:
    """Whether a question describes records of a family instead of naming one.

    ``kinds`` are the kinds that it mentions.
    """
    search = resolved.question.search
    if not resolved.named.may_have_filters or not asks_for_things(search):
        return False
    if kinds and not kinds & family_search.query.kinds and not resolved.is_only_family:
        return False  # "a creature that can charm" does not ask for spells
    named = [family_search.candidates.entries[id_] for id_ in match.exact]
    # "Fighter subclasses" asks for subclasses, not for the feature Fighter Subclass.
    is_name = any(entry.kind in kinds or entry.folded == fold(search) for entry in named)
    return not named or (bool(kinds) and not is_name)
