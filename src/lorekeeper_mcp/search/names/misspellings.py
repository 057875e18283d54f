"""Corrects the spelling of questions by the words and names of the stored records."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.search.cases import is_case
from lorekeeper_mcp.search.names.missing_names import is_in_missing_name
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.name_match import ONE_ERROR_FROM, TWO_ERRORS_FROM, WORD_TO, is_pattern, mistyped
from lorekeeper_mcp.store.search_index import SearchIndex
from lorekeeper_mcp.text import fold

# A folded "hasn't": no text of the books has most of these words, but they are no misspelt names.
_CONTRACTION = re.compile(
    r"(?:are|could|did|does|do|had|has|have|is|might|must|need|should|was|were|would)nt|(?:they|you)(?:re|ve|ll)"
)


async def corrected(search: str, names: Sequence[NameIndex], index: SearchIndex, *, is_nearly_name: bool) -> str:
    """Return a question with words that no text has corrected; a pattern or a case is returned unchanged.

    If it ``is_nearly_name``, it is corrected as a whole, if a single name is nearest; otherwise word by word.
    """
    if is_pattern(search) or is_case(search):
        return search
    split = search if is_nearly_name else split_joined_names(search, names)
    frequencies = await asyncio.gather(*(index.word_frequencies(family, split) for family in Family))
    unknown = [word for word in frequencies[0] if not any(of_family[word] for of_family in frequencies)]
    if not unknown:
        return split
    if is_nearly_name:
        return misspelt_name(search, names) or search
    corrections = (correct_spelling(split, unknown, of_family) for of_family in names)
    return next((text for text in corrections if text != fold(split)), split)


def misspelt_name(search: str, indexes: Iterable[NameIndex]) -> str:
    """The folded name that a question differs from by typing errors alone; "" if none or several are nearest."""
    scores: dict[str, float] = {}
    for index in indexes:
        scores |= mistyped(fold(search), index)
    highest = max(scores.values(), default=0.0)
    nearest = [name for name, score in scores.items() if score == highest]
    return nearest[0] if len(nearest) == 1 and highest > WORD_TO else ""


def correct_spelling(search: str, unknown: Iterable[str], names: NameIndex) -> str:
    """The folded question with unknown words replaced by the nearest words of names: "vorpel" -> "vorpal"."""
    text = fold(search)
    for word in unknown:
        if len(word) < ONE_ERROR_FROM or _CONTRACTION.fullmatch(word) or is_in_missing_name(word):
            continue
        if _is_superlative(word, names):
            continue
        nearest = process.extractOne(word, sorted(names.by_word), scorer=OSA.distance, score_cutoff=1)
        # Two errors are accepted only after a correct first letter.
        if nearest is None and len(word) >= TWO_ERRORS_FROM + 2:
            alike = sorted(other for other in names.by_word if other[0] == word[0])
            nearest = process.extractOne(word, alike, scorer=OSA.distance, score_cutoff=2)
        if nearest is not None:
            text = re.sub(rf"\b{word}\b", nearest[0], text)
    return text


def _is_superlative(word: str, names: NameIndex) -> bool:
    """Whether a word is a superlative of a word in names: "lightest" is not a misspelling of "lights"."""
    base = word.removesuffix("est")
    forms = {base, base[:-1], f"{base}e", f"{base.removesuffix('i')}y"}
    return base != word and any(form in names.by_word for form in forms)


def split_joined_names(search: str, indexes: Iterable[NameIndex]) -> str:
    """The question with names written as one word split as in the books: "wildshape" -> "wild shape"."""
    every = list(indexes)
    words = fold(search).split()
    names = {
        word: index.joined[word]
        for word in words
        for index in every
        if word in index.joined and not any(word in other.by_word for other in every)
    }
    return " ".join(names.get(word, word) for word in words) if names else search
