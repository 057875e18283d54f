"""The entries of an OrcBrew file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.corpus.entries import Entry

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|;[^\n]*|(#?[{(\[])|([})\]])|([^\s,;"{}()\[\]]+)')
_WORDS = {"true": True, "false": False, "nil": None}
_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


def entries(data: bytes) -> Iterator[Entry]:
    """Yield the items of all sections."""
    for form in _parsed(data.decode()):
        has_books = any("/" in section for book in form.values() for section in book)
        for book in form.values() if has_books else [form]:
            for section, items in book.items():
                for key, item in items.items() if isinstance(items, dict) else ():
                    name = item.get("name") or key.replace("-", " ").title()
                    facts = {"monsters": _creature, "spells": _spell}.get(section.rpartition("/")[2], _equipment)(item)
                    yield Entry(name, facts, "\n".join(_texts(item)))


def _parsed(text: str) -> list[Any]:
    stack: list[tuple[str, list[Any]]] = [("", [])]
    for string, opening, closing, atom in (token.groups() for token in _TOKEN.finditer(text)):
        values = stack[-1][1]
        if opening:
            stack.append((opening, []))
        elif closing:
            bracket, inner = stack.pop()
            is_map = bracket == "{"
            stack[-1][1].append(dict(zip(inner[::2], inner[1::2], strict=True)) if is_map else inner)
        elif string is not None:
            values.append(string.replace('\\"', '"').replace("\\n", "\n"))
        elif atom and not atom.startswith("#:"):  # the namespace of a map
            number = re.fullmatch(r"(-?\d+(?:\.\d+)?)(?:/(\d+))?", atom)
            quotient = float(number[1]) / float(number[2] or 1) if number else 0.0
            values.append(quotient if number else _WORDS.get(atom, atom.lstrip(":")))
    return stack[0][1]


def _texts(item: Any) -> Iterator[str]:
    for name in ("description", "summary", "help"):
        yield item.get(name) or ""
    for trait in item.get("traits") or ():
        yield f"{trait.get('name')} {trait.get('description') or ''}"


def _creature(item: Any) -> dict[str, object]:
    points, saves = item.get("hit-points") or {}, item.get("saving-throws") or {}
    has_dice = {"die", "die-count"} <= points.keys()
    average = points["die-count"] * (points["die"] + 1) // 2 + points.get("modifier", 0) if has_dice else None
    return {
        "ac": item.get("armor-class"),
        "hp": average,
        "abilities": [item[name] for name in _ABILITIES] if set(_ABILITIES) <= item.keys() else None,
        "saves": {name.rpartition("/")[2]: bonus for name, bonus in saves.items() if bonus is not None} or None,
        "cr": item.get("challenge"),
    }


def _spell(item: Any) -> dict[str, object]:
    components = item.get("components") or {}
    letters = {"v": "verbal", "s": "somatic", "m": "material"}
    return {
        "level": item.get("level"),
        "school": item.get("school"),
        "components": "".join(letter for letter, name in letters.items() if components.get(name)),
        "ritual": bool(item.get("ritual")),
        "concentration": "oncentration" in (item.get("duration") or ""),
    }


def _equipment(item: Any) -> dict[str, object]:
    rarity = item.get("rarity")
    return {"rarity": rarity.lower().replace(" ", "-") if isinstance(rarity, str) else None}
