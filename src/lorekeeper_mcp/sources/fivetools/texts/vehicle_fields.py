"""Parts, stations and costs of vehicles in the words of a book. A value of another shape is returned unchanged."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.json_values import as_object, listed

SIZES: Mapping[str, str] = {"T": "Tiny", "S": "Small", "M": "Medium", "L": "Large", "H": "Huge", "G": "Gargantuan"}
_PART_FIELDS = {
    "name", "ac", "acFrom", "hp", "hpNote", "dt", "count", "entries", "locomotion", "speed", "isControl", "size",
    "crew", "costs", "action",
}  # fmt: skip
_HIT_POINT_FIELDS = {"hp", "dt", "mt"}
_COINS = ((100, "gp"), (10, "sp"), (1, "cp"))


def part(value: object) -> object:
    """Print a part of a vehicle: its numbers, text, actions and speeds."""
    if not isinstance(value, Mapping) or not value.keys() <= _PART_FIELDS:
        return value
    notes = {"ac": ", ".join(map(str, listed(value.get("acFrom")))), "hp": str(value.get("hpNote") or "")}
    numbers = [
        f"{label} {value[field]}{f' ({note})' if (note := notes.get(field)) else ''}"
        for field, label in (("ac", "Armor Class"), ("hp", "Hit Points"), ("dt", "damage threshold"))
        if field in value
    ]
    if costs := [_cost(cost) for cost in listed(value.get("costs"))]:
        numbers.append(f"cost {', '.join(costs)}")
    paragraphs = ["; ".join(numbers), markdown(value.get("entries")), markdown(value.get("action"))]
    for field in ("locomotion", "speed"):
        speeds = (as_object(speed, "mode") for speed in listed(value.get(field)))
        heading = field.capitalize()
        paragraphs += [f"**{heading} ({speed.get('mode')}).** {markdown(speed.get('entries'))}" for speed in speeds]
    text = "\n\n".join(filter(None, paragraphs))
    name = " ".join(filter(None, (str(value.get("name") or ""), _numbers_in_brackets(value))))
    return f"**{name}.** {text}" if name else text


def _numbers_in_brackets(part: Mapping[str, object]) -> str:
    """``(2; Large; crew 3)`` after the name of a part; the part that moves a ship may also control it."""
    sizes = " or ".join(SIZES.get(str(size), str(size)) for size in listed(part.get("size")))
    crew = f"crew {part['crew']}" if "crew" in part else ""
    control = "control and movement" if part.get("isControl") else ""
    notes = "; ".join(filter(None, (str(part.get("count", "")), sizes, crew, control)))
    return f"({notes})" if notes else ""


def _cost(value: object) -> str:
    """``50 gp (ballista)``."""
    cost = as_object(value, "cost")
    note = inline(cost.get("note"))
    return " ".join(filter(None, (str(coins(cost.get("cost", ""))), f"({note})" if note else "")))


def parts(value: object) -> object:
    """Print parts one after another."""
    texts = [part(element) for element in listed(value)]
    return "\n\n".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else value


def thresholds(value: object) -> object:
    """Return the number of a ship's actions by crew size."""
    if not isinstance(value, Mapping) or not all(isinstance(crew, int) for crew in value.values()):
        return value
    return ", ".join(f"{actions} with {crew} crew or more" for actions, crew in value.items())


def hit_points(value: object) -> object:
    """``30; damage threshold 10; mishap threshold 20``."""
    if not isinstance(value, Mapping) or "hp" not in value or not value.keys() <= _HIT_POINT_FIELDS:
        return value
    labels = (("dt", "damage threshold"), ("mt", "mishap threshold"))
    return "; ".join((str(value["hp"]), *(f"{label} {value[field]}" for field, label in labels if field in value)))


def coins(value: object) -> object:
    """Return a cost in copper pieces, in the largest coin that gives a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    size, coin = next((size, coin) for size, coin in _COINS if value % size == 0)
    return f"{value // size:,} {coin}"
