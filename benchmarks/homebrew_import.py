"""Measures how long large homebrew books take to import: ``uv run python -m benchmarks.homebrew_import``.

For each format the command ``import`` reads an invented book into a store with the embedded SRDs, which the first
command of any kind stores; ``first start`` is the time of that one. Then an item is searched by name, by a word and by
filters. The yardstick is a plain loop in its own process, before and after, that upserts the same number of rows with
payloads of the same size into Milvus Lite. Memory is the peak of the command, minus that of a command that only reads
the store. Both sides have their modules compiled beforehand, as in an installed program. ``--embedding N`` measures
embedding N items of a book after its import against one call of sentence-transformers with all their texts. ``--json
FILE`` also writes the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from fastmcp import Client
from rich.console import Console
from rich.table import Table
from tests.cached_bytecode import keep_bytecode

from benchmarks.invented_books import BOOKS, orcbrew
from lorekeeper_mcp.embedding.record_embedder import embedded_texts
from lorekeeper_mcp.homebrew.import_paths import ImportFile
from lorekeeper_mcp.homebrew.importer import import_files, read_file
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.server import make_server
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache

PLAIN_LOOP = """
import sys, time
from pymilvus import DataType, MilvusClient
path, items, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
client = MilvusClient(path)
schema = client.create_schema(auto_id=False)
schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=64)
schema.add_field("payload", DataType.VARCHAR, max_length=65_535)
schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=384)
index = client.prepare_index_params()
index.add_index("embedding", index_type="FLAT", metric_type="COSINE")
client.create_collection("plain", schema=schema, index_params=index)
rows = [{"id": str(i), "payload": "x" * size, "embedding": [0.0] * 384} for i in range(items)]
for start in range(0, items, 500):
    client.upsert("plain", rows[start : start + 500])
client.flush("plain")
client.close()
"""


@dataclass(frozen=True)
class Figures:
    """Seconds and megabytes of one format; ``ratio`` is the import divided by the plain loop."""

    items: int
    megabytes: float
    first_start: float
    imported: float
    plain_before: float
    plain_after: float
    ratio: float
    memory_above_idle: float


def run(*command: str, db: Path) -> tuple[float, float]:
    """Return the seconds that a command takes, and its peak memory in MB. Raises RuntimeError if it fails."""
    settings = {"LOREKEEPER_MILVUS_DB_PATH": str(db), "LOREKEEPER_OFFLINE": "true"}
    keep_bytecode()
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *command], env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


async def check_found(db: Path, items: int, *, spells: bool) -> None:
    """Search for an item by name, by a word, and by filters. Raises RuntimeError if it is not found."""
    async with Client(make_server(load_settings(milvus_db_path=db, offline=True))) as client:
        calls: list[tuple[str, dict[str, object], int]] = [
            ("search_creature", {"search": "Beast 42"}, 1),
            ("search_creature", {"search": "lantern fen", "documents": ["Bench"]}, 1),
            ("search_creature", {"size": "large", "type": "beast", "documents": ["Bench"]}, items // 2),
            *([("search_spell", {"level": 3, "documents": ["Bench"]}, items // 20)] if spells else []),
        ]
        for tool, arguments, least in calls:
            answer = await client.call_tool(tool, arguments)
            total = (answer.structured_content or {}).get("total", 0)
            if not isinstance(total, int) or total < least:
                raise RuntimeError(f"{tool} {arguments} finds {total} of {least}")


def measure(form: str, items: int, characters: int) -> Figures:
    """All figures of one format."""
    name, data = BOOKS[form](items, characters)
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        (folder / name).write_bytes(data)
        run("-c", PLAIN_LOOP, str(folder / "warm.db"), "1", "1", db=folder / "x.db")
        run("-m", "lorekeeper_mcp", "import", "--dry-run", str(folder / name), db=folder / "warm-own.db")
        first, idle = run("-m", "lorekeeper_mcp", "documents", db=folder / "own.db")
        plain = ("-c", PLAIN_LOOP, str(folder / "plain.db"), str(items), str(len(data) // items))
        before, _ = run(*plain, db=folder / "x.db")
        seconds, memory = run("-m", "lorekeeper_mcp", "import", "--strict", str(folder / name), db=folder / "own.db")
        after, _ = run("-c", PLAIN_LOOP, str(folder / "plain2.db"), *plain[3:], db=folder / "x.db")
        asyncio.run(check_found(folder / "own.db", items, spells=b"Spell 1" in data))
    ratio = seconds / ((before + after) / 2)
    return Figures(items, len(data) / 1e6, first, seconds, before, after, ratio, memory - idle)


async def measure_embedding(items: int, characters: int) -> dict[str, float]:
    """Texts per second after an import, and in one call of sentence-transformers."""
    _, data = orcbrew(items, characters)
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(milvus_db_path=Path(folder) / "bench.db")
        cache = await Cache.open(settings)
        prepared = read_file(ImportFile("bench", "bench", "/bench", data))
        await import_files(cache, HomebrewLibrary.of(settings), [prepared])
        texts = [embedded_texts(record) for book in prepared.books for record in book.records()]
        flat = [text for record in texts for text in (record.record, *record.passages.values())]
        await asyncio.to_thread(cache.embedder.encode, flat[:40])  # loads the model
        start = time.perf_counter()
        for family in Family:
            while await cache.embed_pending(family):
                pass
        behind = len(flat) / (time.perf_counter() - start)
        start = time.perf_counter()
        await asyncio.to_thread(cache.embedder.encode, flat)
        at_once = len(flat) / (time.perf_counter() - start)
        await cache.aclose()
    return {"texts": len(flat), "behind an import": behind, "all at once": at_once, "ratio": behind / at_once}


def main() -> None:
    """Measure what the arguments select and print a table."""
    parser = argparse.ArgumentParser(description="Measure the import of homebrew.")
    parser.add_argument("--items", type=int, default=8000)
    parser.add_argument("--format", choices=BOOKS, action="append", help="only this format; may be repeated")
    parser.add_argument("--characters", type=int, default=1100, help="of each item's text")
    parser.add_argument("--embedding", type=int, metavar="N", help="only embed N items")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    if options.embedding:
        measured: object = asyncio.run(measure_embedding(options.embedding, options.characters))
        Console().print(measured)
    else:
        figures = {form: measure(form, options.items, options.characters) for form in options.format or BOOKS}
        table = Table("figure", *figures, title="Importing homebrew", title_justify="left")
        for field in Figures.__dataclass_fields__:
            table.add_row(
                field.replace("_", " "),
                *(f"{getattr(format_figures, field):,.2f}" for format_figures in figures.values()),
            )
        Console().print(table)
        measured = {form: asdict(format_figures) for form, format_figures in figures.items()}
    if options.json:
        options.json.write_text(json.dumps(measured, indent=2))


if __name__ == "__main__":
    main()
