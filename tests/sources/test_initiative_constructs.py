"""Every construct of Improved Initiative: its text on the page, or the reason for having none.

The names are from the application's ``StatBlock``, ``Spell``, ``PersistentCharacter``, ``SavedEncounter`` and its
exported storage. Each row is imported alone and displayed.
"""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sources.exported_pages import books, shown

# fmt: off
BLOCK: dict[str, Any] = {"Name": "Base", "HP": {"Value": 5, "Notes": ""}}
CREATURES: list[tuple[str, Any, str]] = [
    ("Source", "Zq, p. 12", "*Source: Zq (zq), homebrew, file Fens, 2014 edition*"),
    ("Type", "Medium or Small humanoid (zq), any zp", "*Medium or Small humanoid (zq), any zp*"),
    ("Type", "Large giant, CE", "*Large giant, chaotic evil*"),
    ("InitiativeModifier", 3, "**Initiative** +3"),
    ("InitiativeAdvantage", True, "***InitiativeAdvantage.*** yes"),
    ("Traits", [{"Name": "Zq", "Content": "zp", "Usage": "3/Day"}], "***Zq (3/Day).*** zp"),
]
SPELL: dict[str, Any] = {"Name": "Base", "Level": 2, "School": "Evocation"}
SPELLS: list[tuple[str, Any, str]] = [
    ("School", "Illusion (ritual)", "*2nd-level illusion*"),
    ("Components", "zq", "***Components.*** zq"),
    ("Classes", ["Wizard", "Zq"], "**Classes** Wizard, Zq"),
    ("Homely", "zq", "***Homely.*** zq"),
]
ENCOUNTERS: list[tuple[dict[str, Any], str]] = [
    ({"StatBlock": BLOCK, "Alias": "Zq"}, "- Zq (Base)"),
]
EXPORTS: list[tuple[Any, str]] = [
    ({"ImprovedInitiative.Settings": "{}", "ImprovedInitiative.Creatures": '["x"]', "ImprovedInitiative.Creatures.x": json.dumps(BLOCK)}, "# Base"),
    ({"PersistentCharacters.x": {"Name": "Zq", "StatBlock": BLOCK, "Notes": "zp"}}, "***Notes.*** zp"),
    ({"SavedEncounters.x": {"Name": "Zq", "Combatants": [{"StatBlock": BLOCK}] * 3}}, "# Zq\n\n- 3 × Base"),
]
# fmt: on


def initiative(item: Any) -> str:
    return shown(json.dumps(item))


ROWS = [*((BLOCK, *row) for row in CREATURES), *((SPELL, *row) for row in SPELLS)]


@pytest.mark.parametrize(("item", "field", "value", "line"), ROWS, ids=[f"{row[1]}-{row[3]}" for row in ROWS])
def test_a_field_is_on_the_page(item: dict[str, Any], field: str, value: Any, line: str) -> None:
    assert line in initiative([{**item, field: value}])
    assert line not in initiative([item])


def test_internal_fields_of_the_application_are_not_on_the_page() -> None:
    internal = {"Id": "zq", "Path": "zq", "Version": "3.9", "LastUpdateMs": 7}
    no_text = {"Player": "player", "InitiativeModifier": 0, "InitiativeAdvantage": False, "ImageURL": ""}
    assert initiative([{**BLOCK, **internal, **no_text}]) == initiative([BLOCK])
    assert initiative([{**SPELL, **internal, "Ritual": False, "SearchHint": "zq"}]) == initiative([SPELL])


@pytest.mark.parametrize(("combatant", "line"), ENCOUNTERS)
def test_an_encounter_lists_its_creatures(combatant: dict[str, Any], line: str) -> None:
    state = {"Id": "x", "MaxHP": 5, "CurrentHP": 3, "TemporaryHP": 0, "Initiative": 7, "IndexLabel": 1, "Hidden": False}
    fight = {"Name": "Zq", "Id": "x", "Path": "", "Version": "3", "ActiveCombatantId": None, "RoundCounter": 2}
    page = initiative([{**fight, "Combatants": [{**state, "InterfaceVersion": "1", **combatant}]}])
    assert page.startswith(f"# Zq\n\n{line}\n\n*Rule in Encounters*\n\n*Source: Fens (fens), homebrew, 2014 edition*")


@pytest.mark.parametrize(("export", "line"), EXPORTS)
def test_everything_in_an_export_is_on_a_page(export: Any, line: str) -> None:
    assert line in initiative(export)


def test_a_creature_of_an_encounter_comes_once() -> None:
    other = {**BLOCK, "HP": {"Value": 9}}
    fight = {"Name": "Zq", "Combatants": [{"StatBlock": {**BLOCK, "Id": "other"}}, {"StatBlock": other}] * 2}
    [book] = books(json.dumps({"Creatures.x": BLOCK, "SavedEncounters.e": fight}))
    assert [outcome.record.name for outcome in book.items if outcome.record] == ["Base", "Zq", "Base"]


@pytest.mark.parametrize("traits", ["It glows.", {"Name": "Glow", "Content": "It glows."}, [["It glows."]]])
def test_traits_in_another_shape_than_a_list_of_objects_are_kept(traits: Any) -> None:
    assert "It glows." in initiative([{**BLOCK, "Traits": traits}])
