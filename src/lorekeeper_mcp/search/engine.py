"""The search pipeline: parse the question, select candidates, find names, score, group; each stage once."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.answer import ListForm, ScoredPassage
from lorekeeper_mcp.embedding.embedder import EmbeddingUnavailableError
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Edition, Family, Kind, Record
from lorekeeper_mcp.query import FamilyQuery, Query
from lorekeeper_mcp.search.grammar import ParsedQuery, asks_for_things, parse_query
from lorekeeper_mcp.search.hints import NO_MODEL, Search, build_hints
from lorekeeper_mcp.search.names.mentions import mention_weight
from lorekeeper_mcp.search.names.name_index import FamilyIndex, FamilyIndexes, NameIndex
from lorekeeper_mcp.search.names.name_match import NameMatch, is_key, is_pattern, match_name, misspelt_name
from lorekeeper_mcp.search.names.part_names import PART_TITLE_CHARACTERS, find_parts, index_part_names, is_official
from lorekeeper_mcp.search.passage_scores import passage_cosines, score_passages, weigh_words
from lorekeeper_mcp.search.question import (
    Question,
    QuestionNames,
    asks_for_all,
    asks_for_list,
    asks_for_rules,
    find_names,
    kinds_mentioned,
    parse_question,
)
from lorekeeper_mcp.search.ranking import (
    Matches,
    Ranking,
    match_by_parts,
    match_by_pattern,
    match_by_spelling,
    rank_matches,
)
from lorekeeper_mcp.search.scoring import (
    Candidates,
    Reading,
    Relevance,
    Signals,
    WordHits,
    gather_signals,
    rate_relevance,
    score_entries,
    search_keywords,
    weakly_relevant_ids,
)
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.text import fold

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PendingQuestion:
    """A question in progress: its parsed form, and its vectors, which are empty if there is no model."""

    question: Question
    vectors: asyncio.Future[tuple[Vector, ...]]


@dataclass(frozen=True)
class _Asked:
    """A question with its names and vectors, the same for all families.

    ``vectors`` has one per text of the question, the whole question first; empty without a model. ``is_only_family`` if
    only one family is searched.
    """

    question: Question
    names: QuestionNames
    vectors: tuple[Vector, ...]
    is_only_family: bool


@dataclass(frozen=True)
class _FamilySearch:
    """The search of one family; ``frequencies`` is how many of its passages contain each word of the question."""

    query: FamilyQuery
    index: FamilyIndex
    candidates: Candidates
    words: WordHits
    frequencies: Mapping[str, int]


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

    # -- candidates and names

    async def search(self, queries: Sequence[FamilyQuery], pending: PendingQuestion, requested: Query) -> Ranking:
        """Rank the records of each query's family. ``requested`` has what all queries share, and the requested page."""
        question, index = pending.question, self._cache.index
        text = question.search if question.has_text else ""
        indexes = [self._indexes.of(query.family) for query in queries]
        filters = [query.record_filter() for query in queries]
        entries = await asyncio.gather(*map(index.candidates, filters))
        frequencies = await asyncio.gather(*(index.word_frequencies(query.family, text) for query in queries))
        all_frequencies = sum(map(Counter, frequencies), Counter[str]())
        allowed = [(of_family.names, of_entries) for of_family, of_entries in zip(indexes, entries, strict=True)]
        names = await self._names(text, allowed, queries, all_frequencies) if text else QuestionNames()
        vectors: tuple[Vector, ...] = ()
        by_words = [WordHits()] * len(queries)
        if text and not any(is_key(text, *of_family) for of_family in allowed):
            searches = (search_keywords(index, query.family, question.subject, question.phrases) for query in queries)
            vectors, by_words = await asyncio.gather(asyncio.shield(pending.vectors), asyncio.gather(*searches))
        candidates = map(Candidates, filters, entries)
        families = map(_FamilySearch, queries, indexes, candidates, by_words, frequencies)
        asked = _Asked(question, names, vectors, is_only_family=len(queries) == 1)
        found = await asyncio.gather(*(self._search_family(family, asked) for family in families))
        groups = self._indexes.groups(query.family for query in queries)
        ranking = rank_matches(found, question, names, requested, groups)
        search = Search(self._cache, self._indexes, queries, found, question, names, requested, not ranking.groups)
        words = weigh_words(question.subject, all_frequencies)
        parts = {part.shown.folded: part.mention.name for part in names.parts}
        words = replace(words, parts=parts, has_only_parts=names.has_only_parts)
        return replace(ranking, hints=build_hints(search), vectors=vectors, words=words)

    async def _names(
        self,
        text: str,
        allowed: Sequence[tuple[NameIndex, Mapping[str, Entry]]],
        queries: Sequence[FamilyQuery],
        frequencies: Mapping[str, int],
    ) -> QuestionNames:
        """The names of records and of their parts in a question."""
        names = find_names(text, allowed, lambda name: frequencies.get(name, 0))
        named_ids = {id_ for of_family in allowed for id_ in match_name(text, *of_family).exact}
        if is_pattern(text) or any(map(is_official, named_ids)):
            return names
        of_families = await asyncio.gather(*(self._part_names(query.family) for query in queries))
        holders = [(of_family, entries) for of_family, (_, entries) in zip(of_families, allowed, strict=True)]
        parts, only = find_parts(text, names.mentions, holders)
        return names.with_parts(parts, only=only)

    async def _part_names(self, family: Family) -> Mapping[str, tuple[str, ...]]:
        """The ids of the holders of each part name of a family; read again when its entries have changed."""
        entries = self._cache.catalog.of(family)
        if (known := self._parts.get(family)) is None or known[0] is not entries:
            titles = await self._cache.index.passage_beginnings(family, PART_TITLE_CHARACTERS)
            self._parts[family] = known = entries, await asyncio.to_thread(index_part_names, titles)
        return known[1]

    # -- scores of one family

    async def _search_family(self, family: _FamilySearch, asked: _Asked) -> Matches:
        question, entries = asked.question, family.candidates.entries
        if is_pattern(question.search):
            return match_by_pattern(question.search, entries)
        if not question.has_text:
            return Matches(entries)
        match = match_name(question.search, family.index.names, entries)
        if match.by_key:
            return Matches(entries, exact=match.exact, by_key=True)
        if asked.names.has_only_parts:
            return match_by_parts(asked.names.parts, entries)
        reading = _read(family, asked, match)
        candidates, parsed = await self._narrow(family.candidates, reading, _subject_ids(family, asked, reading))
        are_equal = parsed.filters_only and (asked.is_only_family or parsed.is_unambiguous)
        reading = replace(reading, parsed=parsed, are_equal=are_equal)
        return await self._score(replace(family, candidates=candidates), reading, asked)

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

    async def _score(self, family: _FamilySearch, reading: Reading, asked: _Asked) -> Matches:
        """Score the candidates; if the question is not about this family, return those with a similar name."""
        question, parsed, entries = asked.question, reading.parsed, family.candidates.entries
        signals = await gather_signals(self._cache.index, family.candidates, family.words, asked.vectors, reading)
        strength, known_share = Relevance.STRONG, 1.0
        if entries and not parsed.has_filters and not question.phrases and not reading.mentioned:
            frequencies = family.frequencies.values()
            known_share = sum(map(bool, frequencies)) / max(1, len(frequencies))
            strength = await self._relevance(family.query, signals, asked.vectors, known_share)
        if strength is Relevance.NONE:
            return match_by_spelling(question.search, family.index.names, entries)
        if strength is Relevance.WEAK and not family.query.is_restricted:
            entries = {id_: entries[id_] for id_ in weakly_relevant_ids(signals, known_share)}
        hints = parsed.hints() if asked.is_only_family else parsed.hints_of(family.query.family)
        if asked.vectors:
            hints += self.embedding.start(family.query.family, family.index, family.query.kinds)
        elif not reading.match.exact and not parsed.filters_only:
            hints.append(NO_MODEL)
        return Matches(
            entries,
            score_entries(signals, entries),
            reading.match.exact,
            hints=tuple(hints),
            relevance=strength,
            is_unambiguous=not asked.is_only_family and parsed.is_unambiguous,
            is_list=parsed.filters_only,
            sort=parsed.sort,
            is_restricted=bool(parsed.filters or parsed.exclusions),
        )

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

    # -- passages

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


def _read(family: _FamilySearch, asked: _Asked, match: NameMatch) -> Reading:
    """Return the names in a question, and its filters if it can be about this family."""
    search, query = asked.question.search, family.query
    kinds = kinds_mentioned(search)
    parsed = ParsedQuery()
    if _may_have_filters(family, asked, match):
        parsed = parse_query(search, query.family, query.filters, family.index.traits)
        if kinds & query.kinds and asks_for_all(search) and not parsed.filters_only:
            parsed = ParsedQuery(has_filters=True, filters_only=True)
    if parsed.filters_only:  # "reaction spells" is not a misspelling of the spell Creation
        match = replace(match, exact=frozenset(), fuzzy={})
    if match.is_confident or (not asked.is_only_family and parsed.may_mean_characters(kinds)):
        parsed = ParsedQuery()
    parsed = replace(parsed, names_kind=kinds <= query.kinds if kinds else asks_for_list(search))
    mentioned = {
        id_: mention_weight(mention, family.frequencies) for mention in asked.names.mentions for id_ in mention.ids
    }
    mentioned = {id_: weight for id_, weight in mentioned.items() if id_ in family.candidates.entries}
    return Reading(match, parsed, kinds, mentioned, asks_for_rules=not asked.is_only_family and asks_for_rules(search))


def _may_have_filters(family: _FamilySearch, asked: _Asked, match: NameMatch) -> bool:
    """Whether a question describes records of a family instead of naming one."""
    search = asked.question.search
    kinds = kinds_mentioned(search)
    if not asked.names.may_have_filters or not asks_for_things(search):
        return False
    if kinds and not kinds & family.query.kinds and not asked.is_only_family:
        return False  # "a creature that can charm" does not ask for spells
    named = [family.candidates.entries[id_] for id_ in match.exact]
    # "Fighter subclasses" asks for subclasses, not for the feature Fighter Subclass.
    is_name = any(entry.kind in kinds or entry.folded == fold(search) for entry in named)
    return not named or (bool(kinds) and not is_name)


def _subject_ids(family: _FamilySearch, asked: _Asked, reading: Reading) -> frozenset[str]:
    """Return the ids of the records whose name begins the question.

    Their kind must be one that it mentions: "epic boon feats" is about feats, not about the feature Epic Boon.
    """
    entries = family.candidates.entries
    return frozenset(
        id_
        for mention in asked.names.mentions
        for id_ in mention.ids & entries.keys()
        if mention.start == 0
        and entries[id_].folded == mention.name
        and (not reading.kinds or entries[id_].kind in reading.kinds)
    )


async def _no_vectors() -> tuple[Vector, ...]:
    return ()


class EmbeddingTasks:
    """Background tasks that embed records stored without a vector, at most one per family. Close with ``aclose``."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._tasks: dict[Family, asyncio.Task[None]] = {}
        self._turns = {family: asyncio.Lock() for family in Family}

    async def aclose(self) -> None:
        """Stop; finished embeddings are stored."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def start(self, family: Family, index: FamilyIndex, kinds: Iterable[Kind]) -> list[str]:
        """Start embedding the records without a vector; return a hint for each kind that still has some."""
        if not any(index.without_vector[kind] for kind in kinds):
            return []
        task = self._tasks.get(family)
        if task is None or task.done():
            self._tasks[family] = asyncio.create_task(self.embed(family))
        return ["Some records are not embedded yet and match by keyword only; ask again later."]

    async def embed(self, family: Family, on_progress: Callable[[], object] = lambda: None) -> None:
        """Embed all records without a vector, after any running task of the family has finished."""
        async with self._turns[family]:
            try:
                while await self._cache.embed_pending(family):
                    on_progress()
            except (EmbeddingUnavailableError, StoreError) as error:
                log.warning("Records could not be embedded: %s.", error)
