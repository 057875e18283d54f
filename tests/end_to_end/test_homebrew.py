"""Imported homebrew in the answers of the tools, beside the embedded SRD."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from fastmcp import Client

from lorekeeper_mcp.models import Kind, Record, Spell, family_of
from tests.cached_stores import copy_store
from tests.end_to_end.clients import ask, every_result, in_process, names
from tests.end_to_end.homebrew_commands import TOOLS, command, embed, report_of
from tests.sources.orcbrew.fixture_files import FOLDER, WHOLE, records, skips, stored

RECORDS = {key: record for name in WHOLE for key, record in records(name).items()}
STORED = [record for name in WHOLE for record in stored(name)]


def filters(record: Record) -> dict[str, object]:
    """Arguments of the record's tool, besides documents, that match it."""
    match record.kind:
        case Kind.SPELL:
            assert isinstance(record, Spell)
            return {"level": record.level}
        case Kind.CREATURE:
            return {"size": record.model_dump()["size"]}
        case Kind.RULE | Kind.LANGUAGE:
            return {"rule_type": str(record.kind)}
        case Kind.SPECIES:
            return {"type": "race"}
        case _:
            return {"type": str(record.kind)}


@pytest.fixture(scope="module")
def imported(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the embedded SRD into which the command imported our files: a folder of them, one of them bad."""
    db = copy_store(seeded, tmp_path_factory.mktemp("homebrew") / "own.db")
    done = command(db, "import", str(FOLDER), "--json")
    report = report_of(done)
    assert done.returncode == 1  # because of the truncated file alone
    faults = {Path(file["file"]).stem: file["fault"] for file in report["files"]}
    assert "line" in faults.pop("truncated")
    assert set(faults.values()) == {""}
    rows = [row for file in report["files"] for row in file["rows"]]
    assert sum(row["imported"] for row in rows) == len(RECORDS)
    assert sum(row["read"] for row in rows) == len(RECORDS) + len(skips("wrapped"))
    assert b"search by meaning works once a server has embedded them" in done.stderr
    asyncio.run(embed(db))
    return db


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def brewed(imported: Path) -> AsyncIterator[Client]:
    async with in_process(imported, offline=True) as client:
        yield client


@pytest.mark.asyncio(loop_scope="module")
async def test_every_item_is_found_by_book_by_filter_and_by_name_with_its_text(brewed: Client) -> None:
    for record in RECORDS.values():
        tool = TOOLS[family_of(record.kind)]
        page = await ask(brewed, tool, documents=[record.document_name], search=record.name, detail="full")
        results_by_key = {result["key"]: result for result in page["results"]}
        assert record.key in results_by_key, record.key
        result = results_by_key[record.key]
        assert (result["document_name"], result["document_key"]) == (record.document_name, record.document_key)
        assert (result["document_source"], result["edition"]) == ("orcbrew", "2014")
        assert record.text.strip() in result["text"]
        assert all(field.text in result["text"] for field in record.other)
        by_name = await ask(brewed, tool, search=record.name)
        tops = [
            result["key"] == record.key or record.document_key in result.get("also_in", [])
            for result in by_name["results"][:4]
        ]
        assert any(tops), record.key
    books = sorted({record.document_key for record in RECORDS.values()})
    keys_by_query: dict[tuple[str, str], set[str]] = {}
    for record in RECORDS.values():
        query = TOOLS[family_of(record.kind)], json.dumps(filters(record))
        keys_by_query.setdefault(query, set()).add(record.key)
    for (tool, arguments), keys in keys_by_query.items():
        results = await every_result(brewed, tool, documents=books, **json.loads(arguments))
        assert {result["key"] for result in results} == keys, arguments


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("tool", "search", "name"),
    [
        ("search_spell", "floating paper lantern that hurts those beneath it with radiant light", "Bigby's Lantern"),
        ("search_creature", "moth with powdered wings that put watchers to sleep", "Dusk Moth"),
        ("search_character_option", "people with insect wings who feel fire nearby", "Mothfolk"),
        ("search_character_option", "read omens in fire", "Lamp Reader"),
        ("search_equipment", "candle that stays lit below the sea", "Ever Candle"),
        ("search_rule", "language made of light signals", "Flicker"),
    ],
)
async def test_items_are_found_by_meaning_among_the_srd(brewed: Client, tool: str, search: str, name: str) -> None:
    results = (await ask(brewed, tool, search=search))["results"]
    record_names = [result["name"] for result in results if result["kind"] != "feature"]  # traits may come before them
    assert name in record_names[:3]


@pytest.mark.asyncio(loop_scope="module")
async def test_filters_select_homebrew_by_their_meaning(brewed: Client) -> None:
    book = ["Moths of Amberfen"]
    for tool, arguments, expected in (
        ("search_spell", {"concentration": True}, {"Bigby's Lantern"}),
        ("search_spell", {"class_key": "wizard"}, {"Bigby's Lantern", "Fireball"}),
        ("search_spell", {"class_key": "bard"}, set()),
        ("search_spell", {"class_key": "srd_wizard", "saving_throw": "wisdom"}, {"Bigby's Lantern"}),
        ("search_spell", {"casting_time": "bonus action", "ritual": True}, {"Bigby's Lantern"}),
        ("search_creature", {"cr": "1/4", "type": "monstrosity"}, {"Dusk Moth"}),
        ("search_creature", {"hit_points_min": 30, "ability_min": {"strength": 16}}, {"Dusk Moth"}),
        ("search_character_option", {"type": "subrace"}, {"Luna", "Fen Gnome"}),
        ("search_character_option", {"type": "subclass", "class_key": "cleric"}, {"Lantern Domain"}),
        ("search_character_option", {"type": "subclass", "class_key": "lamplighter"}, {"Green Wick"}),
        ("search_equipment", {"is_finesse": True, "damage_type": "piercing"}, {"Wick Knife"}),
        ("search_equipment", {"rarity": "very rare", "requires_attunement": True}, {"Ever Candle"}),
        ("search_equipment", {"category": "medium"}, {"Wax Coat"}),
        ("search_rule", {"section": "encounters"}, {"Fen Ambush"}),
    ):
        answer = await ask(brewed, tool, documents=book, **arguments)
        assert set(names(answer)) == expected, arguments


@pytest.mark.asyncio(loop_scope="module")
async def test_names_shared_by_the_srd_and_two_books_stay_separate(brewed: Client) -> None:
    by_name = await ask(brewed, "search_spell", search="Fireball")
    assert by_name["results"][0]["document_key"] == "srd-2024"
    assert set(by_name["results"][0]["also_in"]) == {"srd-2014", "moths-of-amberfen", "unnamed-content"}
    books = ["srd-2014", "Moths of Amberfen", "unnamed-content"]
    in_books = await ask(brewed, "search_spell", search="Fireball", documents=books)
    assert [result["document_key"] for result in in_books["results"] if result["name"] == "Fireball"] == [
        "srd-2014",
        "moths-of-amberfen",
        "unnamed-content",
    ]
    assert {r["key"] for r in (await ask(brewed, "search_spell", search="srd_fireball"))["results"]} == {"srd_fireball"}


@pytest.mark.asyncio(loop_scope="module")
async def test_books_are_listed_as_documents(brewed: Client) -> None:
    listed = (await ask(brewed, "list_documents", source="orcbrew"))["documents"]
    counts = {document["document_name"]: document["entity_count"] for document in listed}
    books = {record.document_name for record in RECORDS.values()}
    assert counts == {book: sum(r.document_name == book for r in STORED) for book in books}
