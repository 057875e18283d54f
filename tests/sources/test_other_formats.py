"""Fantasy Statblocks, Improved Initiative and Foundry: the place of each construct in the records."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from lorekeeper_mcp.models import Creature, Record
from tests.corpus.entries import FILES, parsed
from tests.sources.imported_items import field_at, items_of, read_file, read_items, records_by_name, skip_reasons

NOTE = (
    (FILES / "statblocks" / "note.md").read_text(encoding="utf-8")
    + """
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
)
INITIATIVE, INITIATIVE_SPELL = parsed("initiative/lists")
EXPORT = {**parsed("initiative/export"), "Creatures.bad": "{"}
FOUNDRY = [*parsed("foundry/dusk-moth"), {"name": "Roll", "type": "macro-like", "system": {}, "_stats": {}}]
ACTOR: dict[str, Any] = FOUNDRY[0]


@cache
def records(form: str) -> dict[str, Record]:
    file = read_file({"note": NOTE, "initiative": EXPORT, "foundry": FOUNDRY}[form], "Lights of the Fens")
    assert file.fault == ""
    return records_by_name(items_of(file))


TABLE: list[tuple[str, str, str, Any]] = [
    *((form, "Dusk Moth", "alignment", "chaotic neutral") for form in ("note", "initiative", "foundry")),
    *((form, "Dusk Moth", "actions.0.uses", "Recharge 5-6") for form in ("note", "initiative", "foundry")),
    ("note", "Dusk Moth", "armor_text", "natural armor"),
    ("note", "Dusk Moth", "defenses.damage_resistances_text", "cold; bludgeoning from nonmagical attacks"),
    ("note", "Dusk Moth", "actions.3.legendary_cost", 2),
    ("note", "Dusk Moth", "actions.4.type", "lair-action"),
    ("note", "Dusk Moth", "legendary_text", "It takes three."),
    ("note", "Dusk Moth", "traits.1.text", "It casts.\n- At will: light"),
    ("initiative", "Dusk Moth", "initiative_bonus", 6),
    ("initiative", "Moth Light", "material_text", "a moth"),
    ("initiative", "Moth Light", "classes.0.key", "srd_wizard"),
    ("foundry", "Dusk Moth", "traits.0.text", "It sheds light.\n\n- one"),
    ("foundry", "Dusk Moth", "traits.1.text", "- Light"),
    ("foundry", "Dusk Moth", "actions.0.text", "1d8 + 3 to Prone."),
    ("foundry", "Moth Light", "saving_throw", "dexterity"),
    ("foundry", "Moth Light", "damage_types", ["fire"]),
    ("foundry", "Wick Knife", "weapon.is_simple", False),
    ("foundry", "Wick Knife", "weapon.properties.0.name", "Finesse"),
]


@pytest.mark.parametrize(("form", "name", "path", "value"), TABLE, ids=[f"{row[0]}-{row[2]}" for row in TABLE])
def test_a_construct_is_read_into_its_field(form: str, name: str, path: str, value: Any) -> None:
    field = field_at(records(form)[name], path)
    assert field == value


def reasons(content: object) -> list[str]:
    return skip_reasons(read_items(content))


def test_an_item_that_yields_no_record_is_named() -> None:
    [shown, aliases, invalid] = reasons(NOTE)
    assert "only shows" in shown
    assert "aliases" in aliases
    assert "not valid YAML" in invalid
    assert set(records("note")) == {"Dusk Moth", "Fen Toad"}
    assert reasons(FOUNDRY) == ['documents of type "macro-like" are unknown']
    assert "no spell level" in reasons([{**INITIATIVE_SPELL, "Level": None}])[0]


def test_a_saved_character_is_a_creature_with_its_notes() -> None:
    storage = {
        "PersistentCharacters.1": json.dumps({"Name": "Vell", "Notes": "Fond of moths.", "StatBlock": INITIATIVE})
    }
    [item] = read_items(storage)
    assert isinstance(item.record, Creature)
    assert (item.record.name, item.record.hit_points) == ("Vell", 37)
    assert {"Notes": "Fond of moths.", "StatBlock": "Dusk Moth"}.items() <= {
        section.name: section.text for section in item.record.other
    }.items()


def test_names_without_a_field_are_kept() -> None:
    creature = {**INITIATIVE, "Abilities": {"Str": 8, "Luck": 9}, "Saves": [{"Name": "Dex", "Modifier": 1}] * 2}
    [item] = read_items([creature])
    assert item.record is not None
    sections = {section.name: section.text for section in item.record.other}
    assert sections["Abilities"] == "Str: 8; Luck: 9"
    assert sections["Saves"] == "Dex: 1; Dex: 1"


def test_invisible_characters_are_removed_from_json_inside_json_and_from_html() -> None:
    hidden = json.dumps({**INITIATIVE, "Description": "A\ud800 m\u200both."})
    actor = {**ACTOR, "system": {**ACTOR["system"], "details": {"biography": {"value": "A m&#8203;oth&#x202e;."}}}}
    for content in ({"Creatures.x": hidden}, actor):
        file = read_file(content)
        assert file.invisible == 2
        assert [item.record.text for item in items_of(file) if item.record] == ["A moth."]
