"""The embedded SRD is loaded once, and records that are already loaded are not stored again."""

from __future__ import annotations

from pathlib import Path

from lorekeeper_mcp.models import Family, Source
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.sync.seed import is_seeded, seed


async def test_an_interrupted_seed_continues(own: Path) -> None:
    cache = await Cache.open(load_settings(milvus_db_path=own))
    before = {entry.id: entry for entry in cache.catalog if entry.source is Source.SRD}
    deleted = sorted(before)[::100]
    await cache.delete([before[id_] for id_ in deleted])
    await seed(cache)
    after = {entry.id: entry for entry in cache.catalog if entry.source is Source.SRD}
    assert after.keys() == before.keys()
    assert {id_ for id_ in after if after[id_] is not before[id_]} == set(deleted)
    assert is_seeded(await cache.ledger())
    await cache.aclose()


async def test_records_seeded_under_an_older_key_are_deleted(own: Path) -> None:
    cache = await Cache.open(load_settings(milvus_db_path=own))
    before = {entry.id for entry in cache.catalog}
    entry = next(entry for entry in cache.catalog if entry.id == "spell:srd_fireball")
    fireball = (await cache.records([entry]))[entry.id]
    await cache.put([fireball.model_copy(update={"key": "srd_fire-ball"})])
    await seed(cache)
    assert {entry.id for entry in cache.catalog} == before
    await cache.aclose()


async def test_documents_come_first_and_then_what_is_needed_first(tmp_path: Path) -> None:
    cache = await Cache.open(load_settings(milvus_db_path=tmp_path / "new.db"))
    stored: list[set[Family]] = []

    async def note_stored() -> None:
        stored.append({family for family in Family if cache.catalog.of(family)})

    await seed(cache, [Family.OPTIONS], note_stored)
    assert stored[:2] == [{Family.RULES}, {Family.RULES, Family.OPTIONS}]
    assert stored[-1] == set(Family)
    await cache.aclose()
