"""Actors: creatures with their features, attacks and spells as items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.foundry import formulas, names
from lorekeeper_mcp.sources.foundry.actors.actor_numbers import ActorNumbers
from lorekeeper_mcp.sources.foundry.actors.details import other_sections
from lorekeeper_mcp.sources.foundry.actors.held_items import HeldItems, read_held_items, spell_lines
from lorekeeper_mcp.sources.foundry.item_values import further_texts
from lorekeeper_mcp.sources.foundry.options import distances, senses_text
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, decimal, mapping, part, text, texts, value_at
from lorekeeper_mcp.sources.phrases import joined, phrase
from lorekeeper_mcp.sources.stat_block import StatBlock, bonus, shown, to_creature

# Ways to calculate an armor class: the words for it, its base if it is not worn, and a second ability.
_ARMOR: Mapping[str, tuple[str, int, str]] = {
    "natural": ("natural armor", 0, ""),
    "mage": ("mage armor", 13, ""),
    "draconic": ("draconic resilience", 13, ""),
    "unarmoredMonk": ("unarmored defense", 10, "wisdom"),
    "unarmoredBarb": ("unarmored defense", 10, "constitution"),
    "unarmoredBard": ("unarmored defense", 10, "charisma"),
}
_DEXTERITY_CAPS: Mapping[str, int | None] = {"light": None, "medium": 2, "heavy": 0}
_PLURALS = {"undead": "undead", "fey": "fey", "monstrosity": "monstrosities"}
_PHYSICAL = {"physical": "nonmagical bludgeoning, piercing, and slashing"}
_NOT_MODES = frozenset("units hover special bonus multiplier ignoredDifficultTerrain fromSpecies".split())


def creature(actor: JsonObject, system: JsonObject, book: str) -> Record:
    """Return the creature of an actor."""
    numbers = ActorNumbers.of(actor)
    system = formulas.filled(system, lambda path: numbers.known_value(path, {}))
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    scores = {
        ability: score
        for ability in ABILITIES
        if (score := bonus(value_at(system, f"abilities.{ability[:3]}.value"))) is not None
    }
    type_ = part(details, "type") or {"value": details.get("type")}
    items, hit_points = read_held_items(actor, numbers), part(attributes, "hp")
    lists = {
        "Class and origin": ", ".join(items.origins),
        "Equipment": ", ".join(items.carried),
        "Spells": spell_lines(items, part(system, "spells")),
    }
    skills = _skills(part(system, "skills"), numbers)
    legendary_actions = bonus(value_at(system, "resources.legact.max"))
    block = StatBlock(
        name=text(actor, "name"),
        size=names.SIZES.get(str(traits.get("size")), shown(traits.get("size"))),
        type=_type(type_, shown(system.get("vehicleType")) if actor.get("type") == "vehicle" else ""),
        alignment=shown(details.get("alignment")),
        armor=_armor(part(attributes, "ac"), items, scores),
        hit_points=shown(hit_points.get("max") or hit_points.get("value")),
        hit_dice=shown(hit_points.get("formula")),
        speed=_speed(part(attributes, "movement")),
        abilities=scores,
        saves=_saves(part(system, "abilities"), scores, numbers.proficiency),
        skills=skills,
        vulnerabilities=_defense(traits, "dv"),
        resistances=_defense(traits, "dr"),
        immunities=_defense(traits, "di"),
        conditions=_defense(traits, "ci"),
        senses=joined(senses_text(part(attributes, "senses")), _passive_perception(system, skills, numbers)),
        languages=_languages(traits),
        challenge=shown(details.get("cr")),
        experience=bonus(value_at(details, "xp.value")),
        traits=(
            *items.traits,
            *_resource_traits(part(system, "resources"), items),
            *((name, line) for name, line in lists.items() if line),
        ),
        actions=tuple(items.actions),
        text=markdown(value_at(details, "biography.value")),
        legendary_text=phrase("It can take {} legendary actions.", legendary_actions),
        other=(*other_sections(system, type_), *further_texts(actor, system)),
    )
    return to_creature(block, book)


def _type(type_: JsonObject, vehicle_type: str) -> str:
    """``swarm of Tiny beasts``, ``humanoid (elf)``, ``water vehicle``."""
    name, custom, swarm = shown(type_.get("value")), shown(type_.get("custom")), str(type_.get("swarm") or "")
    if custom and name in ("", "custom"):
        name = custom
    if vehicle_type or name in ("air", "land", "water", "space"):
        name = f"{name or vehicle_type} vehicle"
    if swarm:
        name = f"swarm of {names.size(swarm)} {_PLURALS.get(name, f'{name}s')}"
    return f"{name}{phrase(' ({})', shown(type_.get('subtype')))}"


def _armor(armor_class: JsonObject, items: HeldItems, scores: Mapping[str, int]) -> str:
    """The armor class and its source. The application computes it at run time, except for natural armor."""
    calculation, formula = str(armor_class.get("calc") or ""), shown(armor_class.get("formula"))
    value = shown(armor_class.get("flat") or armor_class.get("value"))
    modifiers = {ability: (score - 10) // 2 for ability, score in scores.items()}
    dexterity = modifiers.get("dexterity", 0)
    source, base, second_ability = _ARMOR.get(calculation, ("", 0, ""))
    if not value and base:
        value = str(base + dexterity + modifiers.get(second_ability, 0))
    elif not value and calculation == "custom" and formula.isdigit():
        value, formula = formula, ""
    elif not value and calculation == "default":
        value = str(_worn_armor_class(items, dexterity))
    note = joined(items.worn_names if calculation == "default" else source, formula)
    return f"{value} ({note})" if note and value else value or note


def _worn_armor_class(items: HeldItems, dexterity: int) -> int:
    """The armor class from an actor's armor, which the application computes itself."""
    base, shield = 10 + dexterity, 0
    for _, system in items.armor:
        kind, value = text(system, "type.value"), bonus(value_at(system, "armor.value"))
        if value is not None and kind == "shield":
            shield = max(shield, value)
        elif value is not None and kind in _DEXTERITY_CAPS:
            cap = bonus(value_at(system, "armor.dex"))
            cap = _DEXTERITY_CAPS[kind] if cap is None else cap
            base = value + (dexterity if cap is None else min(dexterity, cap))
    return base + shield


def _resource_traits(resources: JsonObject, items: HeldItems) -> Iterator[tuple[str, str]]:
    """Legendary resistances and the lair as traits."""
    resistances = bonus(value_at(resources, "legres.max"))
    if resistances and not any(name.lower().startswith("legendary resistance") for name, _ in items.traits):
        yield f"Legendary Resistance ({resistances}/Day)", ""
    if value_at(resources, "lair.value") is True:
        start = phrase(", which acts on initiative count {}", shown(value_at(resources, "lair.initiative")))
        yield "Lair", f"It has a lair{start}."


def _saves(abilities: JsonObject, scores: Mapping[str, int], proficiency: int) -> dict[str, int]:
    """Bonuses of the creature's proficient saving throws."""
    bonuses = {}
    for ability, score in scores.items():
        if level := decimal(part(abilities, ability[:3]).get("proficient")):
            bonuses[ability] = (score - 10) // 2 + int(level * proficiency)
    return bonuses


def _speed(movement: JsonObject) -> str:
    modes = {mode: value for mode, value in movement.items() if mode not in _NOT_MODES}
    speeds = distances(modes, movement.get("units"))
    speeds += [
        f"{mode} {value}"
        for mode, value in modes.items()
        if isinstance(value, str) and value.strip() and decimal(value) is None
    ]
    terrain = ", ".join(map(names.readable, texts(movement.get("ignoredDifficultTerrain"))))
    line = joined(*speeds, shown(movement.get("special")), phrase("ignoring difficult terrain of {}", terrain))
    return f"{line} (hover)" if movement.get("hover") is True else line


def _skills(skills: JsonObject, numbers: ActorNumbers) -> dict[str, int]:
    """Bonuses of the skills in which the creature is proficient (1) or expert (2)."""
    bonuses = {}
    for code, skill in skills.items():
        level = decimal(mapping(skill).get("value")) or 0
        if level > 0:
            ability = text(mapping(skill), "ability") or names.SKILLS.get(code, ("", ""))[1]
            bonuses[names.skill(code).lower()] = numbers.modifiers.get(ability, 0) + int(level * numbers.proficiency)
    return bonuses


def _defense(traits: JsonObject, name: str) -> str:
    """The listed types, and the attacks that bypass them: ``bludgeoning (not from magical attacks)``."""
    defense = part(traits, name)
    kinds, custom = texts(defense.get("value")), shown(defense.get("custom"))
    bypasses = " or ".join(map(names.material, texts(defense.get("bypasses"))))
    if not bypasses:
        return joined(*(_PHYSICAL.get(kind, kind) for kind in kinds), custom)
    physical = [kind for kind in kinds if kind in ("bludgeoning", "piercing", "slashing")]
    others = [_PHYSICAL.get(kind, kind) for kind in kinds if kind not in physical]
    conditional = ", ".join(physical or others) + f" (not from {bypasses} attacks)"
    return joined(", ".join([*(others if physical else []), conditional]), custom, sep="; ")


def _languages(traits: JsonObject) -> str:
    """Languages, and other communication with its range: ``telepathy 60 ft.``"""
    languages = part(traits, "languages")
    ways = []
    for way, reach in part(languages, "communication").items():
        if feet := shown(mapping(reach).get("value")):
            ways.append(f"{way} {feet} {shown(mapping(reach).get('units')) or 'ft'}.")
    custom = shown(languages.get("custom")).replace(";", ",")
    return joined(*map(names.language, texts(languages.get("value"))), custom, *ways)


def _passive_perception(system: JsonObject, skills: Mapping[str, int], numbers: ActorNumbers) -> str:
    """``passive Perception 14``, which the application computes at run time."""
    wisdom = numbers.modifiers.get("wis")
    if wisdom is None or "abilities" not in system:
        return ""
    extra = bonus(value_at(system, "skills.prc.bonuses.passive")) or 0
    return f"passive Perception {10 + skills.get('perception', wisdom) + extra}"
