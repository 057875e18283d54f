"""Creatures: the stat blocks of the official text as records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from lorekeeper_mcp.models import Abilities, Creature, Defenses, Kind, Section
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION, DAMAGE_TYPES
from srd_converter.book2024.pages import Book
from srd_converter.creature_facts import language_keys, senses
from srd_converter.srd2024.actions import actions, traits
from srd_converter.srd2024.document import COMMON, key_of
from srd_converter.srd2024.stat_blocks import StatBlock, stat_blocks

_HEAD = re.compile(r"(?P<sizes>\w+(?: or \w+)?) (?P<type>.+), (?P<alignment>[^,]+)")
_SWARM = re.compile(r"Swarm of \w+ (\w+?)s?")  # Undead and Fey are their own plurals; Beasts and Insects are not
_NUMBER = re.compile(r"[+−-]? ?\d[\d,]*")
_ABILITY = re.compile(r"(Str|Dex|Con|Int|Wis|Cha) (\d+) ([+−-]? ?\d+) ([+−-]? ?\d+)", re.IGNORECASE)
_PLAIN_SPEED = re.compile(r"(?:(?:Burrow|Climb|Fly|Swim) )?\d+ ft\.(?: \(hover\))?")
_SPEED = re.compile(r"(?:(Burrow|Climb or Fly|Climb|Fly|Swim) )?(\d+) ft\.")
_SKILL = re.compile(r"([A-Z][A-Za-z ]+?) ([+−-]\d+)")
_XP = re.compile(r"XP \d[\d, ]*|\d[\d,]* XP")
_LAIR = re.compile(r"or ([\d,]+) in lair")


def creatures(book: Book) -> list[Creature]:
    """Every monster and animal, in the order of the book."""
    return [_creature(block) for block in stat_blocks(book)]


def _creature(block: StatBlock) -> Creature:
    facts = block.facts
    head = _HEAD.fullmatch(block.head)
    scores = {row[1].lower(): row for row in _ABILITY.finditer(f"Str {facts['Str']} Int {facts['Int']}")}
    if not head or set(scores) != set(ABILITY_BY_ABBREVIATION):
        raise ValueError(f"The stat block of {block.name} cannot be read.")
    modifiers = {ability: _signed(scores[key][3]) for key, ability in ABILITY_BY_ABBREVIATION.items()}
    saves = {ability: _signed(scores[key][4]) for key, ability in ABILITY_BY_ABBREVIATION.items()}
    skills = {name.lower().replace(" ", "-"): _signed(bonus) for name, bonus in _SKILL.findall(facts.get("Skills", ""))}
    sizes, type_ = head["sizes"], head["type"]
    armor_class, _, initiative = facts["AC"].partition(" Initiative ")
    hit_points, _, dice = facts["HP"].partition(" (")
    rating, _, rest = facts["CR"].partition(" ")
    return Creature(
        kind=Kind.CREATURE,
        key=key_of(block.name),
        name=block.name,
        type=_type(type_),
        type_text=type_,
        size_text=sizes if " or " in sizes else "",
        size=sizes.split()[0].lower(),
        category=block.chapter,
        alignment=head["alignment"].lower(),
        challenge_rating=float(Fraction(rating)),
        experience_points=int(re.sub("[^0-9]", "", _XP.findall(rest)[0])),
        proficiency_bonus=_signed(rest.partition("PB ")[2]),
        armor_class=int(armor_class),
        hit_points=int(hit_points),
        hit_dice=dice.rstrip(")").replace("−", "-"),
        speed=_speed(facts["Speed"]),
        hover="(hover)" in facts["Speed"],
        abilities=Abilities(**{ability: int(scores[key][2]) for key, ability in ABILITY_BY_ABBREVIATION.items()}),
        ability_modifiers=Abilities(**modifiers),
        saving_throws=saves,
        skills=skills,
        initiative_bonus=_signed(initiative),
        senses=senses(facts["Senses"]),
        languages="" if facts["Languages"] == "None" else facts["Languages"],
        language_keys=language_keys(facts["Languages"]),
        defenses=_defenses(facts),
        traits=(*traits(block), *_printed_facts(facts)),
        actions=actions(block),
        legendary_text=_legendary_text(block),
        **COMMON,
    )


def _signed(text: str) -> int:
    return int(_NUMBER.findall(text)[0].replace("−", "-").replace(" ", ""))


def _type(printed: str) -> str:
    """The key of a type: a ``Swarm of Tiny Beasts`` is beast."""
    swarm = _SWARM.fullmatch(printed)
    return (swarm[1] if swarm else printed.partition(" (")[0]).lower()


def _speed(text: str) -> dict[str, float]:
    """Feet by mode; of two for one mode the first."""
    speed: dict[str, float] = {}
    for modes, feet in _SPEED.findall(text):
        for mode in (modes or "walk").lower().split(" or "):
            speed.setdefault(mode, float(feet))
    return speed


def _printed_facts(facts: Mapping[str, str]) -> Iterator[Section]:
    """The speed as a trait if it says more than feet (``bear form only``), and the gear."""
    if not all(_PLAIN_SPEED.fullmatch(part) for part in facts["Speed"].split(", ")):
        yield Section(name="Speed", text=facts["Speed"])
    if "Gear" in facts:
        yield Section(name="Gear", text=facts["Gear"])


def _defenses(facts: Mapping[str, str]) -> Defenses:
    resistances, vulnerabilities = facts.get("Resistances", ""), facts.get("Vulnerabilities", "")
    damages, _, conditions = facts.get("Immunities", "").partition("; ")
    if not conditions and _first_word(damages) not in DAMAGE_TYPES:
        damages, conditions = "", damages
    return Defenses(
        damage_immunities_text=damages.lower(),
        damage_immunities=_damages(damages),
        damage_resistances_text=resistances.lower(),
        damage_resistances=_damages(resistances),
        damage_vulnerabilities_text=vulnerabilities.lower(),
        damage_vulnerabilities=_damages(vulnerabilities),
        condition_immunities_text=conditions.lower(),
        condition_immunities=tuple(_first_word(condition) for condition in conditions.split(", ") if condition),
    )


def _first_word(text: str) -> str:
    return re.split(r"[ ,(]", text.lower(), maxsplit=1)[0]


def _damages(text: str) -> tuple[str, ...]:
    """The types, also those with a condition: ``Piercing damage from weapons ...``."""
    return tuple(damage for damage in re.split(r"\W+", text.lower()) if damage in DAMAGE_TYPES)


def _legendary_text(block: StatBlock) -> str:
    """The introduction of the legendary actions, and the experience for a creature met in its lair."""
    texts = [text for name, text in block.sections.get("Legendary Actions", ()) if not name]
    texts += [f"XP in its lair: {experience}." for experience in _LAIR.findall(block.facts["CR"])]
    return "\n\n".join(texts)
