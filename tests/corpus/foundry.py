"""The entries of a Foundry file: JSON, a pack with a document in each line, or the YAML of a pack's source."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from tests.corpus.entries import Entry

_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
_SCHOOLS = {
    "abj": "abjuration", "con": "conjuration", "div": "divination", "enc": "enchantment", "evo": "evocation",
    "ill": "illusion", "nec": "necromancy", "trs": "transmutation",
}  # fmt: skip
_COINS = {"cp": 0.01, "sp": 0.1, "ep": 0.5, "gp": 1.0, "pp": 10.0}
_LABELLED = re.compile(r"(?:\[\[[^\[\]]*\]\]|@\w+\[[^\[\]]*\]|&(?:amp;)?Reference\[[^\[\]]*\])(?:\{([^{}]*)\})?")
_ITEMS = ("weapon", "equipment", "consumable", "tool", "loot", "backpack", "container")


def entries(data: bytes) -> Iterator[Entry]:
    """Yield the actors, spells, items and other documents."""
    text = data.decode()
    if not text.startswith(("{", "[")):
        parsed = yaml.safe_load(text)
    elif text.startswith("{") and len(lines := text.splitlines()) > 1 and lines[0].endswith("}"):
        parsed = list(map(json.loads, lines))
    else:
        parsed = json.loads(text)
    for document in parsed if isinstance(parsed, list) else [parsed]:
        yield from _entries(document)


def _entries(document: Any) -> Iterator[Entry]:
    system, kind = document.get("system") or document.get("data") or {}, document.get("type")
    if kind == "npc":
        yield Entry(document["name"], _creature(system), "\n".join(_prose_of_actor(document, system)))
    else:
        facts = _spell(system) if kind == "spell" else _equipment(system) if kind in _ITEMS else {}
        yield Entry(document["name"], facts, plain(_description(system) or document.get("description")))
    for part in ("actors", "items", "journal") if kind is None else ():
        for inner in document.get(part, ()):
            yield from _entries(inner)
    for page in document.get("pages", ()):
        yield Entry(document["name"], {}, plain(page.get("text", {}).get("content")))


def _description(system: Any) -> Any:
    description = system.get("description")
    return description.get("value") if isinstance(description, dict) else description


def plain(text: Any) -> str:
    """Return a text without tags and enrichers; of the latter with a label, the label."""
    text = re.sub(r"\[\[lookup[^\[\]]*\]\](?:\{[^{}]*\})?", " ", text or "")  # the label is for an unknown value
    text = _LABELLED.sub(lambda enricher: enricher[1] or " ", text)
    return html.unescape(re.sub(r"<[^<>]*>", " ", text))


def _prose_of_actor(actor: Any, system: Any) -> Iterator[str]:
    yield plain(system.get("details", {}).get("biography", {}).get("value"))
    rating = system.get("details", {}).get("cr") or 0
    proficiency = 2 + max(0, int(rating) - 1) // 4
    modifiers = {code: (score["value"] - 10) // 2 for code, score in system.get("abilities", {}).items()}
    casting = system.get("attributes", {}).get("spellcasting", "")
    for item in actor.get("items", ()):
        own = item.get("system") or item.get("data") or {}
        if item["type"] in ("spell", "equipment"):
            continue
        yield f"{item['name']} {plain(_description(own))}"
        saves = [activity.get("save") or {} for activity in own.get("activities", {}).values()]
        saves += [own["save"]] if "activities" not in own and own.get("save") else []
        for save in saves:
            dc = save.get("dc")
            calculation = dc.get("calculation") if isinstance(dc, dict) else save.get("scaling")
            code = {"spellcasting": casting, "spell": casting}.get(calculation, calculation)
            if save.get("ability") and code in modifiers:
                yield f"DC {8 + proficiency + modifiers[code]}"


def _creature(system: Any) -> dict[str, object]:
    attributes, abilities = system.get("attributes", {}), system.get("abilities", {})
    rating = system.get("details", {}).get("cr")
    proficiency = 2 + max(0, int(rating or 0) - 1) // 4
    movement = attributes.get("movement", {})
    factor = 10 / 3 if movement.get("units") == "m" else 1
    speeds = {
        name: float(value) for name, value in movement.items() if re.fullmatch(r"\d+", str(value)) and float(value)
    }
    saves = {
        code: (score["value"] - 10) // 2 + proficiency
        for code, score in abilities.items()
        if score.get("proficient") and not (score.get("bonuses") or {}).get("save")
    }
    return {
        "ac": attributes.get("ac", {}).get("flat"),
        "hp": attributes.get("hp", {}).get("max"),
        "abilities": [abilities[code]["value"] for code in _ABILITIES] if set(_ABILITIES) <= set(abilities) else None,
        "saves": saves or None,
        "cr": float(rating) if rating is not None else None,
        "speeds": {name: round(value * factor, 1) for name, value in speeds.items()} or None,
    }


def _spell(system: Any) -> dict[str, object]:
    properties = [*system.get("properties", ()), *(name for name, has in system.get("components", {}).items() if has)]
    letters = {"v": "vocal", "s": "somatic", "m": "material"}
    return {
        "level": system.get("level"),
        "school": _SCHOOLS.get(system.get("school", "")),
        "components": "".join(letter for letter, name in letters.items() if name in properties),
        "ritual": "ritual" in properties,
        "concentration": "concentration" in properties,
    }


def _equipment(system: Any) -> dict[str, object]:
    damage, price, weight = (system.get(name) for name in ("damage", "price", "weight"))
    base, parts = (damage or {}).get("base") or {}, (damage or {}).get("parts") or []
    dice = f"{base['number']}d{base['denomination']}" if base.get("number") else parts[0][0][:3] if parts else None
    is_coin = isinstance(price, dict) and price.get("denomination") in _COINS
    return {
        "damage": dice if system.get("type") or system.get("weaponType") else None,
        "cost": price["value"] * _COINS[price["denomination"]] if is_coin and price.get("value") else None,
        "weight": float(weight) if isinstance(weight, int) and weight else None,
        "rarity": {"veryRare": "very-rare"}.get(system.get("rarity"), system.get("rarity") or None),
    }
