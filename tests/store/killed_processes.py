"""The processes that ``test_kills`` kills. Started by a fork server, which has done the slow imports."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from multiprocessing.connection import Connection
from pathlib import Path

from lorekeeper_mcp.models import Family, Source, Spell
from lorekeeper_mcp.repository.background import fetch_lists
from lorekeeper_mcp.runtime import configure_environment
from lorekeeper_mcp.server import make_host
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.sharing.store_member import StoreMember
from lorekeeper_mcp.store.cache import Cache
from tests import own_records

SPELLS = 120


def spell(number: int, step: int) -> Spell:
    """A spell of a published book as of a step."""
    return own_records.spell(number, f"as of step {step}", document_source=Source.OPEN5E_V2)


def touched(step: int) -> list[int]:
    """The spells that a step writes or removes."""
    size = {0: 40, 1: 60, 2: 10, 3: 0}[step % 4]
    return [(step * 7 + number) % SPELLS for number in range(size)]


async def run_step(cache: Cache, step: int, *, settles: bool) -> None:
    """Put, replace, delete, note and perhaps bring the files to rest, in turn."""
    arrivals = [spell(number, step) for number in touched(step)]
    match step % 4:
        case 0:
            await cache.put(arrivals)
        case 1:
            await cache.replace(Family.SPELLS, arrivals, lambda _: True)
        case 2:
            keys = {f"own_{number}" for number in touched(step)}
            await cache.delete([entry for entry in cache.catalog if entry.key in keys])
        case _:
            await cache.note({f"step {step}": {"at": step}})
            if settles:
                await cache.write(lambda store: store.settle())


def write(db: Path, first: int, settles: bool, acknowledge: Connection) -> None:
    """Take one step after the other, saying before and after each which it is."""

    async def steps() -> None:
        cache = await Cache.open(load_settings(milvus_db_path=db))
        for step in range(first, first + 10_000):
            acknowledge.send(("begins", step))
            await run_step(cache, step, settles=settles)
            acknowledge.send(("done", step))

    asyncio.run(steps())


def fill_from(db: Path, url: str, acknowledge: Connection) -> None:
    """Fill a store from Open5e, reporting when it is full."""
    configure_environment()

    async def run() -> None:
        async with aclosing(
            StoreMember(load_settings(milvus_db_path=db, open5e_base_url=url), make_host, wait_for_model=True)
        ) as member:
            repository = await (await member.watch()).get()
            acknowledge.send(("open", 0))
            await fetch_lists(repository)
            acknowledge.send(("full", 0))

    asyncio.run(run())
