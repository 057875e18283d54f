"""The place of each construct of an OrcBrew file in the records: every field of the format, in an invented book."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Record
from tests.sources.imported_items import field_at
from tests.sources.orcbrew.fixture_files import records, skips

NAMED: dict[str, Record] = {record.name: record for record in records("reeds-of-vell").values()}
SPELL, ELDER, CLASS, RACE = "Ash Veil", "Reed Elder", "Wickward", "Reedfolk"

# construct -> its place: the record's name, the path in it, the value
FIELDS: list[tuple[str, str, str, Any]] = [
    ("the book", SPELL, "document_name", "Reeds of Vell"),
    ("level", SPELL, "level", 3),
    ("school", SPELL, "school", "necromancy"),
    ("ritual", SPELL, "ritual", True),
    ("casting-time", SPELL, "casting_time", "reaction"),
    ("casting-time with a condition", SPELL, "reaction_condition", "which you take when hit"),
    ("range", SPELL, "range_text", "Self (15-foot cone)"),
    ("duration", SPELL, "duration", "1 minute"),
    ("concentration", SPELL, "concentration", True),
    ("components verbal", SPELL, "verbal", True),
    ("components somatic", SPELL, "somatic", True),
    ("material-component", SPELL, "material_text", "ash worth 5 gp"),
    ("cost in the material", SPELL, "material_cost", 5.0),
    ("spell-lists", SPELL, "classes.1.key", "srd_cleric"),
    ("attack-roll?", SPELL, "attack_roll", True),
    ("damage in the description", SPELL, "damage_types", ["fire"]),
    ("option-pack", SPELL, "other.0", {"name": "option-pack", "text": "P", "type": ""}),
    ("monster type", ELDER, "type", "humanoid"),
    ("subtypes", ELDER, "type_text", "humanoid (elf, human)"),
    ("size", ELDER, "size", "medium"),
    ("alignment", ELDER, "alignment", "neutral"),
    ("armor-class", ELDER, "armor_class", 13),
    ("armor-notes", ELDER, "armor_text", "natural armor"),
    ("hit-points", ELDER, "hit_points", 16),
    ("die, die-count, modifier", ELDER, "hit_dice", "3d8+3"),
    ("speed", ELDER, "speed", {"walk": 30.0, "climb": 20.0}),
    ("str to cha", ELDER, "abilities.charisma", 15),
    ("saving-throws", ELDER, "saving_throws", {"dexterity": 4, "wisdom": 6}),
    ("skills", ELDER, "skills", {"stealth": 5}),
    ("damage-vulnerability", ELDER, "defenses.damage_vulnerabilities", ["fire"]),
    ("damage-resistance", ELDER, "defenses.damage_resistances", ["cold"]),
    ("damage-immunity", ELDER, "defenses.damage_immunities", ["poison"]),
    ("condition-immunity", ELDER, "defenses.condition_immunities", ["poisoned"]),
    ("language", ELDER, "language_keys", ["common"]),
    ("senses", ELDER, "senses.darkvision", 60.0),
    ("challenge", ELDER, "challenge_rating", 5.0),
    ("monster trait", ELDER, "traits.0.name", "T"),
    ("trait of type action", ELDER, "actions.0.type", "action"),
    ("trait of type bonus-action", ELDER, "actions.1.type", "bonus-action"),
    ("trait of type reaction", ELDER, "actions.2.type", "reaction"),
    ("trait of type legendary-action", ELDER, "actions.3.type", "legendary-action"),
    ("trait of type lair-action", ELDER, "actions.4.type", "lair-action"),
    ("legendary-actions", ELDER, "legendary_text", "It takes 3."),
    ("hit-die", CLASS, "hit_dice", "d10"),
    ("ability-increase-levels", CLASS, "features.4.levels", [4, 8]),
    ("subclass-title", CLASS, "features.3.name", "Guild"),
    ("subclass-level", CLASS, "features.3.levels", [3]),
    ("profs save", CLASS, "saving_throws", ["Strength", "Constitution"]),
    ("level-factor", CLASS, "caster_type", "third"),
    ("trait with level and type", CLASS, "features.1.type", "reaction"),
    ("class of a subclass", "Sootbound", "subclass_of.key", "srd_wizard"),
    ("level-factor of a subclass", "Sootbound", "caster_type", "third"),
    (
        "wizard-spells",
        "Sootbound",
        "spells.0",
        {"name": "Wizard Spells", "text": "1st level: Bless", "type": "wizard-spells"},
    ),
    ("size of a race", RACE, "size", "Small"),
    ("speed of a race", RACE, "speed", "25 feet"),
    ("race of a subrace", "Reedling", "subspecies_of.key", "srd_elf"),
    ("prereqs and path-prereqs", "Ripple Reader", "prerequisite", "Spellcasting, Wisdom; Race: Elf"),
    ("invocation", "Ripple Sight", "type", "Eldritch Invocation"),
    ("boon", "Pact of the Reed", "type", "Pact Boon"),
    ("selection", "Reed Colour", "benefits", ["Violet. v"]),
    ("language entry", "Reed Speech", "kind", "language"),
    ("encounter", "Reed Ambush", "kind", "rule"),
    ("rarity", "Reed Ring", "rarity", "rare"),
    ("attunement", "Reed Ring", "requires_attunement", True),
    ("magic item type", "Reed Ring", "category", "ring"),
    ("damage-die and -die-count", "Reed Glaive", "weapon.damage_dice", "2d8"),
    ("damage-type", "Reed Glaive", "weapon.damage_type", "slashing"),
    ("versatile", "Reed Glaive", "weapon.two_handed_damage", "1d10"),
    ("range of a weapon", "Reed Glaive", "weapon.long_range", 60.0),
    ("weapon type", "Reed Glaive", "weapon.is_simple", False),
    ("melee?", "Reed Glaive", "weapon.is_ranged", False),
    ("cost", "Reed Glaive", "cost", 2.0),
    ("weight", "Reed Glaive", "weight", 3.0),
    ("base-ac, max-dex-mod", "Reed Plate", "armor.ac_text", "16"),
    ("min-str", "Reed Plate", "armor.strength_required", 13),
    ("stealth-disadvantage?", "Reed Plate", "armor.stealth_disadvantage", True),
]


def test_every_item_is_a_record() -> None:
    assert skips("reeds-of-vell") == {}
    assert len(NAMED) == 17


@pytest.mark.parametrize(("construct", "name", "path", "value"), FIELDS, ids=[row[0] for row in FIELDS])
def test_a_construct_is_read_into_its_field(construct: str, name: str, path: str, value: Any) -> None:
    assert field_at(NAMED[name], path) == value, construct
