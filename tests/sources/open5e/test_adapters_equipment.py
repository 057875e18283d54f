from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Equipment, Kind, WeaponProperty
from lorekeeper_mcp.sources.open5e.adapters import Context
from tests.recorded import load, needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import EMPTY, adapt, pairs

RANGED = {  # in the tables of either book
    *("Blowgun", "Crossbow, hand", "Crossbow, heavy", "Crossbow, light", "Dart", "Hand Crossbow", "Heavy Crossbow"),
    *("Light Crossbow", "Longbow", "Musket", "Net", "Pistol", "Shortbow", "Sling"),
}


def equipment(endpoint: str, context: Context = EMPTY, **changes: object) -> Equipment:
    return adapt(endpoint, invented.record(endpoint, **changes), Equipment, context)


def check_weapon(served: dict[str, Any], record: Equipment) -> None:
    stats = record.weapon
    assert stats is not None
    assert (stats.name, stats.key) == (served["name"], served["key"])
    assert (stats.damage_dice, stats.damage_type) == (served["damage_dice"], served["damage_type"]["key"])
    assert (stats.range, stats.long_range) == (served.get("range") or None, served.get("long_range") or None)
    assert (stats.is_simple, stats.is_improvised) == (served["is_simple"], served["is_improvised"])
    assert (stats.is_ranged is True) == (served["name"] in RANGED)
    assert [(prop.name, prop.detail, prop.text, prop.type) for prop in stats.properties] == [
        (prop["property"]["name"], prop["detail"] or "", prop["property"]["desc"], prop["property"]["type"] or "")
        for prop in served["properties"]
    ]
    versatile = [prop["detail"] for prop in served["properties"] if prop["property"]["name"] == "Versatile"]
    assert [stats.two_handed_damage] == (versatile or [""])


def check_armor(served: dict[str, Any], record: Equipment) -> None:
    stats = record.armor
    assert stats is not None
    assert (stats.name, stats.key, stats.category) == (served["name"], served["key"], served["category"])
    assert (stats.ac_text, stats.ac_base) == (served["ac_display"], served["ac_base"])
    assert (stats.adds_dexterity, stats.dexterity_cap) == (served["ac_add_dexmod"], served["ac_cap_dexmod"])
    assert stats.strength_required == served["strength_score_required"]
    assert stats.stealth_disadvantage == served["grants_stealth_disadvantage"]


@needs_recorded
@pytest.mark.parametrize("endpoint", ["v2/items", "v2/magicitems"])
def test_every_recorded_item_keeps_category_and_stats(endpoint: str) -> None:
    for served, record in pairs(endpoint, Equipment):
        assert record.category == served["category"]["key"]
        assert record.size == served["size"]["key"]
        assert (record.weapon is None, record.armor is None) == (served["weapon"] is None, served["armor"] is None)
        if served["weapon"]:
            check_weapon(served["weapon"], record)
        if served["armor"]:
            check_armor(served["armor"], record)


@needs_recorded
def test_recorded_services_have_the_unit_of_their_cost() -> None:
    for served, service in pairs("v2/services", Equipment):
        assert (service.cost, service.cost_unit) == (
            float(served["cost"]),
            (served["detail"] or "").removeprefix("per ").removeprefix("1 "),
        )


@needs_recorded
def test_recorded_costs_and_weights_of_items_are_unknown_where_zero() -> None:
    for served, record in pairs("v2/items", Equipment):
        assert (record.cost, record.weight) == (float(served["cost"]) or None, float(served["weight"]) or None)
        assert record.requires_attunement is None


@needs_recorded
def test_recorded_costs_and_weights_of_magic_items_are_unknown_where_zero() -> None:
    for served, record in pairs("v2/magicitems", Equipment):
        assert record.cost == (float(served["cost"] or 0) or None)
        assert record.weight == (float(served["weight"]) or None)
        assert record.rarity == served["rarity"]["key"]
        assert record.requires_attunement is served["requires_attunement"]
        assert record.attunement_text == (served["attunement_detail"] or "")


@needs_recorded
def test_every_recorded_weapon_has_the_cost_and_weight_of_its_item() -> None:
    items = {item["key"]: item for item in load("v2/items")}
    for served, record in pairs("v2/weapons", Equipment):
        check_weapon(served, record)
        item = items[served["key"]]
        assert (record.kind, record.category) == (Kind.WEAPON, "weapon")
        assert (record.cost, record.weight) == (float(item["cost"]) or None, float(item["weight"]) or None)


@needs_recorded
def test_every_recorded_armor_has_the_cost_and_weight_of_its_item() -> None:
    items = {item["armor"]["key"]: item for item in load("v2/items") if item["armor"]}
    for served, record in pairs("v2/armor", Equipment):
        check_armor(served, record)
        item = items[served["key"]]
        assert (record.kind, record.category) == (Kind.ARMOR, item["category"]["key"])
        assert (record.cost, record.weight) == (float(item["cost"]) or None, float(item["weight"]) or None)


def test_an_invented_item_is_read_whole() -> None:
    record = equipment("v2/items")
    assert (record.cost, record.weight, record.category) == (15.0, 3.0, "ring")
    assert record.weapon is not None
    assert (record.weapon.range, record.weapon.long_range) == (20.0, None)
    assert record.weapon.two_handed_damage == "1d8"
    assert record.weapon.properties[1] == WeaponProperty(name="Vex", text="Annoys.", type="Mastery")
    assert equipment("v2/items", cost=0, weight=None).cost is None, "nothing is sold for 0 gp"
    assert equipment("v2/items", cost=0, weight=None).weight is None


def test_a_magic_item_without_known_cost_has_none() -> None:
    record = equipment("v2/magicitems", cost="0.00", weight="0.000", rarity=None, weapon=None, armor=[])
    assert (record.cost, record.weight, record.rarity) == (None, None, "")
    assert (record.weapon, record.armor) == (None, None)
    assert record.attunement_text == "requires attunement by a lamplighter"
    assert equipment("v2/magicitems", rarity="rare").rarity == "rare"


@pytest.mark.parametrize(
    ("key", "properties", "ranged"),
    [
        ("srd_dart", ["Thrown"], True),  # as in the book's table
        ("srd_javelin", ["Thrown"], False),
        ("other_rifle", ["Ammunition"], True),
        ("other_claw", [], False),
        ("other_disc", ["Thrown"], None),
    ],
)
def test_a_weapon_is_melee_or_ranged_as_the_books_list_it(key: str, properties: list[str], ranged: bool | None) -> None:
    record = equipment("v2/weapons", key=key, properties=[{"property": name} for name in properties])
    assert record.weapon is not None
    assert record.weapon.is_ranged is ranged


def test_a_weapon_without_its_item_has_no_cost() -> None:
    record = equipment("v2/weapons", properties=[])
    assert (record.cost, record.weight, record.category) == (None, None, "weapon")
    assert record.weapon is not None
    assert record.weapon.properties == ()


def test_an_armor_takes_the_category_of_its_item_by_either_key() -> None:
    item = equipment("v2/items", key="lantern_shield-item", category="shield", cost="10.00")
    assert item.armor is not None
    by_armor = equipment("v2/armor", Context({}, {item.key: item}), key=item.armor.key, desc=None)
    assert (by_armor.category, by_armor.cost, by_armor.text) == ("shield", 10.0, item.text)
    by_key = equipment("v2/armor", Context({}, {"same": item}), key="same")
    assert by_key.category == "shield"
    assert equipment("v2/armor").category == "armor"


def test_properties_served_as_bare_names_are_kept() -> None:
    record = equipment("v2/weapons", properties=[{"property": "finesse"}, {"name": "Reach"}])
    assert record.weapon is not None
    assert [prop.name for prop in record.weapon.properties] == ["Finesse", "Reach"]
