"""A record as one line of its key facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

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
    Reference,
    Rule,
    Species,
    Spell,
)
from lorekeeper_mcp.models.printed_values import challenge_rating, components, gold, words
from lorekeeper_mcp.render.format import ability, caster, first_sentence, pounds
from lorekeeper_mcp.render.summaries import fitting_sentence, gist
from lorekeeper_mcp.text import fold

Facts: TypeAlias = dict[str, str | int | float | bool | list[str]]
_CHOICE = re.compile(r" \(((?:Tiny|Small|Medium|Large) or (?:Tiny|Small|Medium|Large))\)$")
_SIZE = re.compile(r"\b(?:Tiny|Small|Medium|Large)\b")
_FEET = re.compile(r"\d+ (?:feet|ft\.)")
_REQUIRES = re.compile(r"^requires ", re.IGNORECASE)


def facts(record: Record, question: str = "", passages: Sequence[str] = ()) -> Facts:
    """The facts by name, without empty ones. Costs and weights are texts with units.

    ``summary`` is the sentence of the ``passages`` that best matches a question; if none does, what sets the record
    apart.
    """
    match record:
        case Spell():
            found = _spell(record)
        case Creature():
            found = _creature(record)
        case Equipment():
            found = _equipment(record)
        case CharacterClass() | CharacterFeature() | Species() | Background() | Feat():
            found = _option(record)
        case _:
            found = _reference(record)
    present = {name: value for name, value in found.items() if value not in (None, "", [])}
    summary = fitting_sentence(question, passages) or gist(record)
    is_name = fold(summary) in (name := fold(record.name), f"a {name}", f"an {name}")  # Open5e describes an axe so
    return dict(present) if is_name or not summary else {**present, "summary": summary}


def index_line(record: Record, found: Facts) -> str:
    """The record as an index entry: its name, kind, facts and summary."""
    summary = str(found.get("summary", ""))
    details = " · ".join(part for part in (*phrases(found), summary) if part not in ("", words(record.kind)))
    return f"**{record.name}** ({words(record.kind)}){f' — {details}' if details else ''}"


def phrases(found: Mapping[str, str | int | float | bool | list[str]]) -> list[str]:
    """The facts as short phrases, without the summary."""
    return [text for name, value in found.items() if name != "summary" and (text := _phrase(name, value))]


def speed(creature: Creature) -> str:
    """``30 ft., fly 60 ft. (hover)``."""
    modes = [
        f"{'' if mode == 'walk' else f'{mode} '}{feet:g} ft.{' (hover)' if mode == 'fly' and creature.hover else ''}"
        for mode, feet in sorted(creature.speed.items(), key=lambda mode: (mode[0] != "walk", mode[0]))
    ]
    return ", ".join(modes) + (" (hover)" if creature.hover and "fly" not in creature.speed else "")


def damage(thing: Equipment) -> str:
    """``1d8 slashing``."""
    weapon = thing.weapon
    return " ".join(part for part in (weapon.damage_dice, words(weapon.damage_type)) if part) if weapon else ""


def sizes_and_type(creature: Creature) -> tuple[str, str]:
    """``Medium or Small`` and ``undead``. Records from the SRD 5.2 have a choice of sizes after the type."""
    printed = creature.type_text or creature.type
    choice = _CHOICE.search(printed)
    if choice:
        return choice[1], printed[: choice.start()].lower()
    return creature.size_text or words(creature.size).capitalize(), printed.lower()


_Found: TypeAlias = dict[str, str | int | float | bool | list[str] | None]


def _spell(spell: Spell) -> _Found:
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


def _creature(creature: Creature) -> _Found:
    sizes, kind = sizes_and_type(creature)
    return {
        "challenge_rating": creature.challenge_rating,
        "cr": challenge_rating(creature.challenge_rating),
        "xp": f"{creature.experience_points:,} XP" if creature.experience_points is not None else None,
        "type": kind,
        "size": sizes.lower(),
        "alignment": creature.alignment.lower(),
        "armor_class": creature.armor_class,
        "hit_points": creature.hit_points,
        "speed": speed(creature),
    }


def _equipment(thing: Equipment) -> _Found:
    return {
        "category": category(thing),
        "rarity": thing.rarity_text.lower() or words(thing.rarity),
        "requires_attunement": thing.requires_attunement,
        "cost": cost(thing) if thing.cost is not None else None,
        "value": value(thing),
        "weight": pounds(thing.weight) if thing.weight else None,
        "damage": damage(thing),
        "properties": [prop.name for prop in thing.weapon.properties] if thing.weapon else None,
        "armor_class": thing.armor.ac_text if thing.armor else None,
    }


def cost(thing: Equipment) -> str:
    """``15 gp``; for a service ``2 gp per day``."""
    amount = gold(thing.cost) if thing.cost is not None else ""
    return f"{amount} per {thing.cost_unit}" if amount and thing.cost_unit else amount


def value(thing: Equipment) -> str:
    """``4,000 gp by rarity``, for a magic item without a price of its own."""
    if thing.cost is not None or thing.value_by_rarity is None:
        return ""
    made_of = "ammunition" if thing.is_ammunition else thing.category
    base = f" + cost of the {made_of}" if made_of in ("ammunition", "weapon", "armor") else ""
    return f"{gold(thing.value_by_rarity)} by rarity{base}"


def category(thing: Equipment) -> str:
    """The printed category if there is one; plain weapons and armor have their proficiency in it."""
    if thing.category_text:
        return thing.category_text.lower()
    if (
        thing.kind is Kind.WEAPON
        and thing.weapon
        and (thing.category == "weapon" or thing.weapon.is_simple is not None)
    ):
        return f"{thing.weapon.proficiency} weapon".strip()
    if thing.kind is Kind.ARMOR and thing.armor and thing.armor.category in ("light", "medium", "heavy"):
        return f"{thing.armor.category} armor"
    return words(thing.category)


def _option(record: CharacterClass | CharacterFeature | Species | Background | Feat) -> _Found:
    match record:
        case CharacterClass():
            parent = record.subclass_of
            return {
                "subclass_of": (parent.name or parent.key) if parent else None,
                "hit_dice": record.hit_dice,
                "caster_type": caster(record.caster_type),
            }
        case CharacterFeature():
            return {
                "option_of": record.option_of,
                "feature_of": owner(record),
                "level": record.levels[0] if record.levels else None,
            }
        case Species():
            parent = record.subspecies_of
            return {
                "subspecies_of": (parent.name or parent.key) if parent else None,
                "size": [size.lower() for size in dict.fromkeys(_SIZE.findall(record.size))] or _phrase_of(record.size),
                "speed": walk[0] if (walk := _FEET.search(record.speed)) else _phrase_of(record.speed),
            }
        case Feat():
            return {"feat_type": record.type, "prerequisite": _REQUIRES.sub("", record.prerequisite)}
        case _:
            return {"skills": _benefit(record, "skill"), "feat": _benefit(record, "feat")}


def owner(feature: CharacterFeature) -> str:
    """What a feature belongs to: ``Rogue``, ``Elf``, or ``Thief (Rogue)``."""
    own = feature.parent.name or words(feature.parent.key)
    of_class = feature.character_class
    of_subclass = of_class is not None and of_class.key != feature.parent.key
    return f"{own} ({of_class.name or words(of_class.key)})" if of_class and of_subclass else own


def _phrase_of(text: str) -> str:
    return first_sentence(text, 60)


def _benefit(record: Background, named: str) -> str:
    """What a background gives: the text of the benefit with a word in its heading."""
    given = (benefit.text for benefit in record.benefits if named in fold(benefit.name).split())
    return first_sentence(next(given, ""), 80).removesuffix(".")


def _reference(record: Record) -> _Found:
    match record:
        case Rule():
            return {"section": (record.section.name or record.section.key) if record.section else None}
        case Document():
            return {"publisher": record.publisher, "author": record.author}
        case Reference():
            cost = gold(record.cost) if record.cost is not None else None
            return {
                "ability": ability(record.ability),
                "type": record.type,
                "cost": cost,
                "script": record.script,
                "given_by" if record.kind is Kind.PROFICIENCY else "members": [one.name for one in record.members][:12],
            }
        case _:
            return {}


_LABELS = {
    "armor_class": "AC {}",
    "hit_points": "{} HP",
    "cr": "CR {}",
    "value": "worth {}",
    "subclass_of": "subclass of {}",
    "option_of": "option of {}",
    "feature_of": "feature of {}",
    "hit_dice": "hit die {}",
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
    """A fact as a phrase of the line; every fact has one, since text-only readers see nothing else."""
    if name == "challenge_rating":  # ``cr`` has it as printed
        return ""
    if name == "level":
        return f"level {value}" if value else "cantrip"
    if isinstance(value, bool):
        phrases = {"concentration": "concentration", "ritual": "ritual", "requires_attunement": "attunement"}
        return phrases.get(name, "") if value else ""
    listed = (" or " if name == "size" else ", ").join(value) if isinstance(value, list) else str(value)
    text = listed.lower() if isinstance(value, list) and name not in _NAMES else listed
    return _LABELS.get(name, "{}").format(text)
