"""Actions and traits of stat blocks of the SRD 5.2, with the attacks in them."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Action, ActionType, Attack, Section
from srd_converter.srd2024.stat_blocks import StatBlock

_TYPES = {
    "Actions": ActionType.ACTION,
    "Bonus Actions": ActionType.BONUS_ACTION,
    "Reactions": ActionType.REACTION,
    "Legendary Actions": ActionType.LEGENDARY_ACTION,
}
_LIMITS = re.compile(r" \(([^()]*)\)$")
_ATTACK = re.compile(r"(?:Melee or Ranged|Melee|Ranged) Attack Roll: ?\+ ?(\d+)")
_REACH = re.compile(r"\breach (\d+) ft")
_RANGE = re.compile(r"\brange (\d+)(?:/(\d+))? ft")
_HIT = re.compile(r"Hit: (.*?)(?:\.|$)", re.DOTALL)
_DAMAGE = re.compile(r"(\d+)(?: \((\d+d\d+(?: ?[+−-] ?\d+)?)\))? (\w+) damage")


def traits(block: StatBlock) -> list[Section]:
    """Traits; their names say how often they can be used, as in the book."""
    return [Section(name=name, text=text) for name, text in block.sections.get("Traits", ())]


def actions(block: StatBlock) -> tuple[Action, ...]:
    """Actions, bonus actions, reactions and legendary actions, each kind in the order of the book."""
    return tuple(
        _action(name, text, kind, order)
        for section, kind in _TYPES.items()
        for order, (name, text) in enumerate(entry for entry in block.sections.get(section, ()) if entry[0])
    )


def _action(name: str, text: str, kind: ActionType, order: int) -> Action:
    limits = _LIMITS.search(name)
    parts = limits[1].split("; ") if limits else []
    form = [part for part in parts if part.endswith("Form Only")]
    plain = name[: limits.start()] if limits else name
    return Action(
        name=plain,
        text=text,
        type=kind,
        order=order,
        legendary_cost=1 if kind is ActionType.LEGENDARY_ACTION else None,
        limited_to_form="; ".join(form),
        uses="; ".join(part for part in parts if part not in form),
        attacks=_attacks(plain, text),
    )


def _attacks(name: str, text: str) -> tuple[Attack, ...]:
    """The attack of an action, if it is one; its numbers come from the action's first sentence."""
    found = _ATTACK.search(text)
    if not found:
        return ()
    hit = _HIT.search(text)
    damages = _DAMAGE.findall(hit[1].partition(", or ")[0]) if hit else []
    (damage, type_), (extra, extra_type) = (*[_roll(one) for one in damages], ("", ""), ("", ""))[:2]
    reach, distance = _REACH.search(text), _RANGE.search(text)
    return (
        Attack(
            name=name,
            type="spell" if "Spell Attack" in text else "weapon",
            to_hit=int(found[1]),
            reach=float(reach[1]) if reach else None,
            range=float(distance[1]) if distance else None,
            long_range=float(distance[2]) if distance and distance[2] else None,
            damage=damage,
            damage_type=type_,
            extra_damage=extra,
            extra_damage_type=extra_type,
        ),
    )


def _roll(found: tuple[str, str, str]) -> tuple[str, str]:
    """Dice and type; damage without dice is a number."""
    average, dice, type_ = found
    return (dice or average).replace(" ", "").replace("−", "-"), type_.lower()
