"""Checks of stat blocks. Each yields nothing if the record lacks what it compares."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from lorekeeper_mcp.models import Abilities, Creature, Edition
from lorekeeper_mcp.models.vocabulary import EXPERIENCE
from lorekeeper_mcp.text import fold

HIT_DICE = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}
_NAMES = tuple(Abilities.model_fields)
_DICE = re.compile(r"(\d+)d(\d+)(?:([+-])(\d+))?")
_ROLL = re.compile(r"(?<![\d+-])(\d+) ?\((\d+d\d+)(?: ?([+−-]) ?(\d+))?\)")
_TO_HIT = re.compile(r"([+-]\d+) to hit|Attack Roll: ([+-]\d+)")
_ODD_LINE = re.compile(r" from\Z|\b(?:Immunities|Resistances|Vulnerabilities|Senses|Languages) ")
_COST = re.compile(r"\(costs? \d actions?\)", re.IGNORECASE)
_MAX_NAME_WORDS = 9  # words
_WITHOUT_SKILLS = frozenset({"bfrd"})  # its blocks have passive scores, which include a proficiency bonus
_MAX_VALUES = {"speed": 400, "sense": 1000, "score": 50}
# Base armor class and highest Dexterity bonus of armor that a note names; None is unlimited.
_ARMOR: tuple[tuple[str, int, int | None], ...] = (
    ("studded leather", 12, None), ("leather", 11, None), ("padded", 11, None), ("chain shirt", 13, 2),
    ("scale mail", 14, 2), ("breastplate", 14, 2), ("half plate", 15, 2), ("ring mail", 14, 0),
    ("chain mail", 16, 0), ("splint", 17, 0), ("plate", 18, 0),
)  # fmt: skip


def check_hit_points(record: Creature) -> Iterator[str]:
    """The hit points are the average of the dice, rounded down."""
    dice = _DICE.fullmatch(record.hit_dice.replace(" ", "").replace("−", "-"))
    if dice is None or record.hit_points is None:
        return
    average = _average(dice)
    if abs(average - record.hit_points) > 1:
        yield f"{record.hit_points} hit points, but {record.hit_dice} are {average} on average"


def check_rolls(record: Creature) -> Iterator[str]:
    """The number before dice in brackets is their average, rounded down, but at least 1, or 0 after a deduction."""
    parts = [(trait.name, trait.text) for trait in record.traits]
    for name, text in [*parts, *((action.name, action.text) for action in record.actions)]:
        for roll in _ROLL.finditer(text):
            dice = _DICE.fullmatch(f"{roll[2]}{roll[3] or ''}{roll[4] or ''}".replace("−", "-"))
            if dice and int(roll[1]) != _average(dice) and not (int(roll[1]) == 0 and dice[3] == "-"):
                yield f"{name}: {roll[0]}, but the dice are {_average(dice)} on average"


def _average(dice: re.Match[str]) -> int:
    bonus = int(f"{dice[3]}{dice[4]}") if dice[3] else 0
    return max(1, int(dice[1]) * (int(dice[2]) + 1) // 2 + bonus)


def check_armor_class(record: Creature) -> Iterator[str]:
    """The armor class follows from the armor that the note names, and the shield if it names one."""
    note, dexterity = record.armor_text.lower(), record.abilities.dexterity
    worn = next((row for row in _ARMOR if note in (row[0], f"{row[0]} armor", f"{row[0]}, shield")), None)
    if worn is None or dexterity is None or record.armor_class is None:
        return
    _, base, cap = worn
    bonus = (dexterity - 10) // 2
    expected = base + (bonus if cap is None else min(bonus, cap) if cap else 0) + (2 if "shield" in note else 0)
    if record.armor_class != expected:
        yield f"armor class {record.armor_class}, but {note} with Dexterity {dexterity} gives {expected}"


def check_experience(record: Creature) -> Iterator[str]:
    """The experience points match the challenge rating."""
    rating, points = record.challenge_rating, record.experience_points
    if rating is None or points is None:
        return
    expected = EXPERIENCE.get(rating)
    if expected is None:
        yield f"challenge rating {rating:g} does not exist"
    elif points != expected and not (rating == 0 and points == 0):
        yield f"{points:,} XP, but challenge {rating:g} is worth {expected:,}"


def check_modifiers(record: Creature) -> Iterator[str]:
    """Ability modifiers are half of the score minus ten, rounded down."""
    for name in _NAMES:
        score, modifier = getattr(record.abilities, name), getattr(record.ability_modifiers, name)
        if score is not None and modifier is not None and modifier != (score - 10) // 2:
            yield f"{name} {score} with a modifier of {modifier:+d}"


def check_hit_die(record: Creature) -> Iterator[str]:
    """The hit die matches the size; Level Up has no such rule."""
    dice = _DICE.fullmatch(record.hit_dice.replace(" ", ""))
    expected = HIT_DICE.get(record.size)
    if dice and expected and Edition.A5E not in record.editions and int(dice[2]) != expected:
        yield f"hit dice {record.hit_dice}, but a {record.size} creature has d{expected}"


def check_perception(record: Creature) -> Iterator[str]:
    """Passive Perception is ten plus the skill, or plus Wisdom if the skill is not listed."""
    passive, wisdom = record.senses.passive_perception, record.abilities.wisdom
    if passive is None or wisdom is None or Edition.A5E in record.editions:
        return
    bonus = record.skills.get("perception", (wisdom - 10) // 2)
    proficiency = 2 + max(0, int(record.challenge_rating or 0) - 1) // 4
    trained = (0, proficiency, 2 * proficiency) if record.document_key in _WITHOUT_SKILLS else (0,)
    if passive - 10 - bonus not in trained:
        yield f"passive Perception {passive} with a bonus of {bonus:+d}"


def check_saving_throws(record: Creature) -> Iterator[str]:
    """A saving throw is at least the ability's modifier and at most nine more."""
    for name, bonus in record.saving_throws.items():
        score = getattr(record.abilities, name, None)
        if score is not None and not 0 <= bonus - (score - 10) // 2 <= 9:
            yield f"{name} save {bonus:+d} with a score of {score}"


def check_bounds(record: Creature) -> Iterator[str]:
    """Scores are from 1 to 30 with few exceptions, and speeds and senses are plausible."""
    for name in _NAMES:
        score = getattr(record.abilities, name)
        if score is not None and not 1 <= score <= _MAX_VALUES["score"]:
            yield f"{name} {score}"
    for mode, feet in record.speed.items():
        if feet > _MAX_VALUES["speed"] or (not feet and mode != "walk"):
            yield f"{mode} {feet:g} ft."
    senses = record.senses
    for sense in ("darkvision", "blindsight", "tremorsense", "truesight"):
        if (reach := getattr(senses, sense)) is not None and reach > _MAX_VALUES["sense"]:
            yield f"{sense} {reach:g} ft."


def check_action_names(record: Creature) -> Iterator[str]:
    """No two actions of a type share a name unless their costs differ, and no name is a sentence."""
    names = Counter((action.type, fold(_COST.sub("", action.name))) for action in record.actions)
    yield from (f"{count} {kind}s called {name}" for (kind, name), count in names.items() if count > 1 and name)
    for name in [*(action.name for action in record.actions), *(trait.name for trait in record.traits)]:
        if len(name.partition("(")[0].split()) > _MAX_NAME_WORDS:
            yield f"a sentence for a name: {name[:40]!r}"


def check_defenses(record: Creature) -> Iterator[str]:
    """A line of resistances or immunities is complete, and has no other line in it."""
    for name, text in record.defenses:
        if isinstance(text, str) and (match := _ODD_LINE.search(text)):
            yield f"{name.removesuffix('_text').replace('_', ' ')}: {match[0].strip()!r} in {text!r}"


def check_beginnings(record: Creature) -> Iterator[str]:
    """No trait or action has the beginning of another one at its end."""
    texts = [(trait.name, trait.text) for trait in record.traits]
    texts += [(action.name, action.text) for action in record.actions]
    for name, text in texts:
        for other, _ in texts:
            if other and other != name and f". {other}. " in text:
                yield f"{other!r} begins in {name!r}"


def check_has_actions(record: Creature) -> Iterator[str]:
    """Nearly every creature can do something on its turn."""
    if not record.actions and record.challenge_rating:
        yield f"challenge {record.challenge_rating:g} and no action"
