"""Items that are part of others' records: none of several with one identity is lost, nor that of a skipped item."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import CharacterClass
from tests.record_pages import markdown
from tests.sources.fivetools.invented import SOURCE, item
from tests.sources.imported_items import read_items, read_pages, records_by_name, skip_reasons

REED = item("Reed", classFeatures=[f"Dust|Reed|{SOURCE}|1"])
STICK = item("Stick", type="M", weapon=True, dmg1="1d4", property=["Z"])


def feature(text: str, source: str = SOURCE) -> dict[str, Any]:
    return {
        "name": "Dust", "source": source, "className": "Reed", "classSource": source, "level": 1, "entries": [text],
    }  # fmt: skip


def zap(text: str, source: str = SOURCE) -> dict[str, Any]:
    return {"abbreviation": "Z", "source": source, "name": "Zap", "entries": [text]}


PAIRS: dict[str, dict[str, list[Any]]] = {
    "features": {"class": [REED], "classFeature": [feature("zqone"), feature("zqtwo")]},
    "groups": {
        "monster": [item("Moth", legendaryGroup={"name": "Fen", "source": SOURCE})],
        "legendaryGroup": [item("Fen", lairActions=["zqone"]), item("Fen", lairActions=["zqtwo"])],
    },
    "lore": {
        "monster": [item("Moth")],
        "monsterFluff": [item("Moth", entries=["zqone"]), item("Moth", entries=["zqtwo"])],
    },
    "properties": {"item": [STICK], "itemProperty": [zap("zqone"), zap("zqtwo")]},
    "types": {
        "item": [item("Stick", type="ZZ")],
        "itemType": [item("zqone", abbreviation="ZZ"), item("zqtwo", abbreviation="ZZ")],
    },
    "shared texts": {
        "item": [item("Ring", entries=[f"{{#itemEntry Glow|{SOURCE}}}"])],
        "itemEntry": [item("Glow", entriesTemplate=["zqone"]), item("Glow", entriesTemplate=["zqtwo"])],
    },
}  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
def test_both_of_two_items_with_one_identity_are_on_a_page(pair: str) -> None:
    pages = read_pages(PAIRS[pair]).lower()
    assert "zqone" in pages
    assert "zqtwo" in pages


def test_an_item_that_is_in_a_file_twice_is_only_in_the_record_that_uses_it() -> None:
    items = read_items({"class": [REED], "classFeature": [feature("zqone"), feature("zqone")]})
    assert [entry.section for entry in items] == ["classes"]


def test_each_of_two_classes_with_one_name_has_the_features_of_its_own_book() -> None:
    other = {**REED, "source": "BOG", "classFeatures": ["Dust|Reed|BOG|1"]}
    items = read_items({"class": [REED, other], "classFeature": [feature("zqfens"), feature("zqbog", "BOG")]})
    texts = {
        entry.record.document_key: [part.text for part in entry.record.features]
        for entry in items
        if isinstance(entry.record, CharacterClass)
    }
    assert texts == {"fens": ["zqfens"], "bog": ["zqbog"]}
    assert len(items) == 2


def test_a_property_is_that_of_the_named_source() -> None:
    stick = {**STICK, "property": [f"Z|{SOURCE}"]}
    records = records_by_name(read_items({"item": [stick], "itemProperty": [zap("zqfens"), zap("zqbog", "BOG")]}))
    assert "zqfens" in markdown(records["Stick"])
    assert "zqbog" in markdown(records["Zap"])


def test_a_property_of_an_item_that_is_no_weapon_has_a_record_of_its_own() -> None:
    pouch = item("Pouch", type="G", property=["Z"])
    records = records_by_name(read_items({"item": [pouch], "itemProperty": [zap("It zings.")]}))
    assert "***Property.*** Z" in markdown(records["Pouch"])
    assert records["Zap"].text == "It zings."


def test_the_features_of_a_class_that_is_skipped_have_records_of_their_own() -> None:
    broken = {**REED, "name": ""}
    items = read_items({"class": [broken], "classFeature": [feature("zqone")]})
    assert len(skip_reasons(items)) == 1
    assert records_by_name(items)["Dust"].text == "zqone"


def test_a_group_without_a_name_belongs_to_no_creature() -> None:
    items = read_items({"monster": [item("Moth")], "legendaryGroup": [{"lairActions": ["zqmist"]}]})
    assert "zqmist" not in markdown(records_by_name(items)["Moth"])
    assert skip_reasons(items) == ["it has no name"]
