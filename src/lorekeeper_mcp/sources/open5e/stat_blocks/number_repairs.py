"""Repairs bonuses that were truncated or filled in, and the speeds of a book that Open5e has one mode too early."""

from __future__ import annotations

from typing import TypeVar

from lorekeeper_mcp.models import Creature

C = TypeVar("C", bound=Creature)
# Every creature of Tome of Beasts 3 is served with only one skill, Perception, and never a proficient one.
_NO_SKILLS = frozenset({"tob3"})
_PERCEPTION = "perception"
# "Speed 20 ft., fly 60 ft." is served as walking 60 and flying 20, in both versions. The corrections have the creatures
# that lost a mode, too.
_SHIFTED = frozenset({"tob-2023"})


def with_bonuses(record: C) -> C:
    """Return the creature with untruncated saving throws, and with Perception derived from its passive score."""
    served = {name: getattr(record, name) for name in ("saving_throws", "skills")}
    changes = {
        name: (_listed(served[name]), value) for name, value in _bonuses(record).items() if value != served[name]
    }
    return record.amended(changes, "its challenge rating and the rest of its block")


def with_speeds(record: C) -> C:
    """Return the creature with the speeds of each mode as printed: the walking speed first, then the modes by name."""
    modes = ("walk", *sorted(mode for mode in record.speed if mode != "walk"))
    is_corrected = any(note.field == "speed" for note in record.corrections)
    if record.document_key not in _SHIFTED or is_corrected or "walk" not in record.speed:
        return record
    last, *others = (record.speed[mode] for mode in modes)
    speed = dict(zip(modes, (*others, last), strict=True))
    if speed == record.speed:
        return record
    served = ", ".join(f"{mode} {feet:g}" for mode, feet in record.speed.items())
    return record.amended({"speed": (served, speed)}, "the order in which the book prints them")


def _bonuses(record: Creature) -> dict[str, dict[str, int]]:
    if record.challenge_rating is None:
        return {}
    proficiency = 2 + max(0, int(record.challenge_rating) - 1) // 4
    saves = {name: _uncut(bonus, _modifier(record, name), proficiency) for name, bonus in record.saving_throws.items()}
    return {"saving_throws": saves, "skills": _skills(record, proficiency)}


def _uncut(bonus: int, modifier: int | None, proficiency: int) -> int:
    """Restore a bonus: ``+1`` on a creature with +6 and proficiency 5 is the first digit of +11."""
    if modifier is None or bonus >= modifier or bonus <= 0:
        return bonus
    whole = modifier + proficiency
    return whole if str(whole).startswith(str(bonus)) else bonus


def _skills(record: Creature, proficiency: int) -> dict[str, int]:
    bonus, passive = record.skills.get(_PERCEPTION), record.senses.passive_perception
    if record.document_key not in _NO_SKILLS or bonus is None or bonus != _modifier(record, "wisdom"):
        return record.skills
    is_proficient = passive is not None and passive - 10 - bonus in (proficiency, 2 * proficiency)
    return {_PERCEPTION: passive - 10} if is_proficient and passive is not None else {}


def _modifier(record: Creature, ability: str) -> int | None:
    score: int | None = getattr(record.abilities, ability, None)
    return None if score is None else (score - 10) // 2


def _listed(bonuses: dict[str, int]) -> str:
    return ", ".join(f"{name.replace('-', ' ')} {bonus:+d}" for name, bonus in bonuses.items())
