"""Printed names for the codes of the dnd5e system."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.stat_block import ability_key
from lorekeeper_mcp.text import label

# Name and usual ability of each skill.
SKILLS: Mapping[str, tuple[str, str]] = {
    "acr": ("Acrobatics", "dex"), "ani": ("Animal Handling", "wis"), "arc": ("Arcana", "int"),
    "ath": ("Athletics", "str"), "dec": ("Deception", "cha"), "his": ("History", "int"), "ins": ("Insight", "wis"),
    "inv": ("Investigation", "int"), "itm": ("Intimidation", "cha"), "med": ("Medicine", "wis"),
    "nat": ("Nature", "int"), "per": ("Persuasion", "cha"), "prc": ("Perception", "wis"),
    "prf": ("Performance", "cha"), "rel": ("Religion", "int"), "slt": ("Sleight of Hand", "dex"),
    "ste": ("Stealth", "dex"), "sur": ("Survival", "wis"),
}  # fmt: skip
SIZES = {"tiny": "Tiny", "sm": "Small", "med": "Medium", "lg": "Large", "huge": "Huge", "grg": "Gargantuan"}
SCHOOLS = {"abj": "abjuration", "con": "conjuration", "div": "divination", "enc": "enchantment", "evo": "evocation",
           "ill": "illusion", "nec": "necromancy", "trs": "transmutation"}  # fmt: skip
# Tools whose code is not their maker's name.
_TOOLS = {
    "disg": "disguise kit", "forg": "forgery kit", "herb": "herbalism kit", "navg": "navigator's tools",
    "pois": "poisoner's kit", "thief": "thieves' tools", "card": "playing card set", "panflute": "pan flute",
    "art": "artisan's tools", "game": "gaming set", "music": "musical instrument", "vehicle": "vehicles",
}  # fmt: skip
_LANGUAGES = {"cant": "Thieves' Cant", "deep": "Deep Speech", "sign": "Common Sign Language"}
_GEAR = {
    "lgt": "light armor", "med": "medium armor", "hvy": "heavy armor", "shl": "shields", "sim": "simple weapons",
    "mar": "martial weapons", "simpleM": "simple melee weapons", "simpleR": "simple ranged weapons",
    "martialM": "martial melee weapons", "martialR": "martial ranged weapons",
}  # fmt: skip
_PERIODS = {
    "sr": "short rest", "lr": "long rest", "day": "Day", "turnStart": "start of each turn",
    "turnEnd": "end of each turn",
}  # fmt: skip
_SINGULARS = {"feet": "foot", "miles": "mile", "metres": "metre", "kilometres": "kilometre"}
_UNITS = {"ft": "feet", "mi": "miles", "m": "metres", "km": "kilometres"}
_BYPASSES = {"mgc": "magical", "ada": "adamantine", "sil": "silvered"}
_TRAITS = {"dr": "resistance to {}", "di": "immunity to {}", "dv": "vulnerability to {}", "ci": "immunity to {}",
           "saves": "{} saving throws"}  # fmt: skip
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def ability(code: str) -> str:
    """``wis`` is Wisdom."""
    key = ability_key(code)
    return key.capitalize() if key in ABILITIES else code


def skill(code: str) -> str:
    """``ste`` is Stealth, ``thief`` thieves' tools."""
    return SKILLS[code][0] if code in SKILLS else _TOOLS.get(code, readable(code))


def language(code: str) -> str:
    """``standard:common`` is Common."""
    last = code.rpartition(":")[2]
    return _LANGUAGES.get(last, last.capitalize() if last.isalpha() and last.islower() else last)


def period(code: str) -> str:
    """``sr`` is short rest."""
    return _PERIODS.get(code, code)


def bypass(code: str) -> str:
    """``sil`` is silvered."""
    return _BYPASSES.get(code, code)


def readable(code: str) -> str:
    """``creatureOrObject`` is creature or object; any other text stays as it is."""
    return _CAMEL.sub(" ", code).lower() if code.isalpha() and _CAMEL.search(code) and code[:1].islower() else code


def titled(code: str) -> str:
    """``fightingStyle`` is Fighting Style."""
    return label(code) if code.isalpha() else code


def trait(code: str) -> str:
    """``skills:sur`` is Survival, ``dr:fire`` resistance to fire, ``tool:music:*`` any musical instrument."""
    kind, *inner = code.split(":")
    last = inner[-1] if inner else kind
    if last == "*":
        category = inner[-2] if len(inner) > 1 else kind.removesuffix("s")
        return f"any {_GEAR.get(category, '').removesuffix('s') or _TOOLS.get(category, category)}"
    if kind in _TRAITS:
        return _TRAITS[kind].format(ability(last) if kind == "saves" else readable(last))
    return language(last) if kind == "languages" else _GEAR.get(last, skill(last))


def unit(code: str, count: object = None) -> str:
    """``ft`` is feet, or foot if there is one; empty for a unit that is no measure."""
    plural = _UNITS.get(code, "")
    return _SINGULARS[plural] if plural and str(count) == "1" else plural


def singular_unit(code: str) -> str:
    """``ft`` is foot, as in ``60-foot``."""
    return _SINGULARS.get(_UNITS.get(code, ""), code)
