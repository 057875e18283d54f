"""Fields of entries that become rules (deities, objects, traps, vehicles, recipes …), with a book's names and words.

A value of a shape not in the schema stays as it is: nothing is lost, and an export gives the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.fivetools.codes import SIZES
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.requirements import ALIGNMENT
from lorekeeper_mcp.sources.fivetools.texts.values import value_text
from lorekeeper_mcp.sources.json_values import as_object, listed, mapping
from lorekeeper_mcp.sources.phrases import joined

FIELD_LABELS: Mapping[str, str] = {
    "altNames": "alternate names", "customExtensionOf": "extends", "objectType": "type", "trapHazType": "type",
    "facilityType": "type", "ruleType": "type", "optionType": "type", "upgradeType": "type", "ac": "armor class",
    "hp": "hit points", "resist": "damage resistances", "immune": "damage immunities",
    "conditionImmune": "condition immunities", "vulnerable": "damage vulnerabilities", "actionEntries": "actions",
    "tier": "levels", "eActive": "active elements", "eDynamic": "dynamic elements",
    "eConstant": "constant elements", "noteCook": "cook's notes", "allergenGroups": "allergens",
    "signaturespells": "signature spells", "fromVariant": "variant rule", "seeAlsoAction": "see also",
    "capCrew": "crew", "capPassenger": "passengers", "capCargo": "cargo (tons)", "pace": "travel pace (mph)",
    "dt": "damage threshold", "weapon": "weapons", "trait": "traits", "action": "actions", "station": "stations",
    "actionStation": "action stations", "reaction": "reactions", "capCrewNote": "crew note",
    "capCreature": "creatures", "weight": "weight (lb.)", "dpr": "damage per round",
    "tableDisplayName": "name in the class table",
}  # fmt: skip
"""Printed names of fields whose own names are unclear."""
_DISPLAY_SETTINGS = frozenset({"hasCardArt", "color", "symbolImg", "isStriped", "hasNumberParam"})
"""The site's display settings, like ``IGNORED_FIELDS``."""
_CODES: Mapping[str, Mapping[str, str]] = {
    "objectType": {"SW": "siege weapon", "GEN": "generic", "U": "unknown"},
    "trapHazType": {
        "MECH": "mechanical trap", "MAG": "magical trap", "SMPL": "simple trap", "CMPX": "complex trap",
        "ENV": "environmental hazard", "EST": "eldritch storm", "GEN": "generic", "WTH": "weather",
        "WLD": "wilderness hazard",
    },
    "tier": {"1": "1–4", "2": "5–10", "3": "11–16", "4": "17–20"},
    "initiative": {"1": "count 20", "2": "count 10", "3": "counts 20 and 10"},
    "diet": {"V": "vegan", "C": "vegetarian", "X": "omnivorous"},
    "ruleType": {"O": "optional", "V": "variant", "VO": "variant, optional", "VV": "variant of a variant"},
    "optionType": {
        "CS": "character secret", "DG": "dark gift", "OF": "optional feature", "SG": "supernatural gift",
        "RF:B": "replacement of a background's feature",
    },
    "upgradeType": {
        "IWM:A": "armor of an infernal war machine", "IWM:G": "gadget of an infernal war machine",
        "IWM:W": "weapon of an infernal war machine", "SHP:F": "figurehead of a ship", "SHP:H": "hull of a ship",
        "SHP:M": "movement of a ship", "SHP:O": "other upgrade of a ship", "SHP:W": "weapon of a ship",
    },
    "vehicleType": {
        "SHIP": "ship", "SPELLJAMMER": "spelljammer ship", "ELEMENTAL_AIRSHIP": "elemental airship",
        "INFWAR": "infernal war machine", "CREATURE": "creature", "OBJECT": "object",
    },
    "size": {code: name.capitalize() for code, name in SIZES.items()},
    "type": {"D": "discipline", "T": "talent"},
}  # fmt: skip
_PART_FIELDS = (
    "name", "ac", "acFrom", "hp", "hpNote", "dt", "count", "entries", "locomotion", "speed", "isControl", "size",
    "crew", "costs", "action",
)  # fmt: skip
_UNITS = {"hr": "hr.", "min": "min.", "rnd": "rounds"}
_COINS = ((100, "gp"), (10, "sp"), (1, "cp"))


def rule_fields(section: str, item: Mapping[str, object], types: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of an item of a section as a book prints them. ``types`` are a file's own types by code."""
    fields: dict[str, object] = {}
    scores = {name: score for name in ABILITY_BY_ABBREVIATION if isinstance(score := item.get(name), int)}
    custom = mapping(item.get("customProperties"))
    for name, value in item.items():
        if name in _DISPLAY_SETTINGS or (name == "type" and value == section):
            continue
        if name in scores:
            abilities = (f"{code.upper()} {score} ({(score - 10) // 2:+d})" for code, score in scores.items())
            fields["abilities"] = ", ".join(abilities)
        elif name != "customProperties" or not isinstance(value, Mapping):
            label = FIELD_LABELS.get(name, name)
            own_type = types.get(str(value)) if name == "type" else None
            fields[label if label not in fields else name] = own_type or _worded(name, value)
    for name, value in custom.items():
        fields[f"{name} (custom)" if name in fields else name] = value
    return fields


def _worded(name: str, value: object) -> object:
    try:
        if name in _CODES:
            value = _joined_texts([_CODES[name].get(str(code), code) for code in listed(value)], ", ")
        return _FORMS[name](value) if name in _FORMS else value
    except _OtherShapeError:
        return value


class _OtherShapeError(Exception):
    """The value has a shape that the schema does not have."""


def _shaped(value: object, fields: Collection[str], needed: Collection[str] = ()) -> Mapping[str, object]:
    """Return an object with no other fields than these. Raises _OtherShapeError."""
    if not isinstance(value, Mapping) or not set(needed) <= value.keys() <= set(fields):
        raise _OtherShapeError
    return value


def _joined_texts(parts: Sequence[object], separator: str) -> str:
    """The parts of a value as one text. Raises _OtherShapeError if one of them is no text."""
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) < len(parts):
        raise _OtherShapeError
    return separator.join(texts)


def _reference_name(value: object) -> object:
    """The name in a reference: ``Bahgtru|Orc|SCAG``."""
    return value.partition("|")[0] if isinstance(value, str) else value


def _speed(value: object) -> str:
    """``10 ft., fly 20 ft. (hover)``; a speed may have a condition, or be equal to walking speed."""
    speeds = dict(as_object(value, "walk"))
    can_hover = speeds.pop("canHover", None) is True
    parts = []
    for mode, speed in speeds.items():
        feet = _shaped({"number": speed} if isinstance(speed, int) else speed, ("number", "condition"), ("number",))
        distance = "equal to walking speed" if feet["number"] is True else f"{feet['number']} ft."
        condition = inline(feet.get("condition"))
        hover = "(hover)" if mode == "fly" and can_hover and "hover" not in condition else ""
        parts.append(joined("" if mode == "walk" else mode, distance, condition, hover, sep=" "))
    return ", ".join(parts)


def _span(value: object) -> object:
    """``{min: 2, max: 4, note: x}`` and ``{exact: 1}`` as 2–4 (x) and 1."""
    if not isinstance(value, Mapping):
        return value
    span = _shaped(value, ("min", "max", "exact", "note", "space"))
    low, high = span.get("exact", span.get("min")), span.get("max")
    number = str(low) if high in (None, low) else f"{low}–{high}"
    note = inline(span.get("note")) or str(span.get("space") or "")
    return f"{number} ({note})" if note else number


def _times(value: object) -> str:
    """The activation of an action, such as a bonus action; the duration of a recipe."""
    if isinstance(value, Mapping):
        return "; ".join(
            value_text(time) if name == "note" else f"{name} {_span(time)} minutes" for name, time in value.items()
        )
    parts = []
    for time in listed(value):
        if isinstance(time, Mapping) and time.keys() == {"number", "unit"}:
            unit = "bonus action" if time["unit"] == "bonus" else time["unit"]
            parts.append(f"{time['number']} {unit}{'s' if time['number'] != 1 else ''}")
        else:
            parts.append(value_text(time))
    return ", ".join(parts)


def _cards(value: object) -> str:
    """The cards of a deck, with the number of each."""
    parts = []
    for listing in listed(value):
        card = _shaped(as_object(listing, "uid"), ("uid", "count", "replacement"), ("uid",))
        notes = [f"× {card['count']}"] if "count" in card else []
        notes += ["put back when drawn"] if card.get("replacement") else []
        name = _joined_texts([_reference_name(card["uid"])], "")
        parts.append(f"{name} ({', '.join(notes)})" if notes else name)
    return ", ".join(parts)


def _modes(value: object) -> str:
    """The modes of a psionic discipline, each with its cost."""
    parts: list[str] = []
    for listing in listed(value):
        mode = _shaped(listing, ("name", "cost", "concentration", "entries", "submodes"))
        notes = [f"{_span(mode['cost'])} psi"] if "cost" in mode else []
        if isinstance(concentration := mode.get("concentration"), Mapping):
            unit = concentration.get("unit")
            notes.append(f"conc., {concentration.get('duration')} {_UNITS.get(str(unit), unit)}")
        name = str(mode.get("name") or "")
        heading = f"{name} ({'; '.join(notes)})" if notes else name
        parts += filter(None, (f"**{heading}.** {markdown(mode.get('entries'))}", _modes(mode.get("submodes"))))
    return "\n\n".join(parts)


def _tables(value: object) -> str:
    """Tables of random encounters, by party levels, or of names, by their use."""
    parts = []
    for listing in listed(value):
        table = _shaped(listing, ("option", "minlvl", "maxlvl", "diceExpression", "rollAttitude", "table"), ("table",))
        rows = [
            _shaped(row, ("min", "max", "result", "resultAttitude"), ("min", "max", "result"))
            for row in listed(table["table"])
        ]
        levels = _span({"min": table.get("minlvl"), "max": table.get("maxlvl")})
        labels = [table.get("diceExpression") or "", "Name" if "option" in table else "Encounter"]
        cells = [[_span({"min": row["min"], "max": row["max"]}), row["result"]] for row in rows]
        if any(row.get("resultAttitude") for row in rows):
            labels.append("Attitude")
            for row, row_cells in zip(rows, cells, strict=True):
                row_cells.append(row.get("resultAttitude") or "")
        caption = table.get("option") or (f"Levels {levels}" if table.get("minlvl") else "")
        parts.append(markdown({"type": "table", "caption": caption, "colLabels": labels, "rows": cells}))
    return "\n\n".join(parts)


def _vehicle_part(value: object) -> str:
    """A part of a vehicle: its numbers, text, actions and speeds."""
    part = _shaped(value, _PART_FIELDS)
    notes = {"ac": ", ".join(map(str, listed(part.get("acFrom")))), "hp": str(part.get("hpNote") or "")}
    numbers = [
        f"{label} {part[field]}{f' ({note})' if (note := notes.get(field)) else ''}"
        for field, label in (("ac", "Armor Class"), ("hp", "Hit Points"), ("dt", "damage threshold"))
        if field in part
    ]
    if costs := [_cost(cost) for cost in listed(part.get("costs"))]:
        numbers.append(f"cost {', '.join(costs)}")
    paragraphs = ["; ".join(numbers), markdown(part.get("entries")), markdown(part.get("action"))]
    for field in ("locomotion", "speed"):
        speeds = (as_object(speed, "mode") for speed in listed(part.get(field)))
        heading = field.capitalize()
        paragraphs += [f"**{heading} ({speed.get('mode')}).** {markdown(speed.get('entries'))}" for speed in speeds]
    text = "\n\n".join(filter(None, paragraphs))
    name = joined(str(part.get("name") or ""), _numbers_in_brackets(part), sep=" ")
    return f"**{name}.** {text}" if name else text


def _numbers_in_brackets(part: Mapping[str, object]) -> str:
    """``(2; Large; crew 3)`` after the name of a part; the part that moves a ship may also control it."""
    sizes = " or ".join(_CODES["size"].get(str(size), str(size)) for size in listed(part.get("size")))
    crew = f"crew {part['crew']}" if "crew" in part else ""
    control = "control and movement" if part.get("isControl") else ""
    notes = joined(str(part.get("count", "")), sizes, crew, control, sep="; ")
    return f"({notes})" if notes else ""


def _cost(value: object) -> str:
    """``50 gp (ballista)``."""
    cost = as_object(value, "cost")
    note = inline(cost.get("note"))
    return joined(str(_coins(cost.get("cost", ""))), f"({note})" if note else "", sep=" ")


def _hit_points(value: object) -> object:
    """``30; damage threshold 10; mishap threshold 20``."""
    if not isinstance(value, Mapping):
        return value
    health = _shaped(value, ("hp", "dt", "mt"), ("hp",))
    labels = (("dt", "damage threshold"), ("mt", "mishap threshold"))
    return "; ".join((str(health["hp"]), *(f"{label} {health[field]}" for field, label in labels if field in health)))


def _coins(value: object) -> object:
    """A cost in copper pieces, in the largest coin that gives a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    size, coin = next((size, coin) for size, coin in _COINS if value % size == 0)
    return f"{value // size:,} {coin}"


_FORMS: Mapping[str, Callable[[object], object]] = {
    "alignment": lambda value: _joined_texts([ALIGNMENT.get(str(code), code) for code in listed(value)], " "),
    "hirelings": lambda value: _joined_texts(list(map(_span, listed(value))), ", "),
    "dimensions": lambda value: _joined_texts(listed(value), " by "),
    **dict.fromkeys(("customExtensionOf", "fromVariant"), _reference_name),
    **dict.fromkeys(("serves", "level"), _span),
    "speed": _speed, "time": _times, "cards": _cards, "modes": _modes, "tables": _tables, "cost": _coins,
    "hull": _vehicle_part,
    **dict.fromkeys(
        ("control", "movement", "weapon", "station"), lambda value: "\n\n".join(map(_vehicle_part, listed(value)))
    ),
    "actionThresholds": lambda value: ", ".join(
        f"{actions} with {value_text(crew)} crew or more" for actions, crew in _shaped(value, mapping(value)).items()
    ),
    "hp": _hit_points,
}  # fmt: skip
