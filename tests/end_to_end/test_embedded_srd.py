"""Open5e's own records replace the embedded SRD's, and entries that Open5e lacks stay."""

from __future__ import annotations

import collections
from pathlib import Path

import pytest
from fastmcp import Client

from lorekeeper_mcp.sources.features import with_features
from tests.cached_stores import copy_store
from tests.corrected_json import corrected
from tests.end_to_end.clients import ask, every_result, in_process, names, until_complete
from tests.recorded import needs_recorded
from tests.replay import Replay
from tests.srd import srd_records

TOOLS = ["search_spell", "search_creature", "search_equipment", "search_character_option", "search_rule"]


@pytest.mark.asyncio(loop_scope="module")
async def test_offline_every_embedded_record_is_there_with_its_license(embedded: Client) -> None:
    listed = await ask(embedded, "list_documents")
    documents = {document["document_key"]: document for document in listed["documents"]}
    for key, version in (("srd-2014", "5.1"), ("srd-2024", "5.2.1")):
        records = with_features(srd_records())
        own = [record for record in records if record.document_key == key and record.kind != "document"]
        assert documents[key]["entity_types"] == dict(collections.Counter(str(record.kind) for record in own))
        assert documents[key]["license"] == "CC-BY-4.0"
        assert f"System Reference Document {version} (“SRD {version}”)" in documents[key]["attribution"]
        assert "Creative Commons Attribution 4.0" in documents[key]["attribution"]
    for tool in TOOLS:
        assert {r["document_key"] for r in await every_result(embedded, tool)} <= {"srd-2014", "srd-2024"}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("tool", "search", "name"),
    [
        ("search_rule", "death saving throws", "Death Saving Throws"),
        ("search_rule", "short rest", "Short Rest"),
        ("search_equipment", "explorer's pack", "Explorer's Pack"),
        ("search_rule", "heroic inspiration", "Heroic Inspiration"),
        ("search_equipment", "hat of many spells", "Hat of Many Spells"),
    ],
)
async def test_records_missing_in_open5e_are_found_online_and_offline(
    client: Client, tool: str, search: str, name: str
) -> None:
    answer = await ask(client, tool, search=search)
    assert names(answer)[0].replace("’", "'") == name


BOTH = [
    ("search_spell", "cure wounds", "Cure Wounds"),
    ("search_creature", "adult red dragon", "Adult Red Dragon"),
    ("search_equipment", "longsword", "Longsword"),
    ("search_equipment", "bag of holding", "Bag of Holding"),
    ("search_equipment", "studded leather", "Studded Leather"),
    ("search_character_option", "wizard", "Wizard"),
    ("search_character_option", "champion", "Champion"),
    ("search_character_option", "dwarf", "Dwarf"),
    ("search_character_option", "acolyte", "Acolyte"),
    ("search_character_option", "grappler", "Grappler"),
    ("search_rule", "opportunity attacks", "Opportunity Attacks"),
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("tool", "search", "name"), BOTH)
@pytest.mark.parametrize("edition", ["2014", "2024"])
async def test_offline_each_edition_returns_its_own_records(
    embedded: Client, tool: str, search: str, name: str, edition: str
) -> None:
    answer = await ask(embedded, tool, search=search, edition=edition)
    assert names(answer)[0].startswith(name)
    assert {result["document_key"] for result in answer["results"]} == {f"srd-{edition}"}
    assert {document["license"] for document in answer["documents"]} == {"CC-BY-4.0"}


@pytest.mark.asyncio(loop_scope="module")
async def test_offline_a_condition_has_the_text_of_the_edition_asked_for(embedded: Client) -> None:
    rules = {
        edition: (await ask(embedded, "search_rule", search="exhaustion", edition=edition, detail="full", limit=1))[
            "results"
        ][0]
        for edition in ("2014", "2024")
    }
    assert {rule["key"] for rule in rules.values()} == {"exhaustion"}
    assert "2 times your Exhaustion level" in str(rules["2024"])
    assert "2 times your Exhaustion level" not in str(rules["2014"])
    assert [rules[edition]["document_key"] for edition in ("2014", "2024")] == ["srd-2014", "srd-2024"]
    assert [rules[edition]["edition"] for edition in ("2014", "2024")] == ["2014", "2024"]


@pytest.mark.asyncio(loop_scope="module")
async def test_records_missing_in_an_open5e_list_come_from_the_embedded_book(warm: Client) -> None:
    """Open5e may list less than the book has; its entries are added to the book's, and never replace all of them."""
    answer = await ask(warm, "search_spell", search="Wish", edition="2024")
    assert (answer["results"][0]["name"], answer["complete"]) == ("Wish", True)
    assert (await ask(warm, "search_equipment", search="Flame Tongue"))["results"][0]["key"] == "srd-2024_flame-tongue"


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("document", ["srd-2014", "srd-2024"])
@pytest.mark.parametrize("tool", TOOLS)
async def test_once_open5e_is_stored_no_srd_record_is_duplicated(warm: Client, tool: str, document: str) -> None:
    results = await every_result(warm, tool, documents=[document])
    keys = [(r["kind"], r["key"]) for r in results]
    assert len(keys) == len(set(keys))


@needs_recorded
async def test_a_filtered_fetch_already_replaces_the_embedded_records_it_covers(
    replay: Replay, seeded: Path, tmp_path: Path
) -> None:
    copy_store(seeded, tmp_path / "fresh.db")
    async with in_process(tmp_path / "fresh.db", replay.url) as client:
        answer = await until_complete(client, "search_equipment", category="potion", documents=["srd-2014"], limit=50)
    expected = {
        r["key"]
        for name in ("items", "magicitems")
        for r in corrected(f"v2/{name}")
        if r["category"]["key"] == "potion" and r["document"]["key"] == "srd-2014"
    }
    assert {r["key"] for r in answer["results"] if r["document_source"] != "srd"} == expected


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("subclass", "size", "spells"),
    [
        ("srd-2024_life-domain", 10, {"Aid", "Bless", "Revivify", "Death Ward"}),
        ("srd-2024_fiend-patron", 10, {"Command", "Geas", "Wall of Fire"}),
        ("srd_life-domain", 10, {"Spiritual Weapon", "Guardian of Faith"}),
        ("srd_oath-of-devotion", 10, {"Sanctuary", "Guardian of Faith"}),
        ("srd_circle-of-the-land", 43, {"Barkskin", "Control Water", "Misty Step"}),
    ],
)
async def test_a_subclass_has_its_own_spell_list(client: Client, subclass: str, size: int, spells: set[str]) -> None:
    spell_list = {result["name"] for result in await every_result(client, "search_spell", class_key=subclass)}
    assert spells <= spell_list
    assert len(spell_list) == size
    assert not spell_list & {"Shillelagh", "Vicious Mockery", "Wish", "Control Weather", "Web"}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("key", ["srd_fireball", "srd_wizard", "srd-2024_alert", "srd-2024_halfling", "srd_acolyte"])
async def test_beside_the_record_of_a_key_no_hint_says_that_nothing_relates_to_it(embedded: Client, key: str) -> None:
    answer = await ask(embedded, "search_all", query=key)
    assert answer["results"][0]["key"] == key
    assert "relate" not in (answer["hint"] or "")


@pytest.mark.asyncio(loop_scope="module")
async def test_the_hint_about_few_related_records_says_whether_the_others_are_left_out(embedded: Client) -> None:
    question = "long rest"
    cut = await ask(embedded, "search_creature", search=question)
    everything = await ask(embedded, "search_creature")
    restricted = await ask(embedded, "search_creature", search=question, type="undead")
    undead = await ask(embedded, "search_creature", type="undead")
    assert 0 < cut["total"] < everything["total"]
    assert "the others were left out" in cut["hint"]
    assert restricted["total"] == undead["total"]
    assert "the others that match the arguments follow" in restricted["hint"]
