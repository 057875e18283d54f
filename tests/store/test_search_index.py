"""Filters select the same in the catalog and in Milvus; words and vectors find what they should."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from lorekeeper_mcp.filters import AnyOf, ColumnType, Comparison, Condition, Scalar, columns
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import FAMILIES, Edition, Family, Kind
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Catalog, places
from tests.store.opened import ids
from tests.store.test_milvus import vectors

pytestmark = pytest.mark.asyncio(loop_scope="module")
NOT_THERE: tuple[Scalar, ...] = ("", "no such thing", "_", "%", "a|b", "\x00", '" or id != "', -1, 0, 10**9)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cache(seeded: Path) -> AsyncIterator[Cache]:
    opened = await Cache.open(load_settings(milvus_db_path=seeded, offline=True))
    yield opened
    await opened.aclose()


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


async def selected(cache: Cache, where: RecordFilter) -> set[str]:
    """The ids that both the catalog and Milvus select."""
    in_memory = (await cache.index.candidates(where)).keys()
    milvus = await cache.read(lambda store: store.milvus())
    expression = await cache.read(lambda store: store.expression(where))
    in_milvus = await cache.read(lambda _: ids(milvus, where.family, expression))
    assert in_memory == in_milvus, where
    return in_milvus


@pytest.mark.parametrize("family", Family)
async def test_every_condition_selects_the_same(cache: Cache, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    filters = [RecordFilter(family, kinds, clauses=(condition,)) for condition in conditions(cache.catalog, family)]
    selections = [await selected(cache, record_filter) for record_filter in filters]
    assert sum(map(bool, selections)) >= len(columns(family))


@pytest.mark.parametrize("family", Family)
async def test_several_values_select_the_union(cache: Cache, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    by_column: dict[str, list[Condition]] = {}
    for condition in conditions(cache.catalog, family):
        if condition.comparison in (Comparison.EQUALS, Comparison.HAS):
            by_column.setdefault(condition.column.name, []).append(condition)
    for alternatives in by_column.values():
        union = await selected(cache, RecordFilter(family, kinds, clauses=(AnyOf(tuple(alternatives)),)))
        selections = [
            await selected(cache, RecordFilter(family, kinds, clauses=(condition,))) for condition in alternatives
        ]
        assert union == set().union(*selections), alternatives[0].column.name


@pytest.mark.parametrize("family", Family)
async def test_kinds_documents_and_editions_select_the_same(cache: Cache, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    first_kind = frozenset(sorted(kinds)[:1])
    for documents in (None, frozenset({"srd-2014"}), frozenset({"srd-2024", "core"}), frozenset({"none"})):
        for edition in (None, Edition.E2014, Edition.E2024):
            await selected(cache, RecordFilter(family, kinds, (), documents, edition))
    assert await selected(cache, RecordFilter(family, first_kind)) == {
        entry.id for entry in cache.catalog.among(family, first_kind)
    }
    assert not await selected(cache, RecordFilter(family, frozenset()))
    assert await selected(cache, RecordFilter.everything(family)) == set(cache.catalog.of(family))


async def test_the_nearest_are_those_of_the_filter_best_first(cache: Cache) -> None:
    question = [float(x) for x in vectors(1)[0]]
    where = RecordFilter(Family.SPELLS, frozenset({Kind.SPELL}), documents=frozenset({"srd-2014"}))
    ranked = await cache.index.nearest(where, question, 400)
    assert {id_ for id_, _ in ranked} == set(await cache.index.candidates(where))
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert dict(await cache.index.nearest(where, question, 7)) == pytest.approx(dict(ranked[:7]), abs=1e-6)


async def test_excluded_records_are_neither_candidates_nor_nearest(cache: Cache) -> None:
    everything = RecordFilter.everything(Family.CREATURES)
    vector = [float(x) for x in vectors(3)[0]]
    nearest = [id_ for id_, _ in await cache.index.nearest(everything, vector, 20)]
    excluding = replace(everything, excluded=frozenset(nearest[:10]))
    left = await cache.index.candidates(excluding)
    assert (await cache.index.candidates(everything)).keys() - left.keys() == set(nearest[:10])
    assert [id_ for id_, _ in await cache.index.nearest(excluding, vector, 10)] == nearest[10:]


async def test_words_find_records_and_passages_best_first(cache: Cache) -> None:
    matches = await cache.index.by_words(Family.SPELLS, "a fireball", (), 5)
    assert matches[0][0].endswith("fireball")
    assert [score for _, score in matches] == sorted((score for _, score in matches), reverse=True)
    passages = await cache.index.passages_by_words(Family.SPELLS, "a ball of fire", 10_000)
    assert {id_ for id_, _, _ in passages} <= cache.catalog.of(Family.SPELLS).keys()
    frequencies = await cache.index.word_frequencies(Family.SPELLS, "fireball blockchain")
    assert frequencies["fireball"] > 0 == frequencies.get("blockchain", 0)


async def test_records_are_returned_whole_without_removed_ones(cache: Cache) -> None:
    where = RecordFilter(Family.SPELLS, frozenset({Kind.SPELL}), documents=frozenset({"srd-2014"}))
    entries = list((await cache.index.candidates(where)).values())
    records = await cache.index.records(entries)
    assert records.keys() == {entry.id for entry in entries}
    gone = replace(entries[0], id="spell:gone")
    assert await cache.index.records([gone]) == {}
