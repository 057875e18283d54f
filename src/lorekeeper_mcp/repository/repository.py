"""The one door to the records: from the cache where it can hold the whole answer, else from Open5e first."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lorekeeper_mcp.answer import Answer, DocumentSummary, Hit, NameForm, SpellLinks
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.homebrew.startup import reconcile_on_open
from lorekeeper_mcp.models import FAMILIES, Document, Edition, Family, Kind, Record, Source, family_of
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.query import Query
from lorekeeper_mcp.repository.completeness import NoRecord, coverage, missing_lists
from lorekeeper_mcp.repository.documents import Resolved, resolve, summaries
from lorekeeper_mcp.repository.editions import editions_apart, in_edition
from lorekeeper_mcp.repository.spell_links import LinkScope, linked_kinds, spell_links
from lorekeeper_mcp.search.engine import Inquiry, SearchEngine
from lorekeeper_mcp.search.grouping import Group
from lorekeeper_mcp.search.ranking import NOTHING, Ranking
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sources.open5e import requests
from lorekeeper_mcp.sources.open5e.client import Open5eClient
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS, endpoints_of
from lorekeeper_mcp.sources.open5e.requests import Request
from lorekeeper_mcp.sources.open5e.v1_documents import V1_DOCUMENTS
from lorekeeper_mcp.store.cache import Cache, StoreLocation
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.sync.fetch_ledger import Fetched, FetchLedger, Refused
from lorekeeper_mcp.sync.fetch_status import FetchState, FetchStatus
from lorekeeper_mcp.sync.fetcher import Fetcher
from lorekeeper_mcp.sync.ingest import Progress
from lorekeeper_mcp.sync.planner import has_words, name_lookups, required_requests
from lorekeeper_mcp.sync.seed import seed, seeded
from lorekeeper_mcp.sync.upstream_search import UpstreamSearch

UPSTREAM_SECONDS = 7.0  # how long an answer waits for Open5e before it says that it is incomplete
MODEL_SECONDS = 1.0  # how long an answer waits for the model before it ranks by words alone,
QUICK_MODEL_SECONDS = 10.0  # and where the model takes less than that to load, unless the machine is choked
_DOCUMENTS_SECONDS = 5.0  # how much of that for the list of documents, where documents are named
_TROUBLED_SECONDS = 9.0  # the longest that both may take where Open5e is in trouble
_PATIENT_SECONDS = 120.0  # how long a command waits for the model: asking again would load it again


class Repository:
    """Answers queries. Make it with ``Repository.open``, close it with ``aclose``."""

    def __init__(
        self,
        settings: Settings,
        cache: Cache,
        fetcher: Fetcher,
        finder: UpstreamSearch,
        *,
        patient: bool = False,
        notice: str = "",
    ) -> None:
        self._settings = settings
        self._cache = cache
        self._fetcher = fetcher
        self._finder = finder
        self._patient = patient
        self._notice = notice
        self._engine = SearchEngine(cache)
        self._openings = 0
        self._refreshing = asyncio.Lock()
        # What is worked out of all records, with the state of the catalog that it was worked out of.
        self._known_documents: tuple[Mapping[str, Entry], Mapping[str, Document]] | None = None
        self._summaries: tuple[Mapping[str, int], Mapping[Source | None, list[DocumentSummary]]] | None = None

    @classmethod
    async def open(
        cls, settings: Settings, *, patient: bool = False, busy: Callable[[], bool] = lambda: False, notice: str = ""
    ) -> Repository:
        """Open the cache that the settings name, and load the embedded SRD into it where it is not there yet.

        ``patient`` answers wait for the embedding model however long it takes to load. ``busy`` says whether
        answers are being given, to which background work gives way. ``notice`` is added to the hints of every answer.
        """
        cache = await Cache.open(settings)
        holdings = FetchLedger(settings.cache_ttl_days * 86_400, settings.error_cache_ttl_seconds)
        client = None if settings.offline else Open5eClient(str(settings.open5e_base_url))
        fetcher = Fetcher(client, cache, holdings, busy)
        repository = cls(
            settings, cache, fetcher, UpstreamSearch(client, cache, fetcher), patient=patient, notice=notice
        )
        try:
            await repository.refresh()
            await reconcile_on_open(cache, settings)
        except BaseException:  # a cancellation too: nobody else can close it
            await repository.aclose()
            raise
        return repository

    async def refresh(self) -> None:
        """Take over what the ledger says, and fill a store that had to be made again.

        A call that comes while another takes it over waits for that: it must not answer from what was there before.
        """
        if self._cache.openings == self._openings:
            return
        async with self._refreshing:
            if (openings := self._cache.openings) != self._openings:
                await self._take_over(await self._cache.ledger())
                self._openings = openings

    async def _take_over(self, ledger: Mapping[str, Mapping[str, object]]) -> None:
        self._fetcher.holdings.load(ledger)
        if not seeded(ledger):
            await seed(self._cache)
            await reconcile_on_open(self._cache, self._settings)

    @property
    def cache(self) -> Cache:
        """The stored records, for commands that change them."""
        return self._cache

    def warming(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """What questions would otherwise wait for, in pieces: the model; each family's words, embeddings, records."""
        yield self._engine.load_model
        yield from self._cache.index.warming()

    # -- what there is

    def entries(self, family: Family | None = None) -> Iterable[Entry]:
        """Return every stored record in brief, or those of a family."""
        return iter(self._cache.catalog if family is None else self._cache.catalog.of(family).values())

    async def store_location(self) -> StoreLocation:
        """Where the store lies, and who owns it."""
        return await self._cache.store_location()

    def model_fault(self) -> str:
        """Why nothing can be found by meaning; empty where the model is there."""
        return self._cache.embedder.fault()

    async def upstream_fault(self) -> str:
        """Why Open5e cannot be asked at present; empty where it answers."""
        return await self._fetcher.upstream_error()

    # -- filling

    async def fetch_now(self, request: Request) -> FetchStatus:
        """Have a request answered from Open5e, however long that takes."""
        return await self._fetcher.fetch_now(request)

    @contextlib.contextmanager
    def syncing(self, listener: Callable[[Progress], None], *, accept_removals: bool) -> Iterator[None]:
        """Tell of each page that is stored meanwhile, and believe lists however much of them is gone if so asked."""
        self._fetcher.listeners.append(listener)
        self._fetcher.accept_removals |= accept_removals
        try:
            yield
        finally:
            self._fetcher.listeners.remove(listener)
            self._fetcher.accept_removals = False

    def refused_lists(self) -> list[Refused]:
        """Return the lists that had lost too much to be believed when Open5e was last asked for them."""
        return self._fetcher.holdings.refused()

    def unreadable_lists(self) -> list[Fetched]:
        """Return the whole lists of which records could not be read."""
        fetches = [self._fetcher.holdings.held(requests.whole(endpoint.path)) for endpoint in ENDPOINTS]
        return [fetch for fetch in fetches if fetch is not None and fetch.unreadable]

    def statuses(self, wanted: Iterable[Request]) -> list[FetchStatus]:
        """How far some requests are answered."""
        return [self._fetcher.status(request) for request in wanted]

    def waiting_for_embedding(self) -> int:
        """How many records are not yet findable by meaning."""
        return sum(self._cache.pending(family, frozenset(kinds)) for family, kinds in FAMILIES.items())

    async def embed_rest(self, tell: Callable[[int], object] = lambda _: None) -> None:
        """Make everything findable by meaning that is not yet; ``tell`` hears how many are left."""
        for family in Family:
            await self._engine.embedding.embed(family, lambda: tell(self.waiting_for_embedding()))

    async def aclose(self) -> None:
        """Stop what is under way and give the cache free."""
        await self._fetcher.aclose()
        await self._engine.aclose()
        await self._cache.aclose()

    async def search(self, query: Query) -> Answer:
        """A page of one family's records. Waits a few seconds for Open5e at most, then says what is missing."""
        listed = [requests.whole("v2/documents")] if query.names_documents else []
        began = time.monotonic() - query.waited
        if query.documents is not None and not query.documents:
            return await self._page(NOTHING, await self._ensure(listed, began), query)
        inquiry = await self._engine.begin(query.search, [query.family])
        try:
            statuses = await self._fetch_for(query, listed, began)
            return await self._answer([query], statuses, query, inquiry, began)
        finally:
            inquiry.vectors.cancel()  # no question outlives its caller

    async def get(self, kind: Kind, key_or_name: str) -> Record | NoRecord:
        """Return the record of a kind with a key, or with a name as the newest SRD has it.

        Waits a few seconds for Open5e where the cache does not have it.
        """
        if (record := await self._named(kind, key_or_name)) is not None:
            return record
        query = Query(family_of(kind), frozenset({kind}), key_or_name)
        statuses = await self._fetch_for(query, [], time.monotonic())
        return await self._named(kind, key_or_name) or NoRecord(coverage(statuses))

    async def _named(self, kind: Kind, key_or_name: str) -> Record | None:
        names = self._engine.name_index(family_of(kind))
        entries = self._cache.catalog.of(family_of(kind))
        found = [entry for id_ in names.called(key_or_name) if (entry := entries.get(id_)) and entry.kind is kind]
        found.sort(key=lambda entry: (entry.key != key_or_name, SRD_ORDER.get(entry.document_key, 2), entry.key))
        records = await self._cache.records(found[:1])
        return next(iter(records.values()), None)

    async def _fetch_for(self, query: Query, more: Sequence[Request], began: float) -> list[FetchStatus]:
        """Have everything fetched that could match, what bears the name that is asked for first."""
        wanted = required_requests(query)
        quick = name_lookups(query, self._fetcher.missing(wanted))
        _, statuses = await asyncio.gather(
            self._fetcher.look_up(quick, _left(began)), self._ensure([*wanted, *more], began)
        )
        return statuses

    async def _ensure(self, wanted: Sequence[Request], began: float) -> list[FetchStatus]:
        return await self._fetcher.ensure(wanted, _left(began))

    async def search_all(self, query: Query, kinds: frozenset[Kind]) -> Answer:
        """A page over the records of several families, ranked by one score. ``query`` holds what they share."""
        parts = [
            Query(family, asked, query.search, (), query.documents, query.edition, narrowed=query.narrowed)
            for family, of_family in FAMILIES.items()
            if (asked := frozenset(of_family) & kinds)
        ]
        listed = [requests.whole("v2/documents")] if query.names_documents else []
        began = time.monotonic() - query.waited
        if query.documents is not None and not query.documents:
            return await self._page(NOTHING, await self._ensure(listed, began), query)
        inquiry = await self._engine.begin(query.search, [part.family for part in parts])
        wanted = [*(request for part in parts for request in requests.requests_for(part)), *listed]
        missing = self._fetcher.missing(wanted)
        try:
            if missing and has_words(query.search):
                await self._finder.find(query.search, kinds, _left(began) / 2)
            quick = [probe for part in parts for probe in name_lookups(part, missing)]
            await self._fetcher.look_up(quick, _left(began) / 2)
            statuses = await self._ensure(wanted, began)
            return await self._answer(parts, statuses, query, inquiry, began)
        finally:
            inquiry.vectors.cancel()

    async def _in_time(
        self, vectors: Awaitable[tuple[Vector, ...]], began: float, statuses: Sequence[FetchStatus]
    ) -> tuple[Vector, ...]:
        """The question's embeddings; none where the model takes longer than the answer may."""
        troubled = any(status.state in (FetchState.FAILED, FetchState.PENDING) for status in statuses)
        seconds = QUICK_MODEL_SECONDS if self._cache.embedder.quick else MODEL_SECONDS
        if troubled:
            seconds = min(seconds, max(0.5, began + _TROUBLED_SECONDS - time.monotonic()))
        try:
            return await asyncio.wait_for(vectors, _PATIENT_SECONDS if self._patient else seconds)
        except TimeoutError:
            return ()

    async def _answer(
        self, parts: Sequence[Query], statuses: Sequence[FetchStatus], query: Query, inquiry: Inquiry, began: float
    ) -> Answer:
        embedded = asyncio.ensure_future(self._in_time(inquiry.vectors, began, statuses))
        try:
            ranking = await self._engine.search(parts, replace(inquiry, vectors=embedded), query)
        finally:
            embedded.cancel()  # a key or a pattern does not wait for it
        return await self._page(ranking, statuses, query)

    async def _page(self, ranking: Ranking, statuses: Sequence[FetchStatus], query: Query) -> Answer:
        shown, found, end = await self._readable(ranking.groups, query)
        others = [entry for group in shown if group.entry.id in ranking.exact for entry in group.others]
        found |= await self._cache.records(others)
        passages = await self._engine.passages(ranking, (found[group.entry.id] for group in shown), query.edition)
        documents = await self._documents()
        records = {id_: in_edition(record, query.edition, documents) for id_, record in found.items()}

        def editions(group: Group) -> tuple[Record, ...]:
            if group.entry.id not in ranking.exact or query.edition is not None:
                return ()
            further = [records[entry.id] for entry in group.others if entry.id in records]
            return (*editions_apart(records[group.entry.id], documents), *further)

        hits = tuple(
            Hit(
                records[g.entry.id],
                g.score,
                g.also_in,
                g.entry.id in ranking.exact,
                g.variants,
                passages.get(g.entry.id, ()),
                ranking.part(g),
                of_editions := editions(g),
                self.links(of_editions or (records[g.entry.id],), query.documents, query.edition)
                if g.entry.id in ranking.exact
                else SpellLinks(),
            )
            for g in shown
        )
        form = ranking.form
        state = coverage(statuses)
        notices = (state.hint, self._notice, self._cache.notice)
        return Answer(
            hits,
            replace(form, named=sum(hit.exact for hit in hits)) if isinstance(form, NameForm) else form,
            ranking.total,
            state.complete,
            state.cache,
            state.as_of,
            (*(notice for notice in notices if notice), *ranking.hints),  # what is missing is said first
            end if end < ranking.total else None,
        )

    def links(
        self, records: Sequence[Record], documents: frozenset[str] | None = None, edition: Edition | None = None
    ) -> SpellLinks:
        """What gives a spell, or the spells that an entity gives. ``records`` are its editions."""
        lists = endpoints_of(linked_kinds(records[0].kind))
        missing = missing_lists(self.statuses(requests.whole(endpoint.path) for endpoint in lists))
        return replace(spell_links(records, LinkScope(self.entries, documents, edition)), missing=missing)

    async def _readable(self, groups: Sequence[Group], query: Query) -> tuple[Sequence[Group], dict[str, Record], int]:
        """The groups of a page with their records, and where the next page begins.

        A record that has been removed meanwhile is left out, and the page filled up.
        """
        shown: list[Group] = []
        records: dict[str, Record] = {}
        end = query.offset
        while batch := groups[end : end + query.limit - len(shown)]:
            records |= await self._cache.records(group.entry for group in batch)
            shown += [group for group in batch if group.entry.id in records]
            end += len(batch)
        return shown, records, end

    async def documents(self, source: Source | None = None) -> list[DocumentSummary]:
        """Every document of which the cache holds something, the largest first."""
        state = self._cache.catalog.document_sizes()  # a new value after every change of the cache
        if self._summaries is None or self._summaries[0] is not state:
            documents = await self._documents()
            found = {one: summaries(self.entries(), documents, one) for one in (None, *Source)}
            self._summaries = (state, found)
        return self._summaries[1][source]

    async def resolve_documents(self, wanted: Sequence[str]) -> Resolved:
        """Return the keys of the documents that a caller named, by key or by name.

        Waits a few seconds for Open5e's list of documents where that could change which ones are meant.
        """
        found = resolve(wanted, await self._document_names())
        if found.certain:
            return found
        began = time.monotonic()
        await self._fetcher.ensure([requests.whole("v2/documents")], _DOCUMENTS_SECONDS)
        found = resolve(wanted, await self._document_names())
        return replace(found, waited=time.monotonic() - began)

    async def _document_names(self) -> list[tuple[str, str]]:
        documents = await self._documents()
        names = [(key, document.name) for key, document in documents.items()]
        names += [(key, document.display_name) for key, document in documents.items() if document.display_name]
        return [*names, *((key, key) for key in self._cache.catalog.document_sizes())]

    async def _documents(self) -> Mapping[str, Document]:
        held = self._cache.catalog.of(Family.RULES)
        if self._known_documents is None or self._known_documents[0] is not held:
            entries = self._cache.catalog.among(Family.RULES, frozenset({Kind.DOCUMENT}))
            records = (await self._cache.records(entries)).values()
            stored = {record.key: record for record in records if isinstance(record, Document)}
            self._known_documents = (held, {**V1_DOCUMENTS, **stored})
        return self._known_documents[1]


def _left(began: float) -> float:
    """How many seconds an answer that began then (monotonic) may still wait for Open5e."""
    return max(0.5, began + UPSTREAM_SECONDS - time.monotonic())
