"""Fantasy Statblocks, Improved Initiative and Foundry: the place of each construct in the records, and broken files."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from lorekeeper_mcp.models import Creature, Record, Spell
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.fantasy_statblocks import reader as reader_of_statblocks
from lorekeeper_mcp.sources.imported import TOO_MANY
from lorekeeper_mcp.sources.orcbrew import edn
from lorekeeper_mcp.sources.orcbrew import records as records_of_orcbrew

NOTE = """---
tags: monster
---
# Fen notes

```statblock
name: Dusk Moth
source: Lights of the Fens
size: Small
type: monstrosity
subtype: moth
alignment: chaotic neutral
ac: 13
ac_class: natural armor
hp: 37
hit_dice: 5d10 + 10
speed: 20 ft., fly 60 ft. (hover)
stats: [8, 16, 14, 6, 12, 10]
saves:
  - dexterity: 5
skillsaves:
  - stealth: 7
damage_resistances: cold; bludgeoning from nonmagical attacks
condition_immunities: poisoned
senses: darkvision 60 ft., passive Perception 11
languages: Common
cr: 1/2
traits:
  - name: Dust
    desc: It sheds light.
actions:
  - name: Bite (Recharge 5-6)
    desc: "Melee Weapon Attack: +5 to hit."
bonus_actions:
  - [Flit, It flies.]
reactions:
  - name: Swerve
    desc: It turns.
legendary_actions:
  - name: Flare (Costs 2 Actions)
    desc: It flares.
legendary_description: It takes three.
lair_actions:
  - name: ""
    desc: Dust falls.
spells:
  - It casts.
  - At will: light
habitat: swamps
```

~~~statblock
name: Fen Toad
~~~

```statblock
monster: Goblin
```

```statblock
a: &a [x, x]
b: *a
```

```statblock
name: [
```
"""
INITIATIVE = {
    "Id": "x1",
    "Name": "Dusk Moth",
    "Source": "Lights of the Fens",
    "Type": "Small monstrosity (moth), chaotic neutral",
    "HP": {"Value": 37, "Notes": "(5d10+10)"},
    "AC": {"Value": 13, "Notes": "(natural armor)"},
    "InitiativeModifier": 3,
    "Speed": ["20 ft.", "fly 60 ft. (hover)"],
    "Abilities": {"Str": 8, "Dex": 16, "Con": 14, "Int": 6, "Wis": 12, "Cha": 10},
    "DamageVulnerabilities": [],
    "DamageResistances": ["cold", "bludgeoning from nonmagical attacks"],
    "DamageImmunities": [],
    "ConditionImmunities": ["poisoned"],
    "Saves": [{"Name": "Dex", "Modifier": 5}],
    "Skills": [{"Name": "Stealth", "Modifier": 7}],
    "Senses": ["darkvision 60 ft.", "passive Perception 11"],
    "Languages": ["Common"],
    "Challenge": "1/2",
    "Traits": [{"Name": "Dust", "Content": "It sheds light.", "Usage": ""}],
    "Actions": [{"Name": "Bite", "Content": "Melee Weapon Attack: +5 to hit.", "Usage": "Recharge 5-6"}],
    "BonusActions": [{"Name": "Flit", "Content": "It flies."}],
    "Reactions": [{"Name": "Swerve", "Content": "It turns."}],
    "LegendaryActions": [{"Name": "Flare (Costs 2 Actions)", "Content": "It flares."}],
    "Description": "A moth.",
}
INITIATIVE_SPELL = {
    "Id": "s",
    "Name": "Moth Light",
    "Source": "Lights of the Fens",
    "Level": 2,
    "School": "Evocation",
    "CastingTime": "1 bonus action",
    "Range": "60 feet",
    "Components": "V, S, M (a moth)",
    "Duration": "Concentration, up to 1 minute",
    "Classes": ["Wizard"],
    "Ritual": True,
    "Description": "It glows.",
}
EXPORT = {
    "Creatures": json.dumps(["x1"]),
    "Creatures.x1": json.dumps(INITIATIVE),
    "Spells.s": json.dumps(INITIATIVE_SPELL),
    "Creatures.bad": "{",
    "Settings": "{}",
}
ACTOR = {
    "name": "Dusk Moth",
    "type": "npc",
    "system": {
        "abilities": {
            "str": {"value": 8},
            "dex": {"value": 16, "proficient": 1},
            "con": {"value": 14},
            "int": {"value": 6},
            "wis": {"value": 12},
            "cha": {"value": 10},
        },
        "attributes": {
            "ac": {"flat": 13, "calc": "natural"},
            "hp": {"value": 37, "max": 37, "formula": "5d10+10"},
            "movement": {"walk": 20, "fly": 60, "units": "ft", "hover": True},
            "senses": {"darkvision": 60, "units": "ft"},
        },
        "details": {
            "cr": 0.5,
            "alignment": "chaotic neutral",
            "type": {"value": "monstrosity", "subtype": "moth"},
            "source": {"book": "Lights of the Fens"},
            "biography": {"value": "<p>A <em>moth</em>.</p>"},
        },
        "traits": {
            "size": "sm",
            "dr": {"value": ["cold"], "custom": ""},
            "ci": {"value": ["poisoned"]},
            "languages": {"value": ["common"]},
        },
        "skills": {"ste": {"value": 2}},
    },
    "items": [
        {
            "name": "Dust",
            "type": "feat",
            "system": {
                "description": {"value": "<p>It sheds &amp;Reference[bright light]{light}.</p><ul><li>one</li></ul>"}
            },
        },
        {
            "name": "Bite (Recharge 5-6)",
            "type": "weapon",
            "system": {
                "description": {"value": "<p>[[/damage 1d8 + 3]] to @UUID[Compendium.dnd5e.x]{Prone}.</p>"},
                "activities": {"a": {"activation": {"type": "action"}}},
            },
        },
        {
            "name": "Swerve",
            "type": "feat",
            "system": {"activation": {"type": "reaction"}, "description": {"value": "It turns."}},
        },
        {"name": "Light", "type": "spell", "system": {}},
    ],
}
FOUNDRY = [
    ACTOR,
    {
        "name": "Moth Light",
        "type": "spell",
        "system": {
            "source": "Lights of the Fens",
            "level": 2,
            "school": "evo",
            "description": {"value": "<p>It glows.</p>"},
            "activation": {"type": "bonus", "cost": 1},
            "duration": {"value": 1, "units": "minute"},
            "range": {"value": 60, "units": "ft"},
            "properties": ["vocal", "concentration"],
            "damage": {"parts": [["2d6", "fire"]]},
            "save": {"ability": "dex"},
        },
    },
    {
        "name": "Wick Knife",
        "type": "weapon",
        "system": {
            "source": "Lights of the Fens",
            "rarity": "veryRare",
            "attunement": 1,
            "price": {"value": 50, "denomination": "sp"},
            "weight": {"value": 1, "units": "lb"},
            "type": {"value": "martialM"},
            "properties": ["fin", "mgc"],
            "damage": {"base": {"number": 1, "denomination": 4, "types": ["piercing"]}},
            "range": {"value": 20, "long": 60},
        },
    },
    {
        "name": "Ash Walker",
        "type": "feat",
        "system": {
            "source": "Lights of the Fens",
            "requirements": "level 4",
            "description": {"value": "You walk on ash."},
        },
    },
    {"name": "Roll", "type": "macro-like", "system": {}, "_stats": {}},
]


@cache
def records(which: str) -> dict[str, Record]:
    data = {"note": NOTE.encode(), "initiative": json.dumps(EXPORT).encode(), "foundry": json.dumps(FOUNDRY).encode()}
    read = formats.read(data[which], which)
    assert read.fault == ""
    return {one.record.name: one.record for book in read.books for one in book.items if one.record}


SHARED: list[tuple[str, Any]] = [
    ("document_name", "Lights of the Fens"),
    ("size", "small"),
    ("type", "monstrosity"),
    ("alignment", "chaotic neutral"),
    ("armor_class", 13),
    ("hit_points", 37),
    ("hit_dice", "5d10+10"),
    ("speed", {"walk": 20.0, "fly": 60.0}),
    ("hover", True),
    ("abilities.dexterity", 16),
    ("saving_throws", {"dexterity": 5}),
    ("skills", {"stealth": 7}),
    ("senses.darkvision", 60.0),
    ("languages", "Common"),
    ("challenge_rating", 0.5),
    ("defenses.condition_immunities", ["poisoned"]),
    ("traits.0.name", "Dust"),
    ("actions.0.uses", "Recharge 5-6"),
]
OWN: list[tuple[str, str, str, Any]] = [
    ("note", "Dusk Moth", "armor_text", "natural armor"),
    ("note", "Dusk Moth", "senses.passive_perception", 11),
    ("note", "Dusk Moth", "defenses.damage_resistances_text", "cold; bludgeoning from nonmagical attacks"),
    ("note", "Dusk Moth", "actions.1.type", "bonus-action"),
    ("note", "Dusk Moth", "actions.3.legendary_cost", 2),
    ("note", "Dusk Moth", "actions.4.type", "lair-action"),
    ("note", "Dusk Moth", "legendary_text", "It takes three."),
    ("note", "Dusk Moth", "traits.1.text", "It casts.\n- At will: light"),
    ("note", "Dusk Moth", "other.0", {"name": "habitat", "text": "swamps", "type": ""}),
    ("initiative", "Dusk Moth", "text", "A moth."),
    ("initiative", "Dusk Moth", "initiative_bonus", 6),
    ("initiative", "Moth Light", "casting_time", "bonus-action"),
    ("initiative", "Moth Light", "concentration", True),
    ("initiative", "Moth Light", "material_text", "a moth"),
    ("initiative", "Moth Light", "classes.0.key", "srd_wizard"),
    ("foundry", "Dusk Moth", "text", "A *moth*."),
    ("foundry", "Dusk Moth", "traits.0.text", "It sheds light.\n\n- one"),
    ("foundry", "Dusk Moth", "traits.1.text", "Light"),
    ("foundry", "Dusk Moth", "actions.0.text", "1d8 + 3 to Prone."),
    ("foundry", "Dusk Moth", "actions.1.type", "reaction"),
    ("foundry", "Moth Light", "school", "evocation"),
    ("foundry", "Moth Light", "casting_time", "bonus-action"),
    ("foundry", "Moth Light", "saving_throw", "dexterity"),
    ("foundry", "Moth Light", "damage_types", ["fire"]),
    ("foundry", "Wick Knife", "rarity", "very-rare"),
    ("foundry", "Wick Knife", "cost", 5.0),
    ("foundry", "Wick Knife", "weapon.damage_dice", "1d4"),
    ("foundry", "Wick Knife", "weapon.is_simple", False),
    ("foundry", "Wick Knife", "weapon.is_ranged", False),
    ("foundry", "Wick Knife", "weapon.properties.0.name", "Finesse"),
    ("foundry", "Ash Walker", "prerequisite", "level 4"),
]
TABLE = [
    (which, "Dusk Moth", path, value) for which in ("note", "initiative", "foundry") for path, value in SHARED
] + OWN


@pytest.mark.parametrize(("which", "name", "path", "value"), TABLE, ids=[f"{row[0]}-{row[2]}" for row in TABLE])
def test_a_construct_is_read_into_its_field(which: str, name: str, path: str, value: Any) -> None:
    found: Any = records(which)[name].model_dump(mode="json")
    for step in path.split("."):
        found = found[int(step)] if step.isdigit() else found[step]
    if path == "languages":
        found = found.title()
    assert found == value


def reasons(data: bytes) -> list[str]:
    return [one.reason for book in formats.read(data, "x").books for one in book.items if one.reason]


def test_an_item_that_yields_no_record_is_named() -> None:
    told = reasons(NOTE.encode())
    assert len(told) == 3
    assert "only shows" in told[0]
    assert "aliases" in told[1]
    assert "not valid YAML" in told[2]
    assert set(records("note")) == {"Dusk Moth", "Fen Toad"}
    assert reasons(json.dumps(FOUNDRY).encode()) == ['documents of the type "macro-like" are not known']
    assert "no level" in reasons(json.dumps([{**INITIATIVE_SPELL, "Level": None}]).encode())[0]


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


@pytest.mark.parametrize(
    "block",
    [
        BOMB,
        "[" * 400_000,
        "{a: " * 100_000,
        "- " * 200_000,
        "x" * 600_000,
        "name: [1, {2: 3}]\nstats: strong\nhp: {a: b}",
    ],
    ids=["aliases", "nested lists", "nested maps", "nested items", "long", "odd values"],
)
def test_a_bomb_is_reported_in_a_sentence_and_the_rest_imported(block: str) -> None:
    read = formats.read(f"```statblock\n{block}\n```\n\n```statblock\nname: Fen Toad\n```\n".encode(), "x")
    items = [one for book in read.books for one in book.items]
    assert [one.record.name for one in items if one.record][-1:] == ["Fen Toad"]
    assert len(items) == 2


@pytest.mark.parametrize("text", [b"# Notes\n\nNothing here.", b'{"version": 1}', b"plain words"])
def test_files_without_homebrew_are_recognised(text: bytes) -> None:
    assert formats.read(text, "x").foreign


@pytest.mark.parametrize(
    "data",
    [
        b"{" * 600_000,
        b'{"feat": [' + b"{}," * 2_000_000 + b"{}]}",
        b'{"feat": [' + b"0," * 4_000_000 + b"0]}",
        b"{:orcpub.dnd.e5/feats [" + b"0 " * 300_000 + b"]}",
        b"#{" * 1_000_000,
        b'[{"type":"feat","name":"A","system":{"description":{"value":"' + b"<p>" * 1_000_000 + b'"}}}]',
        b'{"a" "' + b"x" * 6_000_000,
        b"x" * 100_000_000,
    ],
    ids=["nested", "objects", "numbers", "EDN numbers", "EDN sets", "HTML", "no closing quote", "large"],
)
def test_a_file_of_too_many_parts_is_one_sentence(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edn, "_MOST", 40_000)  # a hundredth of the limit, which takes seconds to read
    read = formats.read(data, "x")
    assert read.books == ()
    assert read.fault.endswith(".")
    assert len(read.fault) < 200


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({"feat": [{"name": "A", "source": "B"}] * 4}),
        json.dumps([{"Name": "A", "HP": {"Value": 1}}] * 4),
        json.dumps({f"Creatures.{at}": {"Name": "A", "HP": {"Value": 1}} for at in range(4)}),
        json.dumps([{"name": "A", "type": "feat", "system": {}}] * 4),
        '{"B" {:orcpub.dnd.e5/feats {:a {} :b {} :c {} :d {}}}}',
    ],
)
def test_a_file_of_too_many_items_is_one_sentence(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (formats, records_of_orcbrew):
        monkeypatch.setattr(module, "MOST_ITEMS", 4)
    assert formats.read(data.encode(), "x").fault == ""
    for module in (formats, records_of_orcbrew):
        monkeypatch.setattr(module, "MOST_ITEMS", 3)
    assert formats.read(data.encode(), "x").fault == TOO_MANY


def test_only_the_first_blocks_of_a_large_note_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_of_statblocks, "MOST_ITEMS", 2)
    [book] = formats.read(b"```statblock\nname: A\n```\n" * 4, "x").books
    assert [one.reason for one in book.items] == ["", "", "the note has more than 2 blocks; the rest is not read"]


def test_a_block_inherits_missing_fields_from_another_of_the_note() -> None:
    note = """```statblock
name: Elder Toad
extends: Fen Toad
hp: 40
traits+:
  - name: Old
    desc: It is old.
actions-: [Spit]
```

```statblock
name: Fen Toad
desc: A toad.
description: Of the fens.
ac: 11
hp: 9
cr: 1 (250 XP)
traits:
  - name: Croak
    desc: It croaks.
    attack_bonus: 3
actions:
  - [Bite, It bites.]
  - [Spit, It spits.]
```

```statblock
monster: Fen Toad
```

```statblock
name: Lost Toad
extends: Gnarl
```
"""
    items = [item for book in formats.read(note.encode(), "x").books for item in book.items]
    elder, toad = (item.record for item in items[:2])
    assert isinstance(elder, Creature)
    assert (elder.name, elder.hit_points, elder.armor_class, elder.experience_points) == ("Elder Toad", 40, 11, 250)
    assert [trait.name for trait in elder.traits] == ["Croak", "Old"]
    assert [action.name for action in elder.actions] == ["Bite"]
    assert elder.traits[0].text == "It croaks.\n\nattack_bonus: 3"
    assert toad is not None
    assert toad.text == "A toad.\n\nOf the fens."
    assert [item.reason for item in items[2:]] == [
        'it only shows "Fen Toad" and has no content of its own',
        'it refers to "Gnarl", which is not in these files, the SRD or the store',
    ]


def test_circular_extensions_are_named_quickly() -> None:
    circle = "```statblock\nname: A\nextends: B\n```\n```statblock\nname: B\nextends: A\n```\n"
    doubling = "".join(f"```statblock\nname: C{i}\nextends: [C{i + 1}, '[[C{i + 1}]]']\n```\n" for i in range(60))
    items = [item for book in formats.read((circle + doubling).encode(), "x").books for item in book.items]
    assert len(items) == 62
    assert all(item.record or item.reason for item in items)


def test_a_broken_file_of_compact_json_is_reported_as_json() -> None:
    assert formats.read(b'{"monster":[{"name":"A"', "x").fault.startswith("The file is not JSON")
    assert formats.read(b'{"B":[1' + b"0" * 5000, "x").fault.startswith("The file is not JSON")


def test_a_saved_character_is_a_creature_with_its_notes() -> None:
    kept = {"PersistentCharacters.1": json.dumps({"Name": "Vell", "Notes": "Fond of moths.", "StatBlock": INITIATIVE})}
    [item] = [item for book in formats.read(json.dumps(kept).encode(), "x").books for item in book.items]
    assert isinstance(item.record, Creature)
    assert (item.record.name, item.record.hit_points) == ("Vell", 37)
    assert {"Notes": "Fond of moths.", "StatBlock": "Dusk Moth"}.items() <= {
        one.name: one.text for one in item.record.other
    }.items()


def test_a_page_number_after_a_source_makes_no_separate_book() -> None:
    given = [{**INITIATIVE, "Source": "Fens, p. 12"}, {**INITIATIVE, "Name": "B", "Source": "Fens pg. 3"}]
    assert [book.document.name for book in formats.read(json.dumps(given).encode(), "x").books] == ["Fens"]


def test_names_without_a_field_are_kept() -> None:
    odd = {**INITIATIVE, "Abilities": {"Str": 8, "Luck": 9}, "Saves": [{"Name": "Dex", "Modifier": 1}] * 2}
    [item] = [item for book in formats.read(json.dumps([odd]).encode(), "x").books for item in book.items]
    assert item.record is not None
    told = {one.name: one.text for one in item.record.other}
    assert told["Abilities"] == "Str: 8; Luck: 9"
    assert told["Saves"] == "Dex: 1, Dex: 1"


def test_invisible_characters_are_removed_from_json_inside_json_and_from_html() -> None:
    hidden = json.dumps({**INITIATIVE, "Description": "A\ud800 m\u200both."})
    actor = {**ACTOR, "system": {**ACTOR["system"], "details": {"biography": {"value": "A m&#8203;oth&#x202e;."}}}}  # type: ignore[dict-item]
    for given, count in (({"Creatures.x": hidden}, 2), (actor, 2)):
        read = formats.read(json.dumps(given).encode(), "x")
        assert read.invisible == count
        assert [item.record.text for book in read.books for item in book.items if item.record] == ["A moth."]


def test_a_spell_and_a_type_of_improved_initiative_are_printed_once() -> None:
    spell = {
        **INITIATIVE_SPELL,
        "School": "Evocation (ritual)",
        "Description": "A Wisdom saving throw or 2d6 cold damage.",
    }
    [made, moth] = [
        item.record
        for book in formats.read(json.dumps([spell, INITIATIVE]).encode(), "x").books
        for item in book.items
        if item.record
    ]
    assert isinstance(made, Spell)
    assert isinstance(moth, Creature)
    assert (made.school, made.duration, made.concentration) == ("evocation", "1 minute", True)
    assert (made.saving_throw, made.damage_types, made.damage_roll) == ("wisdom", ("cold",), "2d6")
    assert (moth.size, moth.type_text) == ("small", "monstrosity (moth)")
