"""What using a thing takes and does, as Foundry keeps it in numbers: activations, ranges, targets, damage, saves.

A description usually says all that in words. What no field of the record has stands behind it under its own name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES
from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.foundry.item_values import (
    activities,
    damages,
    number,
    part,
    text,
    texts,
    uses,
    versatile,
    words,
)
from lorekeeper_mcp.sources.stat_block import ability_key, bonus, shown

_ATTACKS = {
    "mwak": "melee weapon attack", "rwak": "ranged weapon attack", "msak": "melee spell attack",
    "rsak": "ranged spell attack", "mpak": "melee power attack", "rpak": "ranged power attack", "heal": "healing",
}  # fmt: skip
_ACTIVATIONS = {"bonus": "bonus action", "crew": "crew action", "lair": "lair action", "legendary": "legendary action",
                "mythic": "mythic action", "special": "special", "none": ""}  # fmt: skip
_UNITS = {"ft": "feet", "mi": "miles", "m": "metres", "km": "kilometres"}
_LASTING = {"inst": "Instantaneous", "perm": "Permanent", "spec": "Special", "disp": "Until dispelled",
            "dstr": "Until dispelled or triggered", "unti": "Until dispelled"}  # fmt: skip
_ROLLS = {"save", "abil", "util", "utility", "other", "summ", "ench"}  # action types that say nothing of an attack
_WORD = re.compile(r"(?<![@\w.])[^\W\d_]{3,}")
_OF_THE_RULES = frozenset(
    {
        *DAMAGE_TYPES, *ABILITIES, *" ".join((*_ATTACKS.values(), *_ACTIVATIONS.values(), *_UNITS.values())).split(),
        *" ".join(_LASTING.values()).lower().split(), "action", "actions", "bonus", "reaction", "minute", "minutes",
        "hour", "hours", "day", "days", "round", "rounds", "turn", "turns", "melee", "ranged", "weapon", "spell",
        "unarmed", "attack", "hit", "with", "two", "hands", "saving", "throw", "more", "for", "each", "level", "above",
        "its", "own", "reach", "self", "touch", "any", "ally", "enemy", "object", "space", "creature", "creatures",
        "sphere", "cone", "cube", "line", "cylinder", "radius", "square", "wall", "width", "height", "healing",
        "temphp", "max", "min", "floor", "ceil",
        "objects", "willing", "circle", "special", "encounter", "turnstart", "turnend", "shortrest", "longrest",
        "month", "months", "year", "years", "threshold", "damage", "maximum",
    }
)  # fmt: skip
"""Words that say no more than the numbers beside them, of which a description has its own."""

# Of an activity what is read below, and what only the application needs.
_READ = frozenset(
    {
        "_id", "type", "name", "img", "sort", "description", "activation", "attack", "damage", "healing", "save",
        "check", "range", "target", "duration", "uses", "roll", "consumption", "effects", "flags", "midiProperties",
        "macroData", "overTimeProperties", "otherActivityId", "ignoreTraits", "attackMode", "ammunition", "visibility",
        "useConditionText", "useConditionReason", "effectConditionText", "isOverTimeFlag",
    }
)  # fmt: skip


def mechanics(
    system: Mapping[str, object], *said: str, rolled: Collection[str] = (), elsewhere: str = ""
) -> Iterator[Section]:
    """What the fields of an item say beside its description, but for the parts ``said`` elsewhere in the record.

    ``rolled`` are those parts of its activities that the record has. Numbers may be left out for what the record
    says; a part with words that ``elsewhere``, the text of the record, has not is told all the same.
    """
    found, heard = _told(system), frozenset(_own_words(elsewhere))
    for name, told in found.items():
        if name not in said or not heard.issuperset(_own_words(told)):
            yield Section(name=name.capitalize(), text=told)
    doing = [line for one in activities(system) if (line := _activity(one, found, rolled, heard))]
    if doing:
        yield Section(name="Activities", text="\n".join(f"- {line}" for line in dict.fromkeys(doing)))


def _own_words(text: str) -> Iterator[str]:
    """The words of a text that are none of the rules' and no names of values, such as ``@abilities.dex.mod``."""
    return (word for word in _WORD.findall(text.lower()) if word not in _OF_THE_RULES)


def own_rolls(system: Mapping[str, object], name: str) -> dict[str, str]:
    """What the rolls in a document's description show that name no dice of their own."""
    told = [_told(system), *map(_told, activities(system))]
    found = {what: one[what] for what in ("attack", "damage", "save") for one in reversed(told) if one.get(what)}
    harm = " plus ".join(dict.fromkeys(one["damage"] for one in told if one.get("damage")))
    return {**found, **({"damage": harm} if harm else {}), "name": name}


def activation(spec: Mapping[str, object]) -> str:
    """``1 bonus action``; without the condition under which it may be used."""
    kind = str(spec.get("type") or "")
    count = bonus(spec.get("value", spec.get("cost")))
    named = _ACTIVATIONS.get(kind, kind)
    if not named or kind == "special":
        return named
    return f"{count or 1} {named}{'s' if (count or 1) != 1 else ''}"


def lasting(spec: Mapping[str, object]) -> str:
    """A duration as printed: ``10 minutes``."""
    units, value, special = str(spec.get("units") or ""), shown(spec.get("value")), text(spec, "special")
    if units in _LASTING:
        counted = _LASTING[units] if units != "spec" or not special else ""
        value = "" if number(value) is not None else value
        return ", ".join(filter(None, (counted, value, special)))
    counted = f"{value} {units}{'s' if value not in ('', '1') and units else ''}".strip()
    return ", ".join(filter(None, (counted, special)))


def reach(spec: Mapping[str, object]) -> str:
    """A range as printed: ``60 feet``, ``20/60 feet``, ``Touch``."""
    units = str(spec.get("units") or "")
    special = text(spec, "special")
    near, far = shown(spec.get("value")), shown(spec.get("long"))
    if near and near != "0":
        said = f"{near}{f'/{far}' if far and far != '0' else ''} {_UNITS.get(units, units)}".strip()
    else:
        said = {"spec": "" if special else "Special", "any": "Any", "ft": "", "mi": "", "m": "", "km": ""}.get(
            units, units.capitalize()
        )
    touching = bonus(spec.get("reach"))
    return ", ".join(filter(None, (f"reach {touching} {_UNITS.get(units, 'feet')}" if touching else "", said, special)))


def _told(spec: Mapping[str, object]) -> dict[str, str]:
    """The parts of an item or of one of its activities in words."""
    return {name: told for name, fields, tell in _PARTS if not fields.isdisjoint(spec) and (told := tell(spec))}


def _started(spec: Mapping[str, object]) -> str:
    started = part(spec, "activation")
    return ", ".join(filter(None, (activation(started), markdown(started.get("condition")))))


def _ability(spec: Mapping[str, object]) -> str:
    return ability_key(code).capitalize() if (code := text(spec, "ability")) else ""


def _attack(spec: Mapping[str, object]) -> str:
    own = part(spec, "attack")
    kind = part(own, "type")
    by = str(spec.get("actionType") or "")
    named = _ATTACKS.get(by, "" if by in _ROLLS else by)
    if own and spec.get("type") == "attack":
        named = " ".join(filter(None, (text(kind, "value"), text(kind, "classification"), "attack")))
    extra = shown(own.get("bonus") or spec.get("attackBonus"))
    extra = "" if extra == "0" else extra if extra[:1] in ("+", "-", "") else f"+{extra}"
    return ", ".join(filter(None, (named, f"{extra} to hit" if extra else "")))


def _damage(spec: Mapping[str, object]) -> str:
    parts = [f"{dice.replace(' + @mod', '')} {kind}".strip() for dice, kind in damages(spec) if dice]
    if two := versatile(spec):
        parts.append(f"{two} with two hands")
    return ", ".join(parts)


def _target(spec: Mapping[str, object]) -> str:
    affects, template = part(spec, "affects") or spec, part(spec, "template")
    kind, count = text(affects, "type"), shown(affects.get("count", affects.get("value")))
    kind = "creature or object" if kind == "creatureOrObject" else kind
    size, shape = shown(template.get("size")), text(template, "type")
    units = str(template.get("units") or affects.get("units") or "ft")
    wide = f"{size} {_UNITS.get(units, units)} {shape}".strip() if shape else ""
    several = f"{kind.replace(' or ', 's or ')}s" if count not in ("", "1") else kind
    whom = f"{count} {several}".strip() if kind else ""
    if not template and kind and affects.get("units"):
        whom = f"{count} {_UNITS.get(units, units)} {kind}".strip()
    sizes = [f"{name} {size}" for name in ("width", "height") if (size := shown(template.get(name, spec.get(name))))]
    return ", ".join(filter(None, (whom, wide, *sizes, markdown(affects.get("special")))))


def _save(spec: Mapping[str, object]) -> str:
    named = " or ".join(ability_key(one).capitalize() for one in texts(spec.get("ability")))
    given = spec.get("dc")
    by = part(spec, "dc")
    dc = shown(by.get("formula") if by else given)
    reckoned = text(by, "calculation") or (text(spec, "scaling") if not dc else "")
    of = ability_key(reckoned).capitalize() if len(reckoned) == 3 else ""
    told = " ".join(filter(None, (f"DC {dc}" if dc else "", named, "saving throw" if named else "")))
    return f"{told}, DC by {of}" if told and of and not dc else told


def _scaling(spec: Mapping[str, object]) -> str:
    formula, mode = shown(spec.get("formula")), shown(spec.get("mode"))
    if not formula:
        return ""
    return f"{formula} more for each {'level above its own' if mode == 'level' else mode or 'step'}"


def _activity(
    one: Mapping[str, object], of_item: Mapping[str, str], rolled: Collection[str], heard: frozenset[str]
) -> str:
    """One thing that can be done with an item, in a line; empty where the record says all of it."""
    told = [
        value
        for key, value in _told(_in_force(one)).items()
        if value != of_item.get(key) and (key not in rolled or not heard.issuperset(_own_words(value)))
    ]
    check = part(one, "check")
    roll = part(one, "roll")
    if check:
        told.append(_check(check))
    if roll.get("formula"):
        told.append(" ".join(filter(None, (shown(roll.get("name")), shown(roll["formula"])))))
    told += [uses(one), *_spent(one), markdown(part(one, "description").get("chatFlavor"))]
    told += [
        f"{key}: {more}" for key, value in one.items() if key not in _READ and (more := words(value)) not in ("", "yes")
    ]
    name = text(one, "name")
    line = ", ".join(filter(None, dict.fromkeys(told)))
    return f"{name or str(one.get('type') or '').capitalize()}: {line}" if line else name


def _in_force(one: Mapping[str, object]) -> Mapping[str, object]:
    """An activity without the parts in which the item's own hold."""
    return {
        name: value
        for name, value in one.items()
        if not (isinstance(value, Mapping) and value.get("override") is False)
    }


def _check(spec: Mapping[str, object]) -> str:
    dc = shown(part(spec, "dc").get("formula"))
    of = ability_key(text(spec, "ability")).capitalize() if text(spec, "ability") else ""
    return " ".join(filter(None, (f"DC {dc}" if dc else "", of, " or ".join(texts(spec.get("associated"))), "check")))


def _spent(one: Mapping[str, object]) -> Iterator[str]:
    """What an activity costs: ``2 uses``; of which thing is an id of the application."""
    targets = part(one, "consumption").get("targets")
    for target in targets if isinstance(targets, list) else []:
        if isinstance(target, Mapping) and (value := shown(target.get("value"))) not in ("", "0", "1"):
            kind = {"itemUses": "uses", "activityUses": "uses", "spellSlots": "spell slots", "hitDice": "Hit Dice"}
            yield f"costs {value} {kind.get(str(target.get('type')), shown(target.get('type')))}"


def has_dice(description: str) -> bool:
    """Whether a text says the numbers of an attack itself."""
    return bool(re.search(r"\d\s?d\s?\d|to hit|\bDC \d", description))


# Each part: its name, the fields that it is told from, and how.
_PARTS: tuple[tuple[str, frozenset[str], Callable[[Mapping[str, object]], str]], ...] = (
    ("activation", frozenset({"activation"}), _started),
    ("attack", frozenset({"attack", "actionType", "attackBonus"}), _attack),
    ("range", frozenset({"range"}), lambda spec: reach(part(spec, "range"))),
    ("target", frozenset({"target"}), lambda spec: _target(part(spec, "target"))),
    ("duration", frozenset({"duration"}), lambda spec: lasting(part(spec, "duration"))),
    ("damage", frozenset({"damage"}), lambda spec: _damage(part(spec, "damage"))),
    ("healing", frozenset({"healing"}), lambda spec: _damage({"parts": [spec.get("healing")]})),
    ("save", frozenset({"save"}), lambda spec: _save(part(spec, "save"))),
    ("critical", frozenset({"critical"}), lambda spec: words(spec.get("critical"))),
    ("formula", frozenset({"formula"}), lambda spec: shown(spec.get("formula"))),
    ("scaling", frozenset({"scaling"}), lambda spec: _scaling(part(spec, "scaling"))),
    ("ability", frozenset({"ability"}), _ability),
)
PARTS = tuple(name for name, _, _ in _PARTS)
