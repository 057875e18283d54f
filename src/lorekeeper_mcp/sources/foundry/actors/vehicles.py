"""Fields of vehicles and travelling groups: crews, actions by crew size, travel pace."""

from __future__ import annotations

from collections.abc import Iterator

from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.item_values import words
from lorekeeper_mcp.sources.json_values import JsonObject, objects, part, text


def travel(spec: JsonObject) -> str:
    """``3 miles an hour by water, 72 miles a day by water``."""
    units = text(spec, "units") or "mi"
    told = [
        f"{names.with_unit(words(value), units)} {each} by {names.readable(way)}"
        for field, each in (("speeds", "an hour"), ("paces", "a day"))
        for way, value in part(spec, field).items()
        if words(value) not in ("", "0")
    ]
    pace = text(spec, "pace")
    return ", ".join([*told, *([f"{pace} pace"] if pace and pace != "normal" else [])])


def crewed(spec: JsonObject) -> str:
    """Return the number of a vehicle's actions by crew size."""
    whole = words(spec.get("max") or spec.get("value"))
    steps = part(spec, "thresholds")
    told = [f"{step} with a crew of {crew}" for step in sorted(steps, reverse=True) if (crew := words(steps[step]))]
    return names.joined(whole, *told, "by its action stations" if spec.get("stations") is True else "")


def capacity(spec: JsonObject) -> str:
    """Return the maximum number, without those currently aboard."""
    return names.joined(names.phrase("up to {}", words(spec.get("max"))), *_passengers(spec.get("value")))


def _passengers(listed: object) -> Iterator[str]:
    for one in objects(listed):
        if name := words(one.get("name")):
            count = words(one.get("quantity"))
            yield f"{count} {name}" if count not in ("", "1") else name


def cargo(spec: JsonObject) -> str:
    """Return the crew, passengers and cargo: ``crew 20 Sailor``."""
    told = (f"{names.readable(name)} {said}" for name, value in spec.items() if (said := ", ".join(_passengers(value))))
    return "; ".join(told)
