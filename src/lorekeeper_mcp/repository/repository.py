"""The facade over the records: answers from the cache, after fetching missing records from Open5e."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from lorekeeper_mcp.answer import Answer, DocumentSummary, NameForm, SpellLinks
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.homebrew.reconciler import reconcile_on_open
from lorekeeper_mcp.models import FAMILIES, Family, Kind, Record, Source, family_of
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.query import FamilyQuery, Query
from lorekeeper_mcp.repository.answer_pages import AnswerPages
from lorekeeper_mcp.repository.completeness import LOADING, Coverage, NoRecord, coverage
from lorekeeper_mcp.repository.deadline import Deadline
from lorekeeper_mcp.repository.document_list import DocumentList, ResolvedDocuments, resolve_documents
from lorekeeper_mcp.repository.linked_spells import (
    asks_for_list,
    with_mentioned_subclass,
    with_spell_names,
    with_subclass_lists,
)
from lorekeeper_mcp.repository.rule_parts import with_parts
from lorekeeper_mcp.repository.turns import Turns
from lorekeeper_mcp.search.engine import PendingQuestion, SearchEngine
from lorekeeper_mcp.search.grammar import filters_hint
from lorekeeper_mcp.search.question import EDITION_WORDS
from lorekeeper_mcp.search.ranking import NOTHING, Ranking
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sources.open5e import requests
from lorekeeper_mcp.sources.open5e.client import Open5eClient
from lorekeeper_mcp.sources.open5e.requests import Request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.sync.fetch_ledger import FetchLedger
from lorekeeper_mcp.sync.fetcher import Fetcher
from lorekeeper_mcp.sync.planner import may_be_name, name_lookups, required_requests
from lorekeeper_mcp.sync.seed import is_seeded, seed
from lorekeeper_mcp.text import fold

_MAX_NAMES = 8  # in a question that consists of names


class Repository:
    """Answers queries. Create it with ``Repository.open``, close it with ``aclose``.

    ``cache``, ``fetcher`` and ``engine`` are for background work and commands.
    """

    def __init__(
        self,
        settings: Settings,
        cache: Cache,
        *,
        wait_for_model: bool = False,
        busy: Callable[[], bool] = lambda: False,
    ) -> None:
        """Answers wait for the embedding model if ``wait_for_model``.

        ``busy`` says whether answers are in progress, to which background work yields.
        """
        self.settings = settings
        self._wait_for_model = wait_for_model
        self.cache = cache
        client = None if settings.offline else Open5eClient(str(settings.open5e_base_url))
        ledger = FetchLedger(settings.cache_ttl_days * 86_400, settings.error_cache_ttl_seconds)
        self.fetcher = Fetcher(client, cache, ledger, busy)
        self.engine = SearchEngine(cache)
        self._documents = DocumentList(cache)
        self._pages = AnswerPages(cache, self.fetcher, self.engine, self._documents)
        self._turns = Turns()
        self._loaded_openings = 0  # of the store, when its records were last loaded
        self._loading: asyncio.Task[None] | None = None
        self._needed_first: list[Family] = []

    @classmethod
    async def open(
        cls,
        settings: Settings,
        *,
        wait_for_model: bool = False,
        busy: Callable[[], bool] = lambda: False,
        read_only: bool = False,
    ) -> Repository:
        """Open the cache in the settings; ``load`` fills it with the embedded SRDs if they are missing.

        With ``read_only``, only read the index of a store that another process owns.
        """
        cache = await Cache.open(settings, read_only=read_only)
        return cls(settings, cache, wait_for_model=wait_for_model, busy=busy)

    @property
    def is_loading(self) -> bool:
        """Whether the index, ledger, embedded SRDs or imported books of the open store are not loaded yet."""
        return self._loaded_openings != self.cache.store.openings

    async def load(self, families: Iterable[Family] = (), seconds: float | None = None) -> None:
        """Load what a new, reopened or changed store lacks: the index, ledger, embedded SRDs, imported books.

        Records of some ``families`` come first. After ``seconds`` it continues in the background. Raises StoreError.
        """
        await self.cache.follow()
        if not self.is_loading:
            return
        self._needed_first += families
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._load(), name="loading")
        loading = self._loading
        await asyncio.wait([loading], timeout=seconds)
        if loading.done():
            loading.result()

    async def _load(self) -> None:
        if self.cache.store.lacks_rows:
            await self.cache.open_milvus()
        is_first, openings = not self._loaded_openings, self.cache.store.openings
        has_seed = is_seeded(await self.fetcher.reload_ledger())
        if not has_seed:
            await seed(self.cache, self._needed_first, self._yield_to_answers)
        if is_first or not has_seed:
            await reconcile_on_open(self.cache, self.settings)
        self._loaded_openings = openings
        self._needed_first.clear()

    async def _yield_to_answers(self) -> None:
        """Let calls that no longer wait for records compute."""
        while self._turns.are_taken:  # noqa: ASYNC110 - they take a fraction of a second
            await asyncio.sleep(0.02)

    async def aclose(self) -> None:
        """Cancel running work and close the store."""
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)
        await self.fetcher.aclose()
        await self.engine.aclose()
        await self.cache.aclose()

    # -- questions

    def _deadline(self) -> Deadline:
        return Deadline.of_call(wait_for_model=self._wait_for_model)

    def _seconds_left(self, deadline: Deadline) -> float:
        """How many seconds an answer may still wait for Open5e."""
        return deadline.seconds_left(self.fetcher.silent_seconds())

    async def search(self, query: FamilyQuery) -> Answer:
        """Return a page of one family's records. Waits a few seconds for Open5e at most, and says what is missing.

        Raises BusyError if too many calls came together.
        """
        extended = await with_mentioned_subclass(query, self.cache)
        more = [requests.list_request("v2/classes")] if asks_for_list(extended) else []
        answer = await self._fetch_and_answer(extended, [extended], more)
        hints = filters_hint(extended.filters[len(query.filters) :])
        return replace(answer, hints=(*hints, *answer.hints))

    async def search_all(self, query: Query) -> Answer:
        """Return a page of several families' records, ranked by one score. Raises BusyError."""
        parts = [
            replace(query, kinds=kinds).of_family(family, ())
            for family, of_family in FAMILIES.items()
            if (kinds := query.kinds.intersection(of_family))
        ]
        return await self._fetch_and_answer(query, parts)

    async def _fetch_and_answer(
        self, query: Query, parts: Sequence[FamilyQuery], more: Sequence[Request] = ()
    ) -> Answer:
        """Fetch what could match, and answer from it.

        A name is asked for first. If the question consists of names, the answer needs nothing but what has them;
        otherwise it waits for ``more`` and for every list that could match, while the question is embedded.
        """
        deadline = self._deadline()
        documents = [requests.list_request("v2/documents")] if query.has_document_names else []
        if query.documents is not None and not query.documents:
            # No document has the given names.
            return await self._pages.page(NOTHING, await self._ensure(documents, deadline), query)
        required = [*(request for part in parts for request in required_requests(part)), *documents, *more]
        names = [query.search] if may_be_name(query.search) else []
        number = self._turns.number()
        await self._fetch_names(names, required, deadline, share=0.5)
        async with self._turns.turn(number, deadline.turn_seconds()):
            question = await self.engine.parse(query.search, [part.family for part in parts])
            named = self.engine.named(question, parts)
            pending = self.engine.embed(question, is_name=bool(named))
        try:
            if query.named_only and 0 < len(all_names := dict.fromkeys(entry.name for entry in named)) <= _MAX_NAMES:
                state = await self._fetch_names([*names, *all_names], required, deadline)
                async with self._turns.turn(number):
                    ranking = await self._rank(parts, pending, query, deadline)
                    if isinstance(ranking.form, NameForm):
                        await self._ensure(required, deadline, waits=False)
                        return await self._pages.page(ranking, state, query)
                pending.vectors.cancel()
                pending = self.engine.embed(question)
            state = await self._ensure(required, deadline)
            if isinstance(query, FamilyQuery):
                query = with_spell_names(await with_subclass_lists(query, self.cache), self.cache)
                parts = [query]
            async with self._turns.turn(number):
                return await self._pages.page(await self._rank(parts, pending, query, deadline), state, query)
        finally:
            pending.vectors.cancel()  # if the caller is cancelled, the embedding is too

    async def _fetch_names(
        self, names: Sequence[str], required: Sequence[Request], deadline: Deadline, share: float = 1.0
    ) -> Coverage:
        """Fetch everything that has some names, and return whether all of it is stored.

        Lists that cannot be asked for a name are short, and fetched whole. ``share`` is the part of the rest of the
        time that this may take.
        """
        if self.is_loading:
            return LOADING
        missing = self.fetcher.missing(required)
        lookups, lists = name_lookups(missing, names)
        seconds = share * self._seconds_left(deadline)
        found, whole = await asyncio.gather(
            self.fetcher.look_up(lookups, seconds), self.fetcher.ensure(lists, seconds, completions=True)
        )
        stored = [self.fetcher.status(request) for request in required if request not in missing]
        return coverage([*stored, *found, *whole])

    async def _ensure(self, required: Sequence[Request], deadline: Deadline, *, waits: bool = True) -> Coverage:
        """Fetch some requests, and return whether all are answered."""
        if self.is_loading:
            return LOADING
        return coverage(await self.fetcher.ensure(required, self._seconds_left(deadline) if waits else 0.0))

    async def _rank(
        self, parts: Sequence[FamilyQuery], pending: PendingQuestion, query: Query, deadline: Deadline
    ) -> Ranking:
        embedded = asyncio.ensure_future(self._vectors_in_time(pending, deadline))
        try:
            return await self.engine.search(parts, replace(pending, vectors=embedded), query)
        finally:
            embedded.cancel()  # a search for a key or a pattern does not wait for it

    async def _vectors_in_time(self, pending: PendingQuestion, deadline: Deadline) -> tuple[Vector, ...]:
        """The question's embeddings; none if the model takes too long."""
        seconds = deadline.model_seconds(loads_quickly=self.cache.embedder.loads_quickly)
        try:
            return await asyncio.wait_for(pending.vectors, seconds)
        except TimeoutError:
            return ()

    # -- records

    async def get(self, kind: Kind, key_or_name: str) -> Record | NoRecord:
        """Return the record of a kind with a key, or with a name from the newest SRD; a rule with its subsections.

        Waits a few seconds for Open5e if the cache lacks it.
        """
        if (record := await self._stored_record(kind, key_or_name)) is not None:
            return record
        query = FamilyQuery(family=family_of(kind), kinds=frozenset({kind}), search=key_or_name)
        required, deadline = required_requests(query), self._deadline()
        await self._fetch_names([key_or_name], required, deadline, share=0.5)
        if (record := await self._stored_record(kind, key_or_name)) is not None:
            return record
        state = await self._ensure(required, deadline)
        return await self._stored_record(kind, key_or_name) or NoRecord(state)

    async def _stored_record(self, kind: Kind, key_or_name: str) -> Record | None:
        names = self.engine.name_index(family_of(kind))
        entries = self.cache.catalog.of(family_of(kind))
        matches = [entries[id_] for id_ in names.lookup(key_or_name) if id_ in entries and entries[id_].kind is kind]
        matches.sort(key=lambda entry: (entry.key != key_or_name, SRD_ORDER.get(entry.document_key, 2), entry.key))
        records = await self.cache.records(matches[:1])
        records |= await with_parts(records.values(), self.cache)
        return next(iter(records.values()), None)

    def names_a_year(self, search: str) -> bool:
        """Whether a number that looks like an edition is part of a record's name: an imported "Armistice 2014"."""
        folded = fold(search)
        numbers = EDITION_WORDS.intersection(folded.split())
        return bool(numbers) and any(self.engine.name_index(family).has_name_in(folded, numbers) for family in Family)

    def links(self, record: Record) -> SpellLinks:
        """Return the sources of a spell, or the spells that an entity grants."""
        return self._pages.links((record,))

    def entries(self) -> Iterable[Entry]:
        """Return every catalog entry."""
        return iter(self.cache.catalog)

    # -- documents

    async def documents(self, source: Source | None = None) -> list[DocumentSummary]:
        """Return every document with stored records, largest first."""
        return await self._documents.summaries(source)

    async def homebrew_faults(self) -> dict[str, str]:
        """Return why files of imported books cannot be read, by book."""
        is_shared = self.settings.milvus_uri  # other machines' books are stored there as well
        books = {entry.document_key for entry in self.entries() if entry.source is Source.HOMEBREW and not is_shared}
        return await asyncio.to_thread(HomebrewLibrary.of(self.settings).faults, books)

    async def resolve_documents(self, names: Sequence[str]) -> ResolvedDocuments:
        """Return the keys of the documents that a caller named, by key or by name.

        Waits a few seconds for Open5e's list of documents if it could change the result.
        """
        resolved = resolve_documents(names, await self._documents.names())
        if resolved.is_certain:
            return resolved
        state = await self._ensure([requests.list_request("v2/documents")], self._deadline())
        return resolve_documents(names, await self._documents.names(), knows_all=state.complete)
