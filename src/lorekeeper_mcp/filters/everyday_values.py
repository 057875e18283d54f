"""Parses values in everyday forms: rings, a DEX save, 1,000 gp, the third level, CG."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from lorekeeper_mcp.models.vocabulary import GOLD
from lorekeeper_mcp.plurals import singular_or_plural_forms

_MIN_LETTERS = 3  # letters of an abbreviated key
# Nouns that people add to a key: fire damage, DEX save, heavy armor.
_OF_KIND = re.compile(
    r"-(?:damage|saves?|saving-throws?|armou?r|schools?|conditions?|speed|feats?|skills?|score|creatures?|spells?)$"
)
_INFLECTED = "(?:ing|ed|es|s|d)"  # "flying", "poisoned"
_AMOUNT = re.compile(r"(?:([a-z]+) )?(\d+(?:\.\d+)?)(?: ?([a-z][a-z ]*?)\.?)?")
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
NUMBERS = {word: number for number, word in enumerate(_NUMBERS.split())}
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split())}

FEET: Mapping[str, float] = {"feet": 1, "foot": 1, "ft": 1, "mile": 5280, "miles": 5280}
GP: Mapping[str, float] = GOLD | {"gold": 1, "gold pieces": 1, "silver": 0.1, "copper": 0.01, "platinum": 10}
POUNDS: Mapping[str, float] = {"lb": 1, "lbs": 1, "pound": 1, "pounds": 1}
POINTS: Mapping[str, float] = {"hp": 1, "hit points": 1, "ac": 1}
_LAWFULNESS = {"l": "lawful", "n": "neutral", "c": "chaotic"}
_GOODNESS = {"g": "good", "n": "neutral", "e": "evil"}


def match_key(slug: str, keys: Collection[str]) -> str | None:
    """Return the one key that a slug means: in the other number, abbreviated, inflected, or followed by its kind."""
    by_letters = {key.replace("-", ""): key for key in keys}
    for form in dict.fromkeys((slug, _OF_KIND.sub("", slug))):
        for spelling in (form, *singular_or_plural_forms(form.replace("-", " "))):
            if key := by_letters.get(re.sub(r"[ -]", "", spelling)):
                return key
        abbreviated = [key for key in keys if len(form) >= _MIN_LETTERS and key.startswith(form)]
        inflected = [key for key in keys if re.fullmatch(rf"{re.escape(key)}{key[-1:]}?{_INFLECTED}", form)]
        if len(abbreviated or inflected) == 1:
            return (abbreviated or inflected)[0]
    return None


def parse_amount(text: str, units: Mapping[str, float]) -> float | None:
    """The number of ``1,000 gp``, ``60 ft.`` or ``AC 18`` in the first unit; None for more words: "under 50 gp"."""
    match = _AMOUNT.fullmatch(re.sub(r"(?<=\d),(?=\d{3})", "", text.strip().lower()))
    if not match:
        return None
    names = [unit for unit in (match[1], match[3]) if unit]
    if any(name not in units for name in names):
        return None
    return float(match[2]) * (units[names[0]] if names else 1)


def expand_alignment(slug: str) -> str:
    """``cg`` -> ``chaotic-good``, ``tn`` and ``n`` -> ``true-neutral``."""
    if slug in ("n", "nn", "tn"):
        return "true-neutral"
    if slug == "u":
        return "unaligned"
    if len(slug) == 2 and slug[0] in _LAWFULNESS and slug[1] in _GOODNESS:
        return f"{_LAWFULNESS[slug[0]]}-{_GOODNESS[slug[1]]}"
    return slug
