"""Stems: what the forms of a word have in common, so that who hides asks for the rule of hiding."""

from __future__ import annotations

import functools

_NUMBERS = {
    word: str(number)
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1)
}
_WITH_Y = ("ying", "iers", "ies", "ied", "ier", "y")  # ready, readies, readying
_ENDINGS = (
    *("ations", "ation", "ating", "ates", "ated", "ate", "ements", "ement", "ions", "ion", "ings", "ing"),
    *("ers", "ed", "er", "es", "s", "e"),
)
_SHORTEST = 3  # letters that are left of a word
_IRREGULAR = {"hidden": "hid", "fell": "fall", "fallen": "fall", "flew": "fli", "swam": "swim"}


@functools.lru_cache(maxsize=65_536)  # of an answer's passages thousands of words are asked for, most of them again
def stem(word: str) -> str:
    """A folded word without the endings that questions and texts differ in; "5th" and "fifth" are 5."""
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
        if word.endswith(ending) and len(word) >= len(ending) + _SHORTEST:
            left = word.removesuffix(ending)
            doubled = ending[0] in "ei" and len(left) > _SHORTEST and left[-1] == left[-2] and left[-1] not in "ls"
            return left[:-1] if doubled else left
    return word


def stems(folded: str) -> str:
    """A folded text with each word as its stem."""
    return " ".join(map(stem, folded.split()))
