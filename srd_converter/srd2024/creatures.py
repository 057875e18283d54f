"""Creatures: the stat blocks of the official text as records."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Abilities, Creature, Defenses, Kind, Section
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION, ABILITY_BY_SKILL, DAMAGE_TYPES
from srd_converter.book2024.pages import Book
from srd_converter.creature_facts import language_keys, senses
from srd_converter.srd2024.actions import actions, traits
from srd_converter.srd2024.document import COMMON, key_of
from srd_converter.srd2024.stat_blocks import StatBlock, stat_blocks

_HEAD = re.compile(r"^(?P<sizes>\w+(?: or \w+)?) (?P<type>.+), (?P<alignment>[^,]+)$")
_SWARM = re.compile(r"^Swarm of \w+ (\w+)$")
_NUMBER = re.compile(r"[+−-]? ?\d[\d,]*")
_ABILITY = re.compile(r"(Str|Dex|Con|Int|Wis|Cha) (\d+) ([+−-]? ?\d+) ([+−-]? ?\d+)", re.IGNORECASE)
_SPEED = re.compile(r"^(?:(Burrow|Climb|Fly|Swim) )?(\d+) ft\.(?: \(hover\))?$")
_SENSE = re.compile(r"(Blindsight|Darkvision|Tremorsense|Truesight) (\d+) ft\.")
_SKILL = re.compile(r"([A-Z][A-Za-z ]+?) ([+−-]\d+)")
_XP = re.compile(r"(?:XP (\d[\d, ]*)|(\d[\d,]*) XP)")
_LAIR = re.compile(r"or ([\d, ]+\d) in lair")


def creatures(book: Book) -> list[Creature]:
    """Every monster and animal, in the order of the book."""
    return [_creature(block) for block in stat_blocks(book)]


def _creature(block: StatBlock) -> Creature:
    head = _HEAD.match(block.head)
    table = f"Str {block.facts['Str']} Int {block.facts['Int']}"
    scores = {found[1].lower(): found for found in _ABILITY.finditer(table)}
    if not head or set(scores) != set(ABILITY_BY_ABBREVIATION):
        raise ValueError(f"The stat block of {block.name} cannot be read.")
    modifiers = {name: _signed(scores[key][3]) for key, name in ABILITY_BY_ABBREVIATION.items()}
    saves = {name: _signed(scores[key][4]) for key, name in ABILITY_BY_ABBREVIATION.items()}
    skills = _skills(block.facts.get("Skills", ""))
    type_, type_text = _type(head["type"], head["sizes"])
    speed, hover, special = _speed(block.facts["Speed"])
    armor_class, _, initiative = block.facts["AC"].partition(" Initiative ")
    hit_points, _, dice = block.facts["HP"].partition(" (")
    rating = block.facts["CR"]
    return Creature(
        kind=Kind.CREATURE,
        key=key_of(block.name),
        name=block.name,
        type=type_,
        type_text=type_text,
        size=head["sizes"].split()[0].lower(),
        category=block.chapter,
        alignment=head["alignment"].lower(),
        challenge_rating=_rating(rating.split(" ")[0]),
        experience_points=_experience(rating),
        proficiency_bonus=_signed(rating.partition("PB ")[2].rstrip(")")),
        armor_class=int(armor_class),
        hit_points=int(hit_points),
        hit_dice=dice.rstrip(")").replace("−", "-"),
        speed=speed,
        hover=hover,
        abilities=Abilities(**{name: int(scores[key][2]) for key, name in ABILITY_BY_ABBREVIATION.items()}),
        ability_modifiers=Abilities(**modifiers),
        saving_throws=saves,
        saving_throws_all=saves,
        skills=skills,
        skills_all={key: modifiers[ability] for key, ability in ABILITY_BY_SKILL.items()} | skills,
        initiative_bonus=_signed(initiative.split(" ")[0]),
        senses=senses(block.facts["Senses"]),
        languages=_languages(block.facts["Languages"]),
        language_keys=language_keys(block.facts["Languages"]),
        defenses=_defenses(block.facts),
        traits=(*traits(block), *special, *_gear(block)),
        actions=actions(block),
        legendary_text=_legendary(block),
        **COMMON,
    )


def _signed(text: str) -> int:
    found = _NUMBER.search(text)
    return int(found[0].replace("−", "-").replace(" ", "")) if found else 0


def _type(printed: str, sizes: str) -> tuple[str, str]:
    """Key and printed text: a ``Swarm of Tiny Beasts`` is beast. If there is a choice of sizes, the text has it."""
    swarm = _SWARM.match(printed)
    # Undead and Fey are their own plurals; Beasts and Insects are not.
    key = swarm[1].removesuffix("s") if swarm else printed.partition(" (")[0]
    return key.lower(), f"{printed} ({sizes})" if " or " in sizes else printed


def _rating(text: str) -> float:
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def _experience(text: str) -> int | None:
    found = _XP.search(text)
    return int(re.sub(r"[, ]", "", found[1] or found[2])) if found else None


def _speed(text: str) -> tuple[dict[str, float], bool, list[Section]]:
    """Feet by mode, whether it hovers, and the line itself if it says more (``bear form only``)."""
    speed: dict[str, float] = {}
    plain = True
    for part in text.split(", "):
        found = _SPEED.match(part)
        plain = plain and found is not None
        if feet := re.search(r"(?:(Burrow|Climb|Fly|Swim|Climb or Fly) )?(\d+) ft\.", part):
            for mode in (feet[1] or "walk").lower().split(" or "):
                speed.setdefault(mode, float(feet[2]))
    return speed, "(hover)" in text, [] if plain else [Section(name="Speed", text=text)]


def _skills(text: str) -> dict[str, int]:
    return {found[1].strip().lower().replace(" ", "-"): _signed(found[2]) for found in _SKILL.finditer(text)}


def _languages(text: str) -> str:
    return "" if text == "None" else text


def _defenses(facts: dict[str, str]) -> Defenses:
    immunities = facts.get("Immunities", "")
    damages, _, conditions = immunities.partition("; ")
    if not conditions and _first(damages) not in DAMAGE_TYPES:
        damages, conditions = "", damages
    return Defenses(
        damage_immunities_text=damages.lower(),
        damage_immunities=_damages(damages),
        damage_resistances_text=facts.get("Resistances", "").lower(),
        damage_resistances=_damages(facts.get("Resistances", "")),
        damage_vulnerabilities_text=facts.get("Vulnerabilities", "").lower(),
        damage_vulnerabilities=_damages(facts.get("Vulnerabilities", "")),
        condition_immunities_text=conditions.lower(),
        condition_immunities=tuple(_first(part) for part in conditions.split(", ") if part),
    )


def _first(text: str) -> str:
    return re.split(r"[ ,(]", text.lower(), maxsplit=1)[0]


def _damages(text: str) -> tuple[str, ...]:
    """The types without conditions; ``Piercing damage from weapons ...`` is left out."""
    return tuple(part.lower() for part in text.split(", ") if part.lower() in DAMAGE_TYPES)


def _gear(block: StatBlock) -> list[Section]:
    gear = block.facts.get("Gear")
    return [Section(name="Gear", text=gear)] if gear else []


def _legendary(block: StatBlock) -> str:
    """The introduction of the legendary actions, and the experience for a creature met in its lair."""
    opening = [text for name, text in block.sections.get("Legendary Actions", ()) if not name]
    lair = _LAIR.search(block.facts["CR"])
    return "\n\n".join([*opening, *([f"XP in its lair: {lair[1].replace(' ', '')}."] if lair else [])])
