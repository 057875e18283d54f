"""Formats numbers and keys as the books print them."""

from __future__ import annotations

import re

from lorekeeper_mcp.models.spell import CastingOption, Spell

_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


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


def gold(cost: float) -> str:
    """A cost in gp as the coin that the books print: ``0.05`` -> ``5 cp``."""
    for coin, worth in (("gp", 1.0), ("sp", 0.1), ("cp", 0.01)):
        if abs(cost / worth - round(cost / worth)) < 1e-6 and cost:
            return f"{cost / worth:,.0f} {coin}"
    return f"{number(cost)} gp"


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
