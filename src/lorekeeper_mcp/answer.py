"""The answers of the repository."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.passages import Passage


class CacheState(StrEnum):
    """The age of an answer's data relative to the upstream."""

    FRESH = "fresh"
    STALE = "stale"
    PARTIAL = "partial"
    OFFLINE = "offline"


@dataclass(frozen=True)
class ScoredPassage:
    """A passage of a result and its score: the higher, the better it answers the question."""

    passage: Passage
    score: float


@dataclass(frozen=True)
class NameForm:
    """The search is one or more names or keys: the first ``named`` hits are these, the rest are related."""

    named: int


@dataclass(frozen=True)
class QuestionForm:
    """The search is a question. ``parts`` are its parts, in its own words; each hit says which one it answers."""

    parts: tuple[str, ...]


@dataclass(frozen=True)
class ListForm:
    """Filters alone, or a question that consists of filters: all records match equally well."""


Form: TypeAlias = NameForm | QuestionForm | ListForm


@dataclass(frozen=True)
class Link:
    """An entry that another one links to. ``also_in`` are further documents that have it."""

    kind: Kind
    key: str
    name: str
    document_key: str
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True)
class SpellLinks:
    """The spells that an entry grants, or the sources of a spell: creatures, items, classes and other options.

    For a class, whose list is long, ``list_size`` is the number of its spells. ``missing`` names lists of Open5e that
    are not stored in full, so that there may be more links.
    """

    spells: tuple[Link, ...] = ()
    given_by: tuple[Link, ...] = ()
    list_size: int = 0
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hit:
    """One result. ``score`` is set if the search text ranked; ``exact`` if it named this very entry.

    ``also_in`` has keys of documents, ``variants`` the names of the other members of its family. ``passages`` are those
    related to the question, best first, in the requested edition. ``part`` is an index into the parts of the question.
    ``editions`` is the record in each edition, newest first; empty if there is only one, or one was requested.
    ``other_passages`` are those of the next edition. ``links`` are those of a named record.
    """

    record: Record
    score: float | None = None
    also_in: tuple[str, ...] = ()
    exact: bool = False
    variants: tuple[str, ...] = ()
    passages: tuple[ScoredPassage, ...] = ()
    part: int = 0
    editions: tuple[Record, ...] = ()
    other_passages: tuple[ScoredPassage, ...] = ()
    links: SpellLinks = SpellLinks()


@dataclass(frozen=True)
class Answer:
    """A page of results, with their completeness and age.

    ``total`` counts matching entities over all pages. ``complete`` is False while records of an upstream are missing
    that could match. ``as_of`` is the date of the oldest data used. ``hints`` are sentences.
    """

    hits: tuple[Hit, ...]
    form: Form
    total: int
    complete: bool
    cache: CacheState
    as_of: datetime.date | None
    hints: tuple[str, ...] = ()
    next_offset: int | None = None


@dataclass(frozen=True)
class DocumentSummary:
    """A document and its number of stored records by kind."""

    document_key: str
    document_name: str
    document_source: Source
    publisher: str
    license: str
    attribution: str
    edition: str
    entity_count: int
    entity_types: dict[str, int]
