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
from lorekeeper_mcp.sources.json_values import listed

NAMES: Mapping[str, str] = {
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
_OF_SITE = frozenset({"hasCardArt", "color", "symbolImg", "isStriped", "hasNumberParam"})
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
_OF_A_MODE = {"name", "cost", "concentration", "entries", "submodes"}
_OF_A_TABLE = {"option", "minlvl", "maxlvl", "diceExpression", "rollAttitude", "table"}
_UNITS = {"hr": "hr.", "min": "min.", "rnd": "rounds"}


def rule_fields(section: str, item: Mapping[str, object], types: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of an item of a section as a book prints them. ``types`` are a file's own types by code."""
    made: dict[str, object] = {}
    scores = {name: score for name in ABILITY_BY_ABBREVIATION if isinstance(score := item.get(name), int)}
    for name, value in item.items():
        if name in _OF_SITE or (name == "type" and value == section):
            continue
        if name in scores:
            abilities = (f"{one.upper()} {score} ({(score - 10) // 2:+d})" for one, score in scores.items())
            made["abilities"] = ", ".join(abilities)
        elif name != "customProperties" or not isinstance(value, Mapping):
            label = NAMES.get(name, name)
            own = types.get(str(value)) if name == "type" else None
            made[label if label not in made else name] = own or _worded(name, value)
    custom = item.get("customProperties")
    for name, value in custom.items() if isinstance(custom, Mapping) else ():
        made[f"{name} (custom)" if name in made else str(name)] = value
    return made


def _worded(name: str, value: object) -> object:
    if name in _CODES:
        value = _texts_joined([_CODES[name].get(str(one), one) for one in listed(value)], ", ", value)
    return _FORMS[name](value) if name in _FORMS else value


def _texts_joined(parts: list[object], between: str, value: object) -> object:
    """The parts of a value as one text; the value itself if one of them is no text."""
    texts = [one for one in parts if isinstance(one, str)]
    return between.join(texts) if len(texts) == len(parts) else value


def _first(value: object) -> object:
    """The name in a reference: ``Bahgtru|Orc|SCAG``."""
    return value.partition("|")[0] if isinstance(value, str) else value


def _speed(value: object) -> object:
    """``10 ft., fly 20 ft. (hover)``; a speed may have a condition, or be equal to walking speed."""
    spec = dict(value) if isinstance(value, Mapping) else {"walk": value}
    can_hover = spec.pop("canHover", None) is True
    parts = []
    for mode, given in spec.items():
        feet = {"number": given} if isinstance(given, int) else given
        if not isinstance(feet, Mapping) or "number" not in feet or not feet.keys() <= {"number", "condition"}:
            return value
        distance = "equal to walking speed" if feet["number"] is True else f"{feet['number']} ft."
        note = inline(feet.get("condition"))
        hover = "(hover)" if mode == "fly" and can_hover and "hover" not in note else ""
        parts.append(" ".join(filter(None, ("" if mode == "walk" else mode, distance, note, hover))))
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
        minutes = {name: f"{name} {_span(one)} minutes" for name, one in value.items()}
        return "; ".join(value_text(value[name]) if name == "note" else text for name, text in minutes.items())
    parts = []
    for one in listed(value):
        if isinstance(one, Mapping) and one.keys() == {"number", "unit"}:
            unit = "bonus action" if one["unit"] == "bonus" else one["unit"]
            parts.append(f"{one['number']} {unit}{'s' if one['number'] != 1 else ''}")
        else:
            parts.append(value_text(one))
    return ", ".join(parts)


def _cards(value: object) -> object:
    """The cards of a deck, with the number of each."""
    parts = []
    for one in listed(value):
        spec = one if isinstance(one, Mapping) else {"uid": one}
        if not spec.keys() <= {"uid", "count", "replacement"} or not isinstance(spec.get("uid"), str):
            return value
        more = [f"× {spec['count']}"] if "count" in spec else []
        more += ["put back when drawn"] if spec.get("replacement") else []
        parts.append(" ".join([str(_first(spec.get("uid"))), *(f"({note})" for note in [", ".join(more)] if note)]))
    return ", ".join(parts)


def _modes(value: object) -> object:
    """The modes of a psionic discipline, each with its cost."""
    parts = []
    for one in listed(value):
        if not isinstance(one, Mapping) or not one.keys() <= _OF_A_MODE:
            return value
        notes = [f"{_span(one['cost'])} psi"] if "cost" in one else []
        if isinstance(concentration := one.get("concentration"), Mapping):
            unit = concentration.get("unit")
            notes.append(f"conc., {concentration.get('duration')} {_UNITS.get(str(unit), unit)}")
        name = str(one.get("name") or "")
        head = f"{name} ({'; '.join(notes)})" if notes else name
        inner = _modes(one["submodes"]) if "submodes" in one else ""
        parts.append("\n\n".join(filter(None, (f"**{head}.** {markdown(one.get('entries', []))}", str(inner)))))
    return "\n\n".join(parts)


def _tables(value: object) -> object:
    """Tables of random encounters, by party levels, or of names, by their use."""
    parts = []
    for one in listed(value):
        rows = one.get("table") if isinstance(one, Mapping) and one.keys() <= _OF_A_TABLE else None
        if not isinstance(one, Mapping) or not isinstance(rows, list) or not all(map(_is_row, rows)):
            return value
        attitudes = any(row.get("resultAttitude") for row in rows)
        levels = _span({"min": one.get("minlvl"), "max": one.get("maxlvl")})
        of = "Name" if "option" in one else "Encounter"
        table = {
            "type": "table",
            "caption": one.get("option") or (f"Levels {levels}" if one.get("minlvl") else ""),
            "colLabels": [one.get("diceExpression") or "", of, *(["Attitude"] if attitudes else [])],
            "rows": [
                [_span({"min": row["min"], "max": row["max"]}), row["result"],
                 *([row.get("resultAttitude") or ""] if attitudes else [])]
                for row in rows
            ],
        }  # fmt: skip
        parts.append(markdown(table))
    return "\n\n".join(parts)


def _is_row(value: object) -> bool:
    needed = {"min", "max", "result"}
    return isinstance(value, Mapping) and needed <= value.keys() <= {*needed, "resultAttitude"}


_FORMS: Mapping[str, Callable[[object], object]] = {
    "alignment": lambda value: _texts_joined([ALIGNMENT.get(str(one), one) for one in listed(value)], " ", value),
    "hirelings": lambda value: _texts_joined(list(map(_span, listed(value))), ", ", value),
    "customExtensionOf": _first, "fromVariant": _first, "speed": _speed, "serves": _span,
    "level": _span, "time": _times, "cards": _cards, "modes": _modes, "tables": _tables,
    "cost": vehicle_fields.coins, "dimensions": lambda value: _texts_joined(listed(value), " by ", value),
    "hull": vehicle_fields.part, "control": vehicle_fields.parts, "movement": vehicle_fields.parts,
    "weapon": vehicle_fields.parts, "station": vehicle_fields.parts,
    "actionThresholds": vehicle_fields.thresholds, "hp": vehicle_fields.hit_points,
}  # fmt: skip
