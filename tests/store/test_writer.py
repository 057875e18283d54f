"""Changes: times, embeddings, and what other processes see of them."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache, PendingRecord
from tests.store.test_store import spell


async def opened(folder: Path) -> Cache:
    return await Cache.open(load_settings(milvus_db_path=folder / "x.db"))


async def test_the_time_of_creation_stays_and_that_of_the_change_moves(tmp_path: Path) -> None:
    cache = await opened(tmp_path)
    await cache.put([PendingRecord(spell(1, "old")), PendingRecord(spell(2))])
    before = {entry.key: entry for entry in cache.catalog}
    while int(time.time()) == before["own_1"].created_at:
        await asyncio.sleep(0.05)
    await cache.put([PendingRecord(spell(1, "new"))])
    await cache.renew(
        Family.SPELLS, [PendingRecord(spell(2)), PendingRecord(spell(3))], lambda entry: entry.key == "own_9"
    )
    await cache.aclose()
    again = await opened(tmp_path)
    after = {entry.key: entry for entry in again.catalog}
    assert after.keys() == {"own_1", "own_2", "own_3"}
    for key in ("own_1", "own_2"):
        assert after[key].created_at == before[key].created_at
        assert after[key].updated_at > before[key].updated_at
    assert (await again.records([after["own_1"]]))["spell:own_1"].text == "new"
    await again.aclose()


async def test_a_renewal_keeps_the_embeddings_of_what_has_not_changed(tmp_path: Path) -> None:
    cache = await opened(tmp_path)
    await cache.put([PendingRecord(spell(n, f"a spell that does thing number {n}")) for n in range(3)])
    assert await cache.embed_pending(Family.SPELLS) == 3
    changed = [
        PendingRecord(spell(0, "it does something else")),
        PendingRecord(spell(1, "a spell that does thing number 1")),
    ]
    await cache.renew(Family.SPELLS, changed, lambda _: False)
    assert {e.key: e.has_vector for e in cache.catalog} == {"own_0": False, "own_1": True, "own_2": True}
    vector = await cache.embed_query("a spell that does thing number 1")
    (best, score), *_ = await cache.nearest(Family.SPELLS, vector, "has_vector == 1", 5)
    assert best in ("spell:own_1", "spell:own_2")
    assert score > 0.5
    await cache.aclose()


async def test_what_one_writes_the_other_sees_before_it_answers(tmp_path: Path) -> None:
    one, other = await opened(tmp_path), await opened(tmp_path)  # the second is attached to the first
    assert await other.by_words(Family.SPELLS, "lantern", (), 5) == []
    await other.load_vectors(Family.SPELLS)
    await other.load_payloads(Family.SPELLS)
    await one.put([PendingRecord(spell(1, "a lantern")), PendingRecord(spell(2, "a lamp"))])
    assert await one.embed_pending(Family.SPELLS) == 2
    await one.note({"here": {"at": 1}})
    await other.refresh()
    assert {entry.key for entry in other.catalog} == {"own_1", "own_2"}
    assert [id_ for id_, _ in await other.by_words(Family.SPELLS, "lantern", (), 5)] == ["spell:own_1"]
    vector = await one.embed_query("Spell 2: a lamp")
    near = await other.nearest(Family.SPELLS, vector, "", 2, [entry.id for entry in other.catalog])
    assert next(id_ for id_, score in near if score > 0.5) == "spell:own_2"
    for text in ("a candle", "a torch"):  # in one second, with a look in between
        await one.put([PendingRecord(spell(2, text))])
        await other.refresh()
        assert (await other.records(other.catalog))["spell:own_2"] == spell(2, text)
    await other.renew(Family.SPELLS, [PendingRecord(spell(2, "a lantern"))], lambda _: True)
    await one.refresh()
    assert {entry.key for entry in one.catalog} == {"own_2"}
    assert [id_ for id_, _ in await one.by_words(Family.SPELLS, "lantern", (), 5)] == ["spell:own_2"]
    assert (await one.records(one.catalog))["spell:own_2"].kind is Kind.SPELL
    await other.aclose()
    await one.aclose()
