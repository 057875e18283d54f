"""Both search indexes, in memory and in Milvus: one suite, on the same store."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from lorekeeper_mcp.filters import AnyOf, ColumnType, Comparison, Condition, Scalar, columns
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import FAMILIES, Edition, Family, Kind
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import SearchIndex, open_store
from lorekeeper_mcp.store.catalog import Catalog, places
from lorekeeper_mcp.store.server.server_store import ServerStore
from lorekeeper_mcp.store.session import StoreSession
from tests.own_records import spell
from tests.store.stored_rows import milvus_store
from tests.store.test_store import row, vectors

pytestmark = pytest.mark.asyncio(loop_scope="module")
NOT_THERE: tuple[Scalar, ...] = ("", "no such thing", "_", "%", "a|b", "\x00", '" or id != "', -1, 0, 10**9)


class Indexes:
    """One store with both indexes."""

    def __init__(self, db: Path) -> None:
        """Open the store, and Milvus as if it were a server."""
        self.settings = load_settings(milvus_db_path=db, offline=True)
        self.catalog = Catalog()
        self.local = StoreSession(lambda: open_store(self.settings, self.catalog))
        self.local.store.fill()
        self._milvus = contextlib.ExitStack()
        self.server = StoreSession(self._open_server)
        self.selected: dict[RecordFilter, set[str]] = {}  # what both select, for filters that several tests ask for
        self.memory = SearchIndex(self.local)
        self.milvus = SearchIndex(self.server)

    def _open_server(self) -> ServerStore:
        milvus = self._milvus.enter_context(milvus_store(self.settings.milvus_db_path))
        return ServerStore(milvus, Catalog())

    async def aclose(self) -> None:
        await self.local.aclose()
        await self.server.aclose()
        self._milvus.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def indexes(seeded: Path) -> AsyncIterator[Indexes]:
    opened = await asyncio.to_thread(Indexes, seeded)
    for load in opened.memory.warm_up_steps():
        await load()
    yield opened
    await opened.aclose()


@pytest.fixture(params=["memory", "milvus"])
def index(request: pytest.FixtureRequest, indexes: Indexes) -> SearchIndex:
    """Each of the two."""
    search_index: SearchIndex = getattr(indexes, request.param)
    return search_index


def conditions(catalog: Catalog, family: Family) -> list[Condition]:
    """Two values that occur in each column and some that do not, with every suitable comparison."""
    combinations = []
    for column in columns(family):
        place = places(family)[column.name]
        values = sorted({entry.values[place] for entry in catalog.of(family).values()}, key=str)
        if column.type is ColumnType.LIST:
            values = sorted({part for text in values for part in str(text).split("|") if part})
            comparisons = [Comparison.HAS]
        elif column.type is ColumnType.TEXT:
            comparisons = [Comparison.EQUALS]
        else:
            comparisons = [Comparison.EQUALS, Comparison.AT_LEAST, Comparison.AT_MOST]
        is_text = column.type in (ColumnType.TEXT, ColumnType.LIST)
        absent = [value for value in NOT_THERE if isinstance(value, str) is is_text]
        combinations += [
            Condition(column, comparison, value)
            for value in (*values[:1], *values[-1:], *absent)
            for comparison in comparisons
        ]
    return combinations


async def selected(indexes: Indexes, record_filter: RecordFilter) -> set[str]:
    """The ids that both select."""
    if record_filter not in indexes.selected:
        in_memory = await indexes.memory.candidates(record_filter)
        in_milvus = await indexes.milvus.candidates(record_filter)
        assert dict(in_memory) == dict(in_milvus), record_filter
        indexes.selected[record_filter] = set(in_memory)
    return indexes.selected[record_filter]


@pytest.mark.parametrize("family", Family)
async def test_every_condition_selects_the_same(indexes: Indexes, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    filters = [RecordFilter(family, kinds, clauses=(condition,)) for condition in conditions(indexes.catalog, family)]
    selections = [await selected(indexes, record_filter) for record_filter in filters]
    assert sum(map(bool, selections)) >= len(columns(family))


@pytest.mark.parametrize("family", Family)
async def test_several_values_select_the_union(indexes: Indexes, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    by_column: dict[str, list[Condition]] = {}
    for condition in conditions(indexes.catalog, family):
        if condition.comparison in (Comparison.EQUALS, Comparison.HAS):
            by_column.setdefault(condition.column.name, []).append(condition)
    for alternatives in by_column.values():
        union = await selected(indexes, RecordFilter(family, kinds, clauses=(AnyOf(tuple(alternatives)),)))
        selections = [
            await selected(indexes, RecordFilter(family, kinds, clauses=(condition,))) for condition in alternatives
        ]
        assert union == set().union(*selections), alternatives[0].column.name


@pytest.mark.parametrize("family", Family)
async def test_kinds_documents_and_editions_select_the_same(indexes: Indexes, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    first_kind = frozenset(sorted(kinds)[:1])
    for documents in (None, frozenset({"srd-2014"}), frozenset({"srd-2024", "core"}), frozenset({"none"})):
        for edition in (None, Edition.E2014, Edition.E2024):
            await selected(indexes, RecordFilter(family, kinds, (), documents, edition))
    assert await selected(indexes, RecordFilter(family, first_kind)) == {
        entry.id for entry in indexes.catalog.among(family, first_kind)
    }
    assert not await selected(indexes, RecordFilter(family, frozenset()))
    assert await selected(indexes, RecordFilter.everything(family)) == set(indexes.catalog.of(family))


async def test_the_nearest_are_those_of_the_filter_best_first(indexes: Indexes, index: SearchIndex) -> None:
    question = [float(x) for x in vectors(1)[0]]
    record_filter = RecordFilter(Family.SPELLS, frozenset({Kind.SPELL}), documents=frozenset({"srd-2014"}))
    expected = await indexes.milvus.nearest(record_filter, question, 400)
    ranked = await index.nearest(record_filter, question, 400)
    assert {id_ for id_, _ in ranked} == set(await index.candidates(record_filter))
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert [score for _, score in ranked] == pytest.approx([score for _, score in expected], abs=1e-5)
    assert dict(await index.nearest(record_filter, question, 7)) == pytest.approx(dict(ranked[:7]), abs=1e-6)


async def test_excluded_records_are_neither_candidates_nor_nearest(indexes: Indexes, index: SearchIndex) -> None:
    everything = RecordFilter.everything(Family.CREATURES)
    vector = [float(x) for x in vectors(3)[0]]
    nearest = [id_ for id_, _ in await index.nearest(everything, vector, 20)]
    excluding = replace(everything, excluded=frozenset(nearest[:10]))
    assert (await index.candidates(everything)).keys() - (await index.candidates(excluding)).keys() == set(nearest[:10])
    assert [id_ for id_, _ in await index.nearest(excluding, vector, 10)] == nearest[10:]


async def test_words_find_records_best_first(index: SearchIndex) -> None:
    matches = await index.by_words(Family.SPELLS, "a fireball", (), 5)
    assert matches[0][0].endswith("fireball")
    assert [score for _, score in matches] == sorted((score for _, score in matches), reverse=True)


async def test_passages_are_found_and_compared_alike(indexes: Indexes, index: SearchIndex) -> None:
    passages = await index.passages_by_words(Family.SPELLS, "a ball of fire", 10_000)
    expected_words = await indexes.milvus.passages_by_words(Family.SPELLS, "a ball of fire", 10_000)
    assert [score for *_, score in passages] == [score for *_, score in expected_words]
    assert sorted(passages) == sorted(expected_words)
    assert {id_ for id_, _, _ in passages} <= indexes.catalog.of(Family.SPELLS).keys()
    questions = [[float(x) for x in vector] for vector in vectors(2)]
    ids = list(indexes.catalog.of(Family.SPELLS))
    cosines = await index.passage_cosines(Family.SPELLS, questions, ids)
    expected = await indexes.milvus.passage_cosines(Family.SPELLS, questions, ids)
    assert cosines.keys() == expected.keys()
    assert all(cosines[id_] == pytest.approx(expected[id_], abs=1e-5) for id_ in cosines)
    frequencies = await index.word_frequencies(Family.SPELLS, "fireball blockchain")
    assert frequencies == await indexes.milvus.word_frequencies(Family.SPELLS, "fireball blockchain")
    assert frequencies["fireball"] > 0 == frequencies.get("blockchain", 0)


async def test_records_are_returned_whole_without_removed_ones(indexes: Indexes, index: SearchIndex) -> None:
    record_filter = RecordFilter(Family.SPELLS, frozenset({Kind.SPELL}), documents=frozenset({"srd-2014"}))
    entries = list((await index.candidates(record_filter)).values())
    records = await index.records(entries)
    assert records.keys() == {entry.id for entry in entries}
    assert records == await indexes.milvus.records(entries)
    gone = replace(entries[0], id="spell:gone")
    assert await index.records([gone]) == {}


async def test_records_stored_by_another_client_are_found_in_milvus(tmp_path: Path) -> None:
    own_indexes = await asyncio.to_thread(Indexes, tmp_path / "x.db")
    rows = [row(spell(3)), row(spell(4))]
    await own_indexes.server.read(lambda store: store.rows.upsert(Family.SPELLS, rows))  # past its catalog
    record_filter = RecordFilter(Family.SPELLS, frozenset({Kind.SPELL}))
    assert not await own_indexes.memory.candidates(record_filter)
    assert {entry.key for entry in (await own_indexes.milvus.candidates(record_filter)).values()} == {"own_3", "own_4"}
    await own_indexes.aclose()
