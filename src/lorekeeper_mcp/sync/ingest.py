"""Stores Open5e's pages: adapts the records, checks the list's size, and deletes the records that it no longer has.

An empty or much shorter list is refused: nothing is deleted, and the list does not count as fetched. Records of the
embedded SRDs are never deleted: Open5e only completes them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.models import Document, Equipment, Family, Kind, Record, Source, family_of
from lorekeeper_mcp.sources.features import features_of, with_children
from lorekeeper_mcp.sources.open5e.adapters import AdaptError, Context, to_record
from lorekeeper_mcp.sources.open5e.archive import merged
from lorekeeper_mcp.sources.open5e.client import Open5eClient, UpstreamError
from lorekeeper_mcp.sources.open5e.endpoints import COMPLETED, Endpoint
from lorekeeper_mcp.sources.open5e.requests import Request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry, feature_parent
from lorekeeper_mcp.store.rows import encode_payload
from lorekeeper_mcp.sync.fetch_ledger import Fetch

Pause: TypeAlias = Callable[[], Awaitable[None]]
log = logging.getLogger(__name__)
_MAX_TEXT = 500_000  # characters; the longest text that Open5e serves has 60,000
_FEW = 2  # if a filter matches fewer records than this, the size of the whole list is checked
_SIZE_CHECK_SECONDS = 300.0  # how long a list's size, once plausible, is not checked again
_EXAMPLES = 20  # names of unreadable records in the ledger
_MAX_LOST_SHARE = 0.05  # of a list's stored records that may disappear at once
_MIN_SHARE, _MIN_ARCHIVE_SHARE = 0.5, 0.9  # of a list's known size that its first fetch must reach


class ListRefusedError(UpstreamError):
    """A list has shrunk too much to be plausible."""


@dataclass(frozen=True)
class FetchProgress:
    """The progress of a request: the number of stored records, and their total."""

    request: Request
    done: int
    total: int


@dataclass
class _Batch:
    """The records of some pages, and the name and fault of each unreadable one.

    ``ids`` are the ids of the records that Open5e returned, without the features that were made from them.
    """

    records: dict[str, Record] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    faults: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: _Batch) -> None:
        """Add another page."""
        self.records |= other.records
        self.ids |= other.ids
        self.faults += other.faults

    def fetched(self, request: Request) -> Fetch:
        """Return the ledger entry, and log the unreadable records in one line."""
        if self.faults:
            log.warning("Skipped %d records of %s: %s", len(self.faults), request.path, ": ".join(self.faults[0]))
        examples = tuple(name for name, _ in self.faults[:_EXAMPLES])
        return Fetch(
            request=request, at=time.time(), count=len(self.ids), unreadable=len(self.faults), examples=examples
        )


class Ingestor:
    """Stores Open5e's records. ``client`` is None if the network must not be used."""

    def __init__(self, client: Open5eClient | None, cache: Cache) -> None:
        self._client = client
        self._cache = cache
        self._syncs: list[tuple[Callable[[FetchProgress], None], frozenset[Kind]]] = []
        self._size_checked_at: dict[str, float] = {}  # monotonic, by path; only for plausible sizes

    @contextlib.contextmanager
    def syncing(
        self, listener: Callable[[FetchProgress], None], *, removals_of: frozenset[Kind] = frozenset()
    ) -> Iterator[None]:
        """Call ``listener`` for each page; store lists of the kinds ``removals_of`` however much they have shrunk."""
        sync = listener, removals_of
        self._syncs.append(sync)
        try:
            yield
        finally:
            self._syncs.remove(sync)

    def _accepts_removals(self, endpoint: Endpoint) -> bool:
        return any(kinds & endpoint.kinds for _, kinds in self._syncs)

    async def store(self, request: Request, pause: Pause, *, is_known: bool) -> Fetch:
        """Store each page as it arrives, and delete records that a whole list no longer has.

        ``is_known`` if the list has been fetched whole before; ``pause`` is awaited before a page is stored. Raises
        UpstreamError if Open5e fails, StoreError if the cache does, and ListRefusedError if the list is implausible;
        pages stored by then stay.
        """
        before = own_entries(request, self._cache.catalog)
        stored = await self.add(request, pause)
        if not request.params:
            if not self._accepts_removals(request.endpoint):
                refuse_shrunk(request.endpoint, before, stored.ids, len(stored.faults), is_known=is_known)
            if not stored.faults:  # an unreadable record must not count as withdrawn
                ids = stored.records.keys()
                gone = [e for e in self._cache.catalog if e.id not in ids and _belongs(request.endpoint, e)]
                await self._cache.delete(gone)
        elif len(stored.ids) < _FEW and not stored.faults:
            await self._check_size(request.endpoint)
        return stored.fetched(request)

    async def add(self, request: Request, pause: Pause | None = None) -> _Batch:
        """Store each page as it arrives, and delete nothing. Raises UpstreamError and StoreError."""
        stored = _Batch()
        async for batch, total in self._batches(request):
            if pause is not None:
                await pause()
            new = [record for id_, record in batch.records.items() if id_ not in stored.records]
            records = await self._to_store(request, new)
            await self._cache.put(records)
            batch.records |= {record.id: record for record in records}
            stored.add(batch)
            self._report(request, stored, total)
        return stored

    def _report(self, request: Request, batch: _Batch, total: int) -> None:
        """Report the progress of a whole list; requests for single records are not part of a sync."""
        for listener, _ in self._syncs if not request.params else ():
            listener(FetchProgress(request, len(batch.ids), total))

    async def _to_store(self, request: Request, records: Iterable[Record]) -> list[Record]:
        """The records to store for some fetched ones, with their features.

        An entry of both API versions becomes one record, with the features of both.
        """
        arrived = list(records)
        if request.path in COMPLETED or request.endpoint.completes:
            ids = {record.id for record in arrived}
            families = {family_of(kind) for kind in request.endpoint.kinds}
            entries = (entry for family in families for entry in self._cache.catalog.of(family).values())
            stored = await self._cache.served_records(
                entry for entry in entries if entry.id in ids and entry.source is Source.OPEN5E_V2
            )
            arrived = merged(arrived, stored, completing=bool(request.endpoint.completes))
        return await asyncio.to_thread(_with_features, arrived)

    async def _check_size(self, endpoint: Endpoint) -> None:
        """Check that the whole list has not shrunk, after a filter matched next to none of it."""
        checked_at = self._size_checked_at.get(endpoint.path, -math.inf)
        if self._client is None or time.monotonic() - checked_at < _SIZE_CHECK_SECONDS:
            return
        count = await self._client.count(endpoint.path)
        if count < min_size(endpoint):
            raise ListRefusedError(f"lists only {count} of about {endpoint.size} records")
        self._size_checked_at[endpoint.path] = time.monotonic()

    async def _batches(self, request: Request) -> AsyncIterator[tuple[_Batch, int]]:
        if self._client is None:
            raise UpstreamError("is not contacted: LOREKEEPER_OFFLINE is set")
        context = await self._context(request)
        async for page, total in self._client.pages(request):
            yield await asyncio.to_thread(_adapt_all, request.path, page, context), total

    async def _context(self, request: Request) -> Context:
        """The records that adapters look up: documents for license and edition, items for cost and weight."""
        entries: list[Entry] = []
        if "v2/documents" in request.endpoint.requires:
            entries += self._cache.catalog.among(Family.RULES, frozenset({Kind.DOCUMENT}))
        if "v2/items" in request.endpoint.requires:  # a few hundred; some armor is listed there under another key
            entries += self._cache.catalog.among(Family.EQUIPMENT, frozenset({Kind.ITEM}))
        records = (await self._cache.records(entries)).values()
        documents = {record.key: record for record in records if isinstance(record, Document)}
        equipment = (record for record in records if isinstance(record, Equipment))
        items = {record.key: record for record in equipment if record.kind is Kind.ITEM}
        return Context(documents, items)


def _with_features(records: Sequence[Record]) -> list[Record]:
    """Records as they are, each followed by the features of its corrected form: features have no corrections."""
    return [entry for record in records for entry in (record, *features_of(corrected(record)))]


def own_entries(request: Request, entries: Iterable[Entry]) -> list[str]:
    """Return the ids of an endpoint's stored records, without the features made from them."""
    return [entry.id for entry in entries if _belongs(request.endpoint, entry) and entry.kind is not Kind.FEATURE]


def _belongs(endpoint: Endpoint, entry: Entry) -> bool:
    source = Source.OPEN5E_V1 if endpoint.is_archive else Source.OPEN5E_V2
    if entry.kind not in endpoint.kinds or entry.source is not source:
        return False
    if entry.kind is Kind.FEATURE and feature_parent(entry) not in endpoint.kinds:  # not made from a class's record
        return False
    return endpoint.documents is None or entry.document_key in endpoint.documents


def _adapt_all(path: str, page: Sequence[object], context: Context) -> _Batch:
    records: list[Record] = []
    faults: list[tuple[str, str]] = []
    for number, raw in enumerate(page, 1):
        try:
            records.append(_record(path, raw, context))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one record costs that record
            faults.append((_name(raw, number), f"{type(error).__name__}: {str(error)[:200]}"))
    by_id = {record.id: record for record in with_children(records)}
    return _Batch(by_id, {record.id for record in records}, faults)


def _record(path: str, raw: object, context: Context) -> Record:
    if isinstance(raw, dict):
        if not all(isinstance(raw.get(name), str | None) for name in ("key", "slug", "name")):
            raise AdaptError("its key or name is not a text")
        if any(isinstance(text, str) and len(text) > _MAX_TEXT for text in raw.values()):
            raise AdaptError("its text is too long")
    record = to_record(path, raw, context)
    encode_payload(record)  # raises if the record does not fit in a row
    return record


def _name(raw: object, number: int) -> str:
    """A name for an unreadable record."""
    if isinstance(raw, dict):
        for key in ("key", "slug", "name"):
            if isinstance(name := raw.get(key), str) and name:
                return name[:80]
    return f"record {number} of a page"


# --- Plausible sizes ---


def refuse_shrunk(
    endpoint: Endpoint, before: Iterable[str], seen: Iterable[str], unreadable: int, *, is_known: bool
) -> None:
    """Raise ListRefusedError if a whole list has lost too many records, or is too short for a first fetch.

    ``before`` are the stored ids, ``seen`` those now in the list; ``is_known`` if it has been fetched whole before. A
    single record may always disappear; an empty list is never accepted. Unreadable records do not count as lost.
    """
    stored_ids, listed_ids = set(before), set(seen)
    count = len(listed_ids) + unreadable
    lost = len(stored_ids - listed_ids) - unreadable
    if stored_ids and lost > max(1.0, _MAX_LOST_SHARE * len(stored_ids)):
        raise ListRefusedError(f"lists {count} records and no longer has {lost} of the stored ones")
    if not listed_ids or (not is_known and count < min_size(endpoint)):
        raise ListRefusedError(f"lists only {count} of about {endpoint.size} records")


def min_size(endpoint: Endpoint) -> float:
    """The number of records that the first fetch of a list must have."""
    return endpoint.size * (_MIN_ARCHIVE_SHARE if endpoint.is_archive else _MIN_SHARE)
