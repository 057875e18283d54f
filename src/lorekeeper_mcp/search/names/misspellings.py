"""Corrects the spelling of questions by the words and names of the stored records."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.search.cases import is_case
from lorekeeper_mcp.search.names.lexicon import lexicon
from lorekeeper_mcp.search.names.missing_names import is_in_missing_name
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.name_match import ONE_ERROR_FROM, TWO_ERRORS_FROM, WORD_TO, find_mistyped, is_pattern
from lorekeeper_mcp.store.cache import SearchIndex
from lorekeeper_mcp.text import fold

# A folded "hasn't". No text of the books has most of these words, but they are not misspelt names.
_CONTRACTION = re.compile(
    r"(?:are|could|did|does|do|had|has|have|is|might|must|need|should|was|were|would)nt|(?:they|you)(?:re|ve|ll)"
)


async def correct_question(search: str, names: Sequence[NameIndex], index: SearchIndex, *, is_nearly_name: bool) -> str:
    """Return a question in which the words that no text has are corrected. Patterns and cases are not changed.

    If it ``is_nearly_name``, the nearest name replaces it if there is only one; otherwise each word is corrected.
    """
    if is_pattern(search) or is_case(search):
        return search
    split = search if is_nearly_name else split_joined_names(search, names)
    frequencies = await asyncio.gather(*(index.word_frequencies(family, split) for family in Family))
    unknown = [word for word in frequencies[0] if not any(counts[word] for counts in frequencies)]
    if not unknown:
        return split
    if is_nearly_name:
        return misspelt_name(search, names) or search
    corrections = (correct_spelling(split, unknown, index) for index in names)
    return next((text for text in corrections if text != fold(split)), split)


def misspelt_name(search: str, indexes: Iterable[NameIndex]) -> str:
    """The folded name from which a question differs by typing errors only; "" if none or several are nearest."""
    scores: dict[str, float] = {}
    for index in indexes:
        scores |= find_mistyped(fold(search), index)
    highest = max(scores.values(), default=0.0)
    nearest = [name for name, score in scores.items() if score == highest]
    return nearest[0] if len(nearest) == 1 and highest > WORD_TO else ""


def correct_spelling(search: str, unknown: Iterable[str], names: NameIndex) -> str:
    """The folded question with unknown words replaced by the nearest words of names: "vorpel" -> "vorpal"."""
    text = fold(search)
    for word in unknown:
        if len(word) < ONE_ERROR_FROM or _CONTRACTION.fullmatch(word) or is_in_missing_name(word):
            continue
        if word in lexicon().words or _is_superlative(word, names):
            continue
        nearest = process.extractOne(word, sorted(names.by_word), scorer=OSA.distance, score_cutoff=1)
        # Two errors are accepted only after a correct first letter.
        if nearest is None and len(word) >= TWO_ERRORS_FROM + 2:
            same_letter = sorted(other for other in names.by_word if other[0] == word[0])
            nearest = process.extractOne(word, same_letter, scorer=OSA.distance, score_cutoff=2)
        if nearest is not None:
            text = re.sub(rf"\b{word}\b", nearest[0], text)
    return text


def _is_superlative(word: str, names: NameIndex) -> bool:
    """Whether a word is a superlative of a word in names: "lightest" is not a misspelling of "lights"."""
    base = word.removesuffix("est")
    forms = {base, base[:-1], f"{base}e", f"{base.removesuffix('i')}y"}
    return base != word and any(form in names.by_word for form in forms)


def split_joined_names(search: str, indexes: Iterable[NameIndex]) -> str:
    """Split names that are written as one word, as the books do: "wildshape" -> "wild shape"."""
    all_indexes = list(indexes)
    words = fold(search).split()
    names = {
        word: index.joined[word]
        for word in words
        for index in all_indexes
        if word in index.joined and not any(word in other.by_word for other in all_indexes)
    }
    return " ".join(names.get(word, word) for word in words) if names else search
