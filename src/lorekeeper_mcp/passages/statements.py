"""Compares sentences of two editions by what they rule, after folding the terms that the rules of 2024 renamed.

A sentence is a statement: its significant words, and its rule terms (numbers, dice, actions, conditions, saves, damage
types, negations), which no rewording may change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES, SKILLS
from lorekeeper_mcp.text import fold

_MIN_COVERED = 0.62  # the share of a sentence's words that the other edition must have for the same rule
_MAX_NEW = 2  # words that are nowhere in the other edition's text; with more, the sentence rules something else
_MIN_RELATED = 0.34  # the share of common words of two sentences that rule the same thing differently
_MAX_WINDOW = 3  # consecutive sentences that may say together what one sentence of the other edition says
_STEM = 5  # letters: "attacks" and "attacking" are one word
_MARKS = re.compile(r"[*_`#|]+")
_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\bft\.)(?<!\blb\.)[*_”\")]*\s+(?=[A-Z*_“\"(])|(?<=\bft\.)\s+(?=Hit:|Failure|If |Each |The )|\n+"
)
# What the rules of 2024 renamed or print in another form. Applied to lower-case text, in this order.
_RENAMED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"[−–]", "-"),
        (r"\bft\.", "feet"),
        (r"(\d),(\d{3})\b", r"\1\2"),
        (r"\bat least ((?:\d+d?\d* )(?:gp|sp|feet|hit points?))", r"\1"),
        (r"(\d)\+(?= (?:gp|sp|feet|hit point))", r"\1"),
        (r"\b(?:when|if) you cast this spell (?:using|with) a spell slot of (?:level \d\+?|\d\w\w level or higher),?",
         " "),
        (r"\b(?:beginning|starting|at|when you reach) (?:at )?(?:\d+\w\w level|level \d+),?", " "),
        (r"\b(\d+)(?:st|nd|rd|th)\b[- ]level\b", r"level \1"),
        (r"\b(\d+)(?:st|nd|rd|th)\b", r"\1"),
        (r"\b(?:melee|ranged|melee or ranged) (?:weapon |spell )?attack(?: roll)?: ([+-]\d+)(?: to hit)?,?",
         r" attack \1 "),
        (r"\bone (?:target|creature)\b(?=\.)", " "),
        (r"\b(?:all )?(?:attack rolls?|ability checks?|saving throws?)(?:, (?:and )?| and )"
         r"(?:attack rolls?|ability checks?|saving throws?),? and (?:attack rolls?|ability checks?|saving throws?)",
         "d20 test"),
        (r"\bhit point di(?:c?e)\b", "hit dice"),
        (r"\b(?:fly|swim|climb|burrow)(?:ing)? speed", "speed"),
        (r"\bheroic inspiration\b", "inspiration"),
        (r"\bspecies\b", "race"),
        (r"\b(?:a )?year(?: and a day)?\b|\b36[56] days\b", "year"),
        (r"\bdungeon master\b|\bdm\b|\bgame master\b", "gm"),
        (r"\bself\b(?= )", "self "),
        (r"\bconcentrat(?:e|ing)\b", "concentration"),
        (r"\bcan(?:not|'t|’t)\b|\b(?:is|are|do|does|did|was|were|has|have|had|wo)n['’]t\b|\bnot\b|\bno\b|\bwithout\b|\bnever\b",
         " not "),
        (r"\b(?:knocked|fall(?:s)?|drop(?:s)?|land(?:s)?) prone\b", "prone"),
        (r"\bhalf as much\b|\bhalf damage\b|\bhalf the damage\b|\bhalved?\b", "half"),
        (r"\bsuccess:|\bon a success(?:ful (?:save|saving throw|one|check))?\b|\bif it succeeds\b", "success"),
        (r"\bfailure:|\bon a fail(?:ed (?:save|saving throw|one|check)|ure)\b|\bif it fails\b", "fail"),
        (r"\b([a-z]+) (?:saving throws?|saves?)\b", r"\1 save"),
        (r"\bsaving throws?\b", "save"),
    )
)  # fmt: skip
_ACTIONS = (
    r"(?:bonus|magic|utilize|study|search|attack|dash|dodge|help|hide|ready|influence|disengage|legendary) actions?"
)
_TERMS = re.compile(
    rf"\d+d\d+|[+-]?\d+|\b(?:{_ACTIONS}|actions?|reactions?|{'|'.join(CONDITIONS)}|{'|'.join(DAMAGE_TYPES)}"
    rf"|(?:{'|'.join(ABILITIES)})(?: save)?|{'|'.join(SKILLS).replace('-', ' ')}"
    r"|weapon attacks?|spell attacks?|attack rolls?|melee|ranged"
    r"|advantage|disadvantage|half|doubled?|twice|tripled?|maximum|attune\w*|concentration|willing|hostile|friendly"
    r"|nonmagical|silvered|adamantine|difficult terrain|lightly obscured|heavily obscured|short rest|long rest|hover"
    r"|not|unless|except|once|automatic\w*|immun\w+|resistan\w+|vulnerab\w+|see|hear|touch|proficien\w+|contest\w*"
    r"|minutes?|hours?|days?|rounds?|years?|cubes?|cones?|spheres?|emanations?|ends?)\b"
)
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(list(_NUMBER_WORDS)[2:])})\b")
_COMMON = frozenset(
    "a able about additional affected all also an and any are area as at attempt be become becomes been before "
    "being below but by can casting choice choose chosen condition could creature creatures describe described "
    "detail different do does doing during each effect effected effects either entry example experience following "
    "for form from gain gains get give given gives gp has have having he her his if immediately in instead into "
    "is it its itself like longer made magic magical magically make makes making manner may means might more must "
    "normal of on one or other otherwise own part particular per place produce receive regular same see so some "
    "someone something sp space spell spells still subject succeed such take taken takes taking target targets "
    "than that the their them then there these they this those through time to turn turns two under until up use "
    "used uses using was way were when whenever where which while who whose will wish with within would you your "
    "yourself".split()
)


@dataclass(frozen=True)
class Statement:
    """A sentence as it is printed, its significant words by their stems, and its rule terms."""

    text: str
    words: frozenset[str]
    terms: frozenset[str]


@lru_cache(maxsize=4096)
def statement(sentence: str) -> Statement:
    """Return a sentence with its words and terms."""
    text = _MARKS.sub(" ", sentence).lower().replace("’", "'")
    for pattern, replacement in _RENAMED:
        text = pattern.sub(replacement, text)
    text = _NUMBER_WORD.sub(lambda match: _NUMBER_WORDS[match[0]], text)
    counts = Counter(match[0].rstrip("s") for match in _TERMS.finditer(text))
    # A number that occurs twice is two terms: "two slot levels above 2".
    repeated = (f"{term} {n}" for term, count in counts.items() if term[-1].isdigit() for n in range(2, count + 1))
    terms = frozenset((*counts, *repeated))
    rest = fold(_TERMS.sub(" ", text)).split()
    words = frozenset(word[:_STEM] for word in rest if word not in _COMMON and len(word) > 1)
    return Statement(sentence, words, terms)


def statements(text: str) -> list[Statement]:
    """The sentences of a Markdown text; each line, and so each list item or table row, ends one."""
    return [statement(sentence.strip()) for sentence in _SENTENCE.split(text) if sentence and sentence.strip(" *_|-")]


# Terms whose wording changed with the form of stat blocks, so that their absence in a trait or action means nothing.
_SOFT = frozenset(
    "action see hear not melee ranged once end touch round sphere cube cone unless except willing "
    "hostile friendly automatically maximum 1 0 5 6".split()
)


def is_same_block(text: str, other: str) -> bool:
    """Whether two traits or actions of stat blocks have the same numbers, saves, conditions and damage."""
    one, two = statement(text), statement(other)
    hard = (one.terms ^ two.terms) - _SOFT
    is_otherwise = any(not term.startswith(("attack", "weapon", "spell")) for term in hard)
    return not is_otherwise and len(one.words & two.words) >= _MIN_RELATED * min(len(one.words), len(two.words))


class Rulings:
    """The statements of one edition's text, against which those of another are compared."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_text = [statements(text) for text in texts]
        self._windows = [window for of_text in self._by_text for window in _windows(of_text)]
        self._all_words = frozenset().union(*(window.words for window in self._windows))

    def have(self, other: Statement) -> bool:
        """Whether one to three consecutive sentences rule what another edition's sentence does."""
        if not other.words and not other.terms:
            return True
        new = len(other.words - self._all_words)
        if new > _MAX_NEW or new > len(other.words) / 3:
            return False
        return any(
            other.terms <= window.terms and len(other.words & window.words) >= _MIN_COVERED * len(other.words)
            for window in self._windows
        )

    def nearest(self, other: Statement) -> Statement | None:
        """The sentence that rules the same thing, perhaps otherwise; None if none does."""
        single = [one for of_text in self._by_text for one in of_text]
        best = max(single, key=lambda one: likeness(one, other), default=None)
        return best if best is not None and likeness(best, other) >= _MIN_RELATED else None


def likeness(one: Statement, other: Statement) -> float:
    """The share of common words and terms of two statements, between 0 and 1."""
    first, second = one.words | one.terms, other.words | other.terms
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 0.0


def _windows(of_text: Sequence[Statement]) -> Iterator[Statement]:
    """Each sentence of a text alone, and with those that follow it."""
    for start in range(len(of_text)):
        for stop in range(start + 1, min(start + _MAX_WINDOW, len(of_text)) + 1):
            window = of_text[start:stop]
            yield Statement(
                " ".join(one.text for one in window),
                frozenset().union(*(one.words for one in window)),
                frozenset().union(*(one.terms for one in window)),
            )
