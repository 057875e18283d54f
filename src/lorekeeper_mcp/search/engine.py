"""The search pipeline: parse the question, select candidates, gather signals, score and group, each once."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.answer import ListForm, ScoredPassage
from lorekeeper_mcp.embedding.embedder import EmbeddingUnavailableError
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Edition, Family, Record
from lorekeeper_mcp.query import FamilyQuery, Query
from lorekeeper_mcp.search.edition_words import compared_editions
from lorekeeper_mcp.search.embedding_tasks import EmbeddingTasks
from lorekeeper_mcp.search.family_search import (
    Candidates,
    FamilySearch,
    Reading,
    ResolvedQuestion,
    WordHits,
    read_question,
    subject_ids,
)
from lorekeeper_mcp.search.grammar import ParsedQuery
from lorekeeper_mcp.search.hints import NO_MODEL, build_hints
from lorekeeper_mcp.search.names.name_index import FamilyIndex, FamilyIndexes, NameIndex
from lorekeeper_mcp.search.names.name_match import is_key, is_pattern, match_name, misspelt_name
from lorekeeper_mcp.search.names.part_names import PART_TITLE_CHARACTERS, find_parts, index_part_names, is_official
from lorekeeper_mcp.search.outcomes import (
    KeyMatch,
    Outcome,
    ScoredMatches,
    UnrankedMatches,
    match_by_parts,
    match_by_pattern,
    match_by_spelling,
)
from lorekeeper_mcp.search.passage_scores import passage_cosines, score_passages, weigh_words
from lorekeeper_mcp.search.question import Question, QuestionNames, find_names, parse_question
from lorekeeper_mcp.search.ranking import Ranking, rank_outcomes
from lorekeeper_mcp.search.scores import Relevance, Signals, rate_relevance, score_entries, weakly_relevant_ids
from lorekeeper_mcp.search.signals import gather_signals, search_keywords
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PendingQuestion:
    """A question in progress: its parsed form, and its vectors, which are empty if there is no model."""

    question: Question
    vectors: asyncio.Future[tuple[Vector, ...]]


class SearchEngine:
    """Ranks the stored records. Owns the tasks that embed records stored without a vector."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._indexes = FamilyIndexes(cache.catalog)
        self._parts: dict[Family, tuple[Mapping[str, Entry], Mapping[str, tuple[str, ...]]]] = {}
        self.embedding = EmbeddingTasks(cache)

    async def aclose(self) -> None:
        """Stop embedding; finished embeddings stay stored."""
        await self.embedding.aclose()

    def name_index(self, family: Family) -> NameIndex:
        """Return the current names of a family."""
        return self._indexes.of(family).names

    async def load_model(self) -> None:
        """Load the model, if it is installed."""
        try:
            await asyncio.to_thread(self._cache.embedder.warm_up)
        except EmbeddingUnavailableError as error:
            log.info("Search by meaning is not available: %s.", error)

    # -- parse

    async def begin(self, search: str, families: Sequence[Family]) -> PendingQuestion:
        """Parse a question, and start embedding it in the background."""
        if not search:  # a search by filters alone needs no names, and indexing many takes a second
            return PendingQuestion(parse_question(search, ()), asyncio.ensure_future(_no_vectors()))
        indexes = [self._indexes.of(family) for family in families]
        matches = [match_name(search, index.names, index.entries) for index in indexes]
        is_name = any(match.exact for match in matches)
        if not is_name and any(match.is_confident for match in matches):
            search = await self._corrected(search, indexes)
        question = parse_question(search, [(index.names, index.entries) for index in indexes])
        # A name is looked up without waiting for the model to be loaded.
        needs_vectors = question.has_text and not (is_name and not self._cache.searches_by_meaning)
        vectors_task = self._embedded(question) if needs_vectors else _no_vectors()
        return PendingQuestion(question, asyncio.ensure_future(vectors_task))

    async def _corrected(self, search: str, indexes: Sequence[FamilyIndex]) -> str:
        """Return the name from which a question differs by typing errors, if it has a word that no text has."""
        counts = await asyncio.gather(*(self._cache.index.word_frequencies(family, search) for family in Family))
        has_unknown = any(not any(of_family[word] for of_family in counts) for word in counts[0])
        name = misspelt_name(search, [index.names for index in indexes]) if has_unknown else ""
        return name or search

    async def _embedded(self, question: Question) -> tuple[Vector, ...]:
        try:
            return await self._cache.embed_question(*question.texts)
        except EmbeddingUnavailableError as error:
            log.warning("Ranking by names and words alone: %s.", error)
            return ()

    # -- candidates, signals, score

    async def search(self, queries: Sequence[FamilyQuery], pending: PendingQuestion, requested: Query) -> Ranking:
        """Rank the records of each query's family. ``requested`` has what all queries share, and the requested page."""
        question, index = pending.question, self._cache.index
        text = question.search if question.has_text else ""
        candidates = await asyncio.gather(*map(self._select_candidates, queries))
        frequencies = await asyncio.gather(*(index.word_frequencies(query.family, text) for query in queries))
        names = [(self.name_index(of_family.family), of_family.entries) for of_family in candidates]
        named = QuestionNames((), has_only_names=False, may_have_filters=True)
        if text:
            named = find_names(text, names, lambda name: sum(counts.get(name, 0) for counts in frequencies))
            part_names = await asyncio.gather(*(self._part_names(query.family) for query in queries))
            entries_of = [of_family.entries for of_family in candidates]
            named_ids = {id_ for of_family in names for id_ in match_name(text, *of_family).exact}
            if not is_pattern(text) and not any(is_official(id_) for id_ in named_ids):
                parts, only = find_parts(text, named.mentions, list(zip(part_names, entries_of, strict=True)))
                named = named.with_parts(parts, only=only)
        vectors: tuple[Vector, ...] = ()
        by_words = [WordHits()] * len(queries)
        if text and not any(is_key(text, names_of_family, entries) for names_of_family, entries in names):
            searches = (search_keywords(index, query.family, question.subject, question.phrases) for query in queries)
            vectors, by_words = await asyncio.gather(asyncio.shield(pending.vectors), asyncio.gather(*searches))
        traits = [self._indexes.of(query.family).traits for query in queries]
        family_searches = map(FamilySearch, queries, candidates, by_words, frequencies, traits)
        resolved = ResolvedQuestion(question, named, vectors, is_only_family=len(queries) == 1)
        outcomes = await asyncio.gather(
            *(self._search_family(family_search, resolved) for family_search in family_searches)
        )
        all_frequencies = sum(map(Counter, frequencies), Counter[str]())
        return self._rank(queries, outcomes, resolved, all_frequencies, requested)

    async def passages(
        self, ranking: Ranking, records: Iterable[Record], edition: Edition | None
    ) -> dict[str, tuple[ScoredPassage, ...]]:
        """The passages of each result by record id, best first; none if the answer is a list."""
        if isinstance(ranking.form, ListForm):
            return {}
        shown = list(records)
        cosines = await passage_cosines(self._cache.index, shown, ranking.vectors)
        return {
            record.id: score_passages(record, edition, cosines.get(record.id, {}), ranking.words) for record in shown
        }

    async def _part_names(self, family: Family) -> Mapping[str, tuple[str, ...]]:
        """The ids of the holders of each part name of a family; read again when its entries have changed."""
        entries = self._cache.catalog.of(family)
        if (known := self._parts.get(family)) is None or known[0] is not entries:
            titles = await self._cache.index.passage_beginnings(family, PART_TITLE_CHARACTERS)
            self._parts[family] = known = entries, await asyncio.to_thread(index_part_names, titles)
        return known[1]

    async def _select_candidates(self, query: FamilyQuery) -> Candidates:
        where = query.record_filter()
        return Candidates(where, await self._cache.index.candidates(where))

    async def _narrow(
        self, candidates: Candidates, reading: Reading, subject: frozenset[str]
    ) -> tuple[Candidates, ParsedQuery]:
        """Return the candidates that match the question's filters, and the filters that were applied.

        Filters are dropped if nothing matches them, or no record of the ``subject``: "hold person without verbal
        components". A list of options is also restricted to the mentioned kinds, as in "feats that raise dexterity".
        """
        for parsed in reading.parsed.relaxed_queries():
            narrower = candidates.filter.and_also(parsed.filters)
            if parsed.filters_only and (narrower.family is Family.OPTIONS or not parsed.filters):
                narrower = replace(narrower, kinds=narrower.kinds & reading.kinds or narrower.kinds)
            for active in parsed.exclusions:
                excluded = await self._cache.index.candidates(narrower.and_also((active,)))
                narrower = replace(narrower, excluded=narrower.excluded.union(excluded))
            entries = await self._cache.index.candidates(narrower)
            if entries and not (subject and subject.isdisjoint(entries)):
                return Candidates(narrower, entries), parsed
        return candidates, ParsedQuery() if reading.parsed.filters or reading.parsed.exclusions else reading.parsed

    async def _search_family(self, family_search: FamilySearch, resolved: ResolvedQuestion) -> Outcome:
        question, entries = resolved.question, family_search.candidates.entries
        if is_pattern(question.search):
            return match_by_pattern(question.search, entries.values())
        if not question.has_text:
            return UnrankedMatches(entries)
        match = match_name(question.search, self._indexes.of(family_search.query.family).names, entries)
        if match.by_key:
            return KeyMatch(tuple(entries[id_] for id_ in match.exact))
        if resolved.named.has_only_parts:
            return match_by_parts(resolved.named.parts, entries)
        reading = read_question(family_search, resolved, match)
        subject = subject_ids(family_search, resolved, reading)
        narrowed, parsed = await self._narrow(family_search.candidates, reading, subject)
        return await self._score(replace(family_search, candidates=narrowed), replace(reading, parsed=parsed), resolved)

    async def _score(self, family_search: FamilySearch, reading: Reading, resolved: ResolvedQuestion) -> Outcome:
        """Score the candidates; if the question is not about this family, return those with a similar name."""
        question, query, parsed = resolved.question, family_search.query, reading.parsed
        entries = family_search.candidates.entries
        signals = await gather_signals(self._cache.index, family_search, resolved, reading)
        strength, known_share = Relevance.STRONG, 1.0
        if entries and not parsed.has_filters and not question.phrases and not signals.mentioned:
            frequencies = family_search.frequencies.values()
            known_share = sum(map(bool, frequencies)) / max(1, len(frequencies))
            strength = await self._relevance(query, signals, resolved.vectors, known_share)
        if strength is Relevance.NONE:
            return match_by_spelling(question.search, self._indexes.of(query.family).names, entries)
        if strength is Relevance.WEAK and not query.is_restricted:
            entries = {id_: entries[id_] for id_ in weakly_relevant_ids(signals, known_share)}
        return ScoredMatches(
            entries,
            score_entries(signals, entries),
            reading.match.exact,
            tuple(self._hints(query, reading, resolved)),
            strength,
            is_unambiguous=not resolved.is_only_family and parsed.is_unambiguous,
            is_list=parsed.filters_only,
            sort=parsed.sort,
            is_restricted=bool(parsed.filters or parsed.exclusions),
        )

    def _hints(self, query: FamilyQuery, reading: Reading, resolved: ResolvedQuestion) -> list[str]:
        parsed = reading.parsed
        hints = parsed.hints() if resolved.is_only_family else parsed.hints_of(query.family)
        if resolved.vectors:
            hints += self.embedding.start(query.family, self._indexes.of(query.family), query.kinds)
        elif not reading.match.exact and not parsed.filters_only:
            hints.append(NO_MODEL)
        return hints

    async def _relevance(
        self, query: FamilyQuery, signals: Signals, vectors: Sequence[Vector], known_share: float
    ) -> Relevance:
        """Rate how related the question is to the whole family, since filters may leave only distant records."""
        nearest = max(signals.cosines.values(), default=0.0)
        rating = rate_relevance(signals, nearest, known_share)
        if rating is Relevance.NONE and query.is_restricted and vectors:
            nearest_of_all = await self._cache.index.nearest(RecordFilter.everything(query.family), vectors[0], 1)
            rating = rate_relevance(signals, max([nearest, *(cosine for _, cosine in nearest_of_all)]), known_share)
        return rating

    # -- group and page

    def _rank(
        self,
        queries: Sequence[FamilyQuery],
        outcomes: Sequence[Outcome],
        resolved: ResolvedQuestion,
        frequencies: Mapping[str, int],
        requested: Query,
    ) -> Ranking:
        question, named = resolved.question, resolved.named
        group_keys = self._indexes.group_keys(query.family for query in queries)
        ranking = rank_outcomes(outcomes, question, named, requested, group_keys)
        hints = build_hints(
            self._cache, queries, outcomes, question, named, requested, empty=not ranking.groups, indexes=self._indexes
        )
        words = weigh_words(question.subject, frequencies, compares_editions=bool(compared_editions(question.search)))
        parts = {part.shown.folded: part.mention.name for part in named.parts}
        words = replace(words, parts=parts, has_only_parts=named.has_only_parts)
        return replace(ranking, hints=hints, vectors=resolved.vectors, words=words)


async def _no_vectors() -> tuple[Vector, ...]:
    return ()
