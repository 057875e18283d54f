"""Actors: creatures with their features, attacks and spells as items."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.foundry import formulas, names
from lorekeeper_mcp.sources.foundry.actors.actor_numbers import ActorNumbers
from lorekeeper_mcp.sources.foundry.actors.details import other_sections
from lorekeeper_mcp.sources.foundry.actors.held_items import HeldItems, read_held_items, spell_lines
from lorekeeper_mcp.sources.foundry.item_values import further_texts
from lorekeeper_mcp.sources.foundry.options import distances, senses_text
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, number, part, text, texts, value_at
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
_PLURALS = {"undead": "undead", "fey": "fey", "monstrosity": "monstrosities"}
_PHYSICAL = {"physical": "nonmagical bludgeoning, piercing, and slashing"}
_NOT_MODES = frozenset("units hover special bonus multiplier ignoredDifficultTerrain fromSpecies".split())


def creature(one: JsonObject, system: JsonObject, book: str) -> Record:
    """Return the creature of an actor."""
    numbers = ActorNumbers.of(one)
    system = formulas.filled(system, numbers.known_values({}))
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    given_scores = {name: bonus(value_at(system, f"abilities.{name[:3]}.value")) for name in ABILITIES}
    scores = {name: score for name, score in given_scores.items() if score is not None}
    kind = details.get("type")
    spec = kind if isinstance(kind, Mapping) else {"value": kind}
    held, points = read_held_items(one, numbers), part(attributes, "hp")
    legendary, more_traits = _legendary(part(system, "resources"), held)
    listed = {
        "Class and origin": ", ".join(held.origins),
        "Equipment": ", ".join(held.carried),
        "Spells": spell_lines(held, part(system, "spells")),
    }
    skills = _skills(part(system, "skills"), numbers)
    block = StatBlock(
        name=text(one, "name"),
        size=names.SIZES.get(str(traits.get("size")), shown(traits.get("size"))),
        type=_type(spec, shown(system.get("vehicleType")) if one.get("type") == "vehicle" else ""),
        alignment=shown(details.get("alignment")),
        armor=_armor(part(attributes, "ac"), held, scores),
        hit_points=shown(points.get("max") or points.get("value")),
        hit_dice=shown(points.get("formula")),
        speed=_speed(part(attributes, "movement")),
        abilities=scores,
        saves=_saves(part(system, "abilities"), scores, numbers.proficiency),
        skills=skills,
        vulnerabilities=_listed(traits, "dv"),
        resistances=_listed(traits, "dr"),
        immunities=_listed(traits, "di"),
        conditions=_listed(traits, "ci"),
        senses=names.joined(senses_text(part(attributes, "senses")), _passive(system, skills, numbers)),
        languages=_languages(traits),
        challenge=shown(details.get("cr")),
        experience=bonus(value_at(details, "xp.value")),
        traits=(*held.traits, *more_traits, *((name, line) for name, line in listed.items() if line)),
        actions=tuple(held.actions),
        text=markdown(value_at(details, "biography.value")),
        legendary_text=legendary,
        other=(*other_sections(system, spec), *further_texts(one, system)),
    )
    return to_creature(block, book)


def _type(spec: JsonObject, vehicle: str) -> str:
    """``swarm of Tiny beasts``, ``humanoid (elf)``, ``water vehicle``."""
    kind, custom = shown(spec.get("value")), shown(spec.get("custom"))
    kind = custom if custom and kind in ("", "custom") else kind
    kind = f"{kind or vehicle} vehicle" if vehicle or (kind in ("air", "land", "water", "space")) else kind
    swarm = str(spec.get("swarm") or "")
    kind = f"swarm of {names.size(swarm)} {_PLURALS.get(kind, f'{kind}s')}" if swarm else kind
    return f"{kind}{names.phrase(' ({})', shown(spec.get('subtype')))}"


def _armor(spec: JsonObject, held: HeldItems, scores: Mapping[str, int]) -> str:
    """The armor class and its source. The application computes it at run time, except for natural armor."""
    how, formula = str(spec.get("calc") or ""), shown(spec.get("formula"))
    given = shown(spec.get("flat") or spec.get("value"))
    own = {name: (score - 10) // 2 for name, score in scores.items()}
    dexterity = own.get("dexterity", 0)
    named, base, ability = _ARMOR.get(how, ("", 0, ""))
    if not given and base:
        given = str(base + dexterity + own.get(ability, 0))
    elif not given and how == "custom" and formula.isdigit():
        given, formula = formula, ""
    elif not given and how == "default":
        given = _worn(held, dexterity)
    note = names.joined(held.worn_names if how == "default" else named, formula)
    return f"{given} ({note})" if note and given else given or note


def _worn(found: HeldItems, dexterity: int) -> str:
    """The armor class from an actor's armor, which the application computes itself: ``15``."""
    base, shield = 10 + dexterity, 0
    for _, system in found.armor:
        kind, value = text(system, "type.value"), bonus(value_at(system, "armor.value"))
        if kind == "shield" and value is not None:
            shield = max(shield, value)
        elif kind in ("light", "medium", "heavy") and value is not None:
            cap = bonus(value_at(system, "armor.dex"))
            base = value + min(dexterity, cap if cap is not None else {"medium": 2, "heavy": 0}.get(kind, dexterity))
    return str(base + shield)


def _legendary(resources: JsonObject, held: HeldItems) -> tuple[str, list[tuple[str, str]]]:
    """The number of legendary actions, and as traits the legendary resistances and the lair."""
    resistances = bonus(value_at(resources, "legres.max"))
    has_trait = any(name.lower().startswith("legendary resistance") for name, _ in held.traits)
    traits = [(f"Legendary Resistance ({resistances}/Day)", "")] if resistances and not has_trait else []
    if value_at(resources, "lair.value") is True:
        start = names.phrase(", which acts on initiative count {}", shown(value_at(resources, "lair.initiative")))
        traits.append(("Lair", f"It has a lair{start}."))
    return names.phrase("It can take {} legendary actions.", bonus(value_at(resources, "legact.max"))), traits


def _saves(abilities: JsonObject, scores: Mapping[str, int], proficiency: int) -> dict[str, int]:
    """Bonuses of the creature's proficient saving throws."""
    return {
        name: (score - 10) // 2 + int(level * proficiency)
        for name, score in scores.items()
        if (level := number(part(abilities, name[:3]).get("proficient")))
    }


def _speed(movement: JsonObject) -> str:
    given = {mode: value for mode, value in movement.items() if mode not in _NOT_MODES}
    worded = {mode: value for mode, value in given.items() if isinstance(value, str) and number(value) is None}
    ignored = ", ".join(map(names.readable, texts(movement.get("ignoredDifficultTerrain"))))
    ignored = names.phrase("ignoring difficult terrain of {}", ignored)
    hover = " (hover)" if movement.get("hover") is True else ""
    modes = distances(given, movement.get("units"))
    modes += [f"{mode} {value}" for mode, value in worded.items() if value.strip()]
    return names.joined(*modes, shown(movement.get("special")), ignored) + hover


def _skills(skills: JsonObject, numbers: ActorNumbers) -> dict[str, int]:
    """Bonuses of the skills in which the creature is proficient (1) or expert (2)."""
    found = {}
    for code, given in skills.items():
        spec = mapping(given)
        if (level := number(spec.get("value")) or 0) > 0:
            modifier = numbers.modifiers.get(text(spec, "ability") or names.SKILLS.get(code, ("", ""))[1], 0)
            found[names.skill(code).lower()] = modifier + int(level * numbers.proficiency)
    return found


def _listed(traits: JsonObject, name: str) -> str:
    """The listed types, and the attacks that bypass them: ``bludgeoning (not from magical attacks)``."""
    spec = part(traits, name)
    values = [_PHYSICAL.get(one, one) for one in texts(spec.get("value"))]
    around = " or ".join(names.material(one) for one in texts(spec.get("bypasses")))
    if around:
        physical = [one for one in values if one in ("bludgeoning", "piercing", "slashing")]
        rest_ = [one for one in values if one not in physical]
        noted = ", ".join(physical or values) + f" (not from {around} attacks)"
        values = [*(rest_ if physical else []), noted]
    return names.joined(", ".join(values), shown(spec.get("custom")), sep="; " if around else ", ")


def _languages(traits: JsonObject) -> str:
    """Languages, and other communication with its range: ``telepathy 60 ft.``"""
    spec = part(traits, "languages")
    ranges = ((way, mapping(one)) for way, one in part(spec, "communication").items())
    ways = (
        f"{way} {feet} {shown(one.get('units')) or 'ft'}." for way, one in ranges if (feet := shown(one.get("value")))
    )
    custom = shown(spec.get("custom")).replace(";", ",")
    return names.joined(*map(names.language, texts(spec.get("value"))), custom, *ways)


def _passive(system: JsonObject, skills: Mapping[str, int], numbers: ActorNumbers) -> str:
    """``passive Perception 14``, which the application computes at run time."""
    if numbers.modifiers.get("wis") is None or "abilities" not in system:
        return ""
    more = bonus(value_at(system, "skills.prc.bonuses.passive")) or 0
    return f"passive Perception {10 + skills.get('perception', numbers.modifiers['wis']) + more}"
