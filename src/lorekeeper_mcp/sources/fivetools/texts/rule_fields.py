"""Fields of what becomes a rule (deities, objects, traps, recipes …) under the names and in the words of a book.

A value of another shape than the schema has stays as it is: nothing is lost, and an export reads the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.leaves import listed
from lorekeeper_mcp.sources.fivetools.texts.requirements import ALIGNMENT
from lorekeeper_mcp.sources.fivetools.texts.values import told

_NAMES: Mapping[str, str] = {
    "altNames": "alternate names", "customExtensionOf": "extends", "objectType": "type", "trapHazType": "type",
    "facilityType": "type", "ruleType": "type", "optionType": "type", "upgradeType": "type", "ac": "armor class",
    "hp": "hit points", "resist": "damage resistances", "immune": "damage immunities",
    "conditionImmune": "condition immunities", "vulnerable": "damage vulnerabilities", "actionEntries": "actions",
    "tier": "levels", "eActive": "active elements", "eDynamic": "dynamic elements",
    "eConstant": "constant elements", "noteCook": "cook's notes", "allergenGroups": "allergens",
    "signaturespells": "signature spells", "fromVariant": "variant rule", "seeAlsoAction": "see also",
    "capCrew": "crew", "capPassenger": "passengers", "capCargo": "cargo (tons)", "pace": "travel pace (mph)",
    "dt": "damage threshold", "weapon": "weapons", "trait": "traits", "action": "actions",
}  # fmt: skip
_OF_SITE = frozenset({"hasCardArt", "color", "symbolImg", "isStriped"})
"""How the site shows something, as ``PASSED_OVER`` is."""
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
    "size": {"T": "Tiny", "S": "Small", "M": "Medium", "L": "Large", "H": "Huge", "G": "Gargantuan"},
    "type": {"D": "discipline", "T": "talent"},
}  # fmt: skip
_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
_OF_A_MODE = {"name", "cost", "concentration", "entries", "submodes"}
_OF_A_PART = {"name", "ac", "acFrom", "hp", "hpNote", "dt", "count", "entries", "locomotion", "speed", "isControl"}
_OF_A_TABLE = {"minlvl", "maxlvl", "diceExpression", "rollAttitude", "table"}
_UNITS = {"hr": "hr.", "min": "min.", "rnd": "rounds"}
_COINS = ((100, "gp"), (10, "sp"), (1, "cp"))


def rule_fields(section: str, item: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of an item of a section as a book prints them."""
    made: dict[str, object] = {}
    scores = {name: item[name] for name in _ABILITIES if isinstance(item.get(name), int)}
    for name, value in item.items():
        if name in _OF_SITE or (name == "type" and value == section):
            continue
        if name in scores:
            made["abilities"] = ", ".join(f"{one.upper()} {_scored(score)}" for one, score in scores.items())
        elif name != "customProperties" or not isinstance(value, Mapping):
            label = _NAMES.get(name, name)
            made[label if label not in made else name] = _worded(name, value)
    custom = item.get("customProperties")
    for name, value in custom.items() if isinstance(custom, Mapping) else ():
        made[f"{name} (custom)" if name in made else str(name)] = value
    return made


def _worded(name: str, value: object) -> object:
    if name in _CODES:
        words = [_CODES[name].get(str(one), one) for one in listed(value)]
        value = ", ".join(map(str, words)) if all(isinstance(one, str) for one in words) else value
    return _FORMS[name](value) if name in _FORMS else value


def _scored(score: object) -> str:
    return f"{score} ({(score - 10) // 2:+d})" if isinstance(score, int) else str(score)


def _alignment(value: object) -> object:
    codes = listed(value)
    return " ".join(ALIGNMENT.get(str(one), str(one)) for one in codes) if all(map(_is_text, codes)) else value


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _first(value: object) -> object:
    """A reference by what it names: ``Bahgtru|Orc|SCAG``."""
    return value.partition("|")[0] if isinstance(value, str) else value


def _speed(value: object) -> object:
    spec = value if isinstance(value, Mapping) else {"walk": value}
    if not all(isinstance(feet, int) for feet in spec.values()):
        return value
    return ", ".join(f"{feet} ft." if mode == "walk" else f"{mode} {feet} ft." for mode, feet in spec.items())


def _span(value: object) -> object:
    """``{min: 2, max: 4, note: x}`` and ``{exact: 1}`` as 2–4 (x) and 1."""
    if not isinstance(value, Mapping) or not value.keys() <= {"min", "max", "exact", "note", "space"}:
        return value
    low, high = value.get("exact", value.get("min")), value.get("max")
    number = str(low) if high in (None, low) else f"{low}–{high}"
    note = inline(value.get("note")) or str(value.get("space") or "")
    return f"{number} ({note})" if note else number


def _spans(value: object) -> object:
    found = [_span(one) for one in listed(value)]
    return ", ".join(map(str, found)) if all(map(_is_text, found)) else value


def _minutes(value: Mapping[str, object]) -> str:
    """How long a recipe takes, by its steps."""
    return "; ".join(f"{name} {_span(one)} minutes" if name != "note" else told(one) for name, one in value.items())


def _times(value: object) -> object:
    """When an action is taken: as a bonus action; of a recipe how long it takes."""
    if isinstance(value, Mapping):
        return _minutes(value)
    parts = []
    for one in listed(value):
        if isinstance(one, Mapping) and one.keys() == {"number", "unit"}:
            unit = "bonus action" if one["unit"] == "bonus" else one["unit"]
            parts.append(f"{one['number']} {unit}{'s' if one['number'] != 1 else ''}")
        else:
            parts.append(told(one))
    return ", ".join(parts)


def _cards(value: object) -> object:
    """The cards of a deck, with how many there are of each."""
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
        held = one.get("concentration")
        if isinstance(held, Mapping):
            notes.append(f"conc., {held.get('duration')} {_UNITS.get(str(held.get('unit')), held.get('unit'))}")
        name = str(one.get("name") or "")
        head = f"{name} ({'; '.join(notes)})" if notes else name
        inner = _modes(one["submodes"]) if "submodes" in one else ""
        parts.append("\n\n".join(filter(None, (f"**{head}.** {markdown(one.get('entries', []))}", str(inner)))))
    return "\n\n".join(parts)


def _tables(value: object) -> object:
    """The tables of random encounters, by the levels of a party."""
    parts = []
    for one in listed(value):
        rows = one.get("table") if isinstance(one, Mapping) and one.keys() <= _OF_A_TABLE else None
        if not isinstance(one, Mapping) or not isinstance(rows, list) or not all(map(_is_row, rows)):
            return value
        attitudes = any(row.get("resultAttitude") for row in rows)
        levels = _span({"min": one.get("minlvl"), "max": one.get("maxlvl")})
        table = {
            "type": "table",
            "caption": f"Levels {levels}" if one.get("minlvl") else "",
            "colLabels": [one.get("diceExpression") or "", "Encounter", *(["Attitude"] if attitudes else [])],
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


def _part(value: object) -> object:
    """A part of a vehicle: its numbers, its speeds and what is told of it."""
    if not isinstance(value, Mapping) or not value.keys() <= _OF_A_PART:
        return value
    notes = {"ac": ", ".join(map(str, listed(value.get("acFrom")))), "hp": str(value.get("hpNote") or "")}
    numbers = (
        f"{label} {value[name]}{f' ({note})' if (note := notes.get(name)) else ''}"
        for name, label in (("ac", "Armor Class"), ("hp", "Hit Points"), ("dt", "damage threshold"))
        if name in value
    )
    speeds = (
        f"**{kind.capitalize()} ({one.get('mode')}).** {markdown(one.get('entries', []))}"
        for kind in ("locomotion", "speed")
        for one in map(_mapping, listed(value.get(kind)))
    )
    text = markdown(value.get("entries", []))
    name = " ".join(filter(None, (str(value.get("name") or ""), f"({value['count']})" if "count" in value else "")))
    whole = "\n\n".join(filter(None, ("; ".join(numbers), text, *speeds)))
    return f"**{name}.** {whole}" if name else whole


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {"mode": value}


def _parts(value: object) -> object:
    found = [_part(one) for one in listed(value)]
    return "\n\n".join(map(str, found)) if all(map(_is_text, found)) else value


def _thresholds(value: object) -> object:
    """How many actions a ship has with how many of its crew."""
    if not isinstance(value, Mapping) or not all(isinstance(crew, int) for crew in value.values()):
        return value
    return ", ".join(f"{actions} with {crew} crew or more" for actions, crew in value.items())


def _by(value: object) -> object:
    return " by ".join(map(str, listed(value))) if all(map(_is_text, listed(value))) else value


def _coins(value: object) -> object:
    """A cost in copper pieces as the largest coin that it is whole in."""
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    size, coin = next(((size, coin) for size, coin in _COINS if value % size == 0), (1, "cp"))
    return f"{value // size:,} {coin}"


_FORMS: Mapping[str, Callable[[object], object]] = {
    "alignment": _alignment, "customExtensionOf": _first, "fromVariant": _first, "speed": _speed, "serves": _span,
    "level": _span, "hirelings": _spans, "time": _times, "cards": _cards, "modes": _modes, "tables": _tables,
    "cost": _coins, "dimensions": _by, "hull": _part, "control": _parts, "movement": _parts, "weapon": _parts,
    "actionThresholds": _thresholds,
}  # fmt: skip
