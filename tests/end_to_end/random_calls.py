"""Random calls of every tool, generated from its schema: what a model might send, valid as well as hostile."""

from __future__ import annotations

import random
from typing import Any

from mcp.types import Tool

WORDS = ["dragon", "fire", "ring", "goblin", "wall", "elf", "sword", "healing", "stealth", "*ing", "light*", "Grappled"]
TEXTS = {
    "class_key": ["wizard", "Cleric", "srd_bard", "fighter"],
    "casting_time": ["action", "1 bonus action", "reaction", "10 minutes"],
    "environment": ["forest", "swamp", "mountain", "urban"],
    "damage_dice": ["1d8", "2d6", "1d4"],
    "property": ["finesse", "reach", "thrown"],
    "section": ["Combat", "Rules Glossary"],
}
NUMBERS = {"cr": [0.25, "1/2", 1, 5], "cr_min": [0, 5, 10], "cr_max": [12, 20, 30]}
DOCUMENTS = [["srd-2014"], ["srd-2024"], ["srd-2014", "toh"], ["tob"], ["System Reference Document 5.1"]]
TYPES = [["Spell"], ["Creature", "Feat"], ["Class", "Race"], ["Rule", "Condition"], ["MagicItem"]]
ABILITIES = [{"strength": 16}, {"dexterity": 12, "wisdom": 10}]


def deeply_nested(levels: int) -> dict[str, Any]:
    """An object in an object in an object."""
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


HOSTILE: list[Any] = [
    {}, {"a": 1}, [], [[]], [{}], [None], ["a", 3, {}], -1, 10**30, 1e308, -0.5, True, "", " ", "\x00", "x" * 5000,
    "龍" * 3000, deeply_nested(60), [deeply_nested(40)], ["x" * 3000] * 120, list(range(2000)),
    {"x" * 3000: "y" * 3000}, "{}", "[", "null", "nan", "inf", "-inf", "0x1F", "1/0", "'; drop", "%00", "\ud7ff\uffff",
    {"strength": "x" * 900}, {"strength": {}},
]  # fmt: skip


def valid_arguments(tool: Tool, chance: random.Random) -> dict[str, Any]:
    """Valid arguments: a few filters, sometimes a search text, never a page."""
    properties = tool.input_schema["properties"]
    names = [name for name in properties if name not in ("search", "query", "cursor", "limit", "detail")]
    arguments = {name: value(name, properties[name], chance) for name in chance.sample(names, min(len(names), 2))}
    text = "query" if "query" in properties else "search" if "search" in properties else ""
    if text == "query" or (text and chance.random() < 0.5):
        arguments[text] = chance.choice(WORDS)
    if "limit" in properties and chance.random() < 0.4:
        arguments["limit"] = chance.randint(1, 50)
    if "detail" in properties and chance.random() < 0.6:
        arguments["detail"] = chance.choice(["brief", "full"])
    return arguments


def value(name: str, schema: dict[str, Any], chance: random.Random) -> Any:
    """A valid value for an argument."""
    if name in TEXTS or name in NUMBERS:
        return chance.choice([*TEXTS.get(name, ()), *NUMBERS.get(name, ())])
    if "enum" in schema:
        return chance.choice(schema["enum"])
    if schema.get("type") == "boolean":
        return chance.random() < 0.5
    if name == "documents":
        return chance.choice(DOCUMENTS)
    if name == "content_types":
        return chance.choice(TYPES)
    if name.startswith("ability_"):
        return chance.choice(ABILITIES)
    return chance.randint(int(schema.get("minimum", 0)), int(min(schema.get("maximum", 40), 40)))


def hostile_arguments(tool: Tool, chance: random.Random) -> dict[str, Any]:
    """Arguments of which at least one is invalid: a wrong type, an unknown name, something huge or deep."""
    properties = list(tool.input_schema["properties"])
    arguments = {chance.choice(properties): chance.choice(HOSTILE) for _ in range(chance.randint(1, 3))}
    if chance.random() < 0.4:
        arguments[chance.choice(["name", "semantic_query", "x" * 500, "__class__", "ctx", "", "Search"])] = (
            chance.choice(HOSTILE)
        )
    return arguments
