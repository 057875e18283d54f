"""An invented record of every kind in a book, so that golden answers contain no third-party text."""

from __future__ import annotations

import datetime
from typing import Any

from lorekeeper_mcp.models import (
    Abilities,
    Action,
    ActionType,
    ArmorStats,
    Background,
    CharacterClass,
    CharacterFeature,
    Correction,
    Creature,
    Defenses,
    Document,
    Edition,
    EditionText,
    Equipment,
    Feat,
    Feature,
    FeatureType,
    Kind,
    Record,
    Ref,
    Reference,
    Rule,
    Section,
    Senses,
    Source,
    Species,
    Spell,
    TableColumn,
    WeaponProperty,
    WeaponStats,
)

TWO_TEXTS = (
    EditionText(text="You cannot speak above a whisper.", document_key="fens-old", edition=Edition.E2014),
    EditionText(text="You make no sound at all.", document_key="fens", edition=Edition.E2024),
)


def _heading(kind: Kind, name: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "key": f"fens_{name.lower().replace(' ', '-')}",
        "name": name,
        "document_key": "fens",
        "document_name": "Book of the Fens",
        "document_source": Source.HOMEBREW,
        "documents": ("fens",),
        "editions": (Edition.E2024,),
        "license": "CC0-1.0",
        "publisher": "Reed Press",
    }


def _equipment() -> list[Record]:
    thrown = WeaponProperty(name="Thrown", detail="range 20/60", text="It can be thrown.")
    hook = WeaponStats(
        name="Eel Hook", damage_dice="1d6", damage_type="piercing", two_handed_damage="1d8", range=20, long_range=60,
        properties=(thrown, WeaponProperty(name="Snag", type="Mastery")), is_simple=True,
    )  # fmt: skip
    reeds = ArmorStats(name="Reed Mail", category="medium", ac_text="13 + Dex modifier (max 2)",
                       stealth_disadvantage=True, strength_required=11)  # fmt: skip
    return [
        Equipment(**_heading(Kind.WEAPON, "Eel Hook"), category="weapon", cost=2, weight=3, weapon=hook),
        Equipment(**_heading(Kind.ARMOR, "Reed Mail"), category="armor", cost=35, weight=12.5, armor=reeds),
        Equipment(**_heading(Kind.ITEM, "Bog Lantern"), category="adventuring-gear", cost=0.5, weight=2,
                  text="It burns marsh gas for six hours.", contents=(Ref(name="Wick"), Ref(name="Flask"))),
        Equipment(**_heading(Kind.MAGIC_ITEM, "Heron Mask"), category="wondrous-item", rarity="rare",
                  requires_attunement=True, attunement_text="requires attunement by a druid",
                  text="You can stand on one leg for as long as you like.\n\nThe mask has 3 charges."),
    ]  # fmt: skip


def _options() -> list[Record]:
    features = (
        Feature(name="Wade", text="Mud does not slow you.", levels=(1,)),
        Feature(name="Sure Pole", text="Your pole is a weapon.", levels=(2, 5), details={5: "It deals 1d8 more."}),
    )
    table = (
        TableColumn(name="Proficiency Bonus", cells={1: "+2", 2: "+2", 5: "+3"}),
        TableColumn(name="Poles", cells={1: "1", 2: "1", 5: "2"}),
    )
    return [
        CharacterClass(**_heading(Kind.CLASS, "Fenwalker"), hit_dice="d8", hit_points_at_1st_level="8 + Constitution",
                       hit_points_at_higher_levels="1d8 + Constitution", caster_type="half",
                       primary_abilities=("dexterity",), saving_throws=("dexterity", "wisdom"), flavor="Way of Water",
                       text="They know the paths.", features=features, table=table,
                       proficiencies="Light armor, poles.", subclasses=(Ref(name="Eelkin", key="fens_eelkin"),)),
        CharacterClass(**_heading(Kind.SUBCLASS, "Eelkin"), subclass_of=Ref(name="Fenwalker", key="fens_fenwalker"),
                       flavor="Way of Water", text="They swim.",
                       features=(Feature(name="Gills", text="You breathe water.", levels=(3,)),)),
        Species(**_heading(Kind.SPECIES, "Reedling"), size="Small, no taller than a reed.", speed="25 feet.",
                text="They rustle.", traits=(Section(name="Bend", text="You cannot be pushed."),)),
        Background(**_heading(Kind.BACKGROUND, "Ferrier"), text="You took people across.",
                   benefits=(Section(name="Skill Proficiencies", text="Athletics, Insight"),
                             Section(name="Feat", text="Steady"), Section(name="Equipment", text="A pole, 5 GP"))),
        Feat(**_heading(Kind.FEAT, "Steady"), type="Origin", prerequisite="A boat",
             text="You gain the following benefits.",
             benefits=("You cannot be knocked down on a deck.", "You have advantage on checks with poles.")),
        CharacterFeature(**_heading(Kind.FEATURE, "Gills"), type=FeatureType.SUBCLASS, text="You breathe water.",
                         parent=Ref(name="Eelkin", key="fens_eelkin"), parent_kind=Kind.SUBCLASS, levels=(3,),
                         character_class=Ref(name="Fenwalker", key="fens_fenwalker")),
    ]  # fmt: skip


def _creature() -> Creature:
    actions = (
        Action(name="Multiattack", text="It stings twice."),
        Action(name="Sting", text="It stings.", uses="Recharge 5–6"),
        Action(name="Dart", text="It flies 10 feet.", type=ActionType.BONUS_ACTION),
        Action(name="Veer", text="It adds 2 to its AC.", type=ActionType.REACTION),
        Action(name="Drone", text="It is heard.", type=ActionType.LEGENDARY_ACTION, legendary_cost=2),
    )
    return Creature(
        **_heading(Kind.CREATURE, "Giant Fen Gnat"), type="beast", type_text="beast (swarm)", size="large",
        alignment="unaligned", challenge_rating=0.5, experience_points=100, proficiency_bonus=2, armor_class=13,
        armor_text="natural armor", hit_points=22, hit_dice="4d10", speed={"walk": 5, "fly": 60}, hover=True,
        abilities=Abilities(strength=8, dexterity=16, constitution=10, intelligence=1, wisdom=12, charisma=3),
        saving_throws={"dexterity": 5}, skills={"perception": 3}, initiative_bonus=3,
        senses=Senses(blindsight=30, passive_perception=13), languages="understands humming",
        defenses=Defenses(damage_resistances=("poison",), condition_immunities=("prone",)),
        traits=(Section(name="Whine", text="It is never still."),), actions=actions,
        legendary_text="It can take 1 legendary action.", environments=(Ref(name="Swamp", key="swamp"),),
        corrections=(Correction(field="hit_points", was="20", source="Book of the Fens, page 3"),),
    )  # fmt: skip


def _rules() -> list[Record]:
    section = Ref(name="Crossing Water", key="fens_crossing-water")
    return [
        Rule(**_heading(Kind.RULE, "Wading"), section=section,
             text="Each foot costs 2 feet.\n\n| Mud | Cost |\n|---|---|\n| deep | 3 |"),
        Rule(**_heading(Kind.RULE_SET, "Crossing Water"), text="How to get over.", rules=(Ref(name="Wading"),)),
        Reference(**{**_heading(Kind.CONDITION, "Hushed"), "editions": (Edition.E2014, Edition.E2024)},
                  text=TWO_TEXTS[0].text, texts=TWO_TEXTS),
        Reference(**_heading(Kind.SKILL, "Poling"), ability="dexterity", text="Moving a boat."),
        Reference(**_heading(Kind.LANGUAGE, "Rustle"), script="none", speakers="reedlings", is_exotic=True,
                  text="It sounds like wind."),
        Document(**{**_heading(Kind.DOCUMENT, "Book of the Fens"), "key": "fens"}, author="A. Heron",
                 published=datetime.date(2026, 1, 2), attribution="Made for these tests."),
    ]  # fmt: skip


def records() -> list[Record]:
    """One record of each kind, in the order in which tools are listed."""
    hush = Spell(
        **_heading(Kind.SPELL, "Hush of Reeds"), level=2, school="illusion", ritual=True, casting_time="action",
        casting_time_text="1 action", range=60, range_text="60 feet", verbal=True, material=True,
        material_text="a dry reed", material_cost=5, material_consumed=True, duration="up to 1 minute",
        concentration=True, classes=(Ref(name="Bard", key="bard"), Ref(name="Druid", key="druid")),
        text="No sound leaves a 10-foot sphere. Those inside are hushed.", higher_level="The sphere grows by 5 feet.",
        saving_throw="wisdom", shape_type="sphere", shape_size=10, shape_unit="feet", see_also=(Ref(name="Hushed"),),
    )  # fmt: skip
    return [hush, _creature(), *_equipment(), *_options(), *_rules()]
