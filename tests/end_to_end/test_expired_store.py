"""A full store that has expired, and Open5e in trouble: no record is lost, and the next good answer heals it."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import time
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.repository.background import fill, unanswered
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from tests.end_to_end.test_faults import MODES
from tests.replay import Replay

_TROUBLE_SECONDS = 20.0  # the longest that Open5e is asked while it is in trouble


@pytest.fixture
async def expired(filled: Path, replay: Replay, tmp_path: Path) -> Path:
    """A store with all that Open5e serves, fetched a month ago."""
    for file in filled.parent.glob("filled.*"):
        if file.is_file():
            shutil.copy(file, tmp_path / file.name)
    db = Path(shutil.copytree(filled, tmp_path / filled.name))
    repository = await Repository.open(load_settings(milvus_db_path=db, open5e_base_url=replay.url))
    await fill(repository)
    await repository.aclose()
    cache = await Cache.open(load_settings(milvus_db_path=db))
    month_ago = time.time() - 30 * 86_400
    ledger = await cache.ledger()
    await cache.note({id_: {**entry, "at": month_ago} for id_, entry in ledger.items() if "at" in entry})
    await cache.aclose()
    return db


async def stored(repository: Repository) -> dict[str, Record]:
    return await repository.cache.records(repository.cache.catalog)


@pytest.mark.chaos
@pytest.mark.parametrize("mode", MODES)
async def test_a_fault_costs_an_expired_store_no_record_and_the_next_good_answer_heals_it(
    mode: str, replay: Replay, expired: Path
) -> None:
    settings = load_settings(milvus_db_path=expired, open5e_base_url=replay.url, background_fill=False)
    repository = await Repository.open(settings)
    before = await stored(repository)
    replay.fault(mode, seconds=5)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_TROUBLE_SECONDS):
            await fill(repository)
    after = await stored(repository)
    await repository.aclose()
    assert before.keys() <= after.keys()

    replay.reset()
    again = await Repository.open(settings)
    statuses = await fill(again)
    assert await stored(again) == before
    assert not unanswered(statuses)
    await again.aclose()
