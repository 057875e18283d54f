"""Word stems: "hide", "hides" and "hiding" become equal."""

from __future__ import annotations

import functools

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
