"""A generated file of each format, imported by the command: every item is found by name, question, word and filter."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fastmcp import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from lorekeeper_mcp.models import Creature, Equipment, Record, Spell, family_of
from lorekeeper_mcp.sources import formats
from tests.cached_stores import copy_store
from tests.end_to_end.clients import every_result, in_process
from tests.end_to_end.homebrew_commands import TOOLS, command, embed, report_of
from tests.sources.homebrew_files import fivetools, foundry, initiative, statblocks
from tests.sources.homebrew_files.words import with_unique_words, words_of

FORMATS: dict[str, tuple[str, SearchStrategy[Any]]] = {
    "fivetools": ("json", fivetools.files),
    "foundry": ("json", foundry.files),
    "initiative": ("json", initiative.files),
    "statblocks": ("md", statblocks.files),
}


def sample(strategy: SearchStrategy[Any]) -> Any:
    """The largest of the first few dozen values, the same each time."""
    values: list[Any] = []

    @settings(
        max_examples=60,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        values.append(value)

    collect()
    return max(values, key=lambda value: len(value if isinstance(value, str) else json.dumps(value)))


@functools.cache  # generating them takes seconds, which collecting tests must not
def text_of(form: str) -> str:
    return with_unique_words(sample(FORMATS[form][1]))


def records(form: str) -> list[Record]:
    book = formats.read(text_of(form).encode(), form)
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
    return [(name, value) for name, value in values.items() if value not in ("", None) and not words_of(str(value))]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def brewed(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    folder = tmp_path_factory.mktemp("formats")
    db = copy_store(seeded, folder / "own.db")
    for name, (ending, _) in FORMATS.items():
        (folder / f"{name}.{ending}").write_text(text_of(name), encoding="utf-8")
    done = command(db, "import", "--json", *(str(folder / f"{name}.{ending}") for name, (ending, _) in FORMATS.items()))
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
        words = sorted(words_of(record.text))[:1]
        searches: list[dict[str, object]] = [
            {"search": record.name},
            {"search": f"What does {record.name} do?"},
            *({"search": word} for word in words),
            *({name: value} for name, value in filters(record)),
        ]
        for arguments in searches:
            results = await every_result(brewed, tool, documents=[record.document_name], **arguments)
            keys = {key for result in results for key in (result["key"], *result.get("variants", ()))}
            if record.key not in keys and record.name not in {result["name"] for result in results}:
                wrong.append((record.key, arguments))
    assert wrong == []
