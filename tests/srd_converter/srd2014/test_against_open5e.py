"""The embedded SRD against the recorded Open5e: the same keys, and the same numbers except for known errors."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from lorekeeper_mcp.models import Creature, Kind, Record, Spell
from tests.recorded import load, needs_recorded
from tests.srd_converter.srd2014.exclusives import is_exclusive

pytestmark = needs_recorded

# Kind -> endpoint and how many of the embedded keys Open5e has. Magic items without a match are families and variants
# (Open5e has one record per sword); rules without a match are split finer here.
MATCHES = {
    Kind.SPELL: ("spells", 319),
    Kind.CREATURE: ("creatures", 322),
    Kind.ITEM: ("items", 231),
    Kind.WEAPON: ("weapons", 37),
    Kind.ARMOR: ("armor", 12),
    Kind.MAGIC_ITEM: ("magicitems", 268),
    Kind.CLASS: ("classes", 12),
    Kind.SUBCLASS: ("classes", 12),
    Kind.SPECIES: ("species", 13),
    Kind.BACKGROUND: ("backgrounds", 1),
    Kind.FEAT: ("feats", 1),
    Kind.RULE: ("rules", 221),
    Kind.RULE_SET: ("rulesets", 41),
    Kind.CONDITION: ("conditions", 15),
    Kind.SKILL: ("skills", 18),
    Kind.ABILITY_SCORE: ("abilities", 6),
    Kind.ALIGNMENT: ("alignments", 9),
    Kind.DAMAGE_TYPE: ("damagetypes", 13),
    Kind.MAGIC_SCHOOL: ("spellschools", 8),
    Kind.LANGUAGE: ("languages", 16),
    Kind.WEAPON_PROPERTY: ("weaponproperties", 11),
    Kind.ITEM_SET: ("itemsets", 13),
}

SPELL_DIFFERENCES = {
    ("srd_animal-friendship", "saving_throw"),  # Open5e took the Intelligence of the beast for the save
    ("srd_beacon-of-hope", "saving_throw"),  # it gives advantage on them and asks for none
    ("srd_detect-thoughts", "saving_throw"),  # the text has Wisdom
    ("srd_gaseous-form", "saving_throw"),  # like the beacon
    ("srd_glyph-of-warding", "saving_throw"),  # the text has Dexterity
    ("srd_haste", "saving_throw"),  # like the beacon
    ("srd_irresistible-dance", "saving_throw"),  # Wisdom; on Dexterity's the dancer has disadvantage
    ("srd_ray-of-enfeeblement", "saving_throw"),  # the text has Constitution
    ("srd_shapechange", "saving_throw"),  # none in the text
    ("srd_symbol", "saving_throw"),  # one per symbol; Constitution comes first, Open5e has the last but one
    ("srd_faithful-hound", "attack_roll"),  # the hound bites
    ("srd_inflict-wounds", "attack_roll"),  # a melee spell attack
    *((f"srd_{key}", "school") for key in ("mass-cure-wounds", "mass-heal", "revivify")),  # conjuration in Open5e
    # "Up to" is lost, and a day is 24 hours.
    *(
        (f"srd_{key}", "duration")
        for key in ("etherealness", "find-the-path", "forbiddance", "prestidigitation", "project-image", "thaumaturgy")
    ),
    # "Self" without the area in brackets.
    *(
        (f"srd_{key}", "range")
        for key in (
            "antilife-shell", "antimagic-field", "burning-hands", "color-spray", "cone-of-cold", "control-weather",
            "fear", "globe-of-invulnerability", "gust-of-wind", "lightning-bolt", "prismatic-spray",
            "speak-with-plants", "spirit-guardians", "sunbeam", "thunderwave", "tiny-hut",
        )
    ),
}  # fmt: skip
CREATURE_DIFFERENCES = {
    ("srd_chain-devil", "challenge_rating"),  # the book has 8
    ("srd_giant-elk", "armor_class"),  # the book has 14
    ("srd_reef-shark", "hit_dice"),  # Open5e's dice do not give its hit points
    ("srd_young-blue-dragon", "speed"),  # burrows 20 ft., between the 15 of its young and the 30 of the adult
    ("srd_grimlock", "blindsight"),  # Open5e reads "30 ft. or 10 ft." as 3010
    ("srd_bone-devil", "passive_perception"),  # 10 and its Wisdom's modifier, which Open5e misses
    ("srd_chain-devil", "passive_perception"),  # likewise
    ("srd_blink-dog", "passive_perception"),  # the book has 13
    ("srd_spider", "passive_perception"),  # the book has 10
    ("srd_hunter-shark", "darkvision"),  # the book has blindsight
    ("srd_hunter-shark", "blindsight"),
}
ABSENT = {"srd_donkey", "srd_elf-drow", "srd_gnome-deep-svirfneblin"}  # a mule, and two that Open5e has twice


def upstream(endpoint: str) -> Iterator[dict[str, Any]]:
    """The records of an endpoint that belong to the SRD 5.1; some name their document by its bare key."""
    for record in load(f"v2/{endpoint}"):
        document = record["document"]
        if (document if isinstance(document, str) else document["key"]) == "srd-2014":
            yield record


@pytest.mark.parametrize("kind", MATCHES)
def test_keys_equal_open5es(srd: Mapping[str, Record], kind: Kind) -> None:
    endpoint, least = MATCHES[kind]
    theirs = {record["key"] for record in load(f"v2/{endpoint}")}
    ours = {record.key for record in srd.values() if record.kind is kind}
    assert len(ours & theirs) >= least


def test_records_stored_beside_open5e_are_missing_there(srd: Mapping[str, Record]) -> None:
    for kind, (endpoint, _) in MATCHES.items():
        if kind in (Kind.RULE, Kind.RULE_SET):  # all stay: Open5e has some within longer ones
            continue
        theirs = {record["key"] for record in load(f"v2/{endpoint}")}
        ours = {record.key for record in srd.values() if record.kind is kind and is_exclusive(record)}
        assert ours & theirs == set(), kind


def test_equipment_marked_as_exclusive_is_missing_in_open5e(srd: Mapping[str, Record]) -> None:
    theirs = {Kind.ITEM: "items", Kind.WEAPON: "weapons", Kind.ARMOR: "armor"}
    for kind, endpoint in theirs.items():
        keys = {record["key"] for record in load(f"v2/{endpoint}")}
        ours = [record for record in srd.values() if record.kind is kind]
        assert {one.key for one in ours if is_exclusive(one)} == {one.key for one in ours} - keys


def test_every_rule_of_open5e_has_its_counterpart(srd: Mapping[str, Record]) -> None:
    for endpoint, kind in (("rules", Kind.RULE), ("rulesets", Kind.RULE_SET)):
        assert [one["key"] for one in upstream(endpoint) if f"{kind}:{one['key']}" not in srd] == []


def test_spells_agree_with_open5e(srd: Mapping[str, Record]) -> None:
    found = set()
    for theirs in upstream("spells"):
        ours = srd[f"spell:{theirs['key']}"]
        assert isinstance(ours, Spell)
        pairs = {
            "level": (ours.level, theirs["level"]),
            "school": (ours.school, theirs["school"]["key"]),
            "components": (
                (ours.verbal, ours.somatic, ours.material),
                (theirs["verbal"], theirs["somatic"], theirs["material"]),
            ),
            "ritual": (ours.ritual, theirs["ritual"]),
            "concentration": (ours.concentration, theirs["concentration"]),
            "casting_time": (ours.casting_time, theirs["casting_time"]),
            "duration": (ours.duration, theirs["duration"]),
            "range": (
                (ours.range, ours.range_unit, ours.range_text),
                (theirs["range"], theirs["range_unit"], theirs["range_text"]),
            ),
            "attack_roll": (ours.attack_roll, theirs["attack_roll"]),
        }
        if theirs["saving_throw_ability"] or ours.saving_throw:
            pairs["saving_throw"] = (ours.saving_throw, theirs["saving_throw_ability"])
        found |= {(ours.key, field) for field, (mine, other) in pairs.items() if mine != other}
    assert found == SPELL_DIFFERENCES


def test_creatures_agree_with_open5e(srd: Mapping[str, Record]) -> None:
    found, absent = set(), set()
    for theirs in upstream("creatures"):
        ours = srd.get(f"creature:{theirs['key']}")
        if not isinstance(ours, Creature):
            absent.add(theirs["key"])
            continue
        speed = {mode: feet for mode, feet in theirs["speed"].items() if mode not in ("unit", "hover")}
        pairs = {
            "challenge_rating": (ours.challenge_rating, theirs["challenge_rating"]),
            "armor_class": (ours.armor_class, theirs["armor_class"]),
            "hit_points": (ours.hit_points, theirs["hit_points"]),
            "hit_dice": (ours.hit_dice, theirs["hit_dice"]),
            "abilities": (ours.abilities.model_dump(), theirs["ability_scores"]),
            "modifiers": (ours.ability_modifiers.model_dump(), theirs["modifiers"]),
            "type": (ours.type, theirs["type"]["key"]),
            "size": (ours.size, theirs["size"]["key"]),
            "alignment": (ours.alignment, theirs["alignment"]),
            "speed": (ours.speed, speed),
            "darkvision": (ours.senses.darkvision, theirs["darkvision_range"]),
            "blindsight": (ours.senses.blindsight, theirs["blindsight_range"]),
            "tremorsense": (ours.senses.tremorsense, theirs["tremorsense_range"]),
            "truesight": (ours.senses.truesight, theirs["truesight_range"]),
            "passive_perception": (ours.senses.passive_perception, theirs["passive_perception"]),
        }
        if theirs["challenge_rating"]:  # at 0 Open5e has no experience, where the book has 10 for most
            pairs["experience"] = (ours.experience_points, theirs["experience_points"])
        if any(theirs["saving_throws"].values()):  # Open5e fills seven beasts of burden with zeros
            pairs["saving_throws"] = (ours.saving_throws, theirs["saving_throws"])
        found |= {(ours.key, field) for field, (mine, other) in pairs.items() if mine != other}
    assert absent == ABSENT
    assert found == CREATURE_DIFFERENCES | {("srd_chain-devil", "experience")}  # follows from its challenge rating
