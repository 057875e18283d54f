"""Actors: creatures with their features, attacks and spells as items."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import ActionType, Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.foundry.item_values import damages, described, part, rest, text, texts, uses
from lorekeeper_mcp.sources.stat_block import StatBlock, bonus, shown, to_creature

_SIZES = {"sm": "small", "med": "medium", "lg": "large", "grg": "gargantuan"}
_DETAILS = frozenset(
    {"biography", "cr", "alignment", "type", "source", "xp", "spellLevel", "level", "race", "background"}
)
_ACTIONS = {
    "action": ActionType.ACTION,
    "bonus": ActionType.BONUS_ACTION,
    "reaction": ActionType.REACTION,
    "legendary": ActionType.LEGENDARY_ACTION,
    "mythic": ActionType.LEGENDARY_ACTION,
    "lair": ActionType.LAIR_ACTION,
}
_SKILLS = {
    "acr": ("acrobatics", "dex"), "ani": ("animal handling", "wis"), "arc": ("arcana", "int"),
    "ath": ("athletics", "str"), "dec": ("deception", "cha"), "his": ("history", "int"), "ins": ("insight", "wis"),
    "inv": ("investigation", "int"), "itm": ("intimidation", "cha"), "med": ("medicine", "wis"),
    "nat": ("nature", "int"), "per": ("persuasion", "cha"), "prc": ("perception", "wis"),
    "prf": ("performance", "cha"), "rel": ("religion", "int"), "slt": ("sleight of hand", "dex"),
    "ste": ("stealth", "dex"), "sur": ("survival", "wis"),
}  # fmt: skip


def creature(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """The creature of an actor."""
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    scores = {name: score for name in ABILITIES if (score := _score(system, name[:3])) is not None}
    rating = details.get("cr")
    proficiency = 2 + max(0, int(rating) - 1) // 4 if isinstance(rating, int | float) else 2
    kind = details.get("type")
    spec = kind if isinstance(kind, Mapping) else {"value": kind}
    subtype = shown(spec.get("subtype"))
    armor, points = part(attributes, "ac"), part(attributes, "hp")
    named, actions, spells = _items(one)
    block = StatBlock(
        name=text(one, "name"),
        size=_SIZES.get(str(traits.get("size")), shown(traits.get("size"))),
        type=f"{shown(spec.get('value')) or shown(spec.get('custom'))}{f' ({subtype})' if subtype else ''}",
        alignment=shown(details.get("alignment")),
        armor=shown(armor.get("flat") or armor.get("value")),
        hit_points=shown(points.get("max") or points.get("value")),
        hit_dice=shown(points.get("formula")),
        speed=_speed(part(attributes, "movement")),
        abilities=scores,
        saves={
            name: (score - 10) // 2 + proficiency
            for name, score in scores.items()
            if part(part(system, "abilities"), name[:3]).get("proficient") == 1
        },
        skills=_skills(part(system, "skills"), scores, proficiency),
        vulnerabilities=_listed(traits, "dv"),
        resistances=_listed(traits, "dr"),
        immunities=_listed(traits, "di"),
        conditions=_listed(traits, "ci"),
        senses=_senses(part(attributes, "senses")),
        languages=_listed(traits, "languages"),
        challenge=shown(rating),
        traits=(*named, *([("Spells", ", ".join(spells))] if spells else [])),
        actions=tuple(actions),
        text=markdown(part(details, "biography").get("value")),
        legendary_text=_legendary(part(system, "resources")),
        other=(
            *rest(details, _DETAILS),
            *rest(attributes, frozenset({"ac", "hp", "movement", "senses", "init", "prof", "spellcasting", "spelldc"})),
            *rest(traits, frozenset({"size", "dv", "dr", "di", "ci", "languages"})),
            *rest(
                system,
                frozenset({"abilities", "attributes", "details", "traits", "skills", "resources", "spells", "tools"}),
            ),
        ),
    )
    return to_creature(block, book)


def _legendary(resources: Mapping[str, object]) -> str:
    """How many legendary actions and resistances there are, and whether the creature has a lair."""
    actions, resistances = (bonus(part(resources, name).get("max")) for name in ("legact", "legres"))
    told = (
        f"It can take {actions} legendary actions." if actions else "",
        f"Legendary Resistance ({resistances}/Day)." if resistances else "",
    )
    return " ".join(filter(None, told))


def _score(system: Mapping[str, object], short: str) -> int | None:
    return bonus(part(part(system, "abilities"), short).get("value"))


def _speed(movement: Mapping[str, object]) -> str:
    modes = [f"{mode} {feet} ft." for mode, value in movement.items() if (feet := bonus(value))]
    return ", ".join(modes) + (" (hover)" if movement.get("hover") is True else "")


def _skills(skills: Mapping[str, object], scores: Mapping[str, int], proficiency: int) -> dict[str, int]:
    """Bonuses of the skills in which the creature is proficient (1) or expert (2)."""
    found = {}
    for code, (name, ability) in _SKILLS.items():
        level = part(skills, code).get("value")
        if isinstance(level, int | float) and level > 0:
            score = next((score for full, score in scores.items() if full.startswith(ability)), 10)
            found[name] = (score - 10) // 2 + int(level * proficiency)
    return found


def _listed(traits: Mapping[str, object], name: str) -> str:
    spec = part(traits, name)
    custom = shown(spec.get("custom"))
    return ", ".join([*texts(spec.get("value")), *([custom] if custom else [])])


def _senses(senses: Mapping[str, object]) -> str:
    ranges = part(senses, "ranges") or senses
    told = [f"{name} {feet} ft." for name, value in ranges.items() if (feet := bonus(value))]
    special = shown(senses.get("special"))
    return ", ".join([*told, *([special] if special else [])])


def _items(one: Mapping[str, object]) -> tuple[list[tuple[str, str]], list[tuple[ActionType, str, str]], list[str]]:
    """Traits, actions and names of spells among an actor's items."""
    traits: list[tuple[str, str]] = []
    actions: list[tuple[ActionType, str, str]] = []
    spells: list[str] = []
    carried: list[str] = []
    items = one.get("items")
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, Mapping):
            continue
        system, name = part(item, "system") or part(item, "data"), text(item, "name")
        if item.get("type") == "spell":
            spells.append(name)
            continue
        told = described(system) or _harm(system)
        often = uses(system)
        name = f"{name} ({often})" if often and "(" not in name else name
        kind = _ACTIONS.get(_activation(system))
        if kind is None and item.get("type") == "weapon":
            kind = ActionType.ACTION
        if kind is not None:
            actions.append((kind, name, told))
        elif told or item.get("type") == "feat":
            traits.append((name, told))
        elif name:
            carried.append(name)
    return [*traits, *([("Equipment", ", ".join(carried))] if carried else [])], actions, spells


def _harm(system: Mapping[str, object]) -> str:
    """The damage of a weapon without a description: ``Hit: 1d8 + 3 piercing damage.``"""
    harm = damages(part(system, "damage"))
    told = " plus ".join(f"{dice} {kind}".strip() for dice, kind in harm if dice)
    return f"*Hit:* {told} damage." if told else ""


def _activation(system: Mapping[str, object]) -> str:
    """What using an item takes: in the item before version 4, in its activities since."""
    own = text(part(system, "activation"), "type")
    of_activities = [
        text(part(part({"x": one}, "x"), "activation"), "type") for one in part(system, "activities").values()
    ]
    return own or next((kind for kind in of_activities if kind), "")
