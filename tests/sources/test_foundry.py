"""Foundry's documents of every type, as written by versions since 4: the place of each construct in the records."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from lorekeeper_mcp.models import Creature, Record
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.imported import ImportedItem
from tests.record_pages import markdown as page

BOOK = {"source": {"book": "Lights of the Fens"}}
NPC: dict[str, Any] = {
    "name": "Marsh Moth",
    "type": "npc",
    "system": {
        "details": {**BOOK, "environment": "swamp", "cr": 1},
        "resources": {"legact": {"max": 3}, "legres": {"max": 2}},
        "attributes": {"hp": {"max": 9}},
    },
    "items": [
        {
            "name": "Dart",
            "type": "weapon",
            "system": {
                "damage": {"parts": [["1d4", "piercing"]]},
                "uses": {"recovery": [{"period": "recharge", "formula": "5"}]},
            },
        },
        {"name": "Flit", "type": "feat", "system": {"description": {"value": "It flits."}, "uses": {"max": 3}}},
        {"name": "Lantern", "type": "loot", "system": {}},
        {"name": "Rope", "type": "tool", "system": {}},
    ],
}
SPELL: dict[str, Any] = {
    "name": "Moth Burst",
    "type": "spell",
    "system": {
        **BOOK,
        "level": 1,
        "school": "evo",
        "target": {"template": {"type": "sphere", "size": 20, "units": "ft"}},
        "sourceItem": "class:wizard",
        "uses": {"max": 2, "recovery": [{"period": "lr"}]},
        "activities": {
            "a": {"type": "attack", "damage": {"parts": [{"number": 2, "denomination": 8, "types": ["cold"]}]}}
        },
    },
}
GLAIVE = {
    "name": "Wick Glaive",
    "type": "weapon",
    "system": {
        **BOOK,
        "type": {"value": "martialM"},
        "damage": {
            "base": {"number": 1, "denomination": 8, "types": ["slashing"]},
            "versatile": {"number": 1, "denomination": 10, "types": ["slashing"]},
        },
        "mastery": "topple",
        "magicalBonus": 1,
        "unidentified": {"description": "<p>A pole.</p>"},
    },
}
COAT = {
    "name": "Wax Coat",
    "type": "equipment",
    "system": {
        **BOOK,
        "type": {"value": "medium"},
        "armor": {"value": 14, "dex": 2},
        "strength": 13,
        "properties": ["stealthDisadvantage"],
    },
}
CLASS = {
    "name": "Lamplighter",
    "type": "class",
    "system": {
        **BOOK,
        "hd": {"denomination": "d8"},
        "saves": ["dex"],
        "primaryAbility": {"value": ["int"]},
        "spellcasting": {"progression": "half", "ability": "int"},
        "wealth": "2d4*10",
        "advancement": [{"type": "ItemGrant", "level": 3, "title": "Guild"}, {"type": "HitPoints"}],
    },
}
RACE = {
    "name": "Mothfolk",
    "type": "race",
    "system": {**BOOK, "movement": {"walk": 25, "fly": 30}, "senses": {"darkvision": 60}},
}
BACKGROUND = {
    "name": "Lamp Keeper",
    "type": "background",
    "system": {**BOOK, "description": {"value": "<h2>Night</h2><p>Watch.</p>"}},
}
VEHICLE = {
    "name": "Barge",
    "type": "vehicle",
    "system": {"attributes": {"hp": {"max": 50}, "capacity": {"cargo": "2 tons"}}, "details": BOOK},
}
THINGS = [
    {"name": kind.title(), "type": kind, "system": {**BOOK, "weight": 2}}
    for kind in ("consumable", "tool", "loot", "backpack", "container")
]
KEEPER: dict[str, Any] = {
    "name": "Lamp Wight",
    "type": "npc",
    "effects": [{"name": "Glow", "description": "<p>It glows.</p>", "changes": [{"key": "system.light", "value": "5"}]}],
    "system": {
        "details": {
            **BOOK,
            "cr": 5,
            "xp": {"value": 1700},
            "biography": {"value": "<p>For the master.</p>", "public": "<p>For all.</p>"},
            "type": {"value": "undead", "swarm": "tiny"},
        },
        "abilities": {"dex": {"value": 14, "proficient": 1, "bonuses": {"save": "1d4"}}},
        "attributes": {
            "ac": {"calc": "default"},
            "init": {"bonus": "2"},
            "spellcasting": "cha",
            "movement": {"walk": 9, "units": "m", "special": "through lamps"},
        },
        "traits": {
            "dr": {"value": ["fire", "slashing"], "bypasses": ["mgc"]},
            "languages": {"value": ["common"], "communication": {"telepathy": {"value": 60, "units": "ft"}}},
        },
        "resources": {"lair": {"value": True, "initiative": 20}},
        "spells": {"spell1": {"value": 2, "override": 2}},
        "skills": {"ste": {"value": 1, "ability": "cha", "bonuses": {"check": "1"}}},
        "currency": {"gp": 5},
    },
    "items": [
        {"name": "Wax Shirt", "type": "equipment", "system": {"armor": {"value": 12}, "type": {"value": "light"}}},
        {"name": "Shine", "type": "spell", "system": {"level": 1, "description": "It shines.", **BOOK}},
        {"name": "Light", "type": "spell", "_stats": {"compendiumSource": "Compendium.dnd5e.spells.Item.x"},
         "system": {"level": 0, "description": "The SRD's."}},
        {"name": "Burn", "type": "feat", "system": {
            "description": "It burns. [[/attack extended]]. [[/damage]]. [[/save]].",
            "activities": {"a": {
                "type": "save", "activation": {"type": "bonus", "condition": "at dusk"},
                "damage": {"parts": [{"number": 2, "denomination": 6, "types": ["fire"]}]},
                "save": {"ability": ["dex"], "dc": {"formula": "13"}},
            }},
        }},
        {"name": "Soot", "type": "feat", "system": {
            "description": "It deals 1d8 damage.", "range": {"value": 30, "units": "ft"},
            "target": {"affects": {"type": "creatureOrObject", "count": 2}}, "critical": {"threshold": 19},
            "damage": {"parts": [{"number": 1, "denomination": 8, "bonus": "half of its soot", "types": ["fire"]}],
                       "versatile": "1d10 + soot"},
        }},
        {"name": "Gust", "type": "feat", "system": {
            "description": "It blows.", "target": {"affects": {"type": "creatureOrObject", "count": 2}},
        }},
        {"name": "Wick Blade", "type": "weapon", "system": {
            "damage": {"parts": [["1d6", "slashing"]], "versatile": "1d8 + soot"},
        }},
    ],
}  # fmt: skip
OIL = {
    "name": "Lamp Oil",
    "type": "consumable",
    "effects": [{"name": "Slick", "changes": []}],
    "system": {
        **BOOK,
        "price": {"value": 0.5, "denomination": "gp"},
        "weight": {"value": 2, "units": "kg"},
        "quantity": 6,
        "description": {"value": "Oil.", "chat": "A flask.", "unidentified": "A jar."},
        "activities": {
            "a": {"type": "attack", "name": "Throw", "description": {"chatFlavor": "It bursts."},
                  "range": {"value": 20, "units": "ft"}, "damage": {"parts": [{"number": 1, "denomination": 4, "types": ["fire"]}]}}
        },
        "uses": {"max": "3", "recovery": [{"period": "dawn", "formula": "1d3"}]},
    },
}  # fmt: skip
FACILITY = {
    "name": "Lamp Room",
    "type": "facility",
    "system": {**BOOK, "order": "craft", "description": "<p>Lamps.</p>"},
}
GROUP = {"name": "Fen Watch", "type": "group", "system": {"description": {"full": "<p>They watch.</p>"}, **BOOK}}
JOURNAL = {
    "name": "Fen Notes",
    "_id": "x",
    "pages": [
        {"name": "Dusk", "type": "text", "text": {"content": "<p>It is dim.</p>"}},
        {"name": "Map", "type": "image", "image": {"caption": "The fens"}},
    ],
}
ROLL_TABLE = {
    "name": "Omens",
    "_id": "x",
    "formula": "1d2",
    "results": [{"range": [1, 1], "text": "ash"}, {"range": [2, 4], "text": "rain"}],
}
DOCUMENTS: list[dict[str, Any]] = [
    *(NPC, SPELL, GLAIVE, COAT, CLASS, RACE, BACKGROUND, VEHICLE, *THINGS),
    *(KEEPER, OIL, FACILITY, GROUP),
    {"name": "Green Guild", "type": "subclass", "system": {**BOOK, "classIdentifier": "lamplighter"}},
    {"name": "Ash Walker", "type": "feat", "system": {**BOOK, "requirements": "level 4", "type": {"value": "feat"}}},
]
TABLE: list[tuple[str, str, Any]] = [
    ("Marsh Moth", "legendary_text", "It can take 3 legendary actions."),
    ("Marsh Moth", "other.0", {"name": "environment", "text": "swamp", "type": ""}),
    ("Marsh Moth", "actions.0.name", "Dart (Recharge 5–6)"),
    ("Marsh Moth", "actions.0.uses", "Recharge 5–6"),
    ("Marsh Moth", "actions.0.text", "*Hit:* 2 (1d4) piercing damage."),
    ("Marsh Moth", "traits.0.name", "Flit (3)"),
    ("Marsh Moth", "traits.1", {"name": "Legendary Resistance (2/Day)", "text": "", "type": ""}),
    ("Marsh Moth", "traits.2", {"name": "Equipment", "text": "Lantern, Rope", "type": ""}),
    ("Moth Burst", "shape_type", "sphere"),
    ("Moth Burst", "shape_size", 20.0),
    ("Moth Burst", "classes.0.key", "srd_wizard"),
    ("Moth Burst", "attack_roll", True),
    ("Moth Burst", "damage_roll", "2d8"),
    ("Moth Burst", "damage_types", ["cold"]),
    ("Moth Burst", "other.0", {"name": "Uses", "text": "2/long rest", "type": ""}),
    ("Wick Glaive", "weapon.two_handed_damage", "1d10"),
    ("Wick Glaive", "weapon.properties.0", {"name": "Topple", "detail": "", "text": "", "type": "Mastery"}),
    ("Wick Glaive", "other.0", {"name": "Bonus", "text": "+1", "type": ""}),
    ("Wick Glaive", "other.1", {"name": "Unidentified", "text": "A pole.", "type": ""}),
    ("Wax Coat", "armor.ac_text", "14 + Dex modifier (max 2)"),
    ("Wax Coat", "armor.strength_required", 13),
    ("Wax Coat", "armor.stealth_disadvantage", True),
    ("Lamplighter", "hit_dice", "d8"),
    ("Lamplighter", "saving_throws", ["Dexterity"]),
    ("Lamplighter", "caster_type", "half"),
    ("Lamplighter", "spellcasting", "Spellcasting Ability: Intelligence"),
    ("Lamplighter", "primary_abilities", ["Intelligence"]),
    ("Lamplighter", "equipment", "2d4 × 10 gp"),
    ("Lamplighter", "other.0.text", "- Level 3: Guild"),
    ("Green Guild", "subclass_of.key", "orcbrew_lights-of-the-fens_classes_lamplighter"),
    ("Lamp Keeper", "text", "## Night\n\nWatch."),
    ("Mothfolk", "speed", "25 ft., fly 30 ft."),
    ("Mothfolk", "other.0", {"name": "Senses", "text": "darkvision 60 ft.", "type": ""}),
    ("Barge", "hit_points", 50),
    ("Barge", "other.0", {"name": "capacity", "text": "cargo 2 tons", "type": ""}),
    ("Ash Walker", "prerequisite", "level 4"),
    ("Lamp Wight", "text", "For the master."),
    ("Lamp Wight", "experience_points", 1700),
    ("Lamp Wight", "armor_class", 14),
    ("Lamp Wight", "type_text", "swarm of Tiny undead"),
    ("Lamp Wight", "speed", {"walk": 30.0}),
    ("Lamp Wight", "languages", "Common, telepathy 60 ft."),
    ("Lamp Wight", "defenses.damage_resistances_text", "fire, slashing (not from magical attacks)"),
    ("Lamp Wight", "traits.2.text", "It has a lair, which acts on initiative count 20."),
    (
        "Lamp Wight",
        "actions.0.text",
        "It burns. attack. 2d6 fire. DC 13 Dexterity saving throw.\n\n**Activities.**\n\n- Save: at dusk",
    ),
    (
        "Lamp Wight",
        "traits.0.text",
        "It deals 1d8 damage.\n\n**Damage.** 1d8 + half of its soot fire, 1d10 + soot with two hands",
    ),
    ("Lamp Wight", "traits.1.text", "It blows.\n\n**Target.** 2 creatures or objects"),
    ("Lamp Wight", "actions.1.text", "*Hit:* 3 (1d6) slashing damage, or 1d8 + soot damage with two hands."),
    ("Lamp Wight", "traits.3", {"name": "Equipment", "text": "Wax Shirt", "type": ""}),
    ("Lamp Wight", "traits.4.text", "- Cantrips: Light\n- 1st level (2 slots): Shine"),
    ("Shine", "text", "It shines."),
    ("Lamp Oil", "cost", 0.5),
    ("Lamp Oil", "weight", 4.0),
    ("Lamp Room", "section.name", "Facility"),
    ("Lamp Room", "other.0", {"name": "Order", "text": "craft", "type": ""}),
    ("Fen Watch", "text", "They watch."),
    *((kind, "weight", 2.0) for kind in ("Consumable", "Tool", "Loot", "Backpack", "Container")),
]


@cache
def records() -> dict[str, Record]:
    [book] = formats.read(json.dumps(DOCUMENTS).encode(), "x").books
    assert [item.reason for item in book.items if item.reason] == []
    return {item.record.name: item.record for item in book.items if item.record}


@pytest.mark.parametrize(("name", "path", "value"), TABLE, ids=[f"{row[0]}-{row[1]}" for row in TABLE])
def test_a_construct_is_read_into_its_field(name: str, path: str, value: Any) -> None:
    found: Any = records()[name].model_dump(mode="json")
    for step in path.split("."):
        found = found[int(step)] if step.isdigit() else found[step]
    assert found == value


OTHER = [
    ("Lamp Wight", "Public biography", "For all."),
    ("Lamp Wight", "speed", "walk 30 ft., through lamps"),
    ("Lamp Wight", "Initiative bonus", "2"),
    ("Lamp Wight", "Spellcasting ability", "Charisma"),
    ("Lamp Wight", "Bonuses", "Dexterity save +1d4; Stealth check +1"),
    ("Lamp Wight", "Currency", "5 gp"),
    ("Lamp Wight", "Effect", "Glow: It glows.\n\nlight 5"),
    ("Lamp Oil", "Quantity", "6"),
    ("Lamp Oil", "Uses", "3/dawn (regains 1d3)"),
    ("Lamp Oil", "Activities", "- Throw: 20 feet, 1d4 fire, It bursts."),
    ("Lamp Oil", "Chat", "A flask."),
    ("Lamp Oil", "Unidentified", "A jar."),
    ("Lamp Oil", "Effect", "Slick"),
]


@pytest.mark.parametrize(("name", "field", "text"), OTHER, ids=[f"{row[0]}-{row[1]}" for row in OTHER])
def test_a_value_without_a_field_is_shown_under_its_own_name(name: str, field: str, text: str) -> None:
    assert {one.name: one.text for one in records()[name].other}[field] == text


def read(*documents: dict[str, Any]) -> list[ImportedItem]:
    return [item for book in formats.read(json.dumps(documents).encode(), "x").books for item in book.items]


def test_journals_and_tables_are_chapters_of_rules() -> None:
    journal, table = (item.record for item in read(JOURNAL, ROLL_TABLE))
    assert journal is not None
    assert journal.text == "## Dusk\n\nIt is dim.\n\n## Map\n\nThe fens"
    assert table is not None
    assert table.text == "| 1d2 | Result |\n|---|---|\n| 1 | ash |\n| 2–4 | rain |"


@pytest.mark.parametrize(("field", "reason"), [
    ("command", "a program"), ("walls", "a map"), ("sounds", "sounds"), ("cards", "pictures"), ("combatants", "a game"),
])  # fmt: skip
def test_skipped_documents_are_named_with_a_reason(field: str, reason: str) -> None:
    macro, spell = read({"name": "Roll", "_stats": {}, field: []}, SPELL)
    assert macro.record is None
    assert reason in macro.reason
    assert spell.record is not None


def test_an_adventure_is_read_as_its_documents() -> None:
    items = read({"name": "Fens", "_id": "x", "description": "<p>Go.</p>", "actors": [NPC], "journal": [JOURNAL]})
    assert {item.record.name for item in items if item.record} == {"Fens", "Marsh Moth", "Fen Notes"}


def test_a_pack_with_a_document_in_each_line_is_read_and_a_broken_line_is_named() -> None:
    pack = "\n".join([json.dumps(NPC), '{"name": ', json.dumps(SPELL)])
    items = [item for book in formats.read(pack.encode(), "x").books for item in book.items]
    assert sorted(item.record.name for item in items if item.record) == ["Marsh Moth", "Moth Burst"]
    assert [item.reason for item in items if item.reason] == ["it is not a document of the dnd5e system"]


def test_a_source_says_the_edition_and_the_licence() -> None:
    revised = {"book": "Fens", "rules": "2024", "license": "CC-BY-4.0"}
    [book] = formats.read(json.dumps([{**SPELL, "system": {**SPELL["system"], "source": revised}}]).encode(), "x").books
    assert [item.record.editions for item in book.items if item.record] == [("2024",)]
    assert (book.document.license, book.document.editions) == ("CC-BY-4.0", ("2024",))


@pytest.mark.parametrize(("written", "shown"), [
    ("[[/damage 2d6 type=fire average=true]]", "7 (2d6) fire"),
    ("[[/save ability=dex dc=15]]", "DC 15 Dexterity saving throw"),
    ("[[/check skill=acr dc=12]]", "DC 12 Dexterity (Acrobatics) check"),
    ("[[/r 1d20 + 5]]{+5}", "+5"),
    ("[[1d6 # fire]]", "1d6"),
    ("&Reference[prone apply=false]", "prone"),
    ("&amp;Reference[condition=prone]{Prone}", "Prone"),
    ("@UUID[Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p]{Lamp}", "Lamp"),
    ("@UUID[Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p]", "[link]"),
    ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x|y</td></tr></table>", "| a | b |\n|---|---|\n| 1 | x\\|y |"),
])  # fmt: skip
def test_text_inserted_by_the_application_is_in_words(written: str, shown: str) -> None:
    assert markdown(written) == shown


WARDEN: dict[str, Any] = {
    "name": "Marsh Warden",
    "type": "npc",
    "system": {
        **BOOK,
        "abilities": {"str": {"value": 16}, "dex": {"value": 18}, "cha": {"value": 8}},
        "details": {**BOOK, "cr": 5},
    },
    "items": [
        {
            "name": "Reed Spear",
            "type": "weapon",
            "system": {
                "actionType": "mwak", "weaponType": "simpleM", "proficient": True,
                "damage": {"parts": [["1d6 + @mod", "piercing"]], "versatile": "1d8 + @mod"},
            },
        },
        {
            "name": "Beak",
            "type": "weapon",
            "system": {
                "description": {"value": "<p>[[/attack extended]]. [[/damage extended]]</p>"}, "properties": ["fin"],
                "magicalBonus": 1, "damage": {"base": {"number": 2, "denomination": 8, "types": ["piercing"]}},
                "range": {"reach": 10, "units": "ft"},
                "activities": {"a": {"type": "attack", "damage": {"parts": [{"number": 1, "denomination": 6, "types": ["necrotic"]}]}, "attack": {"type": {"value": "melee", "classification": "weapon"}},
                                     "activation": {"type": "action"},
                                     "range": {"value": 99, "units": "ft", "override": False}}},
            },
        },
        {"name": "Charm", "type": "feat", "system": {"description": {"value": "DC [[8 + @prof + @abilities.cha.mod]]."}}},
        {"name": "Odd", "type": "weapon", "system": {"actionType": "mwak", "attackBonus": "1d4", "ability": "wis",
                                                     "damage": {"parts": [["1d6 + @mod", "fire"]]}}},
    ],
}  # fmt: skip


def test_items_of_an_actor_have_its_numbers() -> None:
    [book] = formats.read(json.dumps(WARDEN).encode(), "x").books
    [warden] = [one.record for one in book.items]
    assert isinstance(warden, Creature)
    texts = {one.name: one.text for one in warden.actions} | {one.name: one.text for one in warden.traits}
    assert texts["Reed Spear"].startswith(
        "*Melee Weapon Attack:* +6 to hit. *Hit:* 6 (1d6 + 3) piercing damage, or 7 (1d8 + 3) damage with"
    )
    assert texts["Beak"].startswith("*Melee Weapon Attack:* +8 to hit, reach 10 ft. *Hit:* 13 (2d8 + 4) piercing")
    assert "(1d6) necrotic" in texts["Beak"]
    assert "99" not in texts["Beak"]  # the item's own range applies if an activity does not override it
    assert texts["Charm"] == "DC 10."
    assert texts["Odd"].startswith("*Hit:* 1d6 + ability modifier fire")  # an item without known numbers


ADVANCEMENTS = [
    ({"type": "Trait", "configuration": {"grants": ["skills:sur", "saves:str", "armor:lgt", "tool:art:cartographer"]}},
     "Survival, Strength saving throws, light armor, cartographer's tools"),
    ({"type": "Trait", "configuration": {"mode": "expertise", "choices": [{"count": 2, "pool": ["skills:ath", "tool:art:*"]}]}},
     "expertise: choose 2 from Athletics, any artisan's tools"),
    ({"type": "Size", "configuration": {"sizes": ["sm", "med"]}}, "Size: Small or Medium"),
    ({"type": "ScaleValue", "title": "Die", "configuration": {"scale": {"1": {"number": 1, "faces": 6}, "5": {"value": 2}}}},
     "Die: 1d6 at level 1, 2 at level 5"),
    ({"type": "AbilityScoreImprovement", "configuration": {"points": 2, "fixed": {"wis": 1, "int": 0}}},
     "Ability Score Improvement: 2 points; Wisdom +1"),
    ({"type": "ItemChoice", "title": "Style", "configuration": {"choices": {"2": {"count": 1}}, "hint": "<p>Choose.</p>"}},
     "Style: choose 1 at level 2. Choose."),
]  # fmt: skip


@pytest.mark.parametrize(("one", "line"), ADVANCEMENTS, ids=[row[1] for row in ADVANCEMENTS])
def test_an_advancement_reads_as_a_book_prints_it(one: dict[str, Any], line: str) -> None:
    feat = {"name": "Ash", "type": "feat", "system": {**BOOK, "advancement": [{**one, "level": 1}]}}
    [book] = formats.read(json.dumps(feat).encode(), "x").books
    [record] = [item.record for item in book.items]
    assert record is not None
    assert {part.name: part.text for part in record.other}["Advancement"] == f"- Level 1: {line}"


def test_a_duration_of_concentration_alone_is_printed_once() -> None:
    fog = {"name": "Fog", "type": "spell", "system": {**BOOK, "level": 1, "components": {"concentration": True}}}
    [book] = formats.read(json.dumps(fog).encode(), "x").books
    [record] = [item.record for item in book.items]
    assert record is not None
    assert "**Duration** Concentration\n" in page(record) + "\n"
