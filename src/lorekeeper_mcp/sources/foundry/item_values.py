"""The values of Foundry's documents in words: damage, uses, ranges, durations, money."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.effects import effects
from lorekeeper_mcp.sources.foundry.formulas import simplified
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, decimal, members, objects, part, text, texts, value_at
from lorekeeper_mcp.sources.phrases import counted, either, joined, phrase
from lorekeeper_mcp.sources.stat_block import bonus, sections_of, shown

# Fields of no use to a reader: ids and paths of the application, the current state of a character's item,
# and fields that this package reads by name (``description_of``, ``uses_text``, ``mechanics``).
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
_MEASURES = {"width": "wide", "height": "high"}
_DEEPEST = 6


def description_of(system: JsonObject, known_values: Mapping[str, str] | None = None) -> str:
    """Return a document's description as Markdown; ``known_values`` are its own rolls, see ``mechanics.own_rolls``."""
    return markdown(part(system, "description").get("value", system.get("description")), known_values)


def further_texts(document: JsonObject, system: JsonObject) -> Iterator[Section]:
    """Yield the texts beside the description: the chat text, the unidentified description, the effects."""
    descriptions, main_text = part(system, "description"), description_of(system)
    texts_by_name = {name: markdown(descriptions.get(name.lower())) for name in ("Chat", "Unidentified")}
    yield from sections_of({name: paragraph for name, paragraph in texts_by_name.items() if paragraph != main_text})
    yield from effects(document)


def system_of(document: JsonObject) -> JsonObject:
    """Return a document's fields of the dnd5e system, which were its data before version 10."""
    return part(document, "system") or part(document, "data")


def activities(system: JsonObject) -> list[JsonObject]:
    """Return the activities of an item, since version 4."""
    return [activity for activity in part(system, "activities").values() if isinstance(activity, Mapping)]


def property_codes(system: JsonObject) -> frozenset[str]:
    """Return components and properties: a list since version 3, flags before."""
    flags = {**part(system, "components"), **part(system, "properties")}
    return frozenset(texts(system.get("properties"))) | {code for code, is_set in flags.items() if is_set is True}


def damage_parts(damage: JsonObject) -> list[tuple[str, str]]:
    """Return the dice and type of each part, ``acid or cold`` for a choice: pairs before version 4, objects since."""
    parts = []
    for entry in (*objects([damage.get("base")]), *members(damage.get("parts"))):
        if isinstance(entry, list) and entry:
            parts.append((shown(entry[0]), shown(entry[1]) if len(entry) > 1 else ""))
        elif isinstance(entry, Mapping):
            kinds = either(_KINDS.get(kind, kind) for kind in texts(entry.get("types")))
            parts.append((simplified(_dice(entry)), kinds))
    return parts


def _dice(entry: JsonObject) -> str:
    custom = part(entry, "custom")
    if custom.get("enabled") is not False and (formula := shown(custom.get("formula"))):
        return formula
    count, faces, extra = bonus(entry.get("number")), bonus(entry.get("denomination")), shown(entry.get("bonus"))
    return joined(f"{count}d{faces}" if count and faces else "", extra, sep=" + ")


def two_handed_damage(damage: JsonObject) -> str:
    """Return the damage with two hands: dice in a text before version 4, an object since."""
    versatile = damage.get("versatile")
    parts = [(versatile, "")] if isinstance(versatile, str) else damage_parts({"base": versatile})
    return next((dice for dice, _ in parts if dice), "").replace(MODIFIER, "").strip()


def uses_text(system: JsonObject) -> str:
    """Return the limit of use: ``3/long rest``, or ``Recharge 5–6``."""
    limit = part(system, "uses")
    recoveries = objects(limit.get("recovery"))
    recharges = [recovery.get("formula") for recovery in recoveries if recovery.get("period") == "recharge"]
    lowest_roll = bonus(value_at(system, "recharge.value")) or next(map(bonus, recharges), None)
    recharge = ""
    if lowest_roll or recharges:
        recharge = f"Recharge {lowest_roll}–6" if lowest_roll and lowest_roll != 6 else "Recharge 6"
    regained = [shown(formula) for formula in recharges if bonus(formula) is None]

    most = shown(limit["max"]) if limit.get("max") else ""
    times = f"equal to the {most}" if most[:1].isalpha() else most
    rests = [
        (names.period(shown(recovery.get("period"))), shown(recovery.get("formula")))
        for recovery in recoveries
        if recovery.get("period") != "recharge"
    ]
    if len(rests) > 1:
        regained += [f"{formula or 'all'} per {period}" for period, formula in rests]
    else:
        regained += [formula for _, formula in rests]
        period = names.period(shown(limit.get("per"))) or "".join(period for period, _ in rests)
        if times and period:
            times += f"/{period}" if times == most else f", per {period}"
    if recharge and most in ("", "1"):
        times = ""
    note = phrase("(regains {})", joined(*regained) or text(limit, "recovery"))
    return joined(recharge, joined(times, note, sep=" "))


def nonzero(value: object) -> str:
    """Return a value in words; empty for zero."""
    printed = shown(value)
    return "" if printed == "0" else printed


def duration_text(duration: JsonObject) -> str:
    """Return a duration as printed: ``10 minutes``."""
    units, value, special = str(duration.get("units") or ""), shown(duration.get("value")), text(duration, "special")
    if units not in DURATIONS:
        return joined(counted(value, units), special)
    name = "" if units == "spec" and special else DURATIONS[units]
    return joined(name, value if decimal(value) is None else "", special)


def range_text(reach: JsonObject) -> str:
    """Return a range as printed: ``60 feet``, ``20/60 feet``, ``Touch``."""
    units, special = str(reach.get("units") or ""), text(reach, "special")
    if near := nonzero(reach.get("value")):
        distance = names.with_unit(joined(near, nonzero(reach.get("long")), sep="/"), units)
    elif units == "spec":
        distance = "" if special else "Special"
    else:
        distance = "" if units in ("ft", "mi", "m", "km") else units.capitalize()
    feet = bonus(reach.get("reach"))
    return joined(f"reach {feet} {names.UNITS.get(units, 'feet')}" if feet else "", distance, special)


def target_text(target: JsonObject) -> str:
    """Return the targets and the area: ``3 creatures of your choice``."""
    affects, template = part(target, "affects") or target, part(target, "template")
    kind, count = names.readable(text(affects, "type")), shown(affects.get("count", affects.get("value")))
    affected = ""
    if kind and not template and affects.get("units"):
        affected = f"{names.with_unit(count, str(affects['units']))} {kind}".strip()
    elif kind:
        plural = f"{kind.replace(' or ', 's or ')}s".replace("allys", "allies").replace("enemys", "enemies")
        affected = f"{count} {plural if count not in ('', '1') else kind}".strip()
    if affected and affects.get("choice") is True:
        affected += " of your choice"
    return joined(affected, _area(target), markdown(affects.get("special")))


def _area(target: JsonObject) -> str:
    """The area of a template: ``3 connected cubes of 10 feet``, ``60 feet line, 5 feet wide``."""
    template = part(target, "template")
    size, shape, count = shown(template.get("size")), text(template, "type"), shown(template.get("count"))
    units = str(template.get("units") or "ft")
    if not shape:
        area = ""
    elif count in ("", "1"):
        area = f"{names.hyphenated(size, units)} {shape}".strip()
    else:
        connected = "connected " if template.get("contiguous") is True else ""
        area = f"{count} {connected}{shape}s" + phrase(" of {}", size and names.with_unit(size, units))
    measures = {word: nonzero(template.get(field, target.get(field))) for field, word in _MEASURES.items()}
    return joined(area, *(f"{names.with_unit(value, units)} {word}" for word, value in measures.items() if value))


def unread_fields(system: JsonObject, read_fields: frozenset[str]) -> tuple[Section, ...]:
    """Return the values without a field of their own, by name, unless empty, zero or switched off."""
    read = read_fields | _IGNORED_FIELDS
    return sections_of({name: words(value) for name, value in system.items() if name not in read})


def unread_words(values: JsonObject, read_fields: Collection[str]) -> str:
    """Return all values of an object except those of some fields, in words."""
    return words({name: value for name, value in values.items() if name not in read_fields})


def _is_id(value: str) -> bool:
    """Whether a text is the id of a document: sixteen random characters, or a path that ends in them."""
    if not _ID.fullmatch(value):
        return False
    return "." in value or not (value.isalpha() and value.lower()[1:] == value[1:])  # "Incomprehensible" is a word


def words(value: object, depth: int = 0) -> str:
    """Return a value in words, without the parts that only the application needs."""
    if isinstance(value, str):
        return "" if _is_id(value) else names.readable(markdown(value))
    if isinstance(value, bool) or value in (None, 0):
        return "yes" if value is True else ""
    if depth < _DEEPEST and isinstance(value, Mapping):
        inner = {name: words(field, depth + 1) for name, field in value.items() if name not in _OF_THE_APPLICATION}
        return _fields_in_words({str(name): text for name, text in inner.items() if text})
    if depth < _DEEPEST and isinstance(value, list):
        parts = list(filter(None, (words(entry, depth + 1) for entry in value)))
        return ("; " if any(", " in part for part in parts) else ", ").join(parts)
    return shown(value)


def _fields_in_words(fields: dict[str, str]) -> str:
    """Values by name, as in a sentence; numbers with a unit, dice, and fields called value have no name."""
    if fields.keys() <= {"value", "units", "denomination"}:
        if "value" not in fields:
            return ""
        return f"{names.with_unit(fields['value'], fields.get('units', ''))} {fields.get('denomination', '')}".strip()
    if fields.keys() == {"number", "faces"}:
        return f"{fields['number']}d{fields['faces']}"
    numbers = {name for name, value in fields.items() if decimal(value) is not None}
    units = fields.get("units", "")
    parts = []
    for name, value in fields.items():
        if name == "units" and numbers:
            continue
        fact = f"{value} {names.UNITS.get(units, units)}" if units and name in numbers else value
        if name in ("value", "custom", "name"):
            parts.append(fact)
        else:
            parts.append(names.readable(name) if value == "yes" else f"{names.readable(name)} {fact}")
    return ("; " if any(", " in part or "; " in part for part in parts) else ", ").join(parts)


def phrases(values: JsonObject, templates: Mapping[str, str]) -> str:
    """Return each template with the value at its path, if there is one: ``{"dt": "damage threshold {}"}``."""
    return joined(*(phrase(template, words(value_at(values, path))) for path, template in templates.items()))


def coins(purse: JsonObject) -> str:
    """Return an amount of money: ``5 gp, 2 sp``."""
    counts = {coin: words(amount) for coin, amount in purse.items()}
    return ", ".join(f"{count} {coin}" for coin, count in counts.items() if count)


def cover(system: JsonObject) -> str:
    """Return the cover that an item or a feature gives."""
    return _COVERS.get(decimal(system.get("cover")) or 0, words(system.get("cover")))
