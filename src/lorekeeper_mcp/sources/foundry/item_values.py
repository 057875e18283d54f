"""The values of Foundry's documents in words: damage, uses, ranges, durations, money."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.effects import effects
from lorekeeper_mcp.sources.foundry.formulas import simplified
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, members, number, objects, part, text, texts, value_at
from lorekeeper_mcp.sources.stat_block import bonus, sections_of, shown

# Fields of no use to a reader: ids and paths of the application, the current state of a character's item,
# and fields that this package reads by name (``described``, ``uses``, ``mechanics``).
_IGNORED_FIELDS = frozenset(
    "description source sourceItem sourceClass identifier container equipped attuned identified proficient prepared"
    " preparation method hitDiceUsed cptooltipmode schema activities uses recharge consume properties components"
    " quantity activation duration target range attack attackBonus actionType ability critical damage formula save"
    " scaling crewed autoDestroy disabled progress".split()
)
# Inside any value: ids, pictures, the order in lists, and switches of the user interface.
_OF_THE_APPLICATION = frozenset(
    "_id uuid img icon sort group flags prompt override contiguous visible allowReplacements".split()
)
_ID = re.compile(r"[A-Za-z0-9]{16}|(?:Compendium|Actor|Item|JournalEntry|RollTable)\.[\w.-]+")
_KINDS = {"temphp": "temporary hit points", "healing": "healing"}
MODIFIER = " + ability modifier"  # of a weapon's wielder; books do not print it with the dice
_COVERS = {0.5: "half cover", 0.75: "three-quarters cover", 1.0: "total cover"}
DURATIONS = {"inst": "Instantaneous", "perm": "Permanent", "spec": "Special", "disp": "Until dispelled",
            "dstr": "Until dispelled or triggered", "unti": "Until dispelled"}  # fmt: skip
_SIZES = (("wide", "width"), ("high", "height"))
_DEEPEST = 6


def described(system: JsonObject, known_values: Mapping[str, str] | None = None) -> str:
    """Return a document's description as Markdown; ``known_values`` are its own rolls, see ``mechanics.own_rolls``."""
    return markdown(part(system, "description").get("value", system.get("description")), known_values)


def further_texts(one: JsonObject, system: JsonObject) -> Iterator[Section]:
    """Yield the texts beside the description: the chat text, the unidentified description, the effects."""
    spec, description = part(system, "description"), described(system)
    more = {"Chat": markdown(spec.get("chat")), "Unidentified": markdown(spec.get("unidentified"))}
    yield from sections_of({name: paragraph for name, paragraph in more.items() if paragraph != description})
    yield from effects(one)


def system_of(document: JsonObject) -> JsonObject:
    """Return a document's fields of the dnd5e system, which were its data before version 10."""
    return part(document, "system") or part(document, "data")


def activities(system: JsonObject) -> list[JsonObject]:
    """Return the activities of an item, since version 4."""
    return [one for one in part(system, "activities").values() if isinstance(one, Mapping)]


def marks(system: JsonObject) -> frozenset[str]:
    """Return components and properties: a list since version 3, flags before."""
    flags = {**part(system, "components"), **part(system, "properties")}
    return frozenset(texts(system.get("properties"))) | {name for name, on in flags.items() if on is True}


def damages(spec: JsonObject) -> list[tuple[str, str]]:
    """Return the dice and type of each part, ``acid or cold`` for a choice: pairs before version 4, objects since."""
    found = []
    for one in (*objects([spec.get("base")]), *members(spec.get("parts"))):
        if isinstance(one, list) and one:
            found.append((shown(one[0]), shown(one[1]) if len(one) > 1 else ""))
        elif isinstance(one, Mapping):
            count, faces, more = bonus(one.get("number")), bonus(one.get("denomination")), shown(one.get("bonus"))
            dice = names.joined(f"{count}d{faces}", more, by=" + ") if count and faces else more
            own = part(one, "custom")
            dice = shown(own.get("formula")) or dice if own.get("enabled") is not False else dice
            found.append((simplified(dice), names.either([_KINDS.get(kind, kind) for kind in texts(one.get("types"))])))
    return found


def versatile(spec: JsonObject) -> str:
    """Return the damage with two hands: dice in a text before version 4, an object since."""
    value = spec.get("versatile")
    dice = value if isinstance(value, str) else next((one for one, _ in damages({"base": value}) if one), "")
    return dice.replace(MODIFIER, "").strip()


def uses(system: JsonObject) -> str:
    """Return the limit of use: ``3/long rest``, or ``Recharge 5–6``."""
    spec, back = part(system, "uses"), value_at(system, "uses.recovery")
    recoveries = objects(back)
    rolled = [one for one in recoveries if one.get("period") == "recharge"]
    low = bonus(value_at(system, "recharge.value")) or next((bonus(one.get("formula")) for one in rolled), None)
    often = f"Recharge {low}–6" if low and low != 6 else "Recharge 6" if low or rolled else ""
    periods = ((shown(one.get("period")), shown(one.get("formula"))) for one in recoveries if one not in rolled)
    others = [(names.PERIODS.get(code, code), formula) for code, formula in periods]
    odd = [shown(one.get("formula")) for one in rolled if bonus(one.get("formula")) is None]
    most = shown(spec["max"]) if spec.get("max") else ""
    times = most if not most or number(most) is not None or not most[:1].isalpha() else f"equal to the {most}"
    if len(others) > 1:
        again = ", ".join((*odd, *(f"{formula or 'all'} per {period}" for period, formula in others)))
    else:
        per = names.PERIODS.get(found, found) if (found := shown(spec.get("per"))) else next((p for p, _ in others), "")
        times += (f"/{per}" if times == most else f", per {per}") if times and per else ""
        again = names.joined(*odd, *(formula for _, formula in others))
    again = again or text(spec, "recovery")
    times = "" if often and most in ("", "1") else times
    return names.joined(often, f"{times} (regains {again})".strip() if again else times)


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
        distance = names.with_unit(f"{near}{f'/{far}' if far and far != '0' else ''}", units)
    elif units in ("ft", "mi", "m", "km"):
        distance = ""
    else:
        distance = ("" if special else "Special") if units == "spec" else units.capitalize()
    touching = bonus(spec.get("reach"))
    return names.joined(f"reach {touching} {names.UNITS.get(units, 'feet')}" if touching else "", distance, special)


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


def unread_fields(system: JsonObject, known: frozenset[str]) -> tuple[Section, ...]:
    """Return the values without a field of their own, by name, unless empty, zero or switched off."""
    read = known | _IGNORED_FIELDS
    return sections_of({name: words(value) for name, value in system.items() if name not in read})


def is_id(value: str) -> bool:
    """Whether a text is the id of a document: sixteen random characters, or a path that ends in them."""
    if not _ID.fullmatch(value):
        return False
    return "." in value or not (value.isalpha() and value.lower()[1:] == value[1:])  # "Incomprehensible" is a word


def words(value: object, depth: int = 0) -> str:
    """Return a value in words, without the parts that only the application needs."""
    if isinstance(value, str):
        return "" if is_id(value) else names.readable(markdown(value))
    if isinstance(value, bool) or value in (None, 0):
        return "yes" if value is True else ""
    if depth < _DEEPEST and isinstance(value, Mapping):
        pairs = ((name, words(one, depth + 1)) for name, one in value.items() if name not in _OF_THE_APPLICATION)
        return _pairs({str(name): text for name, text in pairs if text})
    if depth < _DEEPEST and isinstance(value, list):
        parts = list(filter(None, (words(one, depth + 1) for one in value)))
        return ("; " if any(", " in one for one in parts) else ", ").join(parts)
    return shown(value)


def coins(purse: JsonObject) -> str:
    """Return an amount of money: ``5 gp, 2 sp``."""
    return ", ".join(f"{count} {coin}" for coin, one in purse.items() if (count := words(one)))


def cover(system: JsonObject) -> str:
    """Return the cover that an item or a feature gives."""
    return _COVERS.get(number(system.get("cover")) or 0, words(system.get("cover")))


def _pairs(named: dict[str, str]) -> str:
    """Values by name, as in a sentence; numbers with a unit, dice, and fields called value have no name."""
    if named.keys() <= {"value", "units", "denomination"}:
        if "value" not in named:
            return ""
        return f"{names.with_unit(named['value'], named.get('units', ''))} {named.get('denomination', '')}".strip()
    if named.keys() == {"number", "faces"}:
        return f"{named['number']}d{named['faces']}"
    unit = names.UNITS.get(named["units"], named["units"]) if "units" in named else ""
    parts = []
    for name, value in named.items():
        if name == "units" and any(number(one) is not None for one in named.values()):
            continue
        fact = f"{value} {unit}" if unit and number(value) is not None else value
        called = names.readable(name)
        parts.append(fact if name in ("value", "custom", "name") else called if value == "yes" else f"{called} {fact}")
    return ("; " if any(", " in one or (" " in one and "; " in one) for one in parts) else ", ").join(parts)
