"""Actions and traits of stat blocks of the SRD 5.2, with the attacks in them."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Action, ActionType, Attack, Section
from srd_converter.attacks import attack
from srd_converter.srd2024.stat_blocks import StatBlock

_TYPES = {
    "Actions": ActionType.ACTION,
    "Bonus Actions": ActionType.BONUS_ACTION,
    "Reactions": ActionType.REACTION,
    "Legendary Actions": ActionType.LEGENDARY_ACTION,
}
_LIMITS = re.compile(r" \(([^()]*)\)$")
_ATTACK = re.compile(r"(?:Melee or Ranged|Melee|Ranged) Attack Roll: ?\+ ?(\d+)")
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
    """The attack of an action, if it is one; its numbers are in the action's first sentence."""
    bonus, hit = _ATTACK.search(text), _HIT.search(text)
    if not bonus or not hit:
        return ()
    damages = [_damage(*printed) for printed in _DAMAGE.findall(hit[1].partition(", or ")[0])]
    return (attack(name, text, "weapon", int(bonus[1]), damages),)


def _damage(average: str, dice: str, type_: str) -> tuple[str, str]:
    """Dice and type; damage without dice is a number."""
    return (dice or average).replace(" ", "").replace("−", "-"), type_.lower()
