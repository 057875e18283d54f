"""Entries without nested ones: dice, bonuses, save DCs, pictures, references."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.fivetools.texts.tags import PROPERTIES, plain_text, referenced_name, text_in
from lorekeeper_mcp.sources.json_values import listed
from lorekeeper_mcp.sources.phrases import joined

Json: TypeAlias = "Mapping[str, object]"
_ABILITIES = {code: name.capitalize() for code, name in ABILITY_BY_ABBREVIATION.items()} | {
    "spellcasting": "spellcasting ability"
}
_HTML_TAG = re.compile(r"</?([a-zA-Z]\w*)[^<>]*>")
_INLINE_TAGS = frozenset({"a", "b", "code", "em", "i", "s", "small", "span", "strong", "sub", "sup", "u"})
_FEATURE_FIELDS = ("classFeature", "subclassFeature", "optionalfeature", "feat")


def ability_formula(result: str, base: str = "") -> Callable[[Json, int], str]:
    """Return a function that words the formula of a save DC or an attack modifier."""

    def formula(entry: Json, _: int) -> str:
        name = joined(text_in(entry, "name"), result, sep=" ")
        return f"**{name}** = {base}your proficiency bonus + your {modifier(entry)} modifier"

    return formula


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
    rolls = listed(entry.get("toRoll"))
    return " + ".join(_roll(roll) if isinstance(roll, Mapping) else str(roll) for roll in rolls)


def _roll(roll: Json) -> str:
    dice, number = f"{roll.get('number', 1)}d{roll.get('faces', '')}", roll.get("modifier")
    if not isinstance(number, int) or not number or roll.get("hideModifier"):
        return dice
    return f"{dice} {'+' if number > 0 else '-'} {abs(number)}"


def picture(entry: Json, _: int) -> str:
    """Return the text of a picture; the picture itself is not kept."""
    fields = ("title", "mapName", "altText", "credit")
    texts = dict.fromkeys(text_in(entry, field) for field in fields if entry.get(field))
    return f"[Picture: {', '.join(texts)}]" if texts else ""


def statblock(entry: Json, _: int) -> str:
    """Return a reference to a stat block elsewhere."""
    code = str(entry.get("abbreviation") or "")
    name = entry.get("displayName") or entry.get("name") or PROPERTIES.get(code, code) or "the stat block"
    return f"See {plain_text(str(name))}."


def statblock_inline(entry: Json, _: int) -> str:
    """Return a reference to an inline stat block, which is an item of the book."""
    block = entry.get("data")
    return f"See {text_in(block, 'name') or 'the stat block'}." if isinstance(block, Mapping) else ""


def html(entry: Json, _: int) -> str:
    """Return the text of an HTML entry."""
    text = _HTML_TAG.sub(lambda tag: "" if tag[1].lower() in _INLINE_TAGS else " ", str(entry.get("html") or ""))
    return " ".join(text.split())


def feature_reference(entry: Json, _: int) -> str:
    """Return a reference to a feature that is not in the file."""
    reference = next((str(entry[field]) for field in _FEATURE_FIELDS if field in entry), "")
    return f"See {referenced_name(str(entry.get('name') or reference))}." if reference else ""
