"""Printed names for the codes of the dnd5e system."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources import field_reader
from lorekeeper_mcp.sources.stat_block import ability_key

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
# Proficiencies whose code is not their name.
_PROFICIENCIES = {
    "disg": "disguise kit", "forg": "forgery kit", "herb": "herbalism kit", "navg": "navigator's tools",
    "pois": "poisoner's kit", "thief": "thieves' tools", "card": "playing card set", "panflute": "pan flute",
    "art": "artisan's tools", "game": "gaming set", "music": "musical instrument", "vehicle": "vehicles",
    "lgt": "light armor", "med": "medium armor", "hvy": "heavy armor", "shl": "shields", "sim": "simple weapons",
    "mar": "martial weapons", "simpleM": "simple melee weapons", "simpleR": "simple ranged weapons",
    "martialM": "martial melee weapons", "martialR": "martial ranged weapons",
}  # fmt: skip
_LANGUAGES = {"cant": "Thieves' Cant", "deep": "Deep Speech", "sign": "Common Sign Language"}
_TRAIT = re.compile(r"(?:armor|ci|di|dr|dv|languages|saves|skills|tool|weapon)(?::[\w*]+)+")
_WITH_TRAIT = {"dr": "resistance to {}", "di": "immunity to {}", "dv": "vulnerability to {}", "ci": "immunity to {}",
               "saves": "{} saving throws"}  # fmt: skip
_UNITS = {"ft": ("feet", "foot"), "mi": ("miles", "mile"), "m": ("metres", "metre"), "km": ("kilometres", "kilometre")}


def ability(code: str) -> str:
    """``wis`` is Wisdom."""
    key = ability_key(code)
    return key.capitalize() if key in ABILITIES else code


def skill(code: str) -> str:
    """``ste`` is Stealth, ``thief`` thieves' tools."""
    return SKILLS[code][0] if code in SKILLS else _PROFICIENCIES.get(code, readable(code))


def language(code: str) -> str:
    """``standard:common`` is Common."""
    last = code.rpartition(":")[2]
    return _LANGUAGES.get(last, last.capitalize() if last.isalpha() and last.islower() else last)


def readable(code: str) -> str:
    """``creatureOrObject`` is creature or object, ``skills:sur`` Survival; any other text stays as it is."""
    if _TRAIT.fullmatch(code):
        return trait(code)
    return field_reader.readable(code) if code.isalpha() and code[:1].islower() else code


def trait(code: str) -> str:
    """``skills:sur`` is Survival, ``dr:fire`` resistance to fire, ``tool:music:*`` any musical instrument."""
    kind, *inner = code.split(":")
    last = inner[-1] if inner else kind
    if last == "*":
        category = inner[-2] if len(inner) > 1 else kind
        return f"any {_PROFICIENCIES.get(category, category).removesuffix('s')}"
    if kind in _WITH_TRAIT:
        return _WITH_TRAIT[kind].format(ability(last) if kind == "saves" else readable(last))
    if kind == "languages":
        return language(last)
    return skill(last) if kind == "skills" else _PROFICIENCIES.get(last, skill(last))


def unit(code: str, count: object = None) -> str:
    """``ft`` is feet, or foot if there is one; empty for a unit that is no measure."""
    return _UNITS.get(code, ("", ""))[str(count) == "1"]


def singular_unit(code: str) -> str:
    """``ft`` is foot, as in ``60-foot``."""
    return _UNITS.get(code, ("", code))[1]
