"""Formats numbers and keys as the books print them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from lorekeeper_mcp.models.creature import Abilities, Action, ActionType
from lorekeeper_mcp.models.spell import CastingOption, Spell
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES

ACTION_HEADINGS = {
    ActionType.ACTION: "Actions",
    ActionType.BONUS_ACTION: "Bonus Actions",
    ActionType.REACTION: "Reactions",
    ActionType.LEGENDARY_ACTION: "Legendary Actions",
    ActionType.MYTHIC_ACTION: "Mythic Actions",
    ActionType.LAIR_ACTION: "Lair Actions",
}
_ABILITY = f"({'|'.join(name.title() for name in Abilities.model_fields)})"
# A saving throw that somebody makes, not "advantage on Dexterity saving throws".
_SAVE = re.compile(
    rf"(?:\b(?:[Aa]n?|another|[Tt]he|failed|successful|DC \d+)|\*\*) {_ABILITY}(?:,? (?:or|and) (?:an? )?{_ABILITY})? "
    r"[Ss]av(?:e|ing [Tt]hrow)\b(?!s)"
    rf"|\bmust (?:each )?(?:make|succeed on) (?:successful )?{_ABILITY} saving throws"
)
_TYPES = "|".join(DAMAGE_TYPES)
_DEALT = re.compile(
    r"(?<!\d)(\d{1,4}d\d{1,4})(?: ?\+ ?[\w' ]{1,30}?)? "
    rf"(?P<types>(?:(?:{_TYPES})(?:,? (?:or|and) |, )?)+) ?damage",
    re.IGNORECASE,
)
_TO_CASTER = re.compile(
    r"\byou (?:must [^,]*? or |also |instead |each |\w+ly )?(?:take|suffer|inflict)\b|\byour (?:own|hand)\b",
    re.IGNORECASE,
)
_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def ability_modifier(score: int) -> int:
    """The modifier of an ability score: 15 gives +2."""
    return (score - 10) // 2


def proficiency_bonus(rating: float) -> int:
    """The proficiency bonus of a creature by its challenge rating, or of a character by level: 5 gives +3."""
    return 2 + max(0, math.ceil(rating) - 1) // 4


def challenge_rating(value: float | None) -> str:
    """``0.25`` -> ``1/4``; "" for None."""
    if value is None:
        return ""
    return _FRACTIONS.get(value, number(value))


def number(value: float) -> str:
    """A number without a needless fraction: ``3.0`` -> ``3``."""
    return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"


def words(key: str) -> str:
    """A key as words: ``very-rare`` -> ``very rare``."""
    return key.replace("-", " ").replace("_", " ")


def title(key: str) -> str:
    """A key as a heading: ``sleight-of-hand`` -> ``Sleight of Hand``."""
    return words(key).title().replace(" Of ", " of ")


def text_or_keys(text: str, keys: Iterable[str]) -> str:
    """A printed list; if there is none, keys in words."""
    return text or ", ".join(map(words, keys))


def gold(cost: float) -> str:
    """A cost in gp as the coin that the books print: ``0.05`` -> ``5 cp``."""
    for coin, worth in (("gp", 1.0), ("sp", 0.1), ("cp", 0.01)):
        if abs(cost / worth - round(cost / worth)) < 1e-6 and cost:
            return f"{cost / worth:,.0f} {coin}"
    return f"{number(cost)} gp"


def ordinal(value: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th``."""
    ending = "th" if 10 < value % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


def components(spell: Spell) -> str:
    """``V, S, M``."""
    needed = {"V": spell.verbal, "S": spell.somatic, "M": spell.material}
    return ", ".join(letter for letter, is_needed in needed.items() if is_needed)


def saves_in(text: str) -> list[str]:
    """Return the abilities of the saving throws that a spell's text asks for, in its order."""
    return list(dict.fromkeys(name.lower() for names in _SAVE.findall(text) for name in names if name))


def damage_in(text: str) -> list[tuple[str, str]]:
    """Return the dice and the types of damage that a spell's text deals to others: ``("4d6", "cold or fire")``."""
    rolls = []
    for damage in _DEALT.finditer(text):
        start = max(text.rfind(mark, 0, damage.start()) for mark in ".;:|\n")
        if not _TO_CASTER.search(text[start + 1 : damage.start()]):
            rolls.append((damage[1], damage["types"].strip()))
    return rolls


def damage_types_in(phrase: str) -> list[str]:
    """``cold or fire`` -> ``cold``, ``fire``."""
    return re.findall(_TYPES, phrase)


def action_name(action: Action) -> str:
    """The name of an action with its limits and its cost: ``Breath (Recharge 5–6)``."""
    cost = action.legendary_cost or 1
    notes = [action.uses, action.limited_to_form, f"Costs {cost} Actions" if cost > 1 else ""]
    suffix = "; ".join(note for note in notes if note and note.lower() not in action.name.lower())
    return f"{action.name} ({suffix})" if suffix else action.name


def what_is_rolled(spell: Spell) -> str:
    """What the dice of a spell determine; sources have healing under damage, too."""
    heals = re.search(r"regains?\b.{0,80}\bhit points?", spell.text, re.IGNORECASE)
    return "healing" if heals and not spell.damage_types and "damage" not in spell.text.lower() else "damage"


def casting_changes(option: CastingOption, rolled: str) -> str:
    """The effect of a casting option: ``damage 9d6, 2 targets``; "" if nothing changes.

    ``rolled`` is what the dice determine.
    """
    changes = [
        f"{rolled} {option.damage_roll}" if option.damage_roll else "",
        f"{option.target_count} targets" if option.target_count is not None else "",
        f"duration {option.duration}" if option.duration else "",
        f"range {option.range}" if option.range else "",
        f"size {number(option.shape_size)}" if option.shape_size is not None else "",
        {True: "concentration", False: "no concentration", None: ""}[option.concentration],
        option.text,
    ]
    return ", ".join(change for change in changes if change)
