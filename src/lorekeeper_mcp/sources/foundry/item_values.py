"""Values of Foundry's documents, whatever stands where one is expected."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.stat_block import bonus, shown

# What other programs need and the description says in words, and bookkeeping of the application.
_MECHANICS = frozenset(
    {
        "description", "source", "identifier", "activities", "activation", "consume", "ability", "actionType",
        "attackBonus", "attack", "critical", "formula", "preparation", "method", "prepared", "sourceItem", "equipped",
        "attuned", "identified", "container", "proficient", "quantity", "uses", "recharge", "enchant", "currency",
        "hitDiceUsed", "damage", "save", "scaling", "properties", "components", "duration", "target",
    }
)  # fmt: skip
_PERIODS = {"sr": "short rest", "lr": "long rest"}
_DEEPEST = 6


def part(values: Mapping[str, object], name: str) -> Mapping[str, object]:
    """An object inside an object; empty where there is something else."""
    value = values.get(name)
    return value if isinstance(value, Mapping) else {}


def text(values: Mapping[str, object], name: str) -> str:
    """A text inside an object; empty where there is something else."""
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


def texts(value: object) -> list[str]:
    """The texts of a list; a single text counts as a list of one."""
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str) and one]


def described(system: Mapping[str, object]) -> str:
    """The description of a document as Markdown."""
    return markdown(part(system, "description").get("value", system.get("description")))


def activities(system: Mapping[str, object]) -> list[Mapping[str, object]]:
    """What can be done with an item, since version 4."""
    return [one for one in part(system, "activities").values() if isinstance(one, Mapping)]


def marks(system: Mapping[str, object]) -> frozenset[str]:
    """Components and properties: a list since version 3, flags before."""
    names = texts(system.get("properties"))
    flags = {**part(system, "components"), **part(system, "properties")}
    return frozenset(names) | {name for name, on in flags.items() if on is True}


def damages(spec: Mapping[str, object]) -> list[tuple[str, str]]:
    """Dice and type of each part: pairs before version 4, objects since."""
    found = []
    parts = spec.get("parts")
    listed = parts if isinstance(parts, list) else []
    for one in [*listed, *([spec["base"]] if isinstance(spec.get("base"), Mapping) else [])]:
        if isinstance(one, list) and one:
            found.append((str(one[0]), str(one[1]) if len(one) > 1 else ""))
        elif isinstance(one, Mapping):
            number, faces, more = bonus(one.get("number")), bonus(one.get("denomination")), shown(one.get("bonus"))
            dice = f"{number}d{faces}{f' + {more}' if more else ''}" if number and faces else more
            found += [(dice, kind) for kind in texts(one.get("types")) or [""]]
    return found


def uses(system: Mapping[str, object]) -> str:
    """How often something can be used: ``3/long rest``, or ``Recharge 5–6``."""
    spec = part(system, "uses")
    back = spec.get("recovery")
    recoveries = [one for one in (back if isinstance(back, list) else []) if isinstance(one, Mapping)]
    low = bonus(part(system, "recharge").get("value"))
    low = low or next((bonus(one.get("formula")) or 6 for one in recoveries if one.get("period") == "recharge"), None)
    if low:
        return "Recharge 6" if low == 6 else f"Recharge {low}–6"
    per = shown(spec.get("per")) or ", ".join(shown(one.get("period")) for one in recoveries)
    return f"{shown(spec['max'])}{f'/{_PERIODS.get(per, per)}' if per else ''}" if spec.get("max") else ""


def rest(system: Mapping[str, object], known: frozenset[str]) -> tuple[Section, ...]:
    """What no field is for, under its own name: whatever is not empty, zero or switched off."""
    found = ((name, _words(value)) for name, value in system.items() if name not in known | _MECHANICS)
    return tuple(Section(name=str(name), text=text) for name, text in found if text)


def _words(value: object, depth: int = 0) -> str:
    if isinstance(value, str):
        return markdown(value)
    if isinstance(value, bool) or value in (None, 0):
        return "yes" if value is True else ""
    if depth < _DEEPEST and isinstance(value, Mapping):
        return "; ".join(f"{name}: {text}" for name, one in value.items() if (text := _words(one, depth + 1)))
    if depth < _DEEPEST and isinstance(value, list):
        return ", ".join(filter(None, (_words(one, depth + 1) for one in value)))
    return shown(value)
