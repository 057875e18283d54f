"""Builds an answer from one page of a ranking: records, passages, editions, links and completeness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lorekeeper_mcp.answer import Answer, Hit, NameForm, QuestionForm, ScoredPassage, SpellLinks
from lorekeeper_mcp.models import NEWEST_FIRST, Document, Edition, Record
from lorekeeper_mcp.query import Query
from lorekeeper_mcp.repository.completeness import Coverage, missing_lists
from lorekeeper_mcp.repository.document_list import DocumentList
from lorekeeper_mcp.repository.linked_spells import LinkScope, linked_kinds, spell_links
from lorekeeper_mcp.repository.rule_parts import with_parts
from lorekeeper_mcp.search.engine import SearchEngine
from lorekeeper_mcp.search.ranking import Group, Ranking
from lorekeeper_mcp.sources.open5e.endpoints import endpoints_of
from lorekeeper_mcp.sources.open5e.requests import list_request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.sync.fetcher import Fetcher

_COMPARED = 6  # results of a question whose other edition is considered


class _Content(NamedTuple):
    """The content of a page's hits: records and passages by id, and documents by key."""

    records: Mapping[str, Record]
    passages: Mapping[str, tuple[ScoredPassage, ...]]
    documents: Mapping[str, Document]


class AnswerPages:
    """Builds pages from rankings."""

    def __init__(self, cache: Cache, fetcher: Fetcher, engine: SearchEngine, documents: DocumentList) -> None:
        self._cache = cache
        self._fetcher = fetcher
        self._engine = engine
        self._documents = documents

    async def page(self, ranking: Ranking, state: Coverage, query: Query) -> Answer:
        """Return the requested page. ``state`` is that of the records that the answer depends on."""
        limit = query.limit
        if query.passage_results is not None and isinstance(ranking.form, QuestionForm):
            limit = min(limit, query.passage_results)
        groups, records, end = await self._readable(ranking.groups, query.offset, limit)
        content = await self._load(groups, records, ranking, query)
        hits = tuple(self._hit(group, content, ranking, query) for group in groups)
        form = ranking.form
        if isinstance(form, NameForm):
            form = replace(form, named=sum(hit.exact for hit in hits))
        return Answer(
            hits=hits,
            form=form,
            total=ranking.total,
            complete=state.complete,
            cache=state.cache,
            as_of=state.as_of,
            hints=(*filter(None, (state.hint, self._cache.notice)), *ranking.hints),  # what is missing comes first
            next_offset=end if end < ranking.total else None,
        )

    async def _load(
        self, groups: Sequence[Group], records: Mapping[str, Record], ranking: Ranking, query: Query
    ) -> _Content:
        """Load what the hits of some groups need in addition to their ``records``.

        Passages are chosen from the records themselves; only then do named rules get the texts of their parts.
        """
        shown = [group.entry for group in groups]
        named = [entry for group in groups if group.entry.id in ranking.exact for entry in (group.entry, *group.others)]
        compared = groups[:_COMPARED] if isinstance(ranking.form, QuestionForm) and query.edition is None else ()
        others = [other for group in compared for other in group.others[:1]]
        stored = {**records, **await self._cache.records([*named, *others])}
        with_passages = [stored[entry.id] for entry in (*shown, *others) if entry.id in stored]
        passages = await self._engine.passages(ranking, with_passages, query.edition)
        stored |= await with_parts([stored[entry.id] for entry in named if entry.id in stored], self._cache)
        documents = await self._documents.by_key()
        in_editions = {id_: select_edition(record, query.edition, documents) for id_, record in stored.items()}
        return _Content(in_editions, passages, documents)

    def _hit(self, group: Group, content: _Content, ranking: Ranking, query: Query) -> Hit:
        record, is_exact = content.records[group.entry.id], group.entry.id in ranking.exact
        editions: tuple[Record, ...] = ()
        passages = content.passages.get(record.id, ())
        other_passages: tuple[ScoredPassage, ...] = ()
        if query.edition is None and (is_exact or isinstance(ranking.form, QuestionForm)):
            others = (content.records[entry.id] for entry in group.others if entry.id in content.records)
            editions = (*split_editions(record, content.documents), *others)
            passages, other_passages = _passages_by_edition(editions, content)
        return Hit(
            record=record,
            score=group.score,
            also_in=group.also_in,
            exact=is_exact,
            variants=group.variants,
            passages=passages,
            part=ranking.part(group),
            editions=editions if len(editions) > 1 or is_exact else (),
            other_passages=other_passages,
            links=self.links(editions or (record,), query) if is_exact else SpellLinks(),
        )

    def links(self, records: Sequence[Record], query: Query | None = None) -> SpellLinks:
        """Return the sources of a spell, or the spells that an entity grants. ``records`` are its editions.

        With a query they are within its books and edition. The answer to a name has only those of books that are always
        stored; otherwise the links name the lists that are missing.
        """
        scope = LinkScope(self._cache.catalog.of)
        if query is not None:
            scope = LinkScope(self._cache.catalog.of, query.documents, query.edition, query.named_only)
        links = spell_links(records, scope)
        if scope.always_stored_only:
            return links
        lists = endpoints_of(linked_kinds(records[0].kind))
        missing = missing_lists([self._fetcher.status(list_request(endpoint.path)) for endpoint in lists])
        return replace(links, missing=missing)

    async def _readable(
        self, groups: Sequence[Group], offset: int, limit: int
    ) -> tuple[Sequence[Group], dict[str, Record], int]:
        """Return the groups of a page with their records, and the offset of the next page.

        Records that were removed meanwhile are skipped, and the page is filled from the following groups.
        """
        shown: list[Group] = []
        records: dict[str, Record] = {}
        end = offset
        while batch := groups[end : end + limit - len(shown)]:
            records |= await self._cache.records(group.entry for group in batch)
            shown += [group for group in batch if group.entry.id in records]
            end += len(batch)
        return shown, records, end


def _passages_by_edition(
    editions: Sequence[Record], content: _Content
) -> tuple[tuple[ScoredPassage, ...], tuple[ScoredPassage, ...]]:
    """The passages of the newest edition of an entity, and those of the next one, which may be of the same record."""
    newest, *others = editions
    own = content.passages.get(newest.id, ())
    if not others:
        return own, ()
    following = content.passages.get(others[0].id, ())
    if newest.id != others[0].id:
        return own, following
    ours = tuple(scored for scored in own if scored.passage.edition in (None, *newest.editions))
    return ours, tuple(scored for scored in own if scored.passage.edition in (None, *others[0].editions))


def select_edition(record: Record, edition: Edition | None, documents: Mapping[str, Document]) -> Record:
    """Return the record with one edition's text and book, or unchanged if it has no separate text for that edition."""
    texts = tuple(text for text in record.texts if edition is not None and text.edition == edition)
    if not texts or edition is None:
        return record
    changed: dict[str, object] = {"text": texts[0].text, "texts": texts, "editions": (edition,), "page": texts[0].page}
    if (book := documents.get(texts[0].document_key)) is not None:
        changed |= {"document_key": book.key, "document_name": book.name}
        changed |= {"license": book.license, "publisher": book.publisher}
    return record.model_copy(update=changed)


def split_editions(record: Record, documents: Mapping[str, Document]) -> tuple[Record, ...]:
    """Return one record per edition with a separate text, newest first; the record itself if there is none."""
    editions = [edition for edition in NEWEST_FIRST if any(text.edition == edition for text in record.texts)]
    return tuple(select_edition(record, edition, documents) for edition in editions) if len(editions) > 1 else (record,)
