"""The entries of a 5etools file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.corpus.entries import Entry

_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
_SCHOOLS = {
    "A": "abjuration", "C": "conjuration", "D": "divination", "E": "enchantment", "V": "evocation", "I": "illusion",
    "N": "necromancy", "T": "transmutation",
}  # fmt: skip
_DAMAGE = {"B": "bludgeoning", "P": "piercing", "S": "slashing", "F": "fire", "R": "radiant"}
_PARTS = ("itemProperty", "itemType", "legendaryGroup", "book", "adventure")  # of other entries
_TEXTS = ("entries", "trait", "action", "bonus", "reaction", "legendary", "mythic", "entriesHigherLevel", "rows")
_TAG = re.compile(r"\{@(\w+) ?([^{}]*)\}")
_SHOWN_LAST = {"spell", "creature", "item", "condition", "variantrule", "class", "link"}  # {@spell name|source|shown}
_SILENT = {"atk", "atkr", "h", "actSave", "actSaveFail", "actSaveSuccess", "recharge", "hit", "damage", "dice"}
_HTML = re.compile(r"</?[a-z][^<>]*>|&nbsp;|&#?\w+;")


def entries(data: bytes) -> Iterator[Entry]:
    """Yield the creatures, spells, equipment, chapters and other named items; of copies what they say themselves."""
    for section, values in json.loads(data).items():
        items = [chapter for book in values for chapter in book["data"]] if section.endswith("Data") else values
        if section.startswith("_") or section.endswith(("Fluff", "Feature")) or section in _PARTS:
            continue
        for item in items:
            facts = {"monster": _creature, "spell": _spell}.get(section, _equipment)(item)
            yield Entry(item["name"], facts, plain("\n".join(_texts([item.get(field) for field in _TEXTS]))))


def plain(text: str) -> str:
    """Return a text with the words that its tags show."""
    while _TAG.search(text):
        text = _TAG.sub(_shown, text)
    return _HTML.sub(" ", text)


def _shown(tag: re.Match[str]) -> str:
    name, parts = tag[1], tag[2].split("|")
    if name in _SILENT:
        return ""
    if name == "dc":
        return f"DC {parts[0]}"
    return parts[2] if name in _SHOWN_LAST and len(parts) > 2 else parts[0]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, dict):
        yield from _texts([value.get(name) for name in ("name", "entries", "entry", "items", "rows", "by")])


def _number(value: Any) -> int | None:
    return int(value) if value is not None and str(value).lstrip("+-").isdigit() else None


def _creature(item: Any) -> dict[str, object]:
    ac, cr = item.get("ac", [None])[0], item.get("cr")
    speeds = {name: value for name, value in (item.get("speed") or {}).items() if name not in ("canHover", "choose")}
    return {
        "ac": ac.get("ac") if isinstance(ac, dict) else ac,
        "hp": (item.get("hp") or {}).get("average"),
        "abilities": [item[name] for name in _ABILITIES] if all(name in item for name in _ABILITIES) else None,
        "saves": {name: _number(bonus) for name, bonus in item["save"].items()} if "save" in item else None,
        "cr": float(Fraction(cr["cr"] if isinstance(cr, dict) else cr)) if cr else None,
        "speeds": {name: float(v["number"] if isinstance(v, dict) else v) for name, v in speeds.items()} or None,
    }


def _spell(item: Any) -> dict[str, object]:
    components = item.get("components") or {}
    return {
        "level": item.get("level"),
        "school": _SCHOOLS.get(item.get("school")),
        "components": "".join(letter for letter in "vsm" if components.get(letter)),
        "ritual": bool((item.get("meta") or {}).get("ritual")),
        "concentration": any(part.get("concentration") for part in item.get("duration", ())),
    }


def _equipment(item: Any) -> dict[str, object]:
    value, rarity = item.get("value"), item.get("rarity")
    return {
        "damage": item.get("dmg1"),
        "damage type": _DAMAGE.get(item.get("dmgType")),
        "ac": item.get("ac"),
        "cost": value / 100 if value is not None else None,
        "weight": float(item["weight"]) if "weight" in item else None,
        "rarity": rarity.replace(" ", "-") if rarity not in (None, "none") else None,
    }
