"""The checks find the known damage, and little else."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import pytest
from scripts.data_checks import findings

from lorekeeper_mcp.models import (
    Abilities,
    Action,
    ArmorStats,
    CastingOption,
    CharacterClass,
    Creature,
    Defenses,
    Edition,
    Equipment,
    Feature,
    Kind,
    Record,
    Ref,
    Rule,
    Senses,
    Spell,
    WeaponProperty,
    WeaponStats,
)
from lorekeeper_mcp.sources import features
from tests.own_records import heading
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import complete_records, uncorrected
from tests.srd import srd_records


def creature(**fields: object) -> Creature:
    defaults: dict[str, object] = {
        "size": "medium", "challenge_rating": 1.0, "experience_points": 200, "hit_points": 22, "hit_dice": "4d8+4",
        "abilities": Abilities(dexterity=14, wisdom=12), "armor_class": 13, "armor_text": "leather armor",
        "senses": Senses(passive_perception=11), "actions": (Action(name="Hit", text="One hit."),),
    }  # fmt: skip
    return Creature.model_validate(heading(Kind.CREATURE, "thing") | defaults | fields)


def spell(**fields: object) -> Spell:
    defaults = heading(Kind.SPELL, "thing", level=1, text="It glows.", duration="1 minute")
    return Spell.model_validate(defaults | fields)


def weapon(**stats: object) -> Equipment:
    return Equipment.model_validate(heading(Kind.WEAPON, "thing", weapon=WeaponStats.model_validate(stats)))


SPELLS = "Once in a while it casts one of these\n1/day: far sight, deep sleep"
SOUND: list[Record] = [
    creature(),
    creature(hit_dice="4d8 + 4", armor_text="natural armor", armor_class=19),
    creature(armor_text="leather armor, shield", armor_class=15),
    creature(challenge_rating=0.0, experience_points=0, actions=()),
    creature(senses=Senses(passive_perception=14), skills={"perception": 4}),
    creature(senses=Senses(passive_perception=13), document_key="bfrd"),
    creature(actions=(Action(name="Spells", text=SPELLS),)),
    creature(actions=(Action(name="Hit", text="It deals 5 (2d4) damage, or 13 (3d6+3), or 1 (1d4 - 4)."),)),
    spell(),
    spell(saving_throw="wisdom", text="The target must make a Strength or Wisdom saving throw."),
    spell(higher_level="It glows more with a spell slot of 2nd level or higher."),
    spell(text="| Roll | What happens when the light goes out in the end |\n|---|---|\n| 1 | Nothing happens at all |"),
    weapon(damage_dice="1d6", properties=(WeaponProperty(name="Thrown"),), range=20.0, long_range=60.0),
]  # fmt: skip
MISNAMED = Rule(
    **heading(Kind.RULE, "sight_darkvision", name="Blindsight", text="See in the dark."),
    section=Ref(name="Sight"),
    editions=(Edition.E2014,),
)
HEAVY_2 = ArmorStats(category="heavy", ac_base=2)
DAMAGED: list[tuple[Record, str]] = [
    (creature(hit_points=52), "hit points against dice"),
    (creature(actions=(Action(name="Hit", text="It deals 9 (2d6 + 4) damage."),)), "rolls against averages"),
    (creature(armor_class=15), "armor class against armor"),
    (creature(experience_points=450), "experience against challenge"),
    (creature(challenge_rating=1.3), "experience against challenge"),
    (creature(ability_modifiers=Abilities(wisdom=5)), "modifiers against scores"),
    (creature(size="large"), "hit dice against size"),
    (creature(senses=Senses(passive_perception=8)), "passive perception against skill"),
    (creature(senses=Senses(passive_perception=12), document_key="bfrd"), "passive perception against skill"),
    (creature(saving_throws={"dexterity": -3}), "saving throws against scores"),
    (creature(senses=Senses(darkvision=6011, passive_perception=11)), "values out of bounds"),
    (creature(abilities=Abilities(strength=0, wisdom=12)), "values out of bounds"),
    (creature(actions=()), "creature without actions"),
    (creature(text="It lives in the deep woods to the north of the great river and likes to"), "text cut off"),
    (creature(speed={"fly": 0.0}), "values out of bounds"),
    (creature(defenses=Defenses(damage_resistances_text="slashing from")), "defenses as printed"),
    (creature(actions=(Action(name="Hit", text="One hit. Kick. It moves."), Action(name="Kick", text="One kick."))),
     "entry within another"),
    (spell(name="Glow - Dim"), "odd name"),
    (CharacterClass.model_validate(heading(Kind.SUBCLASS, "thing", features=(
        Feature(name="Glow", text="It glows."), Feature(name="Dim", text="It glows.")))), "class without features"),
    (spell(text=""), "text cut off"),
    (spell(text="It glows. ### U-Z Spells"), "text cut off"),
    (spell(level=2, higher_level="More with a slot of 2nd level or higher."), "level against text"),
    (spell(document_key="srd-2014"), "spell without classes"),
    (spell(material_text="a coal"), "components against material"),
    (spell(concentration=True, duration="instantaneous"), "concentration against duration"),
    (spell(ritual=True, casting_time="reaction"), "ritual against casting time"),
    (weapon(), "numbers of equipment"),
    (weapon(damage_dice="1d6", range=20.0), "numbers of equipment"),
    (Equipment.model_validate(heading(Kind.ARMOR, "thing", armor=HEAVY_2)), "numbers of equipment"),
    (CharacterClass.model_validate(heading(Kind.CLASS, "thing", hit_dice="d8")), "class without features"),
    (MISNAMED, "rule name against key"),
    (spell(text="It glows.<br>It ends."), "markup"),
    (spell(text="As srd:glow does, it glows."), "markup"),
    (spell(text="A lamp.\\nA wick."), "markup"),
    (spell(text="A one\u2010handed lamp."), "markup"),
    (spell(text="It casts __glow_ on you."), "markup"),
    (spell(text="On a success  it ends."), "markup"),
    (spell(text="|---|---|\n| 1 | It glows. |"), "table without a head"),
    (spell(text="It sheds dim light in a 10-foot radius all around it, and no more.\n" * 2), "repeated text"),
    (spell(text="It glows.\nShadow Lamp\n\nIt sheds dim light all around, and no more."), "entries run together"),
    (spell(text="It glows (as the lamp ) at night."), "markup"),
    (spell(text="It glows.The moth dies."), "markup"),
    (spell(text="It takes 22 (Sd8) mud damage."), "markup"),
    (spell(text="It hits one creature,. It falls."), "markup"),
    (spell(text="It glows (see chapter 5)."), "markup"),
    (spell(text="It glows.</ li>"), "markup"),
    (spell(text="A moth.\n\nMOD SAVE MOD SAVE\nStr 1 −5 −5"), "markup"),
    (spell(name="Glow ()"), "odd name"),
    (creature(actions=(Action(name="Hit.", text="One hit."),)), "odd name"),
    (spell(text="| d4 | Moth |\n|---|---|\n| 1 | Red | | | d4 | Lamp |"), "table without a head"),
    (spell(text="Bright light in a 20-foot radius.", shape_type="sphere", shape_size=20.0), "area against text"),
    (CharacterClass.model_validate(heading(Kind.SUBCLASS, "thing", features=(
        Feature(name="Glow", text="Starting at 6th level, you glow."),))), "class without features"),
    (spell(text="It sheds light withdarkvision."), "glued words"),
    (spell(text="It lasts 1round."), "glued words"),
    (Equipment.model_validate(heading(Kind.ITEM, "thing")), "empty page"),
    (Equipment.model_validate(heading(Kind.MAGIC_ITEM, "thing", rarity="rare", requires_attunement=False,
                                     text="It glows while you are attuned to it.")), "attunement against text"),
    (Equipment.model_validate(heading(Kind.MAGIC_ITEM, "thing", name="Thing", rarity="common",
                                     text="A thing. Thing (Rare). It glows. Old Thing (Common). It does not.")),
     "rarity against text"),
    (creature(actions=(Action(name="Hit", text="One hit."), Action(name="Hit (Costs 2 Actions)", text="Another."))),
     "names of actions"),
    (creature(actions=(Action(name="If it hits somebody who stands by the lamp it shines", text="It is dim."),)),
     "names of actions"),
    (spell(text="The collæ00e1is glows."), "markup"),
    (spell(text="It glows (as a lamp, and ends."), "unpaired bracket"),
    (spell(text="It has one of the following effects:"), "list without items"),
    (creature(actions=(Action(name="Hit", text="One of these hits:"),)), "list without items"),
    (creature(actions=(Action(name="Hit", text="It uses one of the following lamps."),)), "list without items"),
    (spell(damage_types=("fire",)), "damage against text"),
    (spell(text="Up to three creatures glow.", target_count=2), "targets against text"),
    (spell(text="You have advantage on Wisdom saving throws.", saving_throw="wisdom"), "saving throw against text"),
    (spell(higher_level="It increases by 1d6 for each slot level above 1st.", casting_options=(
        CastingOption(type="slot_level_2", damage_roll="2d10"), CastingOption(type="slot_level_3", damage_roll="3d10"),
    )), "slots against text"),
]  # fmt: skip


@pytest.mark.parametrize("record", SOUND)
def test_a_sound_record_raises_no_suspicion(record: Record) -> None:
    assert findings(record) == []


@pytest.mark.parametrize(("record", "check"), DAMAGED, ids=lambda value: value if isinstance(value, str) else "")
def test_a_damaged_record_is_found_by_its_check_alone(record: Record, check: str) -> None:
    assert failed_checks([record]) == {(record.id, check)}
    assert all(finding.message for finding in findings(record))


# Looked up in the official texts: the heading on donning armor has other words, only a part of the hammer requires
# attunement, a class says the same of levels and of multiclassing, and the others only lack a full stop or a list's
# layout.
LIKE_THE_BOOK = {
    ("class:srd-2024_barbarian", "repeated text"),
    ("class:srd-2024_fighter", "repeated text"),
    ("class:srd-2024_monk", "repeated text"),
    ("class:srd-2024_rogue", "repeated text"),
    ("class:srd-2024_warlock", "repeated text"),
    ("feature:srd-2024_warlock_eldritch-invocation-options", "repeated text"),
    # The SRD 5.1 prints these to hit, against the ability and the proficiency bonus: pages 340, 367 and 369.
    ("creature:srd_shrieker", "text cut off"),
    # These end with a list or a table.
    ("magic-item:srd-2024_cube-of-force", "text cut off"),
    ("magic-item:srd-2024_dragon-scale-mail", "text cut off"),
    ("magic-item:srd-2024_elemental-gem", "text cut off"),
    ("magic-item:srd-2024_necklace-of-prayer-beads", "text cut off"),
    ("magic-item:srd_ring-of-animal-influence", "text cut off"),
    ("rule:srd-2024_create-your-character_choose-class", "text cut off"),
    ("rule:srd-2024_exploration_hazards", "text cut off"),
    ("spell:srd-2024_control-weather", "text cut off"),
    ("magic-item:srd-2024_ring-of-animal-influence", "text cut off"),
    ("magic-item:srd_hammer-of-thunderbolts", "attunement against text"),
    # A list of patches, the last of which precedes a sentence.
    ("magic-item:srd_robe-of-useful-items", "entries run together"),
    ("rule:srd_armor_donning-and-doffing", "rule name against key"),
    ("rule:srd_spellcasting_components", "text cut off"),
    ("magic-item:srd_figurine-of-wondrous-power-ebony-fly", "text cut off"),
}
SRDS = ("srd-2014", "srd-2024")


@functools.cache
def complete_with_features() -> list[Record]:
    """Every recorded record as stored after all lists are fetched, with the features of classes and species."""
    return features.with_features(complete_records())


def failed_checks(records: Iterable[Record]) -> set[tuple[str, str]]:
    """Pairs of a record's id and a check that it fails."""
    return {(finding.record, finding.check) for record in records for finding in findings(record)}


@pytest.mark.books
def test_findings_in_the_embedded_books_are_what_the_books_print() -> None:
    assert failed_checks(features.with_features(srd_records())) - LIKE_THE_BOOK == set()


@needs_recorded
def test_findings_in_both_srds_are_what_the_books_print() -> None:
    records_of_srds = [record for record in complete_with_features() if record.document_key in SRDS]
    assert failed_checks(records_of_srds) - LIKE_THE_BOOK == set()


@needs_recorded
@pytest.mark.parametrize(
    ("endpoint", "key", "check"),
    [
        ("v2/creatures", "srd-2024_octopus", "values out of bounds"),
        ("v2/creatures", "srd_grimlock", "values out of bounds"),
        ("v2/creatures", "srd_cult-fanatic", "hit points against dice"),
        ("v2/creatures", "srd_chain-devil", "passive perception against skill"),
        ("v2/spells", "srd-2024_greater-invisibility", "text cut off"),
        ("v2/spells", "srd-2024_tsunami", "text cut off"),
        ("v2/rules", "srd_environment_darkvision", "rule name against key"),
        ("v2/armor", "srd-2024_shield", "numbers of equipment"),
    ],
)
def test_corrected_damage_would_be_found(endpoint: str, key: str, check: str) -> None:
    record = next(record for record in uncorrected(endpoint) if record.key == key)
    assert check in {finding.check for finding in findings(record)}
