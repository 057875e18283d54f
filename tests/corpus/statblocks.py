"""The entries of a note with stat blocks of Fantasy Statblocks, or of the plugin's data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import yaml

from tests.corpus.entries import Entry

_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
_FENCE = re.compile(r"^```statblock\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FRONT = re.compile(r"\A---\n(.*?)^---", re.MULTILINE | re.DOTALL)
_LINK = re.compile(
    r"<STATBLOCK-\w+-LINK>(?:[^<>|]*[|/])?([^<>|]*?)(?:\.md)?</?STATBLOCK-\w+-LINK>|\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]"
)
SPEED = re.compile(r"(?:(fly|swim|climb|burrow) )?(\d+) ft\.")
_LISTS = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "lair_actions")


def entries(data: bytes) -> Iterator[Entry]:
    """Yield the creatures; of those that extend others what they say themselves."""
    text = data.decode()
    if text.startswith(("{", "[")):
        parsed = json.loads(text)
        monsters = parsed.get("monsters", [parsed]) if isinstance(parsed, dict) else parsed
        blocks = [monster[1] if isinstance(monster, list) else monster for monster in monsters]
    else:
        front = _FRONT.match(text)
        blocks = [yaml.safe_load(front[1])] if front and "statblock:" in front[1] else []
        blocks += map(yaml.safe_load, filter(str.strip, _FENCE.findall(text)))
    for block in blocks:
        prose = "\n".join(_texts([block.get(name) for name in ("desc", "spells", *_LISTS)]))
        yield Entry(block["name"], _facts(block), _LINK.sub(lambda link: link[1] or link[2], prose))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value


def _facts(block: Any) -> dict[str, object]:
    saves, rating = block.get("saves"), block.get("cr")
    rows = saves if isinstance(saves, list) else [saves or {}]
    return {
        "ac": _leading(block.get("ac")),
        "hp": _leading(block.get("hp")),
        "abilities": block.get("stats"),
        "saves": {name[:3].lower(): int(bonus) for row in rows for name, bonus in row.items()} or None,
        "cr": float(Fraction(str(rating))) if rating is not None else None,
        "speeds": {mode or "walk": float(feet) for mode, feet in SPEED.findall(block.get("speed") or "")} or None,
    }


def _leading(value: Any) -> int | None:
    number = re.match(r"\d+", str(value))
    return int(number[0]) if number else None
