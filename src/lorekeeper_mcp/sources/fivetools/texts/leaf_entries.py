"""Entries without nested ones: dice, bonuses, save DCs, pictures, references; and values in texts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.fivetools.texts.tags import PROPERTIES, plain_text, reference, text_in
from lorekeeper_mcp.sources.json_values import listed, with_texts

Json: TypeAlias = "Mapping[str, object]"
_ABILITIES = {code: name.capitalize() for code, name in ABILITY_BY_ABBREVIATION.items()} | {
    "spellcasting": "spellcasting ability"
}
_VALUE = re.compile(r"\{\{(?:(\w+) )?item\.([\w.]+)\}\}")
_ELEMENT = re.compile(r"</?([a-zA-Z]\w*)[^<>]*>")
_IN_LINE = frozenset({"a", "b", "code", "em", "i", "s", "small", "span", "strong", "sub", "sup", "u"})
_VARIABLE = re.compile(r"\{=(\w+)(?:/([a-z]+))?\}")
_FRACTIONS = {0.125: "⅛", 0.25: "¼", 0.333: "⅓", 0.375: "⅜", 0.5: "½", 0.625: "⅝", 0.667: "⅔", 0.75: "¾", 0.875: "⅞"}
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def ability_formula(what: str, begin: str = "") -> Callable[[Json, int], str]:
    """Return a function that words the formula of a save DC or an attack modifier."""
    end = "your proficiency bonus + your"
    return lambda entry, _: f"**{titled(entry, what)}** = {begin}{end} {modifier(entry)} modifier"


def titled(entry: Json, what: str) -> str:
    """Return the entry's name followed by some words."""
    return " ".join(part for part in (text_in(entry, "name"), what) if part)


def modifier(entry: Json) -> str:
    """Return the abilities whose modifier applies."""
    return " or ".join(_ABILITIES.get(str(code), str(code)) for code in listed(entry.get("attributes")))


def bonus(entry: Json, _: int) -> str:
    """Return a number with its sign."""
    value = entry.get("value")
    return f"{value:+g}" if isinstance(value, int | float) else str(value or "")


def dice(entry: Json, _: int) -> str:
    """Return a roll: ``2d6 + 3``."""
    if entry.get("displayText"):
        return plain_text(str(entry["displayText"]))
    rolls = entry.get("toRoll")
    return " + ".join(_roll(roll) if isinstance(roll, Mapping) else str(roll) for roll in listed(rolls))


def _roll(roll: Json) -> str:
    more, by = "", roll.get("modifier")
    if isinstance(by, int) and by and not roll.get("hideModifier"):
        more = f" {'+' if by > 0 else '-'} {abs(by)}"
    return f"{roll.get('number', 1)}d{roll.get('faces', '')}{more}"


def picture(entry: Json, _: int) -> str:
    """Return the text of a picture; the picture itself is not kept."""
    texts = dict.fromkeys(
        plain_text(str(entry[key])) for key in ("title", "mapName", "altText", "credit") if entry.get(key)
    )
    return f"[Picture: {', '.join(texts)}]" if texts else ""


def statblock(entry: Json, _: int) -> str:
    """Return a reference to a stat block elsewhere."""
    short = str(entry.get("abbreviation") or "")
    named = entry.get("displayName") or entry.get("name") or PROPERTIES.get(short, short) or "the stat block"
    return f"See {plain_text(str(named))}."


def statblock_inline(entry: Json, _: int) -> str:
    """Return a reference to an inline stat block, which is an item of the book."""
    data = entry.get("data")
    return f"See {plain_text(str(data.get('name') or 'the stat block'))}." if isinstance(data, Mapping) else ""


def html(entry: Json, _: int) -> str:
    """Return the text of an HTML entry."""
    text = _ELEMENT.sub(lambda tag: "" if tag[1].lower() in _IN_LINE else " ", str(entry.get("html") or ""))
    return " ".join(text.split())


def feature_reference(entry: Json, _: int) -> str:
    """Return a reference to a feature that is not in the file."""
    found = next(
        (str(entry[key]) for key in ("classFeature", "subclassFeature", "optionalfeature", "feat") if key in entry), ""
    )
    return f"See {reference(str(entry.get('name') or found))}." if found else ""


def filled(entries: object, values: Mapping[str, object]) -> object:
    """Fill an item's values into entries with variables such as ``{=bonusWeapon}``."""

    def shown(hit: re.Match[str]) -> str:
        return _shown(values[hit[1]], hit[2] or "") if hit[1] in values else hit[0]

    return with_texts(entries, lambda text: _VARIABLE.sub(shown, text))


def _shown(value: object, forms: str) -> str:
    """A value formatted by its flags: lower case (l), its article (a), a fraction (v), a number in words (x)."""
    for form in forms:
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST:
            value = _NUMBER_FORMS[form](value) if form in _NUMBER_FORMS else value
        else:
            value = _TEXT_FORMS[form](_joined(value)) if form in _TEXT_FORMS else value
    return _joined(value)


def _joined(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    texts = [str(one) for one in listed(value) if isinstance(one, str | int | float)]
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def _fraction(value: float) -> str:
    whole = int(value)
    part = _FRACTIONS.get(round(abs(value - whole), 3), "")
    return f"{whole or ''}{part}" if part else f"{value:g}"


_MOST = 1_000_000_000
_TEXT_FORMS: Mapping[str, Callable[[str], object]] = {
    "a": lambda text: "an" if text[:1].lower() in ("a", "e", "i", "o", "u") else "a",
    "l": str.lower,
    "t": str.title,
    "u": str.upper,
}
_NUMBER_FORMS: Mapping[str, Callable[[float], object]] = {
    "a": lambda value: "an" if value in (8, 11, 18) else "a",
    "c": math.ceil,
    "f": math.floor,
    "r": lambda value: math.floor(value + 0.5),
    "v": _fraction,
    "x": lambda value: _NUMBERS[int(value)] if value in range(len(_NUMBERS)) else value,
}


def with_values(entries: object, item: Mapping[str, object]) -> object:
    """Fill an item's values into entries with ``{{item.detail1}}`` and ``{{getFullImmRes item.resist}}``."""
    return with_texts(entries, lambda text: _VALUE.sub(lambda hit: _value(item, hit[2]), text))


def _value(item: Mapping[str, object], path: str) -> str:
    value: object = item
    for step in path.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return _joined(value)
