"""The actions and attacks of creatures."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Action, ActionType, Attack
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served

_RANK = {action_type: rank for rank, action_type in enumerate(ActionType)}
_TYPES = {action_type.name: action_type for action_type in ActionType}
_LAST = 1_000_000  # if the place in the stat block is not served
_MAX_ROLL = 6
# The heading after the stat block, the next creature's with its introduction, served at the end of the last action.
_NEXT_ENTRY = re.compile(r"\n{3,}[A-Z][\w'’ -]+(?:\n\n[A-Z].*)?\Z", re.DOTALL)
_DAMAGE = "|".join(DAMAGE_TYPES)
_TYPES_BEHIND = rf"[^a-z.]*((?:{_DAMAGE})(?:,? (?:or )?(?:{_DAMAGE}))*)\b"
_BARE_DAMAGE = re.compile(r"(Attack Roll: [^:]*?(?:ft|feet)\.) (?=[A-Z0-9])")


def actions(value: object) -> tuple[Action, ...]:
    """Return the actions by type, in the order of the book; they are served sorted by name."""
    placed = [(_place(served), action(served)) for served in coercion.objects(value)]
    # Sorting is stable: actions with the same place stay in the served order.
    placed.sort(key=lambda pair: (_RANK[pair[1].type], pair[0]))
    return tuple(action for _, action in placed)


def action(served: Served) -> Action:
    """Return one action of a stat block."""
    type_ = _type(served.get("action_type"))
    # Ordinary actions are served with a cost of 1, too.
    cost = coercion.integer(served.get("legendary_action_cost")) if type_ is ActionType.LEGENDARY_ACTION else None
    text = _with_hits(coercion.prose(_NEXT_ENTRY.sub("", coercion.text(served.get("desc")))))
    return Action(
        name=coercion.text(served.get("name")).strip(),
        text=text,
        type=type_,
        order=coercion.integer(served.get("order_in_statblock")) or 0,
        legendary_cost=cost,
        limited_to_form=coercion.text(served.get("limited_to_form")),
        uses=uses(served.get("usage_limits")),
        attacks=tuple(
            _with_named_types(attack(served_attack), text) for served_attack in coercion.objects(served.get("attacks"))
        ),
    )


def _with_named_types(adapted: Attack, text: str) -> Attack:
    """The attack with the types of damage that its own sentence gives.

    In srd-2014 many are served as thunder, and of damage of two types most books lack the first.
    """
    damage = rf"\b{re.escape(_dice(adapted.damage))}\b" if adapted.damage else r"\d\)?"
    extra = r"\bplus [\dd +(−-]+"
    has_extra = adapted.extra_damage or adapted.extra_damage_type
    return adapted.model_copy(
        update={
            "damage_type": _named_type(adapted.damage_type, damage, text),
            "extra_damage_type": _named_type(adapted.extra_damage_type, extra, text) if has_extra else "",
        }
    )


def _dice(roll: str) -> str:
    return re.split(r"[+-]", roll)[0]


def _named_type(served: str, roll: str, text: str) -> str:
    """The type that the sentence names behind the roll, given as a pattern; of a choice, the one served.

    If there is none, the type served, unless the sentence names only others.
    """
    named = re.findall(rf"\b(?:{_DAMAGE})\b", text.lower())
    if behind := re.search(roll + _TYPES_BEHIND, text.lower()):
        choice = re.findall(_DAMAGE, behind[1])
        return served if served in choice else choice[0]
    return served if served in named or not named else ""


def _with_hits(text: str) -> str:
    """The sentence of an attack as printed: the SRD 5.2's are served without the word before the damage."""
    repaired = text.replace("HitomThe", "Hit or Miss: The")
    return repaired if "Hit:" in repaired else _BARE_DAMAGE.sub(r"\1 Hit: ", repaired, count=1)


def _place(served: Served) -> int:
    place = coercion.integer(served.get("order_in_statblock"))
    return _LAST if place is None else place


def _type(value: object) -> ActionType:
    return _TYPES.get(coercion.text(value).strip().upper().replace("-", "_"), ActionType.ACTION)


def uses(value: object) -> str:
    """Return an action's limit of use: ``Recharge 5–6``, ``3/Day``; any other limit in its own words."""
    if not isinstance(value, dict):
        return coercion.text(value)
    limit, param = coercion.text(value.get("type")).strip().upper(), coercion.integer(value.get("param"))
    match limit:
        case "PER_DAY" if param is not None:
            return f"{param}/Day"
        case "RECHARGE_AFTER_REST":
            return "Recharges after a Short or Long Rest"
        case "RECHARGE_ON_ROLL" | "RECHARGE" if param is not None:
            return f"Recharge {param}–{_MAX_ROLL}" if param < _MAX_ROLL else f"Recharge {param}"
    words = limit.replace("_", " ").capitalize()
    return f"{words} {param}".strip() if param is not None else words


def attack(served: Served) -> Attack:
    """Return one attack of an action.

    If an extra damage type is served without extra damage, it is the type of the damage itself: all documents except
    the two SRDs are like that.
    """
    type_, extra_type = coercion.key(served.get("damage_type")), coercion.key(served.get("extra_damage_type"))
    extra = _roll(served, "extra_damage")
    if not type_ and not extra:
        type_, extra_type = extra_type, ""
    return Attack(
        name=coercion.text(served.get("name")).strip(),
        type=coercion.text(served.get("attack_type")).strip().lower(),
        to_hit=coercion.integer(served.get("to_hit_mod")),
        reach=coercion.number(served.get("reach")),
        range=coercion.number(served.get("range")),
        long_range=coercion.number(served.get("long_range")),
        target_creature_only=bool(coercion.flag(served.get("target_creature_only"))),
        damage=_roll(served, "damage"),
        damage_type=type_.lower(),
        extra_damage=extra,
        extra_damage_type=extra_type.lower(),
    )


def _roll(served: Served, field: str) -> str:
    """``2d10+8`` from a count, a die and a bonus; without a die the count is the damage itself."""
    count = coercion.integer(served.get(f"{field}_die_count")) or 0
    die = coercion.text(served.get(f"{field}_die_type")).strip().lower()
    bonus = coercion.integer(served.get(f"{field}_bonus")) or 0
    if not count or not die:
        return str(count + bonus) if count + bonus else ""
    return f"{count}{die}{bonus:+d}" if bonus else f"{count}{die}"
