"""The spellings of words and names: stems, players' terms, names of the other edition, names that the SRDs lack.

"BA" is a bonus action, Bigby's hand is Arcane Hand, Thug and Tough are one creature. Each row of the tables in this
folder has its source.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.text import fold

_NUMBERS = {
    word: str(number)
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1)
}
_WITH_Y = ("ying", "iers", "ies", "ied", "ier", "ys", "y")  # ready, readies, readying; days
_ENDINGS = (
    *("ations", "ation", "ating", "ates", "ated", "ate", "ements", "ement", "ions", "ion", "ings", "ing"),
    *("ers", "ed", "er", "es", "s", "e"),
)
_MIN_STEM = 3  # letters of the shortest stem
_IRREGULAR = {"during": "during", "hidden": "hid", "fell": "fall", "fallen": "fall", "flew": "fli", "swam": "swim"}
_DOCUMENTS = frozenset({"srd-2014", "srd-2024"})  # other books may have separate entries under both names


@dataclass(frozen=True)
class NameChange:
    """One renamed entry. ``same`` is false if the new name covers more or less than the old one."""

    kind: Kind
    old: str
    new: str
    page: int
    same: bool


@functools.cache
def table(name: str) -> dict[str, Any]:  # Any, as TOML has no types
    """Return the table ``name.toml`` in this folder; all its names are folded, except those of ``name_changes``."""
    return tomllib.loads(resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


# -- players' terms


@functools.cache
def shorthand() -> Mapping[str, str]:
    """Every abbreviation with its full form."""
    return {short: long for group in table("lexicon")["shorthand"] for short, long in group["words"].items()}


@functools.cache
def _shorthand_pattern() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, shorthand()), key=len, reverse=True))
    return re.compile(rf"(?<![\w'-])(?:{words})(?![\w'-])")


def expand_shorthand(text: str) -> str:
    """Return a lower-case text with its abbreviations spelled out."""
    return _shorthand_pattern().sub(lambda found: shorthand()[found[0]], text)


def shorthand_meanings(folded: str) -> tuple[str, ...]:
    """Return what the abbreviations in a folded text mean; these add candidates to a question and never exclude any."""
    return tuple(dict.fromkeys(shorthand()[short] for short in _shorthand_pattern().findall(folded)))


def book_name(folded: str) -> str:
    """Return a name as the books have it: "pwt" -> "pass without trace"; other names are returned unchanged."""
    if folded in shorthand():
        return fold(shorthand()[folded])
    changed: Mapping[str, str] = table("lexicon")["changed"]["names"]
    if folded in changed:
        return changed[folded]
    first, _, rest = folded.partition(" ")
    return rest if rest and first in table("lexicon")["inventors"]["names"] else folded


@functools.cache
def names_not_in_srds() -> frozenset[str]:
    """Every name of an official book that the SRDs lack."""
    return frozenset(name for group in table("missing_names")["group"] for name in group["names"])


# -- entries renamed between the editions


@functools.cache
def name_changes() -> tuple[NameChange, ...]:
    """Every renamed entry."""
    return tuple(NameChange(**{**row, "kind": Kind(row["kind"])}) for row in table("name_changes")["renamed"])


@functools.cache
def _other_names() -> Mapping[tuple[Kind, str], list[str]]:
    others = defaultdict[tuple[Kind, str], list[str]](list)
    for row in name_changes():
        others[row.kind, fold(row.old)].append(fold(row.new))
        others[row.kind, fold(row.new)].append(fold(row.old))
    return dict(others)


@functools.cache
def _new_names() -> Mapping[tuple[Kind, str], str]:
    return {(row.kind, fold(row.old)): fold(row.new) for row in name_changes() if row.same}


def other_names(kind: Kind, folded: str, document: str) -> tuple[str, ...]:
    """The folded names of an SRD's entry in the other edition; rule sets are looked up as rules."""
    kind = Kind.RULE if kind is Kind.RULE_SET else kind
    return tuple(_other_names().get((kind, folded), ())) if document in _DOCUMENTS else ()


def new_name(kind: Kind, folded: str) -> str:
    """The newest folded name of an entity; the given name if it has not changed."""
    return _new_names().get((kind, folded), folded)


# -- forms of words and names


@functools.lru_cache(maxsize=65_536)  # one answer stems thousands of words, most of them repeatedly
def stem(word: str) -> str:
    """Remove the endings in which questions and texts differ; "5th" and "fifth" become "5"."""
    if word[:1].isdigit():
        return word.rstrip("stndrh")
    if word in _NUMBERS:
        return _NUMBERS[word]
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in _WITH_Y:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return f"{word.removesuffix(ending)}i"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + _MIN_STEM:
            base = word.removesuffix(ending)
            is_doubled = ending[0] in "ei" and len(base) > _MIN_STEM and base[-1] == base[-2] and base[-1] not in "ls"
            return base[:-1] if is_doubled else base
    return word


def stems(folded: str) -> str:
    """Replace each word of a folded text by its stem."""
    return " ".join(map(stem, folded.split()))


@functools.lru_cache(maxsize=32_768)
def natural_order(name: str) -> str:
    """A folded name: ``Crossbow, light`` -> ``light crossbow``; one with two commas is a list and keeps its order."""
    first, comma, rest = name.partition(", ")
    inverted = comma and ", " not in rest and "+" not in rest and "(" not in name and " or " not in f" {rest} "
    return fold(f"{rest} {first}" if inverted and " and " not in rest else name)
