"""Records are replaced in the middle of an answer: the page is filled up, and nothing raises."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path

import pytest_asyncio

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import FAMILIES, Family, Record, Spell
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache, SearchIndex
from lorekeeper_mcp.store.catalog import Entry
from tests.own_records import spell


class Interrupted:
    """An index that runs something before its first answer of a kind."""

    def __init__(self, index: SearchIndex, meanwhile: Callable[[], Awaitable[None]], *, before: str) -> None:
        self._index = index
        self._meanwhile = meanwhile
        self._before = before

    def __getattr__(self, name: str) -> object:
        return getattr(self._index, name)

    async def _interrupt(self, name: str) -> None:
        if name == self._before:
            self._before = ""
            await self._meanwhile()

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        await self._interrupt("records")
        return await self._index.records(entries)

    async def nearest(self, record_filter: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        await self._interrupt("nearest")
        return await self._index.nearest(record_filter, vector, limit)


TEXTS = ("A wall of fire.", "A thin rope.", "Cold rain falls.", "A wolf howls.", "You jump far.", "A door opens.")


def zorbal(key: str, text: str) -> Spell:
    return spell(key, text, name=f"Zorbal {key}")


async def store(cache: Cache, *spells: Spell) -> None:
    """Store spells and embed them."""
    await cache.put(list(spells))
    while await cache.embed_pending(Family.SPELLS):
        pass


@pytest_asyncio.fixture
async def repository_and_cache(tmp_path: Path) -> AsyncIterator[tuple[Repository, Cache]]:
    """A repository over thirty invented spells, and its cache."""
    settings = load_settings(milvus_db_path=tmp_path / "x.db", offline=True)
    cache = await Cache.open(settings)
    await store(cache, *(zorbal(f"{n:02}", TEXTS[n % len(TEXTS)]) for n in range(30)))
    repository = Repository(settings, cache)
    yield repository, cache
    await repository.aclose()


def question(search: str = "", offset: int = 0) -> FamilyQuery:
    return FamilyQuery(
        family=Family.SPELLS, kinds=frozenset(FAMILIES[Family.SPELLS]), search=search, limit=10, offset=offset
    )


async def test_a_page_is_filled_up_where_records_are_removed_while_it_is_read(
    repository_and_cache: tuple[Repository, Cache],
) -> None:
    repository, cache = repository_and_cache
    before = [hit.record.id for hit in (await repository.search(question())).hits]
    following = [hit.record.id for hit in (await repository.search(question(offset=10))).hits]

    async def remove() -> None:
        await cache.delete([entry for entry in cache.catalog if entry.id in before[2:5]])

    cache.index = Interrupted(cache.index, remove, before="records")  # type: ignore[assignment]
    cache.records = cache.index.records  # type: ignore[method-assign]
    answer = await repository.search(question())
    assert [hit.record.id for hit in answer.hits] == [*before[:2], *before[5:], *following[:3]]
    assert answer.next_offset == 13


async def test_a_record_that_is_stored_while_a_question_is_ranked_breaks_nothing(
    repository_and_cache: tuple[Repository, Cache],
) -> None:
    repository, cache = repository_and_cache
    search = "thin paper"  # little is related to it, so that only near records are returned

    async def add() -> None:
        await store(cache, zorbal("bound", "A sheet of parchment."))

    before = await repository.search(question(search))
    assert 0 < before.total < 30
    cache.index = Interrupted(cache.index, add, before="nearest")  # type: ignore[assignment]
    answer = await repository.search(question(search))
    assert [hit.record.id for hit in answer.hits] == [hit.record.id for hit in before.hits]
    again = await repository.search(question(search))
    assert again.total == before.total + 1
