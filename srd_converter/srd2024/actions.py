"""Actions and traits of stat blocks of the SRD 5.2."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Action, ActionType, Section
from srd_converter.srd2024.stat_blocks import StatBlock

_TYPES = {
    "Actions": ActionType.ACTION,
    "Bonus Actions": ActionType.BONUS_ACTION,
    "Reactions": ActionType.REACTION,
    "Legendary Actions": ActionType.LEGENDARY_ACTION,
}
_LIMITS = re.compile(r" \(([^()]*)\)$")


def traits(block: StatBlock) -> list[Section]:
    """Traits; their names say how often they can be used, as in the book."""
    return [Section(name=name, text=text) for name, text in block.sections.get("Traits", ())]


def actions(block: StatBlock) -> tuple[Action, ...]:
    """Actions, bonus actions, reactions and legendary actions, each kind in the order of the book."""
    return tuple(
        _action(name, text, kind)
        for section, kind in _TYPES.items()
        for name, text in block.sections.get(section, ())
        if name
    )


def _action(name: str, text: str, kind: ActionType) -> Action:
    limits = _LIMITS.search(name)
    parts = limits[1].split("; ") if limits else []
    form = [part for part in parts if part.endswith("Form Only")]
    plain = name[: limits.start()] if limits else name
    return Action(
        name=plain,
        text=text,
        type=kind,
        legendary_cost=1 if kind is ActionType.LEGENDARY_ACTION else None,
        limited_to_form="; ".join(form),
        uses="; ".join(part for part in parts if part not in form),
    )
