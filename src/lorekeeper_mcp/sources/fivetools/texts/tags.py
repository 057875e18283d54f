"""Converts inline tags such as ``{@spell fireball|PHB}`` to the text that a book would print."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION

_TAG = re.compile(r"\{([@#=])(\w+)(?:/[a-z]+)?(?:[\s|]([^{}]*))?\}")
_UID = re.compile(r"([^|{}\n]{1,120}?)\|[\w'+:.&!-]*(?:\|([^|{}\n]*))?(?:\|.*)?")
_MARK = re.compile(r"#[a-z]$")  # of a cantrip
_ASKED = re.compile(r"#\$.*?\$#")  # a number that the site prompts for before a roll
_DEEPEST = 20  # tags in tags
PROPERTIES = {
    "2H": "Two-Handed", "A": "Ammunition", "AF": "Ammunition (firearm)", "BF": "Burst Fire", "F": "Finesse",
    "H": "Heavy", "L": "Light", "LD": "Loading", "R": "Reach", "RLD": "Reload", "S": "Special", "T": "Thrown",
    "V": "Versatile",
}  # fmt: skip
"""Weapon properties by the codes of the format."""

_ATTACKS = {"w": "Weapon ", "s": "Spell ", "p": "Power "}
_ORDINALS = {"2": "Second ", "3": "Third ", "4": "Fourth "}
# The index of the displayed text if it is not the third part.
_SHOWN_AT = {"card": 3, "classFeature": 5, "deity": 3, "quickref": 4, "subclass": 4, "subclassFeature": 7}
_SHOWN_FIRST = frozenset({"5etools", "5etoolsImg", "adventure", "area", "book", "filter", "link", "loader"})
# Formatting tags, whose whole text is displayed, with their Markdown marks if any.
_LOOKS = {
    **dict.fromkeys(("b", "bold"), "**"),
    **dict.fromkeys(("i", "italic", "note"), "*"),
    **dict.fromkeys(("s", "strike", "s2", "strikeDouble"), "~~"),
    **dict.fromkeys(("u", "underline", "u2", "underlineDouble"), ""),
    "code": "`",
}
_RAISED = {"sup": str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"), "sub": str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")}
_REWORDED = frozenset({"dcYourSpellSave", "hitYourSpellAttack"})  # those that may have their own wording
# Tags that always have the same words.
_WORDS = {
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
    for _ in range(_DEEPEST):
        replaced = _TAG.sub(_tag_text, text)
        if replaced == text:
            break
        text = replaced
    return text


def text_in(spec: Mapping[str, object], name: str) -> str:
    """Return a text of an object, with tags as words; empty if there is none."""
    return plain_text(str(spec.get(name) or ""))


def referred(text: str) -> str:
    """Return the displayed text of ``torch|xphb``, ``torch|xphb|torches`` or ``light#c``; other text as it is."""
    plain = text.strip()
    if "|" in plain and (found := _UID.fullmatch(plain)):
        plain = (found[2] if plain.count("|") == 2 else "") or found[1]
    return _MARK.sub("", plain)


def reference(text: str) -> str:
    """Return the name in a reference such as ``fireball|phb`` or a tag around one, without its source."""
    return plain_text(text).partition("|")[0].strip()


def _tag_text(tag: re.Match[str]) -> str:
    sign, name, given = tag[1], tag[2], tag[3] or ""
    if sign != "@":  # {#itemEntry name|source} and {=variable}, where nothing has replaced them
        return given.partition("|")[0] or name
    parts = [part.strip() for part in given.split("|")]
    if name in _LOOKS:
        mark = _LOOKS[name] if given.strip() else ""
        return f"{mark}{given.strip()}{mark}"
    if name in _RAISED:  # a digit would be read with the number before it
        return given.translate(_RAISED[name])
    if name in _WORDS:
        return parts[0] or _WORDS[name] if name in _REWORDED else _WORDS[name]
    if name in _FORMS:
        return _FORMS[name](parts)
    shown = parts[0].partition("#")[0] if name == "spell" else parts[0]
    place = _SHOWN_AT.get(name, 2)
    if name not in _SHOWN_FIRST and len(parts) > place and parts[place]:
        shown = parts[place]
    return shown


def _signed(value: str) -> str:
    return value if not value or value[0] in "+-–" or not value[0].isdigit() else f"+{value}"


def _attack(parts: list[str]) -> str:
    """``mw,rw`` is Melee or Ranged Weapon Attack."""
    codes = [code for code in parts[0].replace(" ", "").split(",") if code]
    ways = dict.fromkeys("Melee" if "m" in code else "Ranged" if "r" in code else "Area" for code in codes)
    kinds = dict.fromkeys(_ATTACKS.get(code[-1:], "") for code in codes)
    words = (" or ".join(ways), " or ".join(kinds).strip() if any(kinds) else "", "Attack:")
    return f"*{' '.join(filter(None, words))}*"


def _attack_roll(parts: list[str]) -> str:
    ways = dict.fromkeys("Melee" if "m" in code else "Ranged" for code in parts[0].replace(" ", "").split(",") if code)
    return f"*{' or '.join(ways)} Attack Roll:*"


def _own_words(parts: list[str]) -> str:
    """The author's name for a roll, in place of the roll."""
    return parts[1] if len(parts) > 1 else ""


def _scaled(parts: list[str]) -> str:
    return (parts[4] if len(parts) > 4 and parts[4] else "") or (parts[2] if len(parts) > 2 else parts[0])


def _recharge(parts: list[str]) -> str:
    low = parts[0] or "6"
    return f"(Recharge {low})" if low == "6" or not low.isdigit() else f"(Recharge {low}–6)"


def _ability(parts: list[str]) -> str:
    _, _, score = parts[0].partition(" ")
    return _own_words(parts) or (f"{score} ({(int(score) - 10) // 2:+d})" if score.isdigit() else parts[0])


def _saving_throw(parts: list[str]) -> str:
    names = [ABILITY_BY_ABBREVIATION.get(code.strip().lower(), code.strip()).title() for code in parts[0].split(",")]
    return f"*{' or '.join(names)} Saving Throw:*"


def _explained(parts: list[str]) -> str:
    """Words with their tooltip."""
    more = "; ".join(filter(None, parts[1:]))
    return f"{parts[0]} ({more})".strip() if more else parts[0]


def _unit(parts: list[str]) -> str:
    """The singular or plural for an amount: ``{@unit 2|foot|feet}``; without a plural an s is added."""
    amount, one, several, *_ = [*parts, "", ""]
    return one if amount == "1" else several or (f"{one}s" if one else "")


_FORMS: Mapping[str, Callable[[list[str]], str]] = {
    "atk": _attack,
    "atkr": _attack_roll,
    **dict.fromkeys(("hit", "d20", "initiative"), lambda parts: _own_words(parts) or _signed(parts[0])),
    "dc": lambda parts: f"DC {_own_words(parts) or parts[0]}".strip(),
    **dict.fromkeys(
        ("dice", "autodice", "damage"), lambda parts: _own_words(parts) or _ASKED.sub("(n)", parts[0]).replace(";", "/")
    ),
    **dict.fromkeys(("scaledice", "scaledamage"), _scaled),
    "recharge": _recharge,
    "ability": _ability,
    **dict.fromkeys(
        ("savingThrow", "skillCheck"), lambda parts: _own_words(parts) or _signed(parts[0].rpartition(" ")[2])
    ),
    "chance": lambda parts: _own_words(parts) or f"{parts[0]} percent".strip(),
    "coinflip": lambda parts: parts[0] or _own_words(parts) or "flip a coin",
    "actSave": _saving_throw,
    "actSaveFail": lambda parts: f"*{_ORDINALS.get(parts[0], '')}Failure:*",
    "actSaveFailBy": lambda parts: f"*Failure by {parts[0]} or More:*",
    "actResponse": lambda parts: "*Response—*" if parts[0] == "d" else "*Response:*",
    **dict.fromkeys(("footnote", "help", "tip"), _explained),
    # A change to another book: the new words, else the removed ones.
    "homebrew": lambda parts: parts[0] or (f"(Left out: {gone})" if (gone := _own_words(parts)) else ""),
    "unit": _unit,
    "cite": lambda parts: parts[2] if len(parts) > 2 and parts[2] else parts[0],
    "itemProperty": lambda parts: parts[2] if len(parts) > 2 and parts[2] else PROPERTIES.get(parts[0], parts[0]),
}
