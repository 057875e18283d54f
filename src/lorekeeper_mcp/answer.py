"""What the repository answers with."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.passages import Passage


class CacheState(StrEnum):
    """How what was answered relates to the upstream."""

    FRESH = "fresh"
    STALE = "stale"
    PARTIAL = "partial"
    OFFLINE = "offline"


@dataclass(frozen=True)
class ScoredPassage:
    """A passage of a result with what speaks for its answering the question: the higher, the better."""

    passage: Passage
    score: float


@dataclass(frozen=True)
class NameForm:
    """The search is the name or key of something, or several: the first so many hits are these, the rest related."""

    named: int


@dataclass(frozen=True)
class QuestionForm:
    """The search is a question. ``parts`` are what was looked up, in its own words; each hit says for which it is."""

    parts: tuple[str, ...]


@dataclass(frozen=True)
class ListForm:
    """Filters alone, or a question that reads as filters: one record is as good as another."""


Form: TypeAlias = NameForm | QuestionForm | ListForm


@dataclass(frozen=True)
class Link:
    """An entry that another one leads to. ``also_in`` are further documents that have it."""

    kind: Kind
    key: str
    name: str
    document_key: str
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True)
class SpellLinks:
    """The spells that an entry gives, or what gives a spell: creatures, items, classes and other options.

    Of a class, whose list is long, ``list_size`` counts its spells. ``missing`` names lists of Open5e of which not
    everything is stored, so that more may belong here.
    """

    spells: tuple[Link, ...] = ()
    given_by: tuple[Link, ...] = ()
    list_size: int = 0
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hit:
    """One result. ``score`` is there when the search text ranked; ``exact`` when it named this very thing.

    ``also_in`` holds keys of documents, ``variants`` the names of the other members of its family. ``passages`` are
    those that have to do with the question, the best first; of the edition that was asked for. ``part`` counts into
    the parts of the question. ``editions`` is a named record as each edition has it, the newest first; empty
    where it was not named, or with one edition asked for. ``links`` are those of a named record.
    """

    record: Record
    score: float | None = None
    also_in: tuple[str, ...] = ()
    exact: bool = False
    variants: tuple[str, ...] = ()
    passages: tuple[ScoredPassage, ...] = ()
    part: int = 0
    editions: tuple[Record, ...] = ()
    links: SpellLinks = SpellLinks()


@dataclass(frozen=True)
class Answer:
    """A page of results with what it is worth.

    ``total`` counts matching entities over all pages. ``complete`` is False while records of an upstream are
    missing that could match. ``as_of`` is the date of the oldest data used. ``hints`` are sentences.
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
    """A document and how many of its records of each kind are stored."""

    document_key: str
    document_name: str
    document_source: Source
    publisher: str
    license: str
    attribution: str
    edition: str
    entity_count: int
    entity_types: dict[str, int]
