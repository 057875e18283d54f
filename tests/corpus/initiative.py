"""The entries of a file of Improved Initiative: single items, lists, exports and the browser's storage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.corpus.entries import Entry
from tests.corpus.statblocks import SPEED

_LISTS = ("Traits", "Actions", "BonusActions", "Reactions", "LegendaryActions", "MythicActions")


def entries(data: bytes) -> Iterator[Entry]:
    """Yield the creatures, spells and encounters."""
    parsed = json.loads(data)
    for item in parsed if isinstance(parsed, list) else [parsed] if "Name" in parsed else _stored(parsed):
        rows = [row for name in _LISTS for row in item.get(name, ())]
        texts = [item.get("Description", ""), *(f"{row['Name']} {row['Content']}" for row in rows)]
        facts = _creature(item) if "HP" in item else _spell(item) if "School" in item else {}
        yield Entry(item["Name"], facts, "\n".join(texts))


def _stored(export: Any) -> Iterator[Any]:
    for key, value in export.items():
        if "." in key.removeprefix("ImprovedInitiative."):
            item = json.loads(value) if isinstance(value, str) else value
            yield from [item] if item else []


def _creature(item: Any) -> dict[str, object]:
    challenge, speeds = item.get("Challenge"), SPEED.findall(", ".join(item.get("Speed", ())))
    return {
        "ac": item.get("AC", {}).get("Value"),
        "hp": item["HP"]["Value"],
        "abilities": [item["Abilities"][name] for name in ("Str", "Dex", "Con", "Int", "Wis", "Cha")],
        "saves": {row["Name"][:3].lower(): row["Modifier"] for row in item.get("Saves", ())} or None,
        "cr": float(Fraction(challenge)) if challenge else None,
        "speeds": {mode or "walk": float(feet) for mode, feet in speeds} or None,
    }


def _spell(item: Any) -> dict[str, object]:
    letters = item["Components"].partition("(")[0]
    return {
        "level": item["Level"],
        "school": item["School"].partition(" (")[0].lower(),
        "components": "".join(letter for letter in "vsm" if letter.upper() in letters),
        "ritual": bool(item.get("Ritual")),
        "concentration": "Concentration" in item["Duration"],
    }
