"""Actions and traits of creatures, with the attacks in them."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Action, ActionType, Attack, Section
from srd_converter.srd2014.entries import Entry, listed

ONE_CREATURE = ", one creature"
_ATTACK = re.compile(r"(?P<kind>Melee or Ranged|Melee|Ranged) (?P<type>Weapon|Spell) Attack: ?\+ ?(?P<hit>\d+) to hit")
_REACH = re.compile(r"\breach (\d+) ft")
_RANGE = re.compile(r"\brange (\d+)(?:/(\d+))? ft")
_COST = re.compile(r" \(Costs (\d) Actions\)$")
_FORM = re.compile(r" \(([^()]*\bForm(?: Only)?)\)$")


def trait(entry: Entry) -> Section:
    """A trait; its name says how often it can be used, as in the book."""
    uses = _uses(entry.entry("usage")).replace("Recharge after", "Recharges after")
    name = f"{entry.name} ({uses})" if uses and "(" not in entry.name else entry.name
    return Section(name=name, text=entry.description)


def actions(entry: Entry) -> tuple[Action, ...]:
    """Actions, reactions and legendary actions, each kind in the order of the book."""
    return (
        *_actions(entry.entries("actions"), ActionType.ACTION),
        *_actions(entry.entries("reactions"), ActionType.REACTION),
        *_actions(entry.entries("legendary_actions"), ActionType.LEGENDARY_ACTION),
    )


def _actions(entries: tuple[Entry, ...], kind: ActionType) -> list[Action]:
    return [_action(entry, kind, order) for order, entry in enumerate(entries)]


def _action(entry: Entry, kind: ActionType, order: int) -> Action:
    name, form = entry.name, ""
    cost = 1 if kind is ActionType.LEGENDARY_ACTION else None
    if found := _COST.search(name):
        name, cost = name[: found.start()], int(found[1])
    if found := _FORM.search(name):
        name, form = name[: found.start()], found[1]
    return Action(
        name=name,
        text=entry.description,
        type=kind,
        order=order,
        legendary_cost=cost,
        limited_to_form=form,
        uses=_uses(entry.entry("usage")),
        attacks=_attacks(entry, name),
    )


def _uses(usage: Entry) -> str:
    """``3/Day``, ``Recharge 5–6``, ``Recharge after a Short or Long Rest``; "" if unlimited."""
    lowest = usage.integer("min_value")
    match usage.text("type"):
        case "per day":
            return f"{usage.text('times')}/Day"
        case "recharge on roll" if lowest:
            return "Recharge 6" if lowest == 6 else f"Recharge {lowest}–6"
        case "recharge after rest":
            return f"Recharge after a {listed([rest.capitalize() for rest in usage.strings('rest_types')])} Rest"
        case other:
            return other.capitalize()


def _attacks(entry: Entry, name: str) -> tuple[Attack, ...]:
    """The attack of an action, if it is one; its numbers come from the action's first sentence."""
    text = entry.description
    # Two stat blocks have the effect of shillelagh between the bonus and the reach.
    found = _ATTACK.search(text)
    if not found:
        return ()
    dice = [_damage(one) for one in entry.entries("damage")]
    (damage, damage_type), (extra, extra_type) = (*dice, ("", ""), ("", ""))[:2]
    reach, distance = _REACH.search(text), _RANGE.search(text)
    return (
        Attack(
            name=name,
            type=found["type"].lower(),
            to_hit=int(found["hit"]),
            reach=float(reach[1]) if reach else None,
            range=float(distance[1]) if distance else None,
            long_range=float(distance[2]) if distance and distance[2] else None,
            target_creature_only=ONE_CREATURE in text,
            damage=damage,
            damage_type=damage_type,
            extra_damage=extra,
            extra_damage_type=extra_type,
        ),
    )


def _damage(entry: Entry) -> tuple[str, str]:
    """Dice and type. Of several dice to choose from, the first; of types, all."""
    options = entry.entry("from").entries("options") or (entry,)
    types = dict.fromkeys(option.entry("damage_type").index for option in options)
    return options[0].text("damage_dice").replace(" ", ""), listed([one for one in types if one])
