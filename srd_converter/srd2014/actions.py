"""Actions and traits of creatures."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Action, ActionType, Section
from srd_converter.srd2014.entries import Entry, listed

_LISTS = {
    "actions": ActionType.ACTION,
    "reactions": ActionType.REACTION,
    "legendary_actions": ActionType.LEGENDARY_ACTION,
}
_COST = re.compile(r" \(Costs (\d) Actions\)$")
_FORM = re.compile(r" \(([^()]*\bForm(?: Only)?)\)$")


def trait(entry: Entry) -> Section:
    """A trait; the book has how often it can be used."""
    return Section(name=entry.name, text=entry.description)


def actions(entry: Entry) -> tuple[Action, ...]:
    """Actions, reactions and legendary actions, each kind in the order of the book."""
    return tuple(_action(action, type_) for key, type_ in _LISTS.items() for action in entry.entries(key))


def _action(entry: Entry, type_: ActionType) -> Action:
    name, form = entry.name, ""
    cost = 1 if type_ is ActionType.LEGENDARY_ACTION else None
    if printed := _COST.search(name):
        name, cost = name[: printed.start()], int(printed[1])
    if printed := _FORM.search(name):
        name, form = name[: printed.start()], printed[1]
    return Action(
        name=name,
        text=entry.description,
        type=type_,
        legendary_cost=cost,
        limited_to_form=form,
        uses=_uses(entry.entry("usage")),
    )


def _uses(usage: Entry) -> str:
    """``3/Day``, ``Recharge 5–6``, ``Recharges after a Short or Long Rest``; "" if unlimited."""
    match usage.text("type"):
        case "per day":
            return f"{usage.text('times')}/Day"
        case "recharge on roll":
            lowest = usage.integer("min_value")
            return "Recharge 6" if lowest == 6 else f"Recharge {lowest}–6"
        case "recharge after rest":
            return f"Recharges after a {listed([rest.capitalize() for rest in usage.strings('rest_types')])} Rest"
        case _:
            return ""
