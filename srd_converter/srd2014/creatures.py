"""Creatures. Those that the package splits by shape are merged in ``forms``."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Abilities, Creature, Kind, Senses
from lorekeeper_mcp.models.vocabulary import ABILITIES, ABILITY_BY_ABBREVIATION, ABILITY_BY_SKILL, EXPERIENCE
from srd_converter.srd2014.actions import actions, trait
from srd_converter.srd2014.document import COMMON, key_of
from srd_converter.srd2014.entries import Entry, read
from srd_converter.srd2014.forms import folded

SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
_SWARM = re.compile(r"swarm of \w+ (\w+)$")
_FEET = re.compile(r"\d+")
# The giant eagle, elk and owl speak languages of their own, not that of giants.
_LANGUAGE = re.compile(
    r"\b(Abyssal|Celestial|Common|Deep Speech|Draconic|Druidic|Dwarvish|Elvish|Giant(?! (?:Eagle|Elk|Owl))|Gnomish"
    r"|Goblin|Halfling|Infernal|Orc|Primordial|Sylvan|Thieves' Cant|Undercommon)\b",
    re.IGNORECASE,
)
# Values where the package differs from the book, by its index. Each was found by comparison with Open5e and with what
# the rules derive from the rest of the stat block.
_ARMOR_CLASSES = {
    "basilisk": (15, "natural armor")  # the package has only its Dexterity
}

_MISTAKEN_MODES = {"giant-wasp": {"swim"}}


def creatures() -> list[Creature]:
    """Every creature once: the shapes of a lycanthrope or a vampire are one stat block."""
    return folded([_creature(entry) for entry in read("Monsters")])


def _creature(entry: Entry) -> Creature:
    scores = {ability: entry.integer(ability) for ability in ABILITIES}
    modifiers = {ability: None if score is None else score // 2 - 5 for ability, score in scores.items()}
    saves = {ABILITY_BY_ABBREVIATION[key]: bonus for key, bonus in _proficiencies(entry, "saving-throw-").items()}
    skills = _proficiencies(entry, "skill-")
    armor_class, armor_text = _ARMOR_CLASSES.get(entry.index) or _armor(entry, modifiers["dexterity"])
    type_, type_text = _type(entry)
    rating = entry.number("challenge_rating")
    return Creature(
        kind=Kind.CREATURE,
        key=key_of(entry.name),
        name=entry.name,
        text=entry.description,
        type=type_,
        type_text=type_text,
        size=entry.text("size").lower(),
        alignment=entry.text("alignment"),
        challenge_rating=rating,
        # The package has a few mistakes; at rating 0 it has which creatures are worth nothing.
        experience_points=EXPERIENCE[rating] if rating else entry.integer("xp"),
        proficiency_bonus=entry.integer("proficiency_bonus"),
        armor_class=armor_class,
        armor_text=armor_text,
        hit_points=entry.integer("hit_points"),
        hit_dice=entry.text("hit_points_roll"),
        speed=_speed(entry),
        hover=entry.entry("speed").flag("hover"),
        abilities=Abilities(**scores),
        ability_modifiers=Abilities(**modifiers),
        saving_throws=saves,
        saving_throws_all={key: value for key, value in modifiers.items() if value is not None} | saves,
        skills=skills,
        skills_all={key: modifiers[ability] or 0 for key, ability in ABILITY_BY_SKILL.items()} | skills,
        initiative_bonus=modifiers["dexterity"],
        senses=_senses(entry.entry("senses")),
        languages=entry.text("languages"),
        language_keys=language_keys(entry.text("languages")),
        traits=tuple(trait(one) for one in entry.entries("special_abilities")),
        actions=actions(entry),
        **COMMON,
    )


def _type(entry: Entry) -> tuple[str, str]:
    """Key and printed text: ``swarm of Tiny beasts`` is beast, ``humanoid (elf)`` is humanoid."""
    printed, subtype = entry.text("type"), entry.text("subtype")
    swarm = _SWARM.match(printed)
    key = swarm[1].removesuffix("s") if swarm else printed.lower()
    return key, f"{printed} ({subtype})" if subtype else printed


def _armor(entry: Entry, dexterity: int | None) -> tuple[int | None, str]:
    """The best armor class that needs no spell and no condition, and its source.

    The alternatives of an azer are its hide alone and its hide with its shield; those of a mage are its normal armor
    class and the one with mage armor, which the book prints in brackets.
    """
    kinds = entry.entries("armor_class")
    fixed = [one for one in kinds if one.text("type") not in {"spell", "condition"}] or list(kinds)
    if not fixed:
        return None, ""
    best = max(fixed, key=lambda one: one.number("value") or 0)
    natural = ["natural armor" for one in fixed if one is not best and one.text("type") == "natural"]
    otherwise = [
        f"{one.text('value')} with {one.entry('spell').name.lower()}"
        if one.has("spell")
        else f"{one.text('value')} while {one.entry('condition').name.lower()}"
        for one in kinds
        if one not in fixed
    ]
    return best.integer("value"), ", ".join([*natural, *_worn(best, dexterity), *otherwise])


def _worn(armor: Entry, dexterity: int | None) -> list[str]:
    """``chain shirt``, ``shield``; the shield comes last as in the book.

    Armor listed as Dexterity that is not 10 + its modifier is natural armor.
    """
    bare = armor.text("type") == "dex" and dexterity is not None
    if armor.text("type") == "natural" or (bare and armor.integer("value") != 10 + (dexterity or 0)):
        return ["natural armor"]
    names = [one.name.lower() for one in armor.entries("armor")]
    names = [name if name in {"hide armor", "leather armor"} else name.removesuffix(" armor") for name in names]
    return [armor.text("desc")] if armor.has("desc") else sorted(names, key=lambda name: name == "shield")


def _speed(entry: Entry) -> dict[str, float]:
    """Feet per mode; the book prints 0 ft. for creatures that cannot walk. The package's hover is a flag among them."""
    speed = entry.entry("speed")
    feet = {mode: float(found[0]) for mode in speed.fields if (found := _FEET.search(speed.text(mode)))}
    return {"walk": 0.0} | {mode: own for mode, own in feet.items() if mode not in _MISTAKEN_MODES.get(entry.index, ())}


def _proficiencies(entry: Entry, prefix: str) -> dict[str, int]:
    """Bonuses of the proficiencies whose index begins with the prefix: saving throws or skills."""
    return {
        one.entry("proficiency").index.removeprefix(prefix): one.integer("value") or 0
        for one in entry.entries("proficiencies")
        if one.entry("proficiency").index.startswith(prefix)
    }


def _senses(senses: Entry) -> Senses:
    feet = {name: float(found[0]) for name in SENSES if (found := _FEET.search(senses.text(name)))}
    passive = senses.integer("passive_perception")
    printed = [f"{name} {senses.text(name)}" for name in senses.fields if name != "passive_perception"]
    return Senses(
        darkvision=feet.get("darkvision"),
        blindsight=feet.get("blindsight"),
        tremorsense=feet.get("tremorsense"),
        truesight=feet.get("truesight"),
        passive_perception=passive,
        text=", ".join([*printed, *([] if passive is None else [f"passive Perception {passive}"])]),
    )


def language_keys(text: str) -> tuple[str, ...]:
    """The keys of the languages in a line of a stat block."""
    return tuple(dict.fromkeys(found.lower().replace(" ", "-").replace("'", "") for found in _LANGUAGE.findall(text)))
