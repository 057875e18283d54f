"""Renders a record as one line with its most important facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from lorekeeper_mcp.models import (
    Background,
    CharacterClass,
    CharacterFeature,
    Creature,
    Document,
    Equipment,
    Feat,
    Kind,
    Record,
    Ref,
    Reference,
    Rule,
    Species,
    Spell,
)
from lorekeeper_mcp.models.printed_values import challenge_rating, components, gold, words
from lorekeeper_mcp.render.format import ability, caster, first_sentence, pounds
from lorekeeper_mcp.render.summaries import best_sentence, gist
from lorekeeper_mcp.text import fold

Facts: TypeAlias = dict[str, str | int | float | bool | list[str]]
_CHOICE = re.compile(r" \(((?:Tiny|Small|Medium|Large) or (?:Tiny|Small|Medium|Large))\)$")
_SIZE = re.compile(r"\b(?:Tiny|Small|Medium|Large)\b")
_FEET = re.compile(r"\d+ (?:feet|ft\.)")
_REQUIRES = re.compile(r"^requires ", re.IGNORECASE)


def facts(record: Record, question: str = "", passages: Sequence[str] = ()) -> Facts:
    """The facts of a record by name, without empty ones. Costs and weights are texts with units.

    ``summary`` is the sentence of the ``passages`` that best matches a question; if none matches, the gist of the
    record.
    """
    facts_of_kind = _FACTS_OF_KIND.get(type(record))
    values = facts_of_kind(record) if facts_of_kind else {}
    present: Facts = {name: value for name, value in values.items() if value is not None and value not in ("", [])}
    summary = best_sentence(question, passages) or gist(record)
    name = fold(record.name)
    if summary and fold(summary) not in (name, f"a {name}", f"an {name}"):  # Open5e describes an axe as "An axe"
        present["summary"] = summary
    return present


def index_line(record: Record, facts: Facts) -> str:
    """The record as an index entry: its name, kind, facts and summary."""
    summary = str(facts.get("summary", ""))
    details = " · ".join(part for part in (*phrases(facts), summary) if part not in ("", words(record.kind)))
    return f"**{record.name}** ({words(record.kind)}){f' — {details}' if details else ''}"


def phrases(facts: Mapping[str, str | int | float | bool | list[str]]) -> list[str]:
    """The facts as short phrases, without the summary."""
    return [phrase for name, value in facts.items() if name != "summary" and (phrase := _phrase(name, value))]


def speed(creature: Creature) -> str:
    """``30 ft., fly 60 ft. (hover)``."""
    hover = " (hover)" if creature.hover else ""
    modes = []
    for mode, feet in sorted(creature.speed.items(), key=lambda entry: (entry[0] != "walk", entry[0])):
        name = "" if mode == "walk" else f"{mode} "
        modes.append(f"{name}{feet:g} ft.{hover if mode == 'fly' else ''}")
    return ", ".join(modes) + (hover if "fly" not in creature.speed else "")


def damage(item: Equipment) -> str:
    """``1d8 slashing``."""
    weapon = item.weapon
    return " ".join(part for part in (weapon.damage_dice, words(weapon.damage_type)) if part) if weapon else ""


def sizes_and_type(creature: Creature) -> tuple[str, str]:
    """``Medium or Small`` and ``undead``. Records from the SRD 5.2 have a choice of sizes after the type."""
    printed = creature.type_text or creature.type
    choice = _CHOICE.search(printed)
    if choice:
        return choice[1], printed[: choice.start()].lower()
    return creature.size_text or words(creature.size).capitalize(), printed.lower()


_Values: TypeAlias = dict[str, str | int | float | bool | list[str] | None]


def _spell(spell: Spell) -> _Values:
    return {
        "level": spell.level,
        "school": spell.school,
        "casting_time": spell.casting_time_text or words(spell.casting_time),
        "range": spell.range_text,
        "components": components(spell),
        "duration": spell.duration,
        "concentration": spell.concentration,
        "ritual": spell.ritual,
        "classes": list(dict.fromkeys(ref.name for ref in spell.classes)),
    }


def _creature(creature: Creature) -> _Values:
    sizes, type_ = sizes_and_type(creature)
    return {
        "challenge_rating": creature.challenge_rating,
        "cr": challenge_rating(creature.challenge_rating),
        "xp": f"{creature.experience_points:,} XP" if creature.experience_points is not None else None,
        "type": type_,
        "size": sizes.lower(),
        "alignment": creature.alignment.lower(),
        "armor_class": creature.armor_class,
        "hit_points": creature.hit_points,
        "speed": speed(creature),
    }


def _equipment(item: Equipment) -> _Values:
    return {
        "category": category(item),
        "rarity": item.rarity_text.lower() or words(item.rarity),
        "requires_attunement": item.requires_attunement,
        "cost": cost(item),
        "value": value(item),
        "weight": pounds(item.weight) if item.weight else None,
        "damage": damage(item),
        "properties": [prop.name for prop in item.weapon.properties] if item.weapon else None,
        "armor_class": item.armor.ac_text if item.armor else None,
    }


def cost(item: Equipment) -> str:
    """``15 gp``; for a service ``2 gp per day``."""
    amount = gold(item.cost) if item.cost is not None else ""
    return f"{amount} per {item.cost_unit}" if amount and item.cost_unit else amount


def value(item: Equipment) -> str:
    """``4,000 gp by rarity``, for a magic item without a price of its own."""
    if item.cost is not None or item.value_by_rarity is None:
        return ""
    base = "ammunition" if item.is_ammunition else item.category
    addition = f" + cost of the {base}" if base in ("ammunition", "weapon", "armor") else ""
    return f"{gold(item.value_by_rarity)} by rarity{addition}"


def category(item: Equipment) -> str:
    """The printed category if there is one; that of plain weapons and armor includes their proficiency."""
    weapon, armor = item.weapon, item.armor
    if item.category_text:
        return item.category_text.lower()
    if item.kind is Kind.WEAPON and weapon and (item.category == "weapon" or weapon.is_simple is not None):
        return f"{weapon.proficiency} weapon".strip()
    if item.kind is Kind.ARMOR and armor and armor.category in ("light", "medium", "heavy"):
        return f"{armor.category} armor"
    return words(item.category)


def _class(record: CharacterClass) -> _Values:
    return {
        "subclass_of": _name(record.subclass_of),
        "hit_dice": record.hit_dice,
        "primary_abilities": list(record.primary_abilities),
        "saving_throws": list(record.saving_throws),
        "caster_type": caster(record.caster_type),
    }


def _feature(feature: CharacterFeature) -> _Values:
    return {
        "option_of": feature.option_of,
        "feature_of": owner(feature),
        "level": feature.levels[0] if feature.levels else None,
        "also_at_levels": [str(level) for level in feature.levels[1:]],
    }


def _species(species: Species) -> _Values:
    sizes = [size.lower() for size in dict.fromkeys(_SIZE.findall(species.size))]
    walk = _FEET.search(species.speed)
    return {
        "subspecies_of": _name(species.subspecies_of),
        "size": sizes or first_sentence(species.size, 60),
        "speed": walk[0] if walk else first_sentence(species.speed, 60),
    }


def _name(ref: Ref | None) -> str:
    return ref.name or ref.key if ref else ""


def owner(feature: CharacterFeature) -> str:
    """What a feature belongs to: ``Rogue``, ``Elf``, or ``Thief (Rogue)``."""
    parent, of_class = feature.parent, feature.character_class
    name = parent.name or words(parent.key)
    return f"{name} ({of_class.name or words(of_class.key)})" if of_class and of_class.key != parent.key else name


def _benefit(record: Background, word: str) -> str:
    """The text of a background's benefit with a word in its heading."""
    texts = [benefit.text for benefit in record.benefits if word in fold(benefit.name).split()]
    return first_sentence(texts[0], 80).removesuffix(".") if texts else ""


def _reference(record: Reference) -> _Values:
    return {
        "ability": ability(record.ability),
        "type": record.type,
        "cost": gold(record.cost) if record.cost is not None else None,
        "script": record.script,
        "given_by" if record.kind is Kind.PROFICIENCY else "members": [ref.name for ref in record.members][:12],
    }


# Any, since each function takes the type of its key.
_FACTS_OF_KIND: Mapping[type[Record], Callable[[Any], _Values]] = {
    Spell: _spell,
    Creature: _creature,
    Equipment: _equipment,
    CharacterClass: _class,
    CharacterFeature: _feature,
    Species: _species,
    Background: lambda record: {"skills": _benefit(record, "skill"), "feat": _benefit(record, "feat")},
    Feat: lambda record: {"feat_type": record.type, "prerequisite": _REQUIRES.sub("", record.prerequisite)},
    Rule: lambda record: {"section": _name(record.section)},
    Document: lambda record: {"publisher": record.publisher, "author": record.author},
    Reference: _reference,
}
_LABELS = {
    "armor_class": "AC {}",
    "hit_points": "{} HP",
    "cr": "CR {}",
    "value": "worth {}",
    "subclass_of": "subclass of {}",
    "option_of": "option of {}",
    "feature_of": "feature of {}",
    "also_at_levels": "also at {}",
    "hit_dice": "hit die {}",
    "primary_abilities": "primary {}",
    "saving_throws": "saving throws {}",
    "prerequisite": "requires {}",
    "section": "in {}",
    "subspecies_of": "lineage of {}",
    "classes": "for {}",
    "skills": "skills: {}",
    "feat": "feat: {}",
    "script": "{} script",
    "members": "of {}",
    "given_by": "given by {}",
}
_NAMES = frozenset({"classes", "members", "given_by"})


def _phrase(name: str, value: str | float | bool | list[str]) -> str:
    """A fact as a phrase of the line. Every fact needs one, since some clients show nothing but the text."""
    if name == "challenge_rating":  # ``cr`` has it as printed
        return ""
    if name == "level":
        return f"level {value}" if value else "cantrip"
    if isinstance(value, bool):
        return name.removeprefix("requires_") if value else ""
    text = str(value)
    if isinstance(value, list):
        text = (" or " if name == "size" else ", ").join(value)
        text = text if name in _NAMES else text.lower()
    return _LABELS.get(name, "{}").format(text)
