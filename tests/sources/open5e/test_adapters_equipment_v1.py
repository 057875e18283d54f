from __future__ import annotations

from collections import Counter

from lorekeeper_mcp.models import Edition, Equipment, Kind
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from lorekeeper_mcp.text import fold
from tests.recorded import load, needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import EMPTY, adapt, pairs, records
from tests.srd import srd_records


def equipment(endpoint: str, **changes: object) -> Equipment:
    return adapt(endpoint, invented.record(endpoint, **changes), Equipment, EMPTY)


@needs_recorded
def test_level_up_is_one_document_of_v1() -> None:
    level_up = [record for record in records("v1/magicitems") if record.document_key == "a5e"]
    assert len(level_up) == Counter(served["document__slug"] for served in load("v1/magicitems"))["a5e"]
    assert {record.document_name for record in level_up} == {"Level Up Advanced 5e"}
    assert {record.editions for record in level_up} == {(Edition.A5E,)}


@needs_recorded
def test_the_magic_items_that_version_2_and_the_book_lack_are_those_requested() -> None:
    """Version 2 has some under several names, with the text of the one; the book has those of the SRD by name."""

    def names_and_texts(record: Equipment) -> set[tuple[str, str]]:
        return {(record.document_key, fold(text)) for text in (record.name, record.text)}

    present = {(record.document_key, fold(record.name)) for record in srd_records() if record.kind is Kind.MAGIC_ITEM}
    present.update(*(names_and_texts(record) for _, record in pairs("v2/magicitems", Equipment)))
    missing = {
        served["slug"]
        for served, record in pairs("v1/magicitems", Equipment)
        if present.isdisjoint(names_and_texts(record))
    }
    documents, slugs = BY_PATH["v1/magicitems"].lists
    of_documents = {
        served["slug"]
        for served in load("v1/magicitems")
        if served["document__slug"] in documents["document__slug__in"].split(",")
    }
    assert missing == of_documents | set(slugs["slug__in"].split(","))
    assert len(missing) == 584


def test_an_invented_weapon_is_read_whole() -> None:
    record = equipment("v1/weapons")
    assert (record.key, record.document_key, record.document_name) == ("toh_glow", "toh", "Tome")
    assert (record.cost, record.weight) == (2000.0, 0.25)
    stats = record.weapon
    assert stats is not None
    assert [(prop.name, prop.detail) for prop in stats.properties] == [
        ("Two-Handed", ""),
        ("Thrown", "range 20/60"),
        ("Versatile", "1d10"),
    ]
    assert (stats.range, stats.long_range, stats.two_handed_damage) == (20.0, 60.0, "1d10")
    assert (stats.is_simple, stats.is_ranged, stats.damage_type) == (False, True, "piercing")
    assert record.category_text == ""  # its statistics tell
    assert equipment("v1/weapons", properties=None, category=None).weapon is not None


def test_an_invented_armor_is_read_whole() -> None:
    record = equipment("v1/armor")
    assert (record.category, record.category_text, record.cost, record.weight) == ("armor", "", 0.5, None)
    stats = record.armor
    assert stats is not None
    assert (stats.category, stats.ac_base, stats.dexterity_cap, stats.strength_required) == ("medium", 14, 2, None)
    assert equipment("v1/armor", category="Shield").category == "shield"
