"""Converts inline tags such as ``{@spell fireball|PHB}`` to the text that a book would print."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION

_TAG = re.compile(r"\{([@#=])(\w+)(?:/[a-z]+)?(?:[\s|]([^{}]*))?\}")
_UID = re.compile(r"([^|{}\n]{1,120}?)\|[\w'+:.&!-]*(?:\|([^|{}\n]*))?(?:\|.*)?")
_SLOT_MARK = re.compile(r"#[a-z]$")  # of a cantrip
_PROMPT = re.compile(r"#\$[^$]*\$#")  # a number that the site prompts for before a roll
_MAX_DEPTH = 20  # tags in tags
PROPERTIES = {
    "2H": "Two-Handed", "A": "Ammunition", "AF": "Ammunition (firearm)", "BF": "Burst Fire", "F": "Finesse",
    "H": "Heavy", "L": "Light", "LD": "Loading", "R": "Reach", "RLD": "Reload", "S": "Special", "T": "Thrown",
    "V": "Versatile",
}  # fmt: skip
"""Weapon properties by the codes of the format."""

_ATTACKS = {"w": "Weapon ", "s": "Spell ", "p": "Power "}
_ORDINALS = {"2": "Second ", "3": "Third ", "4": "Fourth "}
# The index of the part with the displayed text, if it is not the third part.
_DISPLAYED_PART = {"card": 3, "classFeature": 5, "deity": 3, "quickref": 4, "subclass": 4, "subclassFeature": 7}
_DISPLAYED_FIRST = frozenset({"5etools", "5etoolsImg", "adventure", "area", "book", "filter", "link", "loader"})
# Formatting tags, whose whole text is displayed, with their Markdown marks if any.
_FORMATTING = {
    **dict.fromkeys(("b", "bold"), "**"),
    **dict.fromkeys(("i", "italic", "note"), "*"),
    **dict.fromkeys(("s", "strike", "s2", "strikeDouble"), "~~"),
    **dict.fromkeys(("u", "underline", "u2", "underlineDouble"), ""),
    "code": "`",
}
_SCRIPTS = {"sup": str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"), "sub": str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")}
_REWORDABLE = frozenset({"dcYourSpellSave", "hitYourSpellAttack"})  # these may have their own wording
# Tags that always have the same words.
_FIXED_WORDS = {
    "h": "*Hit:* ",
    "m": "*Miss:* ",
    "hom": "*Hit or Miss:* ",
    "actTrigger": "*Trigger:*",
    "actSaveSuccess": "*Success:*",
    "actSaveSuccessOrFail": "*Failure or Success:*",
    "dcYourSpellSave": "your spell save DC",
    "hitYourSpellAttack": "your spell attack modifier",
}


def plain_text(text: str) -> str:
    """Return a text with every tag as its words; an unknown tag as its first part."""
    for _ in range(_MAX_DEPTH):
        replaced = _TAG.sub(_tag_text, text)
        if replaced == text:
            break
        text = replaced
    return text


def text_in(values: Mapping[str, object], name: str) -> str:
    """Return a text of an object, with tags as words; empty if there is none."""
    return plain_text(str(values.get(name) or ""))


def displayed_reference(text: str) -> str:
    """Return the displayed text of ``torch|xphb``, ``torch|xphb|torches`` or ``light#c``; other text as it is."""
    plain = text.strip()
    if "|" in plain and (uid := _UID.fullmatch(plain)):
        displayed = uid[2] if plain.count("|") == 2 else ""
        plain = displayed or uid[1]
    return _SLOT_MARK.sub("", plain)


def referenced_name(text: str) -> str:
    """Return the name in a reference such as ``fireball|phb`` or a tag around one, without its source."""
    return plain_text(text).partition("|")[0].strip()


def _tag_text(tag: re.Match[str]) -> str:
    sign, name, content = tag[1], tag[2], tag[3] or ""
    if sign != "@":  # {#itemEntry name|source} and {=variable}, where nothing has replaced them
        return content.partition("|")[0] or name
    parts = [part.strip() for part in content.split("|")]
    if name in _FORMATTING:
        mark = _FORMATTING[name] if content.strip() else ""
        return f"{mark}{content.strip()}{mark}"
    if name in _SCRIPTS:  # a plain digit would be read with the number before it
        return content.translate(_SCRIPTS[name])
    if name in _FIXED_WORDS:
        return parts[0] or _FIXED_WORDS[name] if name in _REWORDABLE else _FIXED_WORDS[name]
    if name in _FORMS:
        return _FORMS[name](parts)
    first = parts[0].partition("#")[0] if name == "spell" else parts[0]
    return first if name in _DISPLAYED_FIRST else _part(parts, _DISPLAYED_PART.get(name, 2)) or first


def _part(parts: list[str], index: int) -> str:
    """A part of a tag; empty if it has fewer."""
    return parts[index] if len(parts) > index else ""


def _signed(value: str) -> str:
    return f"+{value}" if value[:1].isdigit() else value


def _attack(parts: list[str]) -> str:
    """``mw,rw`` is Melee or Ranged Weapon Attack."""
    codes = [code for code in parts[0].replace(" ", "").split(",") if code]
    ranges = dict.fromkeys("Melee" if "m" in code else "Ranged" if "r" in code else "Area" for code in codes)
    kinds = dict.fromkeys(_ATTACKS.get(code[-1:], "") for code in codes)
    words = (" or ".join(ranges), " or ".join(kinds).strip() if any(kinds) else "", "Attack:")
    return f"*{' '.join(filter(None, words))}*"


def _attack_roll(parts: list[str]) -> str:
    codes = parts[0].replace(" ", "").split(",")
    ranges = dict.fromkeys("Melee" if "m" in code else "Ranged" for code in codes if code)
    return f"*{' or '.join(ranges)} Attack Roll:*"


def _recharge(parts: list[str]) -> str:
    lowest = parts[0] or "6"
    return f"(Recharge {lowest})" if lowest == "6" or not lowest.isdigit() else f"(Recharge {lowest}–6)"


def _ability(parts: list[str]) -> str:
    _, _, score = parts[0].partition(" ")
    return _part(parts, 1) or (f"{score} ({(int(score) - 10) // 2:+d})" if score.isdigit() else parts[0])


def _saving_throw(parts: list[str]) -> str:
    names = [ABILITY_BY_ABBREVIATION.get(code.strip().lower(), code.strip()).title() for code in parts[0].split(",")]
    return f"*{' or '.join(names)} Saving Throw:*"


def _with_tooltip(parts: list[str]) -> str:
    tooltip = "; ".join(filter(None, parts[1:]))
    return f"{parts[0]} ({tooltip})".strip() if tooltip else parts[0]


def _unit(parts: list[str]) -> str:
    """The singular or plural for an amount: ``{@unit 2|foot|feet}``; without a plural an s is added."""
    amount, singular, plural, *_ = [*parts, "", ""]
    return singular if amount == "1" else plural or (f"{singular}s" if singular else "")


_FORMS: Mapping[str, Callable[[list[str]], str]] = {
    "atk": _attack,
    "atkr": _attack_roll,
    **dict.fromkeys(("hit", "d20", "initiative"), lambda parts: _part(parts, 1) or _signed(parts[0])),
    "dc": lambda parts: f"DC {_part(parts, 1) or parts[0]}".strip(),
    # The author's name for a roll, else the roll.
    **dict.fromkeys(
        ("dice", "autodice", "damage"), lambda parts: _part(parts, 1) or _PROMPT.sub("(n)", parts[0]).replace(";", "/")
    ),
    **dict.fromkeys(("scaledice", "scaledamage"), lambda parts: _part(parts, 4) or _part(parts, 2) or parts[0]),
    "recharge": _recharge,
    "ability": _ability,
    **dict.fromkeys(
        ("savingThrow", "skillCheck"), lambda parts: _part(parts, 1) or _signed(parts[0].rpartition(" ")[2])
    ),
    "chance": lambda parts: _part(parts, 1) or f"{parts[0]} percent".strip(),
    "coinflip": lambda parts: parts[0] or "flip a coin",
    "actSave": _saving_throw,
    "actSaveFail": lambda parts: f"*{_ORDINALS.get(parts[0], '')}Failure:*",
    "actSaveFailBy": lambda parts: f"*Failure by {parts[0]} or More:*",
    "actResponse": lambda parts: "*Response—*" if parts[0] == "d" else "*Response:*",
    **dict.fromkeys(("footnote", "help", "homebrew", "tip"), _with_tooltip),
    "unit": _unit,
    "itemProperty": lambda parts: _part(parts, 2) or PROPERTIES.get(parts[0], parts[0]),
}
