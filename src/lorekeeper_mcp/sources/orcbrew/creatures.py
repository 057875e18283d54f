"""Monsters. Actions, reactions and legendary actions are traits with a type; hit points are dice and a modifier."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Abilities, Action, ActionType, Creature, Defenses, Section, Senses
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import decimal, whole_number
from lorekeeper_mcp.sources.orcbrew.fields import Fields, Keys
from lorekeeper_mcp.sources.orcbrew.markup import ability, listed, scalar, short_text, titled
from lorekeeper_mcp.sources.stat_block import (
    PASSIVE,
    SPEED,
    creature_type,
    sections_of,
    sense_ranges,
    speeds,
    to_action,
)

_ACTIONS = {**{str(kind): kind for kind in ActionType}, "b-action": ActionType.BONUS_ACTION}
_HIT_POINTS = re.compile(r"\s*(\d{1,6})\s*(?:\(\s*([\dd+\-−– ]+?)\s*\))?\s*")
_ARMOR = re.compile(r"\s*(\d{1,3})\s*\(?([^()]*)\)?\s*")
DEFENSES = {
    "damage_immunities": ("damage-immunity", "damage-immunities"),
    "damage_resistances": ("damage-resistance", "damage-resistances"),
    "damage_vulnerabilities": ("damage-vulnerability", "damage-vulnerabilities"),
    "condition_immunities": ("condition-immunity", "condition-immunities"),
}


def creature(common: CommonFields, fields: Fields, _book_classes: Keys) -> Creature:
    """Return a monster; values that it does not give stay absent."""
    traits, actions = _traits(fields)
    hover = "hover" in scalar(fields.peek("speed")).lower()
    props = fields.part("props")
    type_text = titled(fields.text("type"))
    tags = listed(map(titled, fields.names("subtypes", "subtype")))
    armor_class, armor_text = _armor(fields)
    hit_points, dice = _hit_points(fields)
    languages = props.names("language", "languages") or fields.names("languages", "language")
    return Creature(
        **common,
        type=creature_type(type_text),
        type_text=f"{type_text.lower()}{f' ({tags.lower()})' if tags else ''}",
        size=slug(size) if (size := fields.text("size")) else "",
        alignment=fields.text("alignment"),
        challenge_rating=_challenge(fields),
        armor_class=armor_class,
        armor_text=armor_text or fields.text("armor-notes"),
        hit_points=hit_points,
        hit_dice=dice,
        speed=_speed(fields),
        hover=hover,
        abilities=Abilities(**{name: fields.integer(key, name) for key, name in ABILITY_BY_ABBREVIATION.items()}),
        saving_throws=_bonuses(fields, "saving-throws", abilities=True),
        skills=_bonuses(fields, "skills"),
        senses=_senses(fields),
        languages=listed(map(titled, languages)),
        language_keys=tuple(map(slug, languages)),
        defenses=_defenses(props, fields),
        traits=traits,
        actions=actions,
        legendary_text=fields.part("legendary-actions").text("description"),
        other=(*sections_of({"traits": fields.text("traits")}), *fields.other()),
    )


def _challenge(fields: Fields) -> float | None:
    """The rating as a decimal, from 1/4, 0.25, "1/4" or "CR 5"."""
    name = "challenge" if fields.has("challenge") else "challenge-rating"
    value = fields.peek(name)
    rating = decimal(re.sub(r"^cr\s*", "", short_text(value), flags=re.I) if isinstance(value, str) else value)
    if rating is None or not 0 <= rating <= 100:
        return None
    fields.drop(name)
    return rating


def _armor(fields: Fields) -> tuple[int | None, str]:
    if (number := fields.integer("armor-class")) is not None:
        return number, ""
    match = _ARMOR.fullmatch(short_text(fields.peek("armor-class")))
    if not match:
        return None, ""
    fields.drop("armor-class")
    return int(match[1]), match[2].strip()


def _hit_points(fields: Fields) -> tuple[int | None, str]:
    """The average and the dice: {:die 8 :die-count 3 :modifier 6} is 19 (3d8+6)."""
    value = fields.peek("hit-points")
    if isinstance(value, dict):
        part = fields.part("hit-points")
        has_dice = None not in (whole_number(part.peek("die")), whole_number(part.peek("die-count")))
        if part.has("modifier") and not has_dice:
            return None, ""  # a modifier without dice stays as it is
        die, count = part.integer("die"), part.integer("die-count")
        if die is None or count is None:
            return None, ""
        modifier = part.integer("modifier") or 0
        return count * (die + 1) // 2 + modifier, f"{count}d{die}{f'{modifier:+d}' if modifier else ''}"
    match = _HIT_POINTS.fullmatch(short_text(value))
    if not match:
        return None, ""
    fields.drop("hit-points")
    return int(match[1]), (match[2] or "").replace(" ", "")


def _speed(fields: Fields) -> dict[str, float]:
    """Feet by mode from "30 ft., fly 60 ft. (hover)"; text with more than that is also kept as it is."""
    value = fields.peek("speed")
    if isinstance(value, dict):
        modes = fields.part("speed")
        return {name.lower(): feet for name in value if (feet := modes.number(name)) is not None}
    text = short_text(value)
    speed = speeds(text)
    remainder = re.sub(r"\(?hover\)?", "", SPEED.sub("", text), flags=re.I)
    if speed and not re.search(r"[a-z0-9]", remainder, re.I):
        fields.drop("speed")
    return speed


def _bonuses(fields: Fields, name: str, *, abilities: bool = False) -> dict[str, int]:
    """Bonuses by key: {:con 6} is constitution +6."""
    part = fields.part(name)
    return {ability(key) if abilities else slug(key): bonus for key, bonus in part.integers()}


def _senses(fields: Fields) -> Senses:
    """Ranges in feet from a text, or from fields of their own."""
    value = fields.peek("senses")
    text = short_text(value) if isinstance(value, str) else ""
    if text:
        fields.drop("senses")
    ranges = sense_ranges(text)
    for name in ("darkvision", "blindsight", "tremorsense", "truesight"):
        if name not in ranges and (feet := fields.number(name)) is not None:
            ranges[name] = feet
    passive = PASSIVE.search(text)
    perception = int(passive[1]) if passive else fields.integer("passive-perception")
    without_passive = re.sub(rf",?\s*{PASSIVE.pattern}", "", text, flags=re.I).strip(" ,;")
    return Senses(**ranges, passive_perception=perception, text=without_passive)


def _defenses(props: Fields, fields: Fields) -> Defenses:
    """Resistances and immunities by key, from the props or from fields of their own."""
    keys = {name: props.names(*aliases) or fields.names(*aliases) for name, aliases in DEFENSES.items()}
    return Defenses.model_validate({name: tuple(map(slug, defenses)) for name, defenses in keys.items()})


def _traits(fields: Fields) -> tuple[tuple[Section, ...], tuple[Action, ...]]:
    """Traits, and their actions by type in the order of the file."""
    traits: list[Section] = []
    actions: list[Action] = []
    for trait in fields.traits():
        kind = _ACTIONS.get(scalar(trait.peek("type")).lower())
        if kind is not None or trait.peek("type") == "other":
            trait.drop("type")
        name, text = trait.text("name"), trait.with_unread(trait.text("description", "text"))
        if kind is not None:
            actions.append(to_action(name, text, kind, len(actions)))
        else:
            traits.append(Section(name=name, text=text))
    return tuple(traits), tuple(actions)
