"""Corrections through the tools, with a cache that has nothing of Open5e yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lorekeeper_mcp.models import Spell
from tests.end_to_end.clients import ask, every_result, in_process, until_complete
from tests.recorded import needs_recorded
from tests.replay import Replay
from tests.served_open5e import load
from tests.srd import srd_records

pytestmark = needs_recorded


def srd_list_of(name: str) -> set[str]:
    return {r.key for r in srd_records() if isinstance(r, Spell) and f"srd_{name}" in {ref.key for ref in r.classes}}


async def keys(db: Path, replay: Replay, tool: str, **arguments: Any) -> set[str]:
    async with in_process(db, replay.url) as client:
        await until_complete(client, tool, **arguments)
        results = await every_result(client, tool, **arguments)
    assert {result["document_source"] for result in results} == {"open5e_v2"}
    return {result["key"] for result in results}


async def test_spell_lists_of_2014_are_those_of_the_srd(replay: Replay, own: Path) -> None:
    for name in ("paladin", "wizard", "druid", "cleric"):
        spells = await keys(own, replay, "search_spell", class_key=name, edition="2014", documents=["srd-2014"])
        assert spells == srd_list_of(name), name


async def test_sizes_of_2024_are_those_of_the_book(replay: Replay, own: Path) -> None:
    for size in ("small", "medium", "tiny"):
        creatures = await keys(own, replay, "search_creature", size=size, documents=["srd-2024"])
        assert ("srd-2024_mage" in creatures) is (size != "tiny")
        assert ("srd-2024_badger" in creatures) is (size == "tiny")


async def test_a_record_with_a_wrong_upstream_value_is_found_by_the_corrected_one(replay: Replay, own: Path) -> None:
    question: dict[str, Any] = {"type": "fiend", "documents": ["srd-2014"]}
    fiends = {r["key"] for r in load("v2/creatures") if r["key"].startswith("srd_") and r["type"]["key"] == "fiend"}
    of_8 = {r["key"] for r in load("v2/creatures") if r["key"] in fiends and r["challenge_rating"] == 8.0}
    assert await keys(own, replay, "search_creature", cr=8, **question) == of_8 | {"srd_chain-devil"}
    assert "srd_chain-devil" not in await keys(own, replay, "search_creature", cr=11, **question)


async def test_an_answer_names_corrected_fields(replay: Replay, own: Path) -> None:
    async with in_process(own, replay.url) as client:
        await until_complete(client, "search_creature", search="srd_giant-elk", documents=["srd-2014"])
        answer = await ask(client, "search_creature", search="srd_giant-elk", documents=["srd-2014"], detail="full")
    found = answer["results"][0]
    assert "**Armor Class** 14" in found["text"]
    assert "Open5e says: 15; here as in SRD 5.1, page 375" in found["corrections"]
