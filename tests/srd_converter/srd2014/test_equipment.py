"""Weapons, armor, items and magic items."""

import re
from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import Equipment, Kind, Record, Ref, Reference


def thing(srd: Mapping[str, Record], id_: str) -> Equipment:
    record = srd[id_]
    assert isinstance(record, Equipment)
    return record


@pytest.mark.parametrize("id_", ["weapon:srd_longsword", "item:srd_longsword"])
def test_a_longsword_is_a_weapon_and_an_item(srd: Mapping[str, Record], id_: str) -> None:
    sword = thing(srd, id_)
    assert (sword.cost, sword.weight, sword.category, sword.category_text) == (15.0, 3.0, "weapon", "")
    assert sword.weapon is not None
    assert (sword.weapon.damage_dice, sword.weapon.damage_type) == ("1d8", "slashing")
    assert sword.weapon.two_handed_damage == "1d10"
    assert [(one.name, one.detail) for one in sword.weapon.properties] == [("Versatile", "1d10")]
    assert sword.weapon.properties[0].text
    assert (sword.weapon.is_simple, sword.weapon.range) == (False, None)


def test_weapons_are_melee_or_ranged_as_in_the_table(srd: Mapping[str, Record]) -> None:
    tables = {name: thing(srd, f"weapon:srd_{name}").weapon for name in ("club", "dagger", "dart", "net", "longbow")}
    told = {name: weapon.proficiency for name, weapon in tables.items() if weapon}
    assert told == {
        "club": "simple melee",
        "dagger": "simple melee",
        "dart": "simple ranged",
        "net": "martial ranged",
        "longbow": "martial ranged",
    }


def test_plate_armor_is_as_printed(srd: Mapping[str, Record]) -> None:
    plate, item = thing(srd, "armor:srd_plate"), thing(srd, "item:srd_plate-armor")
    assert plate.armor == item.armor
    assert plate.armor is not None
    assert (plate.armor.stealth_disadvantage, plate.armor.strength_required) == (True, 15)
    assert (plate.armor.ac_base, plate.armor.ac_text, plate.armor.adds_dexterity) == (18, "18", False)
    assert (plate.cost, plate.weight, plate.name) == (1500.0, 65.0, "Plate")


@pytest.mark.parametrize(
    ("key", "text"), [("leather", "11 + Dex modifier"), ("half-plate", "15 + Dex modifier (max 2)"), ("shield", "+2")]
)
def test_armor_classes_as_printed(srd: Mapping[str, Record], key: str, text: str) -> None:
    armor = thing(srd, f"armor:srd_{key}").armor
    assert armor is not None
    assert armor.ac_text == text


def test_thrown_and_shot_weapons_have_ranges(srd: Mapping[str, Record]) -> None:
    dagger, bow = thing(srd, "weapon:srd_dagger").weapon, thing(srd, "weapon:srd_longbow").weapon
    assert dagger is not None
    assert bow is not None
    details = {one.name: one.detail for one in dagger.properties}
    assert details == {"Finesse": "", "Light": "", "Thrown": "range 20/60"}
    assert (bow.range, bow.long_range) == (150.0, 600.0)


def test_barding_costs_four_times_as_much_as_armor(srd: Mapping[str, Record]) -> None:
    for name in ("ring-mail", "chain-mail", "plate"):
        barding, armor = thing(srd, f"item:srd_barding-{name}"), thing(srd, f"armor:srd_{name}")
        assert (barding.cost, barding.weight) == ((armor.cost or 0) * 4, (armor.weight or 0) * 2)


def test_a_net_has_its_own_rule(srd: Mapping[str, Record]) -> None:
    net = thing(srd, "weapon:srd_net").weapon
    assert net is not None
    rule = next(one for one in net.properties if one.name == "Special (Net)")
    assert rule.text == srd["weapon-property:srd-2014_net-special-wp"].text


@pytest.mark.parametrize(
    ("key", "category"),
    [
        ("abacus", "adventuring-gear"), ("thieves-tools", "tools"), ("disguise-kit", "tools"), ("camel", "mount"),
        ("cart", "land-vehicle"), ("galley", "waterborne-vehicle"), ("explorers-pack", "equipment-pack"),
        ("arrow-bow", "ammunition"), ("shield", "shield"), ("poison-basic", "poison"), ("yew-wand", "adventuring-gear"),
    ],
)  # fmt: skip
def test_categories_have_open5es_keys(srd: Mapping[str, Record], key: str, category: str) -> None:
    assert thing(srd, f"item:srd_{key}").category == category


def test_ammunition_is_priced_by_the_piece(srd: Mapping[str, Record]) -> None:
    arrow = thing(srd, "item:srd_arrow-bow")
    assert (arrow.cost, arrow.weight) == (0.05, 0.05)
    assert arrow.text == "Sold by 20: 1 gp, 1 lb."


def test_items_without_a_price_have_no_cost(srd: Mapping[str, Record]) -> None:
    assert (thing(srd, "item:srd_vestments").cost, thing(srd, "item:srd_vestments").weight) == (None, None)


def test_packs_list_their_contents(srd: Mapping[str, Record]) -> None:
    contents = thing(srd, "item:srd_burglars-pack").contents
    assert Ref(name="10 × Piton", key="srd_piton") in contents
    assert {f"item:{one.key}" for one in contents} <= set(srd)


def test_mounts_have_speed_and_load(srd: Mapping[str, Record]) -> None:
    text = thing(srd, "item:srd_camel").text
    assert "Speed: 50 ft." in text
    assert "480 lb." in text


def test_scrolls_have_the_numbers_of_their_table(srd: Mapping[str, Record]) -> None:
    table = srd["magic-item:srd_spell-scroll"].text
    rows = re.findall(r"\| (\dth) \|[^|]*\| (\d+) \| (\+\d+) \|", table)
    assert len(rows) == 6
    for level, difficulty, bonus in rows:
        scroll = srd[f"magic-item:srd_spell-scroll-{level}-level"].text
        assert f"saving throw is {difficulty} and the attack bonus is {bonus}." in scroll
    assert "**Spell Scroll**\n\n|" in table


def test_magic_items_have_rarity_and_attunement(srd: Mapping[str, Record]) -> None:
    staff = thing(srd, "magic-item:srd_staff-of-healing")
    assert (staff.category, staff.rarity, staff.rarity_text) == ("staff", "rare", "")
    assert (staff.requires_attunement, staff.attunement_text) == (
        True,
        "requires attunement by a bard, cleric, or druid",
    )
    assert not staff.text.startswith("Staff,")


def test_further_words_of_the_type_are_kept(srd: Mapping[str, Record]) -> None:
    tongue = thing(srd, "magic-item:srd_flame-tongue")
    assert (tongue.category, tongue.category_text, tongue.rarity) == ("weapon", "Weapon (any sword)", "rare")
    assert thing(srd, "magic-item:srd_animated-shield").category == "shield"


def test_families_name_their_variants(srd: Mapping[str, Record]) -> None:
    family = thing(srd, "magic-item:srd_figurine-of-wondrous-power")
    assert (family.rarity, family.rarity_text) == ("", "rarity by figurine")
    assert {f"magic-item:{one.key}" for one in family.variants} <= set(srd)
    assert "srd_figurine-of-wondrous-power-onyx-dog" in {one.key for one in family.variants}


def test_the_common_healing_potion_is_not_the_family(srd: Mapping[str, Record]) -> None:
    assert thing(srd, "magic-item:srd_potion-of-healing").rarity == "common"
    assert len(thing(srd, "magic-item:srd_potion-of-healing-all-rarities").variants) == 4


def test_armor_has_the_books_description(srd: Mapping[str, Record]) -> None:
    undescribed = [id_ for id_, record in srd.items() if id_.startswith("armor:") and not record.text]
    assert undescribed == []
    assert thing(srd, "armor:srd_plate").text.startswith("Plate consists of shaped, interlocking metal plates")
    assert thing(srd, "item:srd_shield").text.startswith("A shield is made from wood or metal")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("heavy-armor", "Only proficient warriors can manage their weight and bulk."),
        ("holy-symbols", "A cleric or paladin can use a holy symbol as a spellcasting focus."),
        ("gaming-sets", "Each type of gaming set requires a separate proficiency."),
    ],
)
def test_a_set_that_the_book_describes_has_its_text(srd: Mapping[str, Record], key: str, words: str) -> None:
    assert words in srd[f"item-set:{key}"].text


def test_a_set_has_each_of_its_members_once_and_all_mounts(srd: Mapping[str, Record]) -> None:
    sets = [record for record in srd.values() if isinstance(record, Reference) and record.kind is Kind.ITEM_SET]
    assert [record.key for record in sets if len(set(record.members)) < len(record.members)] == []
    mounts = srd["item-set:mounts-and-other-animals"]
    assert isinstance(mounts, Reference)
    assert {"srd_camel", "srd_donkey", "srd_mule", "srd_elephant"} <= {member.key for member in mounts.members}
