"""Every filter selects the same records in memory as in the store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from lorekeeper_mcp.filters import AnyOf, ColumnType, Comparison, Condition, Scalar, columns
from lorekeeper_mcp.models import FAMILIES, Edition, Family, Kind
from lorekeeper_mcp.search.record_filter import RecordFilter
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.memory.catalog import places

pytestmark = pytest.mark.asyncio(loop_scope="module")
NOT_THERE: tuple[Scalar, ...] = ("", "no such thing", "_", "%", "a|b", "\x00", '" or id != "', -1, 0, 10**9)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cache(seeded: Path) -> AsyncIterator[Cache]:
    opened = await Cache.open(load_settings(milvus_db_path=seeded, offline=True))
    yield opened
    await opened.aclose()


async def selected(cache: Cache, asked: RecordFilter) -> tuple[set[str], set[str]]:
    return set(asked.of(cache.catalog.of(asked.family))), await cache.ids(asked.family, asked.expression)


def conditions(cache: Cache, family: Family) -> list[Condition]:
    """Two values that stand in each column and some that stand in none, by every comparison that fits."""
    found = []
    for column in columns(family):
        place = places(family)[column.name]
        held = sorted({entry.values[place] for entry in cache.catalog.of(family).values()}, key=str)
        listed = column.type is ColumnType.LIST
        parts = sorted({part for text in held for part in str(text).split("|") if part}) if listed else held
        texts = column.type in (ColumnType.TEXT, ColumnType.LIST)
        strange = [value for value in NOT_THERE if isinstance(value, str) is texts]
        fitting = (
            [Comparison.HAS]
            if listed
            else [Comparison.EQUALS]
            if texts
            else [Comparison.EQUALS, Comparison.AT_LEAST, Comparison.AT_MOST]
        )
        values = [*parts[:1], *parts[-1:], *strange]
        found += [Condition(column, comparison, value) for value in values for comparison in fitting]
    return found


@pytest.mark.parametrize("family", Family)
async def test_memory_and_store_select_the_same(cache: Cache, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    told = []
    for condition in conditions(cache, family):
        in_memory, in_store = await selected(cache, RecordFilter(family, kinds, frozenset(), (condition,)))
        assert in_memory == in_store, condition
        told.append(len(in_memory))
    assert sum(map(bool, told)) >= len(columns(family))


@pytest.mark.parametrize("family", Family)
async def test_any_of_several_values_selects_what_each_of_them_selects(cache: Cache, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    by_column: dict[str, list[Condition]] = {}
    for condition in conditions(cache, family):
        if condition.comparison in (Comparison.EQUALS, Comparison.HAS):
            by_column.setdefault(condition.column.name, []).append(condition)
    for alternatives in by_column.values():
        together = RecordFilter(family, kinds, frozenset(), (AnyOf(tuple(alternatives)),))
        in_memory, in_store = await selected(cache, together)
        alone = [await selected(cache, RecordFilter(family, kinds, frozenset(), (one,))) for one in alternatives]
        assert in_memory == in_store == set().union(*(ids for ids, _ in alone)), alternatives[0].column.name


@pytest.mark.parametrize("family", Family)
async def test_documents_edition_and_what_gives_way_too(cache: Cache, family: Family) -> None:
    kinds = frozenset(FAMILIES[family])
    for documents in (None, frozenset({"srd-2014"}), frozenset({"srd-2024", "core"}), frozenset({"none"})):
        for edition in (None, Edition.E2014, Edition.E2024):
            for settled in (frozenset[Kind](), kinds, frozenset(sorted(kinds)[:1])):
                asked = RecordFilter(family, kinds, settled, (), documents, edition)
                in_memory, in_store = await selected(cache, asked)
                assert in_memory == in_store, asked
