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

_MIN_COVERED = 0.7  # the share of a sentence's words that the other edition must have for the same rule
_MIN_RELATED = 0.34  # the share of common words of two sentences that rule the same thing differently
_MAX_WINDOW = 3  # consecutive sentences that may say together what one sentence of the other edition says
_MAX_NEW_OF_BLOCK = 1  # words that only one edition's trait or action has, such as a part of the creature's name
_SAVE_FORM = re.compile(r"Saving Throw: DC")
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
        (r"\b(?:fly|swim|climb|burrow|walk)(?:ing)? speed", "speed"),
        (r"\barmor class\b", "ac"),
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
    "a able about ac action actions add addition additional additionally adds affected again all alongside "
    "already also although an and another any appear appears are area as at attack attacking attacks attempt away "
    "be because become becomes been before being below both but by can caster casting character characters choice "
    "choose chosen class come comes companions complete completely condition consider considered contain contains "
    "could create creates creature creatures current currently deal dealing deals dealt describe described detail "
    "determine determines different do does doing during each early effect effected effects either enough entry "
    "even example experience extra fail fails first follow following follows for form from function functions "
    "gain gains get give given gives gp has have having he her his hold holds if immediately in include includes "
    "instance instead into is it its itself just keep keeps kind known last lasts left like listed longer made "
    "magic magical magically maintain make makes making manner many may means merely might more move moves moving "
    "much must new next normal now number occur occurring occurs of old on one ongoing only option options or "
    "original other otherwise out over own part particular per place plus point possible produce properties "
    "property provided rather receive regular related relevant remain remaining remains roll rolling rolls same "
    "score scores see shown similar simply since slot slots so some someone something sp space special specific "
    "spell spells spot start starting starts still strike subject succeed such suitable supernatural sword table "
    "take taken takes taking target targeted targets than that the their them then there therefore these they "
    "this those though through thus time to together too toward towards treat treated trigger triggers turn turns "
    "two type types typical typically under until up upon us use used uses using value versa very via vice was "
    "way weapon weapons well were what whatever when whenever where whether which while who whose wielder will "
    "wish with within would you your youre yourself youve".split()
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
    words = frozenset(word.removesuffix("s")[:_STEM] for word in rest if word not in _COMMON and len(word) > 1)
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
    """Whether two traits or actions of stat blocks rule the same: numbers, saves, conditions, damage, attacks named.

    Actions with a saving throw have another form since 2024, with no words for how they look.
    """
    one, two = statement(text), statement(other)
    hard = (one.terms ^ two.terms) - _SOFT
    if any(not term.startswith(("attack", "weapon", "spell")) for term in hard):
        return False
    new = 0 if _SAVE_FORM.search(other) or _SAVE_FORM.search(text) else len(one.words ^ two.words)
    return new <= (0 if "Multiattack" in text else _MAX_NEW_OF_BLOCK) and 2 * len(one.words & two.words) >= new


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
        if not other.words <= self._all_words:
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
