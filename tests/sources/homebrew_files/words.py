"""Unique words, to search for in the records of a file."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

from hypothesis import strategies as st

MARK = "§"  # the place of a unique word
_WORD = re.compile(r"zq[a-j]+x")  # without digits, which a reader would parse as numbers
_LETTERS = str.maketrans("0123456789", "abcdefghij")

words = st.just(MARK)
names = st.sampled_from([MARK, f"{MARK} Moth", f"{MARK}'s (Reed)", f"{MARK}: Ü—", f"{MARK} of the “Fens”"])
prose = st.sampled_from(
    [MARK, f"It burns {MARK}.", f"One.\n\nTwo {MARK}.", f"- {MARK}", f"x | {MARK}", f"30 ft., {MARK}", f"é {MARK} 水"]
)
flags = st.booleans()
small = st.integers(0, 30)


def fields(needed: dict[str, Any], more: dict[str, Any] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with all of the required fields, and any of the others."""
    return st.fixed_dictionaries(needed, optional=more or {})


def short_list(values: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[list[Any]]:
    """A short list of values."""
    return st.lists(values, max_size=most)


def with_unique_words(value: Any) -> str:
    """A text, or a value as JSON, with each mark replaced by a unique word."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    count = itertools.count()
    return re.sub(MARK, lambda _: f"zq{next(count)}x".translate(_LETTERS), text)


def words_of(text: str) -> set[str]:
    """The words that were put into a text."""
    return set(_WORD.findall(text.lower()))
