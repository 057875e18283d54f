"""The inputs of one family's search: the question, the family's candidates, and how the family reads the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.search.names.name_match import NameMatch
from lorekeeper_mcp.search.parser.parsed_query import ParsedQuery
from lorekeeper_mcp.search.question import Question, QuestionNames
from lorekeeper_mcp.store.memory.catalog import Entry


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

    ``frequencies``: for each word of the question, how many of the family's passages contain it.
    """

    query: FamilyQuery
    candidates: Candidates
    words: WordHits
    frequencies: Mapping[str, int]


@dataclass(frozen=True)
class Reading:
    """How a family reads a question: the names, filters and boosts in it, and the kinds that it mentions.

    ``mentioned``: the weight of each record whose name occurs in the question.
    """

    match: NameMatch
    parsed: ParsedQuery
    kinds: frozenset[Kind]
    mentioned: Mapping[str, float]
