"""Parts, stations and costs of vehicles in the words of a book. A value of another shape is returned unchanged."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.json_values import listed

SIZES: Mapping[str, str] = {"T": "Tiny", "S": "Small", "M": "Medium", "L": "Large", "H": "Huge", "G": "Gargantuan"}
_OF_A_PART = {
    "name", "ac", "acFrom", "hp", "hpNote", "dt", "count", "entries", "locomotion", "speed", "isControl", "size",
    "crew", "costs", "action",
}  # fmt: skip
_OF_HIT_POINTS = {"hp", "dt", "mt"}
_COINS = ((100, "gp"), (10, "sp"), (1, "cp"))


def part(value: object) -> object:
    """Print a part of a vehicle: its numbers, text, actions and speeds."""
    if not isinstance(value, Mapping) or not value.keys() <= _OF_A_PART:
        return value
    notes = {"ac": ", ".join(map(str, listed(value.get("acFrom")))), "hp": str(value.get("hpNote") or "")}
    numbers = [
        f"{label} {value[name]}{f' ({note})' if (note := notes.get(name)) else ''}"
        for name, label in (("ac", "Armor Class"), ("hp", "Hit Points"), ("dt", "damage threshold"))
        if name in value
    ]
    costs = [_cost(one) for one in listed(value.get("costs"))]
    numbers += [f"cost {', '.join(costs)}"] if costs else []
    speeds = (
        f"**{kind.capitalize()} ({one.get('mode')}).** {markdown(one.get('entries', []))}"
        for kind in ("locomotion", "speed")
        for one in (given if isinstance(given, Mapping) else {"mode": given} for given in listed(value.get(kind)))
    )
    text = "; ".join(numbers), markdown(value.get("entries", [])), markdown(value.get("action", [])), *speeds
    whole = "\n\n".join(filter(None, text))
    name = " ".join(filter(None, (str(value.get("name") or ""), _in_brackets(value))))
    return f"**{name}.** {whole}" if name else whole


def _in_brackets(spec: Mapping[str, object]) -> str:
    """``(2; Large; crew 3)`` after the name of a part; the part that moves a ship may also control it."""
    sizes = " or ".join(SIZES.get(str(one), str(one)) for one in listed(spec.get("size")))
    count, crew = spec.get("count", ""), f"crew {spec['crew']}" if "crew" in spec else ""
    control = "control and movement" if spec.get("isControl") else ""
    notes = "; ".join(filter(None, (str(count), sizes, crew, control)))
    return f"({notes})" if notes else ""


def _cost(value: object) -> str:
    """``50 gp (ballista)``."""
    spec = value if isinstance(value, Mapping) else {"cost": value}
    note = inline(spec.get("note"))
    return " ".join(filter(None, (str(coins(spec.get("cost", ""))), f"({note})" if note else "")))


def parts(value: object) -> object:
    """Print parts one after another."""
    found = [part(one) for one in listed(value)]
    return "\n\n".join(map(str, found)) if all(isinstance(one, str) for one in found) else value


def thresholds(value: object) -> object:
    """Return the number of a ship's actions by crew size."""
    if not isinstance(value, Mapping) or not all(isinstance(crew, int) for crew in value.values()):
        return value
    return ", ".join(f"{actions} with {crew} crew or more" for actions, crew in value.items())


def hit_points(value: object) -> object:
    """``30; damage threshold 10; mishap threshold 20``."""
    if not isinstance(value, Mapping) or "hp" not in value or not value.keys() <= _OF_HIT_POINTS:
        return value
    others = (("dt", "damage threshold"), ("mt", "mishap threshold"))
    return "; ".join((str(value["hp"]), *(f"{label} {value[name]}" for name, label in others if name in value)))


def coins(value: object) -> object:
    """Return a cost in copper pieces, in the largest coin that gives a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    size, coin = next(((size, coin) for size, coin in _COINS if value % size == 0), (1, "cp"))
    return f"{value // size:,} {coin}"
