"""General repairs of the texts that Open5e serves: markup, typesetting, tables.

A text stays as its publisher has it; only what breaks a page, or what many texts have, is repaired. The rules are the
same for every book. A test fails if one of them changes no recorded text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import TypeAlias

from lorekeeper_mcp.models import Abilities
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES

Rule: TypeAlias = Callable[[str], str]

PROSE = frozenset(
    {
        "alignment", "armor_desc", "armor_detail", "as_string", "asi_desc", "attunement_detail", "desc",
        "condition_immunities", "condition_immunities_display", "damage_immunities", "damage_immunities_display",
        "damage_resistances", "damage_resistances_display", "damage_vulnerabilities", "damage_vulnerabilities_display",
        "higher_level", "languages", "legendary_desc", "material_specified", "name", "prerequisite",
        "reaction_condition", "senses", "speed_desc", "traits", "vision",
    }
)  # fmt: skip
"""The served fields that hold prose."""

_LISTED = "|".join(
    (*DAMAGE_TYPES, "air", "food", "drink", "water", "sleep", *(a.title()[:3] for a in Abilities.model_fields))
)
_CONTRACTED = "are|ca|could|did|do|does|had|has|have|is|should|was|were|would|wo"
_TAG = re.compile(r"</? ?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>")


def _sub(pattern: str, right: str, flags: int = 0) -> Rule:
    compiled = re.compile(pattern, flags)
    return lambda text: compiled.sub(right, text)


def _with_commas(text: str) -> str:
    """A list of words whose commas are lost: "air food drink or sleep"."""
    return re.sub(
        rf"\b(?:(?:{_LISTED}) )+(?:{_LISTED})(?= (?:and|or) (?:{_LISTED})\b)",
        lambda listed: f"{listed[0].replace(' ', ', ')},",
        text,
    )


RULES: tuple[Rule, ...] = (
    # HTML, entities and Markdown.
    _sub(r"</t[hd]>\s*(?=<t[hd])", ": ", re.IGNORECASE),
    _sub(r"\s*<li[^>]*>\s*", "\n- ", re.IGNORECASE),
    _sub(r"\s*</?(?:br|p|ul|ol|div|h\d|tr)\b[^>]*>\s*", "\n\n", re.IGNORECASE),
    _sub(r"</?(?:strong|b)>", "**", re.IGNORECASE),
    _sub(_TAG.pattern, ""),
    html.unescape,
    _sub(r"\\n|\r\n?", "\n"),
    _sub(r"\[([^\]\n]+)\]\((?:https?://|www\.)[^)\s]*\)", r"\1"),  # links into Open5e's own site
    _sub(r"(?<=[\w+])\\(?=[.\]])|\\(?=\[)|(?<= )\\(?=- )", ""),  # "roll a d20\."
    _sub(r"(?<![\w_])__(?=\S)([^_\n]+?)_(?!_)", r"_\1_"),
    _sub(r"(?<=\w)_ +(?=[,.;:](?:\s|$))", "_"),
    _sub(r"(?m)^([^_\n]*[.!?”\"])_[ \t]*$", r"\1"),
    _sub(r"(?<=[.:])\*\*(?=[A-Z][a-z])", "** "),
    # Spaces and hyphens.
    _sub(r"[-\u00ad\u2010\u2011]*[\u00ad\u2010\u2011][-\u00ad\u2010\u2011]*", "-"),
    # Two spaces in place of a comma, but not within a phrase.
    _sub(r"(?<=[a-z0-9)'’\"”])(?<! and)(?<! the)(?<! an)(?<! in)(?<! is)(?<!into)(?<!when) {2}(?=[A-Za-z0-9])", ", "),
    _sub(r"(?<=\S) {2,}(?=\S)", " "),
    _sub(r"(?<=\w) (?=[,.](?:\s|$)(?! \.))", ""),
    _sub(r"(?<=[a-z]),(?=[A-Za-z]{3})", ", "),
    _sub(r"(?:(?<=[a-z]{2}[.:])|(?<=\)\.))(?=[A-Z]\w+[ ,.:])", " "),
    _sub(r"(?<=\d)(?=(?:minutes?|rounds?|hours?|days|feet|miles?|ft|lb|gp|sp|cp)\b)", " "),
    # Abbreviations and lost characters.
    _sub(r"(?<=\d)(?<!'\d)'\.?(?![\w'])", " ft."),  # 30'
    _sub(rf"(?<!ves['’] )\b({_CONTRACTED})nt\b", r"\1n't"),
    _sub(r"\bwith o\b(?! clock)", "without"),
    _sub(r"\bw/(?=[a-z])", "with "),
    _sub(r"\bB/P/S\b", "bludgeoning, piercing, and slashing"),
    _sub(r",\.(?= )", ","),
    _with_commas,
    _sub(r"\A(Deep Magic: [a-z]+(?:[ -][a-z]+)*) (?=[A-Z])", r"*\1*\n\n"),  # a tag before the text
    # Paragraphs and tables.
    _sub(r"(?m)^[ \t]+$", ""),
    _sub(r"(?m)^ {1,3}(?=[^\s*+|>-]|\*\*)", ""),
    _sub(r"(?m)^(?![|>])([^\n|]*[.!?][\"”’')*_]*)[ \t]*\n(?=[A-Z][a-z'’]*,? |\*\*[A-Z])", r"\1\n\n"),
    _sub(r"(?m)^([^|\n]*[^|\s])[ \t]+(\|[^\n]*\|[^\n]*\|[ \t]*\n[ \t]*\|)", r"\1\n\n\2"),
    _sub(r"(?:(?<=\|\n)|(?m:^))[ \t]*([^|\s][^|\n]{0,40}\|[^\n]*\|)[ \t]*(?=\n[ \t]*\|)", r"| \1"),
    _sub(r"(?m)^([^|\n]*[^|\s][ \t]*)\n(?=[ \t]*\|[^\n]*\|)", r"\1\n\n"),
    _sub(r"\n{3,}", "\n\n"),
)


def clean_text(text: str) -> str:
    """Return a text with every rule applied."""
    for rule in RULES:
        text = rule(text)
    return text.strip()


def clean_fields(value: object) -> object:
    """Return served JSON with clean prose; other fields, such as keys, stay as they are."""
    if isinstance(value, list):
        return [clean_fields(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _clean_field(name, entry) for name, entry in value.items()}
    return value


def _clean_field(name: str, value: object) -> object:
    if name in PROSE and isinstance(value, str):
        return clean_text(value)
    return value if name == "attacks" else clean_fields(value)
