"""No record has meaningless or duplicate content."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import CharacterClass, Equipment, Feat, Feature, Kind, Record, Ref, Reference
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.record_repairs import clean_record
from tests.own_records import open5e_heading
from tests.recorded import load, needs_recorded


def test_names_of_magic_weapons_of_2014_have_no_hyphens() -> None:
    names = [("Crossbow-Hand (+1)", "Hand Crossbow (+1)"), ("Vicious Weapon (War-Pick)", "Vicious Weapon (War Pick)")]
    for served, name in names:
        assert clean_record(Equipment(**open5e_heading(Kind.MAGIC_ITEM, served))).name == name


def test_a_repeated_name_is_no_text_and_nothing_costs_0_gp() -> None:
    lamp = clean_record(Equipment(**open5e_heading(Kind.ITEM, "Oil Lamp"), text="An oil lamp.", cost=0.0))
    assert (lamp.text, lamp.cost) == ("", None)
    assert clean_record(Equipment(**open5e_heading(Kind.ITEM, "Lamp, oil"), text="An oil lamp.")).text == ""
    assert clean_record(Equipment(**open5e_heading(Kind.WEAPON, "Greatlamp"), text="A great lamp.")).text == ""


def test_run_on_properties_get_their_own_paragraphs() -> None:
    served = "It has 3 charges. Light of Moths (Rare). You can make it glow. It may go out. Darkness. It ends."
    staff = clean_record(Equipment(**open5e_heading(Kind.MAGIC_ITEM, "Staff of Moths"), text=served))
    assert staff.text == (
        "It has 3 charges.\n\n**Light of Moths (Rare).** You can make it glow. It may go out.\n\n**Darkness.** It ends."
    )


@needs_recorded
@pytest.mark.parametrize(
    ("endpoint", "key", "field", "value"),
    [
        ("v2/spells", "srd-2024_ice-knife", "casting_options", ()),
        ("v2/magicitems", "srd-2024_weapon-of-warning-battleaxe", "requires_attunement", True),
        ("v2/items", "srd_acid", "cost", 25.0),
        ("v2/items", "srd-2024_holy-symbol-amulet", "name", "Holy Symbol, Amulet"),
        ("v2/creatures", "a5e-mm_unicorn", "alignment", ""),
        ("v2/creatures", "tob_bouda", "environments", ()),
        ("v2/creatures", "tob3_npc-wind-acolyte", "name", "Wind Acolyte"),
        ("v2/creatures", "srd_donkey", "speed", {"walk": 40.0}),
        ("v2/creatures", "tob3_archon-siege", "skills", {"perception": 10}),
        ("v2/magicitems", "srd-2024_chain-shirt-plus-3", "rarity", "legendary"),
        ("v2/magicitems", "srd-2024_shield-plus-3", "rarity", "very-rare"),
        ("v2/magicitems", "srd_staff-of-the-python", "rarity", "uncommon"),
        ("v2/items", "srd_cow", "weight", None),
        ("v2/classes", "srd-2024_path-of-the-berserker", "hit_dice", ""),
        ("v2/spells", "srd_flaming-sphere", "shape_type", ""),
    ],
)
def test_known_errors_of_open5e_are_corrected(endpoint: str, key: str, field: str, value: object) -> None:
    served = next(record for record in load(endpoint) if record["key"] == key)
    record: Record = to_record(endpoint, served, Context({}))
    assert getattr(record, field) == value


def test_class_saving_throws_follow_the_class_text() -> None:
    fields: dict[str, Any] = open5e_heading(Kind.CLASS, "Moth Keeper") | {"saving_throws": ("Constitution", "Wisdom")}
    keeper = CharacterClass(
        **fields, proficiencies="**Armor:** None\n**Saving Throws:** Wisdom, Charisma\n**Skills:** Any"
    )
    assert clean_record(keeper).saving_throws == ("Wisdom", "Charisma")
    assert clean_record(CharacterClass(**fields)).saving_throws == ("Constitution", "Wisdom")


def test_a_feature_below_another_is_a_feature_of_its_own_level() -> None:
    glow = Feature(name="Glow", text="You glow.\n#### Dim\nAt 6th level, you dim.\n\n#### Hue\nIt is red.", levels=(2,))
    keeper = CharacterClass(**open5e_heading(Kind.SUBCLASS, "Keeper"), features=(glow,))
    features = clean_record(keeper).features
    assert [(feature.name, feature.text, feature.levels) for feature in features] == [
        ("Glow", "You glow.", (2,)),
        ("Dim", "At 6th level, you dim.\n\n#### Hue\nIt is red.", (6,)),
    ]


def test_a_prerequisite_has_no_emphasis() -> None:
    lamp = Feat(
        **open5e_heading(Kind.FEAT, "Lamp"), prerequisite="*The ability to cast the* light *spell*", text="It glows."
    )
    assert clean_record(lamp).prerequisite == "The ability to cast the light spell"


def test_a_form_that_begins_a_line_has_a_paragraph_of_its_own() -> None:
    text = "A lamp of cloth. \nLamp (Common). It glows.\nOld Lamp (Rare). It glows for long."
    lamp = clean_record(Equipment(**open5e_heading(Kind.MAGIC_ITEM, "Lamp"), text=text))
    assert lamp.text == "A lamp of cloth.\n\n**Lamp (Common).** It glows.\n\n**Old Lamp (Rare).** It glows for long."


def test_a_text_without_an_effect_says_so() -> None:
    texts = {"A plain lamp.": "A plain lamp.\n\n*The source's text ends here, without what the item does.*"}
    for served, text in {**texts, "A lamp that glows.": "A lamp that glows."}.items():
        assert clean_record(Equipment(**open5e_heading(Kind.MAGIC_ITEM, "Lamp"), text=served)).text == text


def test_links_from_words_of_the_text_are_dropped() -> None:
    links = (Ref(name="Coins"), Ref(name="Moths"))
    lamp = clean_record(Equipment(**open5e_heading(Kind.ITEM, "Lamp"), text="Worth ten coins.", see_also=links))
    assert lamp.see_also == (Ref(name="Moths"),)


def test_a_picture_is_named_for_what_it_shows() -> None:
    text = "An icon representing the glow (one level) condition. A lamp."
    assert clean_record(Reference(**open5e_heading(Kind.IMAGE, "Glow1"), text=text)).name == "Glow (one level)"


def test_the_second_half_of_a_name_is_in_brackets() -> None:
    assert clean_record(Equipment(**open5e_heading(Kind.SERVICE, "Lodging - Poor"))).name == "Lodging (Poor)"
