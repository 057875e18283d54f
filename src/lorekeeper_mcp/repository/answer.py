"""What the repository answers with."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import StrEnum

from lorekeeper_mcp.models import Record, Source


class CacheState(StrEnum):
    """How what was answered relates to the upstream."""

    FRESH = "fresh"
    STALE = "stale"
    PARTIAL = "partial"
    OFFLINE = "offline"


@dataclass(frozen=True)
class Hit:
    """One result. ``score`` is there when the search text ranked; ``exact`` when it named this very thing.

    ``also_in`` holds keys of documents, ``variants`` the names of the other members of its family.
    """

    record: Record
    score: float | None = None
    also_in: tuple[str, ...] = ()
    exact: bool = False
    variants: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A page of results with what it is worth.

    ``total`` counts matching entities over all pages. ``complete`` is False while records of an upstream are
    missing that could match. ``as_of`` is the date of the oldest data used. ``hints`` are sentences.
    """

    hits: tuple[Hit, ...]
    total: int
    complete: bool
    cache: CacheState
    as_of: datetime.date | None
    hints: tuple[str, ...] = ()
    next_offset: int | None = None


@dataclass(frozen=True)
class DocumentSummary:
    """A document and how many records of each kind the cache holds of it."""

    document_key: str
    document_name: str
    document_source: Source
    publisher: str
    license: str
    attribution: str
    edition: str
    entity_count: int
    entity_types: dict[str, int]
