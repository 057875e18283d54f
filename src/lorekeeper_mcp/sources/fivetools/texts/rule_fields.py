"""Fields of entries that become rules (deities, objects, traps, recipes …), with a book's names and words.

A value of a shape not in the schema stays as it is: nothing is lost, and an export gives the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.fivetools.texts import vehicle_fields
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.requirements import ALIGNMENT
from lorekeeper_mcp.sources.fivetools.texts.values import value_text
from lorekeeper_mcp.sources.json_values import as_object, listed, mapping

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
    "size": vehicle_fields.SIZES,
    "type": {"D": "discipline", "T": "talent"},
}  # fmt: skip
_MODE_FIELDS = {"name", "cost", "concentration", "entries", "submodes"}
_TABLE_FIELDS = {"option", "minlvl", "maxlvl", "diceExpression", "rollAttitude", "table"}
_ROW_FIELDS = {"min", "max", "result"}
_UNITS = {"hr": "hr.", "min": "min.", "rnd": "rounds"}


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
    if name in _CODES:
        value = _joined_texts([_CODES[name].get(str(code), code) for code in listed(value)], ", ", value)
    return _FORMS[name](value) if name in _FORMS else value


def _joined_texts(parts: list[object], separator: str, value: object) -> object:
    """The parts of a value as one text; the value itself if one of them is no text."""
    texts = [part for part in parts if isinstance(part, str)]
    return separator.join(texts) if len(texts) == len(parts) else value


def _reference_name(value: object) -> object:
    """The name in a reference: ``Bahgtru|Orc|SCAG``."""
    return value.partition("|")[0] if isinstance(value, str) else value


def _speed(value: object) -> object:
    """``10 ft., fly 20 ft. (hover)``; a speed may have a condition, or be equal to walking speed."""
    speeds = dict(as_object(value, "walk"))
    can_hover = speeds.pop("canHover", None) is True
    parts = []
    for mode, speed in speeds.items():
        feet = {"number": speed} if isinstance(speed, int) else speed
        if not isinstance(feet, Mapping) or "number" not in feet or not feet.keys() <= {"number", "condition"}:
            return value
        distance = "equal to walking speed" if feet["number"] is True else f"{feet['number']} ft."
        condition = inline(feet.get("condition"))
        hover = "(hover)" if mode == "fly" and can_hover and "hover" not in condition else ""
        parts.append(" ".join(filter(None, ("" if mode == "walk" else mode, distance, condition, hover))))
    return ", ".join(parts)


def _span(value: object) -> object:
    """``{min: 2, max: 4, note: x}`` and ``{exact: 1}`` as 2–4 (x) and 1."""
    if not isinstance(value, Mapping) or not value.keys() <= {"min", "max", "exact", "note", "space"}:
        return value
    low, high = value.get("exact", value.get("min")), value.get("max")
    number = str(low) if high in (None, low) else f"{low}–{high}"
    note = inline(value.get("note")) or str(value.get("space") or "")
    return f"{number} ({note})" if note else number


def _times(value: object) -> object:
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


def _cards(value: object) -> object:
    """The cards of a deck, with the number of each."""
    parts = []
    for card in (as_object(card, "uid") for card in listed(value)):
        if not card.keys() <= {"uid", "count", "replacement"} or not isinstance(card.get("uid"), str):
            return value
        notes = [f"× {card['count']}"] if "count" in card else []
        notes += ["put back when drawn"] if card.get("replacement") else []
        name = str(_reference_name(card["uid"]))
        parts.append(f"{name} ({', '.join(notes)})" if notes else name)
    return ", ".join(parts)


def _modes(value: object) -> object:
    """The modes of a psionic discipline, each with its cost."""
    parts: list[str] = []
    for mode in listed(value):
        if not isinstance(mode, Mapping) or not mode.keys() <= _MODE_FIELDS:
            return value
        notes = [f"{_span(mode['cost'])} psi"] if "cost" in mode else []
        if isinstance(concentration := mode.get("concentration"), Mapping):
            unit = concentration.get("unit")
            notes.append(f"conc., {concentration.get('duration')} {_UNITS.get(str(unit), unit)}")
        name = str(mode.get("name") or "")
        heading = f"{name} ({'; '.join(notes)})" if notes else name
        submodes = str(_modes(mode["submodes"])) if "submodes" in mode else ""
        parts += filter(None, (f"**{heading}.** {markdown(mode.get('entries'))}", submodes))
    return "\n\n".join(parts)


def _tables(value: object) -> object:
    """Tables of random encounters, by party levels, or of names, by their use."""
    parts = []
    for table in listed(value):
        rows = table.get("table") if isinstance(table, Mapping) and table.keys() <= _TABLE_FIELDS else None
        if not isinstance(table, Mapping) or not isinstance(rows, list) or not all(map(_is_row, rows)):
            return value
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


def _is_row(value: object) -> bool:
    return isinstance(value, Mapping) and _ROW_FIELDS <= value.keys() <= {*_ROW_FIELDS, "resultAttitude"}


_FORMS: Mapping[str, Callable[[object], object]] = {
    "alignment": lambda value: _joined_texts([ALIGNMENT.get(str(code), code) for code in listed(value)], " ", value),
    "hirelings": lambda value: _joined_texts(list(map(_span, listed(value))), ", ", value),
    "customExtensionOf": _reference_name, "fromVariant": _reference_name, "speed": _speed, "serves": _span,
    "level": _span, "time": _times, "cards": _cards, "modes": _modes, "tables": _tables,
    "cost": vehicle_fields.coins, "dimensions": lambda value: _joined_texts(listed(value), " by ", value),
    "hull": vehicle_fields.part, "control": vehicle_fields.parts, "movement": vehicle_fields.parts,
    "weapon": vehicle_fields.parts, "station": vehicle_fields.parts,
    "actionThresholds": vehicle_fields.thresholds, "hp": vehicle_fields.hit_points,
}  # fmt: skip
