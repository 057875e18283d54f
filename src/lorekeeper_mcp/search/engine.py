"""The search pipeline: parse the question, select candidates, find names, score, group; each stage once."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.answer import ListForm, NameForm, ScoredPassage
from lorekeeper_mcp.embedding.embedder import EmbeddingUnavailableError
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters import ActiveFilter
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Edition, Family, Kind, Record
from lorekeeper_mcp.query import FamilyQuery, Query
from lorekeeper_mcp.search.family_index import FamilyIndex, FamilyIndexes
from lorekeeper_mcp.search.grammar import ParsedQuery, asks_for_things, parse_query
from lorekeeper_mcp.search.hints import NO_MODEL, NOT_EMBEDDED, Search, build_hints
from lorekeeper_mcp.search.names.kind_words import is_kind_word
from lorekeeper_mcp.search.names.mentions import mention_weight
from lorekeeper_mcp.search.names.name_index import (
    NameIndex,
    NameMatch,
    is_key,
    is_pattern,
    match_name,
    misspelt_name,
    misspelt_word,
)
from lorekeeper_mcp.search.names.part_names import PART_TITLE_CHARACTERS, find_parts, index_part_names, is_official
from lorekeeper_mcp.search.question import (
    Question,
    QuestionNames,
    asks_for_all,
    asks_for_list,
    asks_for_rules,
    asks_for_several,
    find_names,
    kinds_mentioned,
    parse_question,
)
from lorekeeper_mcp.search.ranking import (
    Matches,
    Ranking,
    Relevance,
    match_by_parts,
    match_by_pattern,
    match_by_spelling,
    rank_matches,
)
from lorekeeper_mcp.search.scoring import (
    NEAREST,
    FamilySearch,
    WordHits,
    gather_signals,
    passage_cosines,
    related_ids,
    score_entries,
    score_passages,
    weigh_words,
)
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry, select
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.text import fold

log = logging.getLogger(__name__)
# Hits by words, of which those that match the filters become candidates.
_RECORDS_BY_WORDS, _PASSAGES_BY_WORDS = 5 * NEAREST, 300


@dataclass(frozen=True)
class PendingQuestion:
    """A question in progress: its parsed form, and its vectors, which are empty if there is no model.

    There is one vector per text of the question, the whole question first.
    """

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

    async def parse(self, search: str, families: Sequence[Family]) -> Question:
        """Parse a question, with its spelling corrected."""
        if fold(search):  # a search by filters alone needs no names, and indexing many takes a second
            indexes = [self._indexes.of(family) for family in families]
            matches = [match_name(search, index.names, index.entries) for index in indexes]
            if not any(match.exact for match in matches):
                is_near = any(match.is_confident for match in matches)
                search = await self._corrected(search, indexes, is_near_name=is_near)
        return parse_question(search)

    def named(self, question: Question, queries: Sequence[FamilyQuery]) -> list[Entry]:
        """Return the matching entries that a question names, if it consists of names."""
        if not question.has_text:
            return []
        entries = {q.family: select(q.record_filter(), self._cache.catalog.of(q.family)) for q in queries}
        names = [(self._indexes.of(family).names, allowed) for family, allowed in entries.items()]
        ids = {id_ for index, allowed in names for id_ in match_name(question.search, index, allowed).exact}
        if not ids:
            found = find_names(question.search, names, lambda _: 0)
            ids = {id_ for mention in found.mentions for id_ in mention.ids} if found.has_only_names else ids
        return [allowed[id_] for allowed in entries.values() for id_ in ids & allowed.keys()]

    def embed(self, question: Question, *, is_name: bool = False) -> PendingQuestion:
        """Start embedding a question in the background; a name only if the model is loaded."""
        needs_vectors = question.has_text and not (is_name and not self._cache.searches_by_meaning)
        return PendingQuestion(
            question, asyncio.ensure_future(self._embedded(question) if needs_vectors else _no_vectors())
        )

    async def _corrected(self, search: str, indexes: Sequence[FamilyIndex], *, is_near_name: bool) -> str:
        """Return a question without typing errors: as the name near it, or with the words near those no text has."""
        counts = await asyncio.gather(*(self._cache.index.word_frequencies(family, search) for family in Family))
        unknown = [word for word in counts[0] if not any(of_family[word] for of_family in counts)]
        names, words = [index.names for index in indexes], fold(search).split()
        if unknown and is_near_name and (name := misspelt_name(fold(search), names)):
            return name
        if unknown and is_kind_word(words[-1]) and (name := misspelt_name(" ".join(words[:-1]), names)):
            return f"{name} {words[-1]}"
        for word in unknown:
            search = re.sub(rf"\b{word}\b", misspelt_word(word, names), search)
        return search

    async def _embedded(self, question: Question) -> tuple[Vector, ...]:
        try:
            return await self._cache.embed_question(*question.texts)
        except EmbeddingUnavailableError as error:
            log.warning("Ranking by names and words alone: %s.", error)
            return ()

    # -- candidates and names

    async def search(self, queries: Sequence[FamilyQuery], pending: PendingQuestion, requested: Query) -> Ranking:
        """Rank the records of each query's family. ``requested`` has what all queries share, and the requested page."""
        question = pending.question
        text = question.search if question.has_text else ""
        families = await asyncio.gather(*(self._candidates(query, text) for query in queries))
        frequencies = sum((Counter(family.frequencies) for family in families), Counter[str]())
        names = await self._names(text, families, frequencies) if text else QuestionNames()
        vectors: tuple[Vector, ...] = ()
        by_words: Sequence[WordHits] = [((), ())] * len(families)
        if text and not any(is_key(text, family.index.names, family.entries) for family in families):
            searches = (self._search_words(query.family, question) for query in queries)
            vectors, by_words = await asyncio.gather(asyncio.shield(pending.vectors), asyncio.gather(*searches))
        found = await asyncio.gather(
            *(
                self._search_family(family, question, names, words, vectors, is_only=len(queries) == 1)
                for family, words in zip(families, by_words, strict=True)
            )
        )
        groups = self._indexes.groups(query.family for query in queries)
        ranking = rank_matches(found, question, names, requested, groups)
        search = Search(self._cache, self._indexes, queries, found, question, names, requested, ranking)
        if requested.named_only and isinstance(ranking.form, NameForm):  # which does not depend on other records
            vectors, frequencies = (), Counter()
        words = weigh_words(question.subject, frequencies)
        parts = {part.shown.folded: part.mention.name for part in names.parts}
        words = replace(words, parts=parts, has_only_parts=names.has_only_parts)
        return replace(ranking, hints=build_hints(search), vectors=vectors, words=words)

    async def _candidates(self, query: FamilyQuery, text: str) -> FamilySearch:
        """The entries of a family that match all filters, and how common the question's words are in it."""
        where, index = query.record_filter(), self._cache.index
        entries, frequencies = await asyncio.gather(index.candidates(where), index.word_frequencies(query.family, text))
        return FamilySearch(query, self._indexes.of(query.family), where, entries, frequencies)

    async def _search_words(self, family: Family, question: Question) -> WordHits:
        """Search a family by keywords. Needs no vector, so it runs while the question is embedded."""
        index = self._cache.index
        records, passages = await asyncio.gather(
            index.by_words(family, question.subject, question.phrases, _RECORDS_BY_WORDS),
            index.passages_by_words(family, question.subject, _PASSAGES_BY_WORDS),
        )
        return records, passages

    async def _names(
        self, text: str, families: Sequence[FamilySearch], frequencies: Mapping[str, int]
    ) -> QuestionNames:
        """The names of records and of their parts in a question."""
        allowed = [(family.index.names, family.entries) for family in families]
        names = find_names(text, allowed, lambda name: frequencies.get(name, 0))
        named_ids = {id_ for of_family in allowed for id_ in match_name(text, *of_family).exact}
        if is_pattern(text) or any(map(is_official, named_ids)):
            return names
        part_names = await asyncio.gather(*(self._part_names(family.query.family) for family in families))
        holders = [(of_family, family.entries) for of_family, family in zip(part_names, families, strict=True)]
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

    async def _search_family(
        self,
        family: FamilySearch,
        question: Question,
        names: QuestionNames,
        words: WordHits,
        vectors: Sequence[Vector],
        *,
        is_only: bool,
    ) -> Matches:
        """Score the candidates; if the question is not about this family, return those with a similar name."""
        search, entries = question.search, family.entries
        if is_pattern(search):
            return match_by_pattern(search, family.index.names, entries)
        if not question.has_text:
            return Matches(entries)
        match = match_name(search, family.index.names, entries)
        if match.by_key:
            return Matches(entries, exact=match.exact, by_key=True)
        if names.has_only_parts:
            return match_by_parts(names.parts, entries)
        family = await self._narrow(_read(family, search, names, match, is_only=is_only), names)
        parsed = family.parsed
        family = replace(family, are_equal=parsed.filters_only and (is_only or parsed.is_unambiguous))
        signals = await gather_signals(self._cache.index, family, words, vectors)
        related = related_ids(family, signals) if family.entries and not question.phrases else None
        if related is not None and not related:
            return match_by_spelling(search, family.index.names, family.entries)
        if related is not None and not family.query.is_restricted:
            family = replace(family, entries={id_: family.entries[id_] for id_ in related})
        return Matches(
            family.entries,
            score_entries(family, signals),
            family.match.exact,
            hints=tuple(self._hints(family, is_only=is_only, has_vectors=bool(vectors))),
            relevance=Relevance.STRONG if related is None else Relevance.WEAK,
            is_unambiguous=not is_only and parsed.is_unambiguous,
            is_list=parsed.filters_only,
            sort=parsed.sort,
            is_restricted=bool(parsed.filters or parsed.exclusions),
        )

    def _hints(self, family: FamilySearch, *, is_only: bool, has_vectors: bool) -> list[str]:
        """How the question was read for a family, and whether it is ranked by meaning."""
        parsed = family.parsed
        hints = parsed.hints(None if is_only else family.query.family)
        if has_vectors:
            return hints + self.embedding.start(family.query.family, family.index, family.query.kinds)
        return hints if family.match.exact or parsed.filters_only else [*hints, NO_MODEL]

    async def _narrow(self, family: FamilySearch, names: QuestionNames) -> FamilySearch:
        """Restrict the candidates to those that match the question's filters.

        Filters are dropped if nothing matches them, or no record whose name begins the question: "hold person without
        verbal components". A list of options is also restricted to the mentioned kinds: "feats that raise dexterity".
        """
        beginning = (id_ for one in names.mentions for id_ in one.ids & family.entries.keys() if one.start == 0)
        subject = {id_ for id_ in beginning if not family.kinds or family.entries[id_].kind in family.kinds}
        if family.parsed.filters_only:  # "chaotic evil humanoids", though a trait is called so
            subject = set()
        for parsed in family.parsed.relaxed_queries():
            where = family.filter.and_also(parsed.filters)
            if parsed.filters_only and (where.family is Family.OPTIONS or not parsed.filters):
                where = replace(where, kinds=where.kinds & family.kinds or where.kinds)
            where = await self._excluding(where, parsed.exclusions)
            entries = await self._cache.index.candidates(where)
            if entries and not (subject and subject.isdisjoint(entries)):
                return replace(family, filter=where, entries=entries, parsed=parsed)
        is_dropped = bool(family.parsed.filters or family.parsed.exclusions)
        return replace(family, parsed=ParsedQuery()) if is_dropped else family

    async def _excluding(self, where: RecordFilter, exclusions: Iterable[ActiveFilter]) -> RecordFilter:
        """Return a filter that rules out the records that match any of some filters."""
        for active in exclusions:
            excluded = await self._cache.index.candidates(where.and_also((active,)))
            where = replace(where, excluded=where.excluded.union(excluded))
        return where

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


def _read(family: FamilySearch, search: str, names: QuestionNames, match: NameMatch, *, is_only: bool) -> FamilySearch:
    """Read a question for a family: the names in it, and its filters if it describes records instead of naming one."""
    query, kinds = family.query, kinds_mentioned(search)
    parsed = _parsed(family, search, match, is_only=is_only) if names.may_have_filters else ParsedQuery()
    if parsed.filters_only:  # "reaction spells" is not a misspelling of the spell Creation
        match = replace(match, exact=frozenset(), fuzzy={})
    if match.is_confident or (not is_only and parsed.may_mean_characters(kinds)):
        parsed = ParsedQuery()
    parsed = replace(parsed, names_kind=kinds <= query.kinds if kinds else asks_for_list(search))
    weights = {id_: mention_weight(one, family.frequencies) for one in names.mentions for id_ in one.ids}
    mentioned = {id_: weight for id_, weight in weights.items() if id_ in family.entries}
    rules = not is_only and asks_for_rules(search)
    return replace(family, match=match, parsed=parsed, kinds=kinds, mentioned=mentioned, asks_for_rules=rules)


def _parsed(family: FamilySearch, search: str, match: NameMatch, *, is_only: bool) -> ParsedQuery:
    """The filters in a question; none if it names a record, or asks for records of another family."""
    query, kinds = family.query, kinds_mentioned(search)
    named = [family.entries[id_] for id_ in match.exact]
    # "Fighter subclasses" asks for subclasses, not for the feature Fighter Subclass.
    is_name = any(entry.kind in kinds or entry.folded == fold(search) for entry in named)
    is_other = bool(kinds) and kinds.isdisjoint(query.kinds) and not is_only  # "a creature that can charm": no spells
    is_named = bool(named) and (is_name or not kinds)
    # "Divination spells" are those of the school, but "fireball spells" say nothing more than the name.
    may_list = asks_for_several(search) and all(entry.folded != fold(search) for entry in named)
    if is_other or not asks_for_things(search) or (is_named and not may_list):
        return ParsedQuery()
    parsed = parse_query(search, query.family, query.filters, family.index.traits)
    if is_named and not parsed.filters_only:
        return ParsedQuery()
    asks_all = bool(kinds & query.kinds) and asks_for_all(search) and not parsed.filters_only
    return ParsedQuery(has_filters=True, filters_only=True) if asks_all else parsed


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
        return [NOT_EMBEDDED]

    async def embed(self, family: Family, on_progress: Callable[[], object] = lambda: None) -> None:
        """Embed all records without a vector, after any running task of the family has finished."""
        async with self._turns[family]:
            try:
                while await self._cache.embed_pending(family):
                    on_progress()
            except (EmbeddingUnavailableError, StoreError) as error:
                log.warning("Records could not be embedded: %s.", error)
