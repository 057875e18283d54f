"""Items of Foundry's actors with the numbers of the actor."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import Creature
from tests.sources.foundry.invented import BOOK
from tests.sources.imported_items import read_records

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
    [warden] = read_records(WARDEN).values()
    assert isinstance(warden, Creature)
    texts = {part.name: part.text for part in (*warden.actions, *warden.traits)}
    assert texts["Reed Spear"].startswith(
        "*Melee Weapon Attack:* +6 to hit. *Hit:* 6 (1d6 + 3) piercing damage, or 7 (1d8 + 3) damage with"
    )
    assert texts["Beak"].startswith("*Melee Weapon Attack:* +8 to hit, reach 10 ft. *Hit:* 13 (2d8 + 4) piercing")
    assert "(1d6) necrotic" in texts["Beak"]
    assert "99" not in texts["Beak"]  # the item's own range applies if an activity does not override it
    assert texts["Charm"] == "DC 10."
    assert texts["Odd"].startswith("*Hit:* 1d6 + ability modifier fire")  # an item without known numbers
