"""Finds the creatures, spells, characters and encounters of an export by their fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

Listing: TypeAlias = "tuple[str, str, object]"
"""A section (empty for a value that is not part of the format), the place in the file, and the value."""

_CONTENT = ("Creatures", "Spells", "PersistentCharacters", "PlayerCharacters", "SavedEncounters", "AutoSavedEncounters")
# A persistent character: its stat block, and its current hit points.
_CHARACTER = frozenset({"StatBlock", "CurrentHP", "CharacterVersion", "Id", "LastUpdateMs", "Version", "Path"})
# The application's data on a stat block; a difference in these does not make another creature.
_ABOUT = frozenset({"Id", "Path", "Version", "LastUpdateMs"})


def is_export(data: object) -> bool:
    """Whether parsed JSON has a creature, a spell, a character or an encounter in a place where an export has them."""
    return any(section for section, _, _ in _listed(data, "export", []))


def listings(data: object) -> list[Listing]:
    """Return everything in an export, a list or a single listing. Creatures of encounters come last, each once."""
    fought: list[Listing] = []
    found = list(_listed(data, "export", fought))
    seen = {_content(value) for section, _, value in found if section == "monsters"} if fought else set()
    for section, path, block in fought:
        if (content := _content(block)) not in seen:
            seen.add(content)
            found.append((section, path, block))
    return found


def _listed(data: object, path: str, fought: list[Listing]) -> Iterator[Listing]:
    """The listings of a value at a path; the creatures of encounters go to ``fought``."""
    if isinstance(data, list):
        for number, one in enumerate(data, 1):
            yield from _listed(one, f"{path} {number}", fought)
    elif not isinstance(data, Mapping):
        yield "", path, data
    elif "Name" in data and isinstance(data.get("Combatants"), list):
        yield "encounters", path, data
        blocks = (one.get("StatBlock") for one in data["Combatants"] if isinstance(one, Mapping))
        fought += [("monsters", path, block) for block in blocks if isinstance(block, Mapping) and block.get("Name")]
    elif "Name" in data and ("HP" in data or "Abilities" in data or "Challenge" in data):
        yield "monsters", path, data
    elif isinstance(data.get("StatBlock"), Mapping):
        own = {key: value for key, value in data.items() if key not in _CHARACTER}
        block = data["StatBlock"]
        named = {"StatBlock": block["Name"]} if block.get("Name") not in (None, data.get("Name")) else {}
        yield "monsters", path, {**block, **own, **named}
    elif "Name" in data and "School" in data and "Level" in data:
        yield "spells", path, data
    elif path == "export":
        for key, value in data.items():
            yield from _listings_of(str(key), value, fought)
    else:
        yield "", path, data


def _listings_of(key: str, value: object, fought: list[Listing]) -> Iterator[Listing]:
    """The listings under one of an export's keys."""
    if key.partition(".")[0] in _CONTENT:
        inner = _unpacked(value)
        if key in _CONTENT and isinstance(inner, list):
            inner = [one for one in inner if not isinstance(one, str)]  # ids of entries elsewhere in the export
        yield from _listed(inner, key, fought)
    elif key != "Settings":
        yield "", key, value


def _unpacked(value: object) -> object:
    """A value of the browser's storage, which is JSON within a text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _content(block: object) -> str:
    """The content of a stat block, to detect duplicates."""
    told = {key: value for key, value in block.items() if key not in _ABOUT} if isinstance(block, Mapping) else block
    return json.dumps(told, sort_keys=True, default=str)
