"""The status report: location, contents, age and gaps of the cache."""

from __future__ import annotations

import asyncio
import datetime
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from lorekeeper_mcp.models import Kind, Source
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS, endpoints_of
from lorekeeper_mcp.sources.open5e.requests import list_request
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.store.folder import bytes_on_disk, quarantined_stores
from lorekeeper_mcp.sync.fetch_ledger import FetchState, FetchStatus

if TYPE_CHECKING:  # it takes long to import
    from lorekeeper_mcp.repository.repository import Repository

_FETCHED_BY = "a running server fetches it while idle; or run: lorekeeper-mcp sync"

_ACCEPT = "lorekeeper-mcp sync --accept-removals"


class KindReport(BaseModel):
    """A kind, its number of records by source, and when its lists were last fetched from Open5e."""

    kind: Kind
    records: int
    by_source: dict[str, int]
    fetched: datetime.datetime | None = None
    complete: bool = False


class Missing(BaseModel):
    """A list of Open5e that is missing or stale, and the reason."""

    list: str
    why: str


class Unreadable(BaseModel):
    """A list of Open5e with unreadable records: how many, and the names of some."""

    list: str
    count: int
    examples: tuple[str, ...]


class Report(BaseModel):
    """The status of the cache as plain values."""

    location: str
    owner: str
    notice: str
    quarantined: list[str]
    bytes_on_disk: int
    records: int
    documents: int
    imported_books: list[str]
    homebrew_faults: dict[str, str] = {}
    kinds: list[KindReport]
    missing: list[Missing]
    unreadable: list[Unreadable]
    without_embedding: int
    model: str
    model_fault: str
    upstream: str
    upstream_fault: str


async def report(repository: Repository) -> Report:
    """Collect the status; ask Open5e whether it answers unless the network is off."""
    settings = repository.settings
    entries = list(repository.entries())
    fetcher, ledger = repository.fetcher, repository.fetcher.ledger
    refused = {note.request.path: note.reason for note in ledger.refused()}
    lists: dict[str, FetchStatus] = {}
    missing, unreadable = [], []
    for path in (endpoint.path for endpoint in ENDPOINTS):
        lists[path] = status = fetcher.status(list_request(path))
        if status.state is not FetchState.FRESH:
            missing.append(Missing(list=path, why=_why_missing(status, refused.get(path))))
        if (fetched := ledger.covering_fetch(list_request(path))) is not None and fetched.unreadable:
            unreadable.append(Unreadable(list=path, count=fetched.unreadable, examples=fetched.examples))
    offline = "not contacted: LOREKEEPER_OFFLINE is set"
    upstream_fault = offline if settings.offline else await fetcher.upstream_error()
    store = repository.cache.store.path
    quarantined, size = await asyncio.to_thread(_on_disk, store, settings) if store else ([], 0)
    return Report(
        location=str(store or settings.milvus_uri),
        owner=f"process {os.getpid()}" if store else "a Milvus server",
        notice=repository.cache.notice,
        quarantined=quarantined,
        bytes_on_disk=size,
        records=len(entries),
        documents=len({entry.document_key for entry in entries}),
        homebrew_faults=await repository.homebrew_faults(),
        imported_books=sorted({entry.document_key for entry in entries if entry.source is Source.HOMEBREW}),
        kinds=_kinds(entries, lists),
        missing=missing,
        unreadable=unreadable,
        without_embedding=repository.cache.without_vector(),
        model=settings.embedding_model,
        model_fault=repository.cache.embedder.fault(),
        upstream=str(settings.open5e_base_url),
        upstream_fault=upstream_fault,
    )


def _on_disk(store: Path, settings: Settings) -> tuple[list[str], int]:
    """The quarantined stores, and the size of the open one. Blocks."""
    return list(map(str, quarantined_stores(settings.milvus_db_path))), bytes_on_disk(store)


def _kinds(entries: Iterable[Entry], lists: dict[str, FetchStatus]) -> list[KindReport]:
    counts: dict[Kind, Counter[str]] = {}
    for entry in entries:
        counts.setdefault(entry.kind, Counter())[str(entry.source)] += 1
    reports = []
    for kind, by_source in counts.items():
        statuses = [lists[endpoint.path] for endpoint in endpoints_of(frozenset({kind}))]
        times = [status.at for status in statuses if status.at is not None]
        oldest = min(times) if times and len(times) == len(statuses) else None
        reports.append(
            KindReport(
                kind=kind,
                records=by_source.total(),
                by_source=dict(sorted(by_source.items())),
                fetched=datetime.datetime.fromtimestamp(oldest, datetime.UTC) if oldest else None,
                complete=all(status.is_answered for status in statuses),
            )
        )
    return sorted(reports, key=lambda report: (-report.records, report.kind))


def _why_missing(status: FetchStatus, refused: str | None) -> str:
    if refused:
        return f"Open5e {refused}: the shorter list was rejected; accept it with {_ACCEPT}"
    match status.state:
        case FetchState.STALE:
            return f"stale; {status.reason or 'refreshed when it is next requested'}"
        case FetchState.OFFLINE:
            return "never fetched, and LOREKEEPER_OFFLINE is set"
        case FetchState.FAILED:
            return f"Open5e {status.reason}"
        case _:
            return f"not fetched yet: {_FETCHED_BY}"
