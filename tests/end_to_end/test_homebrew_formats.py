"""A file of each format, imported by the command: every item is found by its name, a question and filters."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from fastmcp import Client

from lorekeeper_mcp.models import Creature, Equipment, Record, Spell, family_of
from lorekeeper_mcp.sources import formats
from tests.cached_stores import copy_store
from tests.corpus.entries import FILES
from tests.end_to_end.clients import every_result, in_process
from tests.end_to_end.homebrew_commands import TOOLS, command, embed, report_of

FORMATS = {
    "fivetools": "spells-2014.json",
    "foundry": "lights.json",
    "initiative": "lists.json",
    "statblocks": "note.md",
    "orcbrew": "options.orcbrew",
}


def path_of(form: str) -> Path:
    return FILES / form / FORMATS[form]


def records(form: str) -> list[Record]:
    book = formats.read(path_of(form).read_bytes(), path_of(form).stem)
    return [item.record for book in book.books for item in book.items if item.record]


def filters(record: Record) -> list[tuple[str, object]]:
    """Filters of the record's tool that match it: those whose values are words of the game."""
    match record:
        case Spell():
            values = {"level": record.level, "school": record.school, "concentration": record.concentration or None}
        case Creature():
            values = {"size": record.size, "type": record.type, "cr": record.challenge_rating}
        case Equipment():
            values = {"rarity": record.rarity, "category": record.category}
        case _:
            values = {}
    return [(name, value) for name, value in values.items() if value not in ("", None)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def brewed(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    db = copy_store(seeded, tmp_path_factory.mktemp("formats") / "own.db")
    done = command(db, "import", "--json", *map(str, map(path_of, FORMATS)))
    assert done.returncode == 0, done.stderr
    imported = sum(row["imported"] for file in report_of(done)["files"] for row in file["rows"])
    assert imported == sum(len(records(name)) for name in FORMATS)
    await asyncio.to_thread(asyncio.run, embed(db))
    async with in_process(db, offline=True) as client:
        yield client


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("form", FORMATS)
async def test_every_item_of_a_file_is_found(brewed: Client, form: str) -> None:
    wrong = []
    for record in records(form):
        tool = TOOLS[family_of(record.kind)]
        searches: list[dict[str, object]] = [
            {"search": record.name},
            {"search": f"What does {record.name} do?"},
            *({name: value} for name, value in filters(record)),
        ]
        for arguments in searches:
            results = await every_result(brewed, tool, documents=[record.document_name], **arguments)
            keys = {key for result in results for key in (result["key"], *result.get("variants", ()))}
            if record.key not in keys and record.name not in {result["name"] for result in results}:
                wrong.append((record.key, arguments))
    assert wrong == []
