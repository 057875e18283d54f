"""What matches a query in the cache, and how well."""

from __future__ import annotations

import asyncio
import logging
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from lorekeeper_mcp.embedding.embedder import EmbeddingUnavailableError
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.query import Query
from lorekeeper_mcp.search.grouping import GroupKey
from lorekeeper_mcp.search.name_index import FamilyIndexes, NameIndex
from lorekeeper_mcp.search.name_matching import (
    NameMatch,
    is_pattern,
    match_name,
    matching,
    nearest_names,
    respelled,
    spelled_alike,
)
from lorekeeper_mcp.search.query_expansion import expand_query
from lorekeeper_mcp.search.query_parser import ParsedQuery, parse_query
from lorekeeper_mcp.search.score_merge import kinds_mentioned
from lorekeeper_mcp.search.scoring import OTHERS_TO, Relevance, Signals, relevance, score_tail, scores, weakly_relevant
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.text import fold

log = logging.getLogger(__name__)
_WINDOW = 80  # candidates by meaning, and as many by words, that are ranked together


@dataclass(frozen=True)
class Selection:
    """The matching entries, scores where the search text ranks, and the ids that it names outright.

    ``asked_for`` where the question, asked of several families, unmistakably means this one. ``near`` are the nearest
    names where nothing has to do with the question.
    """

    entries: list[Entry]
    scores: dict[str, float] = field(default_factory=dict)
    exact: frozenset[str] = frozenset()
    by_key: bool = False
    hints: tuple[str, ...] = ()
    unambiguous: bool = False
    relevance: Relevance = Relevance.STRONG
    near: tuple[str, ...] = ()
    respelled: str = ""
    vector: Vector | None = None
    fulfilled: RecordFilter | None = None


class SearchEngine:
    """Selects and scores. Owns the tasks that embed what arrived without a vector."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._indexes = FamilyIndexes(cache.catalog)
        self._embedding: dict[Family, asyncio.Task[None]] = {}

    async def aclose(self) -> None:
        """Stop embedding; what is done is stored."""
        for task in self._embedding.values():
            task.cancel()
        await asyncio.gather(*self._embedding.values(), return_exceptions=True)

    def name_index(self, family: Family) -> NameIndex:
        """Return the names of a family as it is now."""
        return self._indexes.of(family).names

    def warm_up(self, search: str, families: Iterable[Family]) -> asyncio.Future[Vector | None]:
        """Embed the question while other things are done; None where it ranks nothing, or names something."""
        if not _ranks(search) or any(self._names(search, family) for family in families):
            return asyncio.ensure_future(_no_vector())
        return asyncio.ensure_future(self._try_vector(search))

    async def load_model(self) -> None:
        """Load the model, if there is one."""
        try:
            await asyncio.to_thread(self._cache.embedder.warm_up)
        except EmbeddingUnavailableError as error:
            log.info("Nothing will be found by meaning: %s.", error)

    def _names(self, search: str, family: Family) -> bool:
        """Whether the question is a name, and the model, not yet loaded, is not worth waiting for."""
        index = self._indexes.of(family)
        return not self._cache.embedder.loaded and bool(match_name(search, index.names, index.entries).exact)

    async def _try_vector(self, search: str) -> Vector | None:
        try:
            return await self._cache.embed_query(_to_embed(search))
        except EmbeddingUnavailableError as error:
            log.warning("Ranking by names and words alone: %s.", error)
            return None

    async def select(
        self, query: Query, settled: frozenset[Kind], embedded: asyncio.Future[Vector | None], *, alone: bool = True
    ) -> Selection:
        """Every match of the filters, with scores where the search text ranks. ``embedded`` gives its embedding.

        ``alone`` False where other families are asked the same.
        """
        index = self._indexes.of(query.family)
        fulfilled = query.record_filter(settled)
        entries = await self._cache.index.candidates(fulfilled)
        if is_pattern(query.search):
            return self._by_pattern(query.search, entries.values())
        if not _ranks(query.search):
            return Selection(list(entries.values()))
        names = match_name(query.search, index.names, entries)
        if names.by_key:
            return Selection([entries[id_] for id_ in names.exact], dict.fromkeys(names.exact, 1.0), names.exact, True)
        reading = ParsedQuery() if names.sure else parse_query(query.search, query.family, query.filters)
        if reading.only:
            stricter = fulfilled.and_also(reading.only)
            # A question that reads as filters which nothing fulfils was meant otherwise.
            if fewer := await self._cache.index.candidates(stricter):
                entries, fulfilled = fewer, stricter
            else:
                reading = ParsedQuery()
        ranked = await self._ranked(query, fulfilled, entries, names, reading, embedded, alone=alone)
        if ranked.respelled:
            # Where there was no time for the model, there is none now.
            vector = self._try_vector if await asyncio.shield(embedded) is not None else _no_vector
            meant = replace(query, search=ranked.respelled)
            again = await self.select(meant, settled, asyncio.ensure_future(vector(meant.search)), alone=alone)
            if again.relevance is Relevance.STRONG:
                return replace(again, hints=(f'Read as "{ranked.respelled[:80]}".', *again.hints))
        return replace(ranked, unambiguous=not alone and reading.unambiguous)

    def same(self, families: Iterable[Family]) -> Mapping[str, GroupKey]:
        """For each id of some families what it is one result with."""
        found = [self._indexes.of(family).same for family in families]
        return found[0] if len(found) == 1 else dict(chain.from_iterable(same.items() for same in found))

    @staticmethod
    def _by_pattern(search: str, entries: Iterable[Entry]) -> Selection:
        known = list(entries)
        ids = matching(search, known)
        if ids:
            return Selection([entry for entry in known if entry.id in ids])
        near = nearest_names(search.replace("*", " ").replace("%", " "), known)
        return Selection([], relevance=Relevance.NONE, near=tuple(near))

    async def _ranked(
        self,
        query: Query,
        fulfilled: RecordFilter,
        entries: Mapping[str, Entry],
        names: NameMatch,
        reading: ParsedQuery,
        embedded: asyncio.Future[Vector | None],
        *,
        alone: bool,
    ) -> Selection:
        phrases = expand_query(fold(query.search)).phrases
        word_hits, said, vector = await asyncio.gather(
            self._cache.index.by_words(query.family, query.search, phrases, 5 * _WINDOW),
            self._said(query.family, phrases),
            asyncio.shield(embedded),
        )
        words = dict([hit for hit in word_hits if hit[0] in entries][:_WINDOW])
        cosines: dict[str, float] = {}
        preferred: frozenset[str] = frozenset()
        told = reading.hint if alone else reading.hint_of(query.family)
        hints = [told] if told else []
        if vector is None and not names.exact:
            hints.append("The embedding model is not ready, so this is ranked by names and words alone.")
        elif vector is not None and entries:
            cosines, preferred = await self._by_meaning(vector, fulfilled, entries, reading)
            hints += self._embed_rest(query)
        bare = frozenset(id_ for id_ in words if not entries[id_].has_vector)
        if kinds := kinds_mentioned(query.search):
            preferred |= {id_ for id_ in cosines.keys() | words.keys() if id_ in entries and entries[id_].kind in kinds}
        alike = reading.whole and (alone or reading.unambiguous)
        evidence = Signals(names, cosines, words, bare, said, preferred, alike)
        how, known, meant = Relevance.STRONG, 1.0, ""
        if entries and not reading.understood and not phrases:
            words_known = await self._cache.index.words_known(query.family, query.search)
            known = statistics.fmean(words_known.values()) if words_known else 0.0
            how = await self._relevance(query, evidence, vector, known)
            if how is not Relevance.STRONG and known < 1:
                meant = await self._respelled(query)
        if how is Relevance.NONE:
            return replace(self._by_spelling(query, entries), respelled=meant)
        if how is Relevance.WEAK and not query.restricted:
            near = {id_: entries[id_] for id_ in weakly_relevant(evidence, known)}
            return Selection(
                list(near.values()), scores(evidence, near), hints=tuple(hints), relevance=how, respelled=meant
            )
        return Selection(
            list(entries.values()),
            scores(evidence, entries),
            names.exact,
            hints=tuple(hints),
            vector=vector,
            fulfilled=fulfilled,
        )

    async def _respelled(self, query: Query) -> str:
        """The question with words that no family holds put as names have them; empty where that changes nothing."""
        everywhere = [await self._cache.index.words_known(family, query.search) for family in Family]
        unknown = [word for word in everywhere[0] if not any(known[word] for known in everywhere)]
        named_so = {word for family in Family for word in self._indexes.of(family).names.by_word}
        names = self._indexes.of(query.family).names
        text = respelled(query.search, (word for word in unknown if word not in named_so), names)
        return "" if text == fold(query.search) else text

    def _by_spelling(self, query: Query, entries: Mapping[str, Entry]) -> Selection:
        """What looks like a question that nothing has to do with, or at least the names nearest to it."""
        alike = spelled_alike(query.search, self._indexes.of(query.family).names, entries)
        if alike:
            worth = {id_: OTHERS_TO * share for id_, share in alike.items()}
            return Selection([entries[id_] for id_ in alike], worth, relevance=Relevance.WEAK)
        near = nearest_names(query.search, entries.values())
        return Selection([], relevance=Relevance.NONE, near=tuple(near))

    async def _relevance(self, query: Query, evidence: Signals, vector: Vector | None, known: float) -> Relevance:
        """How the question stands to the family, whatever the filters: they may leave only what is far from it."""
        nearest = max(evidence.cosines.values(), default=0.0)
        how = relevance(evidence, nearest, known)
        if how is Relevance.NONE and query.restricted and vector is not None:
            of_all = await self._cache.index.nearest(RecordFilter.everything(query.family), vector, 1)
            how = relevance(evidence, max([nearest, *(cosine for _, cosine in of_all)]), known)
        return how

    async def _said(self, family: Family, phrases: Sequence[str]) -> frozenset[str]:
        """What holds a phrase in which the rules say what was asked."""
        if not phrases:
            return frozenset()
        return frozenset(id_ for id_, _ in await self._cache.index.by_words(family, "", phrases, 5 * _WINDOW))

    async def _by_meaning(
        self, vector: Vector, fulfilled: RecordFilter, entries: Mapping[str, Entry], reading: ParsedQuery
    ) -> tuple[dict[str, float], frozenset[str]]:
        """Cosines of the nearest matches, and which of them have what the question names in passing."""
        nearest = self._nearest(vector, fulfilled, entries, _WINDOW)
        if not reading.rather:
            return dict(await nearest), frozenset()
        stricter = fulfilled.and_also(reading.rather)
        wanted = self._nearest(vector, stricter, entries, _WINDOW)
        found, having = await asyncio.gather(nearest, wanted)
        return dict(found) | dict(having), frozenset(id_ for id_, _ in having)

    async def _nearest(
        self, vector: Vector, fulfilled: RecordFilter, entries: Mapping[str, Entry], limit: int
    ) -> list[tuple[str, float]]:
        """The nearest of the entries, which are those that fulfil a restriction."""
        near = await self._cache.index.nearest(fulfilled, vector, limit)
        return [(id_, cosine) for id_, cosine in near if id_ in entries]  # one may have been stored a moment ago

    async def tail(self, selection: Selection) -> dict[str, float]:
        """Scores for the matches that were not among the candidates, so that paging reaches every one."""
        if selection.vector is None or selection.fulfilled is None:
            return {}
        entries = {entry.id: entry for entry in selection.entries}
        everything = await self._nearest(selection.vector, selection.fulfilled, entries, len(entries))
        return score_tail(selection.scores, everything)

    def _embed_rest(self, query: Query) -> list[str]:
        """Start embedding what arrived without a vector; a hint while that lasts."""
        index = self._indexes.of(query.family)
        waiting = sum(index.waiting[kind] for kind in query.kinds) if index.waiting else 0
        if not waiting:
            return []
        task = self._embedding.get(query.family)
        if task is None or task.done():
            self._embedding[query.family] = asyncio.create_task(self.embed(query.family))
        return [f"{waiting} of the records are found by words but not yet by meaning; ask again in a while."]

    async def embed(self, family: Family, tell: Callable[[], object] = lambda: None) -> None:
        """Embed all that arrived without a vector, unless another process is doing so."""
        async with self._cache.turn(f"embed-{family}", wait=False) as mine:
            try:
                while mine and await self._cache.embed_pending(family):
                    tell()
            except (EmbeddingUnavailableError, StoreError) as error:
                log.warning("Records stay without embeddings: %s.", error)


def _to_embed(search: str) -> str:
    """The question as it is, unless it has table talk in it, which the model does not know."""
    folded = fold(search)
    spelled = expand_query(folded).text
    return search.strip().casefold() if spelled == folded else spelled


async def _no_vector(_: str = "") -> None:
    return None


def _ranks(search: str) -> bool:
    return bool(fold(search)) and not is_pattern(search)
