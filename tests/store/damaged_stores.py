"""A closed store of invented records, what can happen to its files, and checks that nothing of it is lost."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from lorekeeper_mcp.models import Family, Feat, Kind, Record, Source, Spell
from lorekeeper_mcp.store.cache import Cache
from tests.own_records import creature, heading, spell
from tests.store.opened import SPELLS, open_cache

DIRECTION = [1.0] + [0.0] * 383


def text(number: int) -> str:
    return f"What thing {number} does. " * 20


def published_spell(number: int) -> Spell:
    return spell(number, text(number), document_source=Source.OPEN5E_V2)


def all_records() -> list[Record]:
    """The records of the undamaged store."""
    spells = [published_spell(number) for number in range(30)]
    creatures = [creature(number, text(number), document_source=Source.OPEN5E_V2) for number in range(10)]
    heads = [heading(Kind.FEAT, number, document_source=Source.OPEN5E_V2) for number in range(5)]
    return [*spells, *creatures, *(Feat(**head, text=text(number)) for number, head in enumerate(heads))]


async def write_store(db: Path) -> None:
    """Write all records in several steps, one of them a renewal, embed them, and close the store."""
    cache = await open_cache(db.parent)
    records = all_records()
    for part in (records[:20], records[20:]):
        await cache.put(part)
    await cache.note({"here": {"at": 0}})
    await cache.put([published_spell(99)])
    await cache.delete([entry for entry in cache.catalog if entry.key == "own_99"])
    await cache.replace(Family.CREATURES, [r for r in records if r.kind is Kind.CREATURE], lambda _: False)
    for family in (Family.SPELLS, Family.CREATURES, Family.OPTIONS):
        while await cache.embed_pending(family):
            pass
    await cache.note({"here": {"at": 1}})
    await cache.aclose()


def restore(undamaged: Path, folder: Path) -> None:
    """Replace a folder by a copy of the undamaged store."""
    shutil.rmtree(folder)
    shutil.copytree(undamaged, folder)


def files_of(folder: Path) -> list[str]:
    """All files of the store that have content."""
    files = (f for f in (folder / "x.db").rglob("*") if f.is_file() and f.stat().st_size)
    return sorted(f.relative_to(folder).as_posix() for f in files)


def delete(file: Path) -> None:
    file.unlink()


def empty(file: Path) -> None:
    file.write_bytes(b"")


def truncate(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def flip_bits(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for place in random.Random(file.name).sample(range(len(data)), k=min(3, len(data))):
        data[place] ^= 0x11
    file.write_bytes(bytes(data))


HARMS = [delete, empty, truncate, flip_bits]


async def finds_all(cache: Cache) -> bool:
    """Whether every way of asking finds every record, as it was stored."""
    records = {record.id: record for record in all_records()}
    spells = {id_ for id_ in records if id_.startswith("spell:")}
    creatures = {id_ for id_ in records if id_.startswith("creature:")}
    by_filter = await cache.index.candidates(SPELLS)
    by_vector = await cache.index.nearest(SPELLS, DIRECTION, 100)
    by_words = await cache.index.by_words(Family.CREATURES, "what thing does", (), 100)
    return (
        await cache.records(cache.catalog) == records
        and by_filter.keys() == spells == {id_ for id_, _ in by_vector}
        and {id_ for id_, _ in by_words} == creatures
    )
