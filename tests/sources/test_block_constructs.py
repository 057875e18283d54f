"""Every construct of Fantasy Statblocks: its text on the page, or the reason for having none.

The names are from the plugin's types, its fifth edition layout, its renderer and its file watcher.
Each row is imported alone and displayed.
"""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

import json

import pytest

from tests.sources.exported_pages import shown
from tests.sources.imported_items import read_file, read_items

TOAD = "```statblock\nname: Fen Toad\nac: 11\nac_class: slime\nhp: 9\ncr: 1\nxp: 77\nlanguages: Croak\ntraits:\n  - [Zqold, It croaks.]\nactions:\n  - [Zqbite, It bites.]\n  - [Zqspit, It spits.]\nspells:\n  - zqspells\n```\n\n"
# fmt: off
BLOCKS: list[tuple[str, str]] = [
    # the head
    ("name: [[Zq|Zp]]", "# Zp"),
    ("size: Medium or Small\ntype: beast", "*Medium or Small beast*"),
    # the numbers
    ("ac: 13 (zq), 15 in zp", "**Armor Class** 13 (zq, 15 in zp)"),
    ("ac: 13\nac_class: '[hide](Items/hide-armor.md)'", "**Armor Class** 13 (hide)"),
    ("speed: 30 ft., 40 ft. as zq", "***Speed.*** 30 ft., 40 ft. as zq"),
    ("stats: [8, zq, 14, 6, 12, 10]", "***Stats.*** zq"),
    # the lines
    ("saves:\n  - dexterity: 5\n  - wis: +3", "**Saving Throws** Dexterity +5, Wisdom +3"),
    ("saves:\n  - dexterity: 5\n  - wisdom: 3 in zq", "***Saving Throws.*** wisdom: 3 in zq"),
    # traits, spells and actions
    ("traits:\n  - {name: Zq, desc: zp, traits: [{name: Zo, desc: zn}]}", "***Zq.*** zp\n\n**Zo.** zn"),
    ("traits:\n  - {name: Zq, desc: zp, spells: [At will: zo]}", "***Zq.*** zp\n\n- At will: zo"),
    ("traits:\n  - {name: Zq, desc: '+5 to hit', attack_bonus: 5, damage_dice: 2d6}", "***Zq.*** +5 to hit\n\ndamage_dice: 2d6"),
    ("traits:\n  - {name: '[[Zq]]', desc: 'See [zp](Notes/zp.md), [zo](https://zn.org/x) and ![[Zm|zl]].'}", "***Zq.*** See zp, [zo](https://zn.org/x) and zl."),
    ("spells:\n  - zq casts\n  - Cantrips (at will): zp\n  - 1st level (4 slots): [zo, zn]", "***Spellcasting.*** zq casts\n- Cantrips (at will): zp\n- 1st level (4 slots): zo, zn"),
    ("legendary_actions:\n  - [Zq (Costs 2 Actions), zp]\nlegendary_description: zo", "## Legendary Actions\n\nzo\n\n***Zq (Costs 2 Actions).*** zp"),
    # texts, and fields of custom layouts
    ("regional_effects:\n  - {name: Zq, desc: zp}\n  - {name: Zo, desc: zn}", "***Regional Effects.*** Zq. zp, Zo. zn"),
    ("languages: '<STATBLOCK-WIKI-LINK>Tongues/Zq|the Zp<STATBLOCK-WIKI-LINK>, <STATBLOCK-WIKI-LINK>Tongues/Zo.md<STATBLOCK-WIKI-LINK>'", "**Languages** the Zp, Zo"),
    # blocks that extend another one
    ("extends: [Goblin, Fen Toad]", "***Nimble Escape.***"),
    ("extends: Fen Toad\nactions:\n  - [Zqbite, It gnaws.]", "***Zqspit.*** It spits.\n\n***Zqbite.*** It gnaws."),
    ("extends: Fen Toad\nactions+:\n  - [Zqbite, It gnaws.]", "***Zqbite.*** It bites.\n\n***Zqspit.*** It spits.\n\n***Zqbite.*** It gnaws."),
    ("extends: Fen Toad\nactions-: [Zqbite]", "## Actions\n\n***Zqspit.*** It spits.\n\n*Source"),
    ("extends: Fen Toad\nlanguages+: Zq", "**Languages** Croak, Zq"),
    ("extends: Fen Toad\nname+: the Zq", "# Base the Zq"),
    ("extends: Fen Toad\nsaves+:\n  dexterity: 3", "**Saving Throws** Dexterity +3"),
    ("extends: Fen Toad\nac: 15", "**Armor Class** 15  \n"),
]
NOT_SHOWN = {
    "how the note shows it": "layout: x\nstatblock: true\ncolumns: 2\nforceColumns: true\ncolumnHeight: 3\ncolumnWidth: 400\ncssclass: x\ncssclasses: [x]",
    "what the plugin does with it": "dice: true\nrender: true\nexport: true\nbestiary: false\nstatblock-link: '#^statblock'",
    "where the note is and when it changed": "path: x.md\nmtime: 5\ntags: [x]\npublish: true\npermalink: x\nnoteType: x\nobsidianUIMode: preview",
    "a picture in the vault": "image: [[moth.png]]",
    "nothing": "subtype:\nalignment: ''\ntraits: []\nactions: ~\ndamage_immunities: ''",
}
# fmt: on


def note(block: str) -> str:
    fields = block if block.startswith(("name:", '"name')) else f"name: Base\n{block}"
    return f"{TOAD if 'Toad' in block else ''}```statblock\n{fields}\n```\n"


@pytest.mark.parametrize(
    ("block", "line"), BLOCKS, ids=[f"{row[0][:24]}-{number}" for number, row in enumerate(BLOCKS)]
)
def test_a_construct_of_a_stat_block_is_on_the_page(block: str, line: str) -> None:
    toad = shown(TOAD) if "Toad" in block else ""
    assert line in shown(note(block)).removeprefix(toad)
    assert line not in shown(note("hp: 5"))


@pytest.mark.parametrize("reason", NOT_SHOWN)
def test_fields_that_are_no_text_of_the_creature_are_not_on_the_page(reason: str) -> None:
    assert shown(note(f"hp: 5\n{NOT_SHOWN[reason]}")) == shown(note("hp: 5"))


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("---\nstatblock: true\nname: Zq\nhp: 5\n---\ntext\n", ["Zq"]),
        ("---\nstatblock: Basic 5e Layout\nname: Zq\nhp: 5\n---\n", ["Zq"]),
        ("---\nstatblock: inline\naliases: [Zp]\n---\n```statblock\nname: Zq\nhp: 5\n```\n", ["Zq"]),
        ("---\nname: Zq\nhp: 5\n---\n```statblock\n```\n", ["Zq"]),
        ("---\nstatblock: true\nname: Zq\nhp: 5\n---\n```statblock\n\n```\n", ["Zq"]),
        ("---\nstatblock: false\nname: Zp\n---\n```statblock\nname: Zq\nhp: 5\n```\n", ["Zq"]),
        ("~~~statblock\nname: Zq\nhp: 5\n~~~\n", ["Zq"]),
        ("> [!info] A moth\n> ```statblock\n> name: Zq # ours\n> traits:\n> \t- name: Dust\n> \t  desc: It glows.\n> ```\n", ["Zq"]),
        ("- a list\n  ```statblock\n  name: Zq\n  hp: 4\n  ```\n", ["Zq"]),
        (json.dumps({"monsters": [["Zq", {"name": "Zq", "hp": 5}]], "layouts": [], "default": "x"}), ["Zq"]),
        (json.dumps({"name": "Zq", "stats": [8, 16, 14, 6, 12, 10], "cr": 0.5, "skillsaves": [None]}), ["Zq"]),
        (json.dumps([{"name": "Zq", "skillsaves": []}, {"name": "Zp", "extends": "Zq", "ac_class": "x"}]), ["Zq", "Zp"]),
    ],
)  # fmt: skip
def test_a_block_is_found_wherever_the_plugin_finds_it(content: str, names: list[str]) -> None:
    assert [item.record.name for item in read_items(content) if item.record] == names
    shown(content)


def test_values_that_are_no_blocks_are_named() -> None:
    for content in ({"monsters": [["Zq", {"name": "Zq"}], "odd"]}, [{"name": "Zq", "stats": []}, "odd"]):
        skipped = [(item.path, item.reason) for item in read_items(content) if not item.record]
        assert skipped == [("x › monsters › block 2", "it is not a list of fields")]


@pytest.mark.parametrize(
    "note", ["---\nstatblock: false\nname: Zq\n---\ntext\n", "---\nstatblock: inline\n---\ntext\n"]
)
def test_a_note_without_a_stat_block_is_no_homebrew(note: str) -> None:
    assert read_file(note).foreign
