from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Equipment, WeaponProperty
from lorekeeper_mcp.sources.open5e.adapters import Context
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import EMPTY, adapt


def equipment(endpoint: str, context: Context = EMPTY, **changes: object) -> Equipment:
    return adapt(endpoint, invented.record(endpoint, **changes), Equipment, context)


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


def test_an_armor_takes_the_category_of_its_item_by_either_key() -> None:
    item = equipment("v2/items", key="lantern_shield-item", category="shield", cost="10.00")
    assert item.armor is not None
    by_armor = equipment("v2/armor", Context({}, {item.key: item}), key=item.armor.key, desc=None)
    assert (by_armor.category, by_armor.cost, by_armor.text) == ("shield", 10.0, item.text)
    by_key = equipment("v2/armor", Context({}, {"same": item}), key="same")
    assert by_key.category == "shield"
    assert equipment("v2/armor").category == "armor"
