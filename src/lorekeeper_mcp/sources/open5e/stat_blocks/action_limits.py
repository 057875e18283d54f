"""The limits of an action, printed after its name: Recharge 5-6, 1/Day, Roc Form Only, Costs 2 Actions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from lorekeeper_mcp.models import Action, ActionType, Section
from lorekeeper_mcp.text import fold

P = TypeVar("P", Action, Section)
_BEHIND = re.compile(r"\(([^()]+)\)\s*$")
_COST = re.compile(r"(?:costs? )?(\d) actions?|(\d)", re.IGNORECASE)
_USES = re.compile(r"\brecharges?\b|/\s*(?:day|rest|turn|round)\b", re.IGNORECASE)
_REST = re.compile(r"recharges?\b.*\brest", re.IGNORECASE)
_AFTER_REST = "Recharges after a Short or Long Rest"
_RANGE = re.compile(r"(?<=\d)-(?=\d)")


@dataclass(frozen=True)
class Limits:
    """The limits of an action: how often it may be used, when, and how many legendary actions it costs."""

    uses: str = ""
    form: str = ""
    cost: int | None = None


def plain_name(name: str) -> str:
    """Return the name without its limits of use, folded: bite for ``Bite (Recharge 5-6)``."""
    return fold(name.partition("(")[0])


def limited_actions(actions: Sequence[Action], others: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions with the limits that they lack and that others of the same type and name have.

    An action's own limit is kept, unless the other is not a number: Open5e's version 2 turned "Recharge Special" into a
    roll. A limit that the action's text mentions is not repeated.
    """
    counts, other_counts = Counter(map(_name, actions)), Counter(map(_name, others))
    limits = {_name(other): limits_of(other) for other in others}
    return tuple(
        _limited(action, limits[name]) if counts[name := _name(action)] == other_counts[name] == 1 else action
        for action in actions
    )


def with_limit(part: P, limit: str) -> P:
    """Return a trait with the limit, in brackets, after its name, or an action with it in its fields."""
    if isinstance(part, Section):
        return part.model_copy(update={"name": f"{part.name} {limit}"})
    return _limited(part, limits_of(Action(name=limit)))


def limits_of(action: Action) -> Limits:
    """Return the limits of an action, from their own fields or from its name."""
    behind = _BEHIND.search(action.name)
    uses, form, cost = [action.uses], [action.limited_to_form], action.legendary_cost
    for part in re.split(r"[;,] *", behind[1]) if behind else ():
        if priced := _COST.fullmatch(part):
            cost = int(priced[1] or priced[2])
        elif _REST.match(part):
            uses.append(_AFTER_REST)
        elif _USES.search(part):
            uses.append(_RANGE.sub("–", part))
        else:
            form.append(part)
    return Limits("; ".join(filter(None, uses)), ", ".join(filter(None, form)), cost)


def _limited(action: Action, limits: Limits) -> Action:
    text = fold(f"{action.name} {action.uses} {action.limited_to_form} {action.text}")
    changes: dict[str, object] = {}
    if limits.uses and fold(limits.uses) not in text and (not action.uses or not re.search(r"\d[–/]|\d$", limits.uses)):
        changes["uses"] = limits.uses
    if limits.form and not action.limited_to_form and fold(limits.form) not in text:
        changes["limited_to_form"] = limits.form
    is_free = action.type is ActionType.LEGENDARY_ACTION and (action.legendary_cost or 1) == 1
    if is_free and limits.cost is not None and limits.cost > 1:
        changes["legendary_cost"] = limits.cost
    return action.model_copy(update=changes) if changes else action


def _name(action: Action) -> tuple[ActionType, str]:
    return action.type, plain_name(action.name)
