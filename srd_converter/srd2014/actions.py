"""Actions and traits of creatures, with the attacks in them."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Action, ActionType, Attack, Section
from srd_converter.attacks import attack
from srd_converter.srd2014.entries import Entry, listed

_LISTS = {
    "actions": ActionType.ACTION,
    "reactions": ActionType.REACTION,
    "legendary_actions": ActionType.LEGENDARY_ACTION,
}
# Two stat blocks have the effect of shillelagh between the bonus and the reach.
_ATTACK = re.compile(r"(?:Melee or Ranged|Melee|Ranged) (Weapon|Spell) Attack: ?\+ ?(\d+) to hit")
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
        attacks=_attacks(entry, name),
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


def _attacks(entry: Entry, name: str) -> tuple[Attack, ...]:
    """The attack of an action, if it is one; its bonus is in the action's first sentence."""
    text = entry.description
    printed = _ATTACK.search(text)
    if not printed:
        return ()
    damages = [_damage(damage) for damage in entry.entries("damage")]
    return (attack(name, text, printed[1].lower(), int(printed[2]), damages),)


def _damage(entry: Entry) -> tuple[str, str]:
    """Dice and type. Of several dice to choose from, the first; of types, all."""
    options = entry.entry("from").entries("options") or (entry,)
    types = dict.fromkeys(option.entry("damage_type").index for option in options)
    return options[0].text("damage_dice"), listed(list(types))
