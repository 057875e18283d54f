"""How long homebrew takes to come in, apart from embedding: ``uv run python benchmarks/orcbrew_import.py``.

Files of our own making are read, adapted, kept and stored in a fresh cache, once more unchanged, and once more
with one item in ten changed. The yardstick, measured in the same run, is a plain loop that upserts rows of the
same number with payloads of the same size into a collection of Milvus Lite: what storing costs at the least.
Prints a table, or with ``--json FILE`` writes the figures too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from pymilvus import DataType, MilvusClient
from rich.console import Console
from rich.table import Table

from lorekeeper_mcp.homebrew.importer import ImportFile, import_file, prepare
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache

PROSE = "A lantern drifts across the fen and every moth for a mile turns towards it before the rain begins. "


@dataclass(frozen=True)
class Figures:
    """Seconds and megabytes of one file; ``ratio`` is storing against the plain loop."""

    items: int
    megabytes: float
    read_and_adapt: float
    first_import: float
    unchanged: float
    tenth_changed: float
    plain_upsert: float
    ratio: float
    memory_above_idle: float


def library(items: int, characters: int, *, changed: bool = False) -> bytes:
    """A wrapped file with spells and monsters of our own, each with a text of about so many characters."""
    text = PROSE * max(1, characters // len(PROSE))
    spells, monsters = [], []
    for i in range(items):
        told = f"{'Changed. ' if changed and i % 10 == 0 else ''}Number {i}. {text}"
        if i % 2:
            spells.append(
                f':spell-{i} {{:name "Spell {i}" :level {i % 10} :school "evocation" :casting-time "1 action" '
                f':duration "Concentration, up to 1 minute" :components {{:verbal true}} :spell-lists {{:wizard true}} '
                f':description "{told}"}}'
            )
        else:
            monsters.append(
                f':beast-{i} {{:name "Beast {i}" :type :beast :size :large :challenge 1/4 :armor-class 13 '
                f':hit-points {{:die 8 :die-count 3 :modifier 3}} :speed "30 ft." :str 12 '
                f':traits [{{:name "Glow" :description "{told}"}} '
                f'{{:name "Bite" :type :action :description "Bites."}}]}}'
            )
    book = f":orcpub.dnd.e5/spells {{{' '.join(spells)}}} :orcpub.dnd.e5/monsters {{{' '.join(monsters)}}}"
    return f'{{"Bench" {{{book}}}}}'.encode()


def plain_upsert(folder: Path, items: int, payload: str) -> float:
    """Seconds that a plain loop takes to store as many rows."""
    client = MilvusClient(str(folder / "plain.db"))
    schema = client.create_schema(auto_id=False)
    schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=64)
    schema.add_field("payload", DataType.VARCHAR, max_length=65_535)
    schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=384)
    index = client.prepare_index_params()
    index.add_index("embedding", index_type="FLAT", metric_type="COSINE")
    client.create_collection("plain", schema=schema, index_params=index)
    rows = [{"id": str(i), "payload": payload, "embedding": [0.0] * 384} for i in range(items)]
    began = time.perf_counter()
    for start in range(0, len(rows), 500):
        client.upsert("plain", rows[start : start + 500])
    client.flush("plain")
    seconds = time.perf_counter() - began
    client.close()
    return seconds


def peak() -> float:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


async def measure(items: int, characters: int) -> Figures:
    """All figures for one size of file."""
    first, second = library(items, characters), library(items, characters, changed=True)
    with tempfile.TemporaryDirectory() as folder:
        plain = await asyncio.to_thread(plain_upsert, Path(folder), items, "x" * (len(first) // items))
        settings = load_settings(milvus_db_path=Path(folder) / "bench.db")
        cache, shelf = await Cache.open(settings), HomebrewLibrary.of(settings)
        idle = peak()
        began = time.perf_counter()
        prepare(ImportFile("bench", "bench", "/bench", first))
        reading = time.perf_counter() - began
        seconds = []
        for data in (first, first, second):
            began = time.perf_counter()
            report = await import_file(cache, shelf, prepare(ImportFile("bench", "bench", "/bench", data)))
            seconds.append(time.perf_counter() - began)
            if not report.complete or sum(row.read for row in report.rows) != items:
                raise RuntimeError(f"not everything came in: {report}")
        above = peak() - idle
        await cache.aclose()
    storing = seconds[0] / plain
    return Figures(items, len(first) / 1e6, reading, *seconds, plain, storing, above)


async def main() -> dict[str, Figures]:
    """Measure a thousand items, five megabytes and ten; the smallest first, since memory's peak never falls."""
    sizes = {"1,000 items": (1000, 600), "5 MB": (4000, 1100), "10 MB": (8000, 1100)}
    figures = {name: await measure(*size) for name, size in sizes.items()}
    table = Table("figure", *figures, title="Importing homebrew, seconds apart from embedding", title_justify="left")
    for field in Figures.__dataclass_fields__:
        table.add_row(field.replace("_", " "), *(f"{getattr(one, field):,.2f}" for one in figures.values()))
    Console().print(table)
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the import of homebrew.")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    file = parser.parse_args().json
    measured = asyncio.run(main())
    if file:
        file.write_text(json.dumps({name: asdict(one) for name, one in measured.items()}, indent=2))
