"""How people say the values of a filter: a part of its row, with which ``search/grammar.py`` reads questions.

A value may follow some words ("immune to FIRE"), precede some ("FIRE damage"), or stand alone in what the question asks
for ("EVOCATION spells that burn"). A number has a unit before or after it, and some words ask for an order by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.filters.caused_conditions import BY_VERB
from lorekeeper_mcp.models.vocabulary import CONDITIONS, CREATURE_TYPES, SRD_CLASSES
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.text import slugify

Scalar: TypeAlias = str | int | float | bool
FilterValue: TypeAlias = Scalar | tuple[Scalar, ...]


@dataclass(frozen=True)
class Words:
    """The words for an argument.

    ``before`` and ``after`` are patterns of the words around a value, "" if it needs others. ``alone`` is a pattern for
    what follows a value that stands for itself in the head of a question; None if it never does. ``values`` maps what
    is said to the value, or is the pattern of a text that ``read`` turns into it; by default, what is said are the
    values that the row allows, or the name of a flag. ``restricts`` if the words leave no doubt; otherwise they
    restrict only a question that consists of filters. ``order`` has ascending values, for "large or smaller".
    ``needs_known`` if the value has to be one that a record has, ``needs_both`` if it needs the words before and after
    it. Nothing is read if one of the arguments ``unless`` already says more.
    """

    before: str = ""
    after: str = ""
    alone: str | None = None
    values: Mapping[str, FilterValue] | str = ""
    restricts: bool = False
    order: tuple[str, ...] = ()
    read: Callable[[str], FilterValue] = slugify
    needs_known: bool = False
    needs_both: bool = False
    unless: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measure:
    """A number for a filter or its bounds, as patterns of its unit.

    The unit stands ``before`` a number ("CR 5"), or may also follow it ("60 hit points"). ``steps`` are the valid
    values, ascending; without them, all whole numbers are, or hundredths of one that ``is_fractional``: "above CR 5"
    starts at 6, "under 10 gp" ends at 9.99. ``prefix`` goes before the number in a value: ``strength=``. ``context``
    has to be in the question, too: "a wall worth 50 gp" is no price of a spell.
    """

    before: str
    after: str = ""
    steps: tuple[float, ...] = ()
    is_fractional: bool = False
    prefix: str = ""
    context: str = ""

    def next(self, value: float) -> float | None:
        """The lowest value above one; None if there is none."""
        if self.steps:
            return next((step for step in self.steps if step > value), None)
        return round(value + (0.01 if self.is_fractional else 1), 2)

    def previous(self, value: float) -> float | None:
        """The highest value below one; None if there is none."""
        if self.steps:
            return next((step for step in reversed(self.steps) if step < value), None)
        return round(value - (0.01 if self.is_fractional else 1), 2)

    def value(self, number: float) -> Scalar:
        """The value of an argument."""
        return f"{self.prefix}{number:g}" if self.prefix else int(number) if number == int(number) else number


@dataclass(frozen=True)
class Extremes:
    """Words for an order by a column, by default the row's: "the strongest", or "highest" with one of the ``nouns``."""

    nouns: str = ""
    highest: str = ""
    lowest: str = ""
    column: str = ""


Speech: TypeAlias = Words | Measure | Extremes


def forms(values: Iterable[str], **others: FilterValue) -> dict[str, FilterValue]:
    """Keys as words, in both numbers, and other words with their values."""
    words = {key.replace("-", " "): key for key in values}
    plurals = {plural: key for word, key in words.items() for plural in singular_or_plural_forms(word)}
    return {**plurals, **words, **{word.replace("_", " "): value for word, value in others.items()}}


def flag(words: str) -> dict[str, FilterValue]:
    """Words that mean true, separated by ``|``."""
    return dict.fromkeys(words.split("|"), True)


# -- patterns that several rows share

WHOLE = tuple(float(number) for number in range(41))
FOOT = r"(?:feet|foot|ft\.?)"
NEEDS = r"(?:needs?|requires?|requiring|uses?|allows?|with|makes?|takes?|has|have)(?: an?)?"
DEALS = "do|does|doing|deals?|dealing|inflicts?"
CREATURES = rf"(?:creatures?|monsters?|stat blocks?|enem(?:y|ies)|foes?|(?:{'|'.join(CREATURE_TYPES)})s?|monstrosities)"
# What follows the last word of what is asked for.
LAST = (
    r"(?=\s*(?:$|[,.?!]|(?:that|which|with|without|at|above|below|under|over|worth|costs?|costing|cheaper|to|for)\b))"
)
CLASS_NAMES = forms(("artificer", *SRD_CLASSES), sorc="sorcerer")
_STATES = forms(CONDITIONS, fear="frightened", paralysis="paralyzed", blindness="blinded", deafness="deafened")
_CAUSES: dict[str, FilterValue] = {
    **BY_VERB, "incapacitate": "incapacitated", "poison": "poisoned",
    "knock prone": "prone", "knock people prone": "prone",
}  # fmt: skip
# Conditions that something causes: "that can paralyze", "that cause fear", "make the target frightened".
CAUSED = (
    Words("that|which|who|can|could", values=_CAUSES),
    Words(r"(?:causes?|inflicts?|imposes?)(?: the)?", values=_STATES),
    Words(r"(?:leaves?|makes?|renders?|knocks?)(?: (?:an? |the |your )?\w+)?", values=_STATES),
)
