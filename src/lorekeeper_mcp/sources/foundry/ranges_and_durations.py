"""Ranges, areas, targets and durations as a book prints them."""

from __future__ import annotations

from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, number, part, text
from lorekeeper_mcp.sources.stat_block import bonus, shown

DURATIONS = {"inst": "Instantaneous", "perm": "Permanent", "spec": "Special", "disp": "Until dispelled",
            "dstr": "Until dispelled or triggered", "unti": "Until dispelled"}  # fmt: skip
_SIZES = (("wide", "width"), ("high", "height"))


def duration_text(spec: JsonObject) -> str:
    """Return a duration as printed: ``10 minutes``."""
    units, value, special = str(spec.get("units") or ""), shown(spec.get("value")), text(spec, "special")
    if units in DURATIONS:
        named = DURATIONS[units] if units != "spec" or not special else ""
        return names.joined(named, value if number(value) is None else "", special)
    counted = f"{value} {units}{'s' if value not in ('', '1') and units else ''}".strip()
    return names.joined(counted, special)


def range_text(spec: JsonObject) -> str:
    """Return a range as printed: ``60 feet``, ``20/60 feet``, ``Touch``."""
    units, special = str(spec.get("units") or ""), text(spec, "special")
    near, far = shown(spec.get("value")), shown(spec.get("long"))
    if near and near != "0":
        said = names.with_unit(f"{near}{f'/{far}' if far and far != '0' else ''}", units)
    elif units in ("ft", "mi", "m", "km"):
        said = ""
    else:
        said = ("" if special else "Special") if units == "spec" else units.capitalize()
    touching = bonus(spec.get("reach"))
    return names.joined(f"reach {touching} {names.UNITS.get(units, 'feet')}" if touching else "", said, special)


def target_text(spec: JsonObject) -> str:
    """Return the targets and the area: ``3 creatures of your choice``."""
    affects, template = part(spec, "affects") or spec, part(spec, "template")
    kind, count = names.readable(text(affects, "type")), shown(affects.get("count", affects.get("value")))
    several = f"{kind.replace(' or ', 's or ')}s" if count not in ("", "1") else kind
    several = several.replace("allys", "allies").replace("enemys", "enemies")
    whom = f"{count} {several}".strip() if kind else ""
    if not template and kind and affects.get("units"):
        whom = f"{names.with_unit(count, str(affects['units']))} {kind}".strip()
    chosen = " of your choice" if whom and affects.get("choice") is True else ""
    return names.joined(whom + chosen, _area(spec), markdown(affects.get("special")))


def _area(spec: JsonObject) -> str:
    """The area of a template: ``3 connected cubes of 10 feet``, ``60 feet line, 5 feet wide``."""
    template = part(spec, "template")
    size, shape, count = shown(template.get("size")), text(template, "type"), shown(template.get("count"))
    units = str(template.get("units") or "ft")
    several = count not in ("", "1") and bool(shape)
    joined = "connected " if several and template.get("contiguous") is True else ""
    wide = f"{names.hyphenated(size, units)} {shape}".strip() if shape else ""
    wide = f"{count} {joined}{shape}s{f' of {names.with_unit(size, units)}' if size else ''}" if several else wide
    found = {
        name: shown(template.get(field, spec.get(field))) for name, field in (("wide", "width"), ("high", "height"))
    }
    sizes = (f"{names.with_unit(value, units)} {name}" for name, value in found.items() if value not in ("", "0"))
    return names.joined(wide, *sizes)
