"""Creatures. Those that the package splits by shape are merged in ``forms``."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Abilities, Creature, Kind
from lorekeeper_mcp.models.vocabulary import ABILITIES, ABILITY_BY_ABBREVIATION, EXPERIENCE
from srd_converter.creature_facts import senses
from srd_converter.srd2014.actions import actions, trait
from srd_converter.srd2014.document import COMMON, key_of
from srd_converter.srd2014.entries import Entry, read
from srd_converter.srd2014.forms import with_shapes_merged

_SWARM = re.compile(r"swarm of \w+ (\w+)s$")
_FEET = re.compile(r"\d+")
# Modes that the package has and the book lacks.
_WRONG_MODES = {"giant-wasp": {"swim"}}


def creatures() -> list[Creature]:
    """Every creature once: the shapes of a lycanthrope or a vampire are one stat block.

    What stands above the traits of a stat block is here for the shapes alone; ``book2014.stat_blocks`` has the rest.
    """
    return with_shapes_merged([_creature(entry) for entry in read("Monsters")])


def _creature(entry: Entry) -> Creature:
    scores = {ability: entry.integer(ability) for ability in ABILITIES}
    modifiers = {ability: score // 2 - 5 for ability, score in scores.items()}
    saves = {ABILITY_BY_ABBREVIATION[key]: bonus for key, bonus in _proficiencies(entry, "saving-throw-").items()}
    skills = _proficiencies(entry, "skill-")
    armor = entry.entries("armor_class")[0]
    armor_class = armor.integer("value")
    is_natural = armor.text("type") == "natural" or armor_class != 10 + modifiers["dexterity"]
    rating = entry.number("challenge_rating")
    return Creature(
        kind=Kind.CREATURE,
        key=key_of(entry.name),
        name=entry.name,
        text=entry.description,
        type=_SWARM.sub(r"\1", entry.text("type")),
        size=entry.text("size").lower(),
        challenge_rating=rating,
        # The package has a few mistakes; at rating 0 it has which creatures are worth nothing.
        experience_points=EXPERIENCE[rating] if rating else entry.integer("xp"),
        proficiency_bonus=entry.integer("proficiency_bonus"),
        armor_class=armor_class,
        armor_text="natural armor" if is_natural else "",
        hit_points=entry.integer("hit_points"),
        speed=_speed(entry),
        hover=entry.entry("speed").flag("hover"),
        abilities=Abilities(**scores),
        ability_modifiers=Abilities(**modifiers),
        saving_throws=saves,
        skills=skills,
        initiative_bonus=modifiers["dexterity"],
        senses=senses(_senses_text(entry.entry("senses"))),
        languages=entry.text("languages"),
        traits=tuple(map(trait, entry.entries("special_abilities"))),
        actions=actions(entry),
        **COMMON,
    )


def _speed(entry: Entry) -> dict[str, float]:
    """Feet by mode; the book prints 0 ft. for creatures that cannot walk. The package's hover is a flag among them."""
    speed = entry.entry("speed")
    feet = {mode: float(number[0]) for mode in speed.fields if (number := _FEET.search(speed.text(mode)))}
    for mode in _WRONG_MODES.get(entry.index, ()):
        del feet[mode]
    return {"walk": 0.0} | feet


def _proficiencies(entry: Entry, prefix: str) -> dict[str, int]:
    """Bonuses of the proficiencies whose index begins with the prefix: saving throws or skills."""
    return {
        proficiency.entry("proficiency").index.removeprefix(prefix): proficiency.integer("value")
        for proficiency in entry.entries("proficiencies")
        if proficiency.entry("proficiency").index.startswith(prefix)
    }


def _senses_text(senses: Entry) -> str:
    """``darkvision 60 ft., passive Perception 12``."""
    names = [name for name in senses.fields if name != "passive_perception"]
    passive = f"passive Perception {senses.integer('passive_perception')}"
    return ", ".join([*(f"{name} {senses.text(name)}" for name in names), passive])
