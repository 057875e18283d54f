"""The weapon or armor that a magic item is made of."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import ArmorStats, Edition, Equipment, Kind, WeaponProperty, WeaponStats
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.srd import item_bases
from tests.own_records import open5e_heading

BASES = item_bases.bases_of(srd.records())
AXE = WeaponStats(name="Axe", key="axe", damage_dice="1d8", damage_type="slashing", is_simple=False, is_ranged=False)
PLATES = ArmorStats(
    name="Plates",
    key="plates",
    category="heavy",
    ac_text="18",
    ac_base=18,
    strength_required=15,
    stealth_disadvantage=True,
)
SCALES = ArmorStats(name="Scales", key="scales", ac_text="14", ac_base=14, adds_dexterity=True, dexterity_cap=2)


def item(text: str = "It glows.", **fields: Any) -> Equipment:
    defaults: dict[str, Any] = {"category": "weapon", "editions": (Edition.E2014,)}
    return Equipment(**open5e_heading(Kind.MAGIC_ITEM, "Ember") | defaults | fields, text=text)


def with_base(record: Equipment) -> Equipment:
    return item_bases.with_base(record, BASES)


def weapon(text: str, *properties: str) -> WeaponStats:
    weapon_properties = tuple(WeaponProperty(name=name) for name in properties)
    stats = with_base(item(text, weapon=AXE.model_copy(update={"properties": weapon_properties}))).weapon
    assert stats is not None
    return stats


def armor(text: str, base: ArmorStats) -> ArmorStats:
    stats = with_base(item(text, category="armor", armor=base)).armor
    assert stats is not None
    return stats


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        ("You gain a bonus with this axe, which deals cold damage instead of slashing damage.", "cold"),
        ("The weapon deals cold damage instead of slashing damage.", "cold"),
        ("The weapon deals cold damage instead of piercing damage.", "slashing"),  # of another weapon
        ("While it is wet, it deals cold damage instead of slashing damage.", "slashing"),  # not always
    ],
)
def test_the_text_may_change_the_damage_type(text: str, damage: str) -> None:
    assert weapon(text).damage_type == damage


def test_the_text_may_add_and_remove_properties() -> None:
    thrown = weapon(
        "It has the thrown property with a normal range of 20 feet and a long range of 60 feet.", "Versatile"
    )
    assert [(prop.name, prop.detail) for prop in thrown.properties] == [("Thrown", "range 20/60"), ("Versatile", "")]
    assert (thrown.range, thrown.long_range) == (20.0, 60.0)
    quick = weapon("It doesn't have the loading property.", "Heavy", "Loading")
    assert [prop.name for prop in quick.properties] == ["Heavy"]
    assert [prop.name for prop in weapon("It has the light property.", "Light").properties] == ["Light"]


def test_the_text_may_remove_the_drawbacks_of_armor() -> None:
    light = armor(
        "If the armor normally imposes disadvantage or has a Strength requirement, this version of the armor doesn't.",
        PLATES,
    )
    assert (light.strength_required, light.stealth_disadvantage) == (None, False)
    quiet = armor("In it you don't have disadvantage on Dexterity (Stealth) checks as a result of wearing it.", PLATES)
    assert (quiet.strength_required, quiet.stealth_disadvantage) == (15, False)
    assert armor("It glows.", PLATES) == PLATES


def test_the_text_may_raise_the_limit_for_dexterity() -> None:
    text = (
        "In medium armor the maximum Dexterity modifier you can add to determine your Armor Class is 3, instead of 2."
        " In heavy armor the maximum Dexterity modifier you can add to determine your Armor Class is 1, instead of 0."
    )
    assert armor(text, SCALES).ac_text == "14 + Dex modifier (max 3)"
    heavy = armor(text, PLATES)
    assert (heavy.ac_text, heavy.adds_dexterity, heavy.dexterity_cap) == ("18 + Dex modifier (max 1)", True, 1)


def test_the_text_may_give_the_weight() -> None:
    assert with_base(item("It weighs only 1 pound.", category="armor", armor=PLATES, weight=65.0)).weight == 1.0


def test_an_item_without_a_weight_has_that_of_its_base() -> None:
    sword = AXE.model_copy(update={"name": "Greatsword"})
    assert with_base(item(weapon=sword)).weight == with_base(item(weapon=sword, editions=(Edition.E2024,))).weight == 6
    assert with_base(item(weapon=sword, weight=4.0)).weight == 4
    assert with_base(item(weapon=sword, editions=(Edition.A5E,))).weight is None


@pytest.mark.parametrize(
    ("name", "fields", "made_of"),
    [
        ("Ember Half-Plate", {"category": "armor"}, "srd_half-plate"),
        ("Studded Leather of Embers", {"category": "armor"}, "srd_studded-leather"),
        ("Emberthrow", {"category_text": "Weapon (javelin)"}, "srd_javelin"),
        ("Ember", {"category_text": "Weapon (any sword)"}, ""),
        ("Spearbreaker", {}, ""),
        ("Club and Dagger", {}, ""),  # which of them?
        ("Ember Dagger", {"editions": (Edition.A5E,)}, ""),  # whose numbers differ
        ("Ring of the Dagger", {"category": "ring"}, ""),
        ("Ember", {"category": "shield", "category_text": "Armor (shield)"}, "srd_shield"),
        ("Ember", {"category_text": "Weapon (Mace)", "editions": (Edition.E2024,)}, "srd-2024_mace"),
        ("Ember Mace", {"category_text": "Weapon (Mace or Sickle)", "editions": (Edition.E2024,)}, ""),
    ],
)
def test_an_item_named_after_a_weapon_or_armor_is_made_of_it(name: str, fields: dict[str, Any], made_of: str) -> None:
    record = with_base(item(name=name, **fields))
    base = record.weapon or record.armor
    assert (base.key if base else "") == made_of
    assert [note.was for note in record.corrections] == (["nothing"] if made_of else [])


def test_the_embedded_magic_items_have_the_numbers_of_their_bases() -> None:
    records = {record.id: record for record in srd.records() if isinstance(record, Equipment)}
    made_of = {
        "srd_green-dragon-scale-mail": "srd_scale-mail",
        "srd_animated-shield": "srd_shield",
        "srd_sun-blade": "srd_longsword",
        "srd_vorpal-sword": "",  # which sword?
        "srd_mithral-armor": "",
        "srd-2024_dagger-of-venom": "srd-2024_dagger",
        "srd-2024_energy-bow": "",
    }
    bases = {key: records[f"magic-item:{key}"] for key in made_of}
    parts = {key: item.weapon or item.armor for key, item in bases.items()}
    assert {key: part.key if part else "" for key, part in parts.items()} == made_of
    assert bases["srd_green-dragon-scale-mail"].weight == 45
    assert bases["srd_green-dragon-scale-mail"].corrections == ()
