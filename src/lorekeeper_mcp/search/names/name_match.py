"""Matches a whole question with names: exact, by key, by pattern, or fuzzy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.search.names.kind_words import UNCOUNTED, ids_of_kinds, is_kind_word, is_of_kinds, kinds_of_words
from lorekeeper_mcp.search.names.lexicon import book_name
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold, slugify

# At 86, names of six letters match with one typing error and names of fifteen with two.
_MIN_CLOSE = 86.0
ONE_ERROR_FROM = 5  # letters a name needs for one typing error; twice as many for two
_LONG_WORD = 7  # letters that a word in a question needs for one typing error
TWO_ERRORS_FROM = 6  # letters a word needs for two
_PLURAL = 0.98
_SHORTER_NAME_PENALTY = 0.004  # for a name shorter than the text: extra letters are rarer errors than wrong ones
_OTHER_KIND_SCORE = 0.5  # the score of a record that has the name but not the kind
_SUCCESSOR_SCORE = 0.995  # the score of a name's successor, below those of records that have the name
_MIN_SIMILARITY, _MAX_SIMILAR = 75.0, 3  # "ressurect" is similar to Resurrection; gibberish scores up to 60
_MIN_SUGGESTION = 78.0  # the minimum for a suggested name: "beholder" does not suggest Deer
_CACHED_TEXTS = 64  # texts whose fuzzy matches a family caches
# Names that contain all words of the question rank below those that differ by typing errors.
_WORD_FROM, WORD_TO = 0.5, 0.85


@dataclass(frozen=True)
class NameMatch:
    """The ids that the question names exactly, and scores in (0, 1) of those that it nearly names.

    ``kind_word_ignored`` if the match drops a word for another kind: when both are searched, "light armor" is not the
    spell Light.
    """

    exact: frozenset[str] = frozenset()
    by_key: bool = False
    kind_word_ignored: bool = False
    fuzzy: dict[str, float] = field(default_factory=dict)

    @property
    def is_confident(self) -> bool:
        """Whether the question is a name, possibly misspelt, and should not be parsed for anything else."""
        return bool(self.exact) or any(near > WORD_TO for near in self.fuzzy.values())


def is_pattern(search: str) -> bool:
    """Whether the question is a pattern on names."""
    return "*" in search or "%" in search


def match_pattern(search: str, entries: Iterable[Entry]) -> set[str]:
    """Ids of the entries whose whole name matches a pattern with ``*`` or ``%``, ignoring case."""
    first, *between, last = map(re.escape, re.split(r"[*%]+", _plain(search)))
    pattern = re.compile(f"{first}{''.join(f'(?>.*?{part})' for part in between)}.*{last}")  # atomic, so linear
    return {entry.id for entry in entries if pattern.fullmatch(_plain(entry.name))}


def literal_part(search: str) -> str:
    """The longest part of a pattern that has no wildcard."""
    return max(re.split(r"[*%]+", search), key=len).strip()


def _plain(text: str) -> str:
    return text.casefold().replace("’", "'").strip()


def match_name(search: str, names: NameIndex, allowed: Container[str]) -> NameMatch:
    """Match a question with the names of the allowed ids.

    A full key matches one record; a bare slug or a name matches every record that has it.
    """
    lowered, folded, slug = search.strip().lower(), fold(search), slugify(search.strip())
    if by_key := frozenset(id_ for id_ in names.ids_with_key(lowered) if id_ in allowed):
        return NameMatch(by_key, by_key="_" in lowered)
    # Records with the name come first, since some records have another record's name as their slug.
    by_slug = [id_ for id_ in names.by_slug.get(slug, ()) if slug and id_ in allowed]
    exact = frozenset(names.ids(folded, allowed) or by_slug or names.shortened_ids(folded, allowed))
    close = _close_matches(folded, names, allowed)
    close |= dict.fromkeys(names.successors_of(folded, allowed), _SUCCESSOR_SCORE)
    if exact:
        return NameMatch(exact, fuzzy=_without(close, exact))
    forms = _without_kind_words(folded)
    for bare, added in forms:
        if named_ids := _ids_named(bare, names, allowed):
            exact = ids_of_kinds(named_ids, kinds := kinds_of_words(added))
            is_sure = len(added) < 2 and all(is_of_kinds(id_, kinds) for id_ in exact)
            bare_close = _without(_close_matches(bare, names, allowed), named_ids)
            fuzzy = _highest(close, bare_close, dict.fromkeys(named_ids, _OTHER_KIND_SCORE))
            return NameMatch(exact, kind_word_ignored=bool(exact) and not is_sure, fuzzy=_without(fuzzy, exact))
    bare, _ = forms[-1]
    return NameMatch(fuzzy=_highest(close, _close_matches(bare, names, allowed)) if bare != folded else close)


def is_key(search: str, names: NameIndex, allowed: Container[str]) -> bool:
    """Whether a question is the key of an allowed record."""
    lowered = search.strip().lower()
    return "_" in lowered and any(id_ in allowed for id_ in names.ids_with_key(lowered))


def _highest(*scores: Mapping[str, float]) -> dict[str, float]:
    return {key: max(each.get(key, 0.0) for each in scores) for each in scores for key in each}


def _without(scores: Mapping[str, float], ids: Container[str]) -> dict[str, float]:
    return {id_: score for id_, score in scores.items() if id_ not in ids}


def _ids_named(bare: str, names: NameIndex, allowed: Container[str]) -> frozenset[str]:
    """The ids of records with a name, with its singular or plural, or of rules named by another form of it."""
    if ids := names.ids(bare, allowed):
        return frozenset(ids)
    for name in singular_or_plural_forms(bare) if len(bare) >= ONE_ERROR_FROM else ():
        countable = frozenset(id_ for id_ in names.ids(name, allowed) if id_.partition(":")[0] not in UNCOUNTED)
        if countable:
            return countable
    return frozenset(names.inflected_ids(bare, allowed))


def _without_kind_words(folded: str) -> list[tuple[str, list[str]]]:
    """Forms of the question without its last, first or all words for a kind, each with the removed words.

    The name of an inventor (Bigby's) is removed, too, since the SRDs omit it.
    """
    words = folded.split()
    forms: list[tuple[list[str], list[str]]] = [(words, [])]
    if len(words) > 1 and is_kind_word(words[-1]):
        forms.append((words[:-1], words[-1:]))
    if len(words) > 1 and is_kind_word(words[0]):
        forms.append((words[1:], words[:1]))
    forms.append(([word for word in words if not is_kind_word(word)], [word for word in words if is_kind_word(word)]))
    return [(book_name(" ".join(remaining)), added) for remaining, added in forms]


def _close_matches(folded: str, names: NameIndex, allowed: Container[str]) -> dict[str, float]:
    """Scores of records whose names differ by typing errors, by a plural, or by reordered or missing words."""
    if len(folded) < 3:
        return {}
    scores = [find_mistyped(folded, names)]
    if folded.endswith("s") and not folded.endswith("ss"):
        scores.append({name: _PLURAL * share for name, share in find_mistyped(folded[:-1], names).items()})
    if len(words := set(folded.split())) > 1:  # names with all of them: the fewer others, the higher the score
        share_of_words = (WORD_TO - _WORD_FROM) * len(folded)
        scores.append({name: _WORD_FROM + share_of_words / len(name) for name in sorted(names.names_with(words))})
    best = _highest(*scores)
    return {id_: min(score, 0.999) for name, score in best.items() for id_ in names.ids(name, allowed)}


def find_mistyped(folded: str, names: NameIndex) -> Mapping[str, float]:
    """Names that differ by typing errors or by the order of their words."""
    if folded not in names.fuzzy_cache:
        if len(names.fuzzy_cache) >= _CACHED_TEXTS:
            names.fuzzy_cache.clear()
        names.fuzzy_cache[folded] = _names_near(folded, names)
    return names.fuzzy_cache[folded]


def misspelt_name(search: str, indexes: Iterable[NameIndex]) -> str:
    """The folded name from which a question differs by typing errors only; "" if none or several are nearest."""
    scores: dict[str, float] = {}
    for index in indexes:
        scores |= find_mistyped(fold(search), index)
    highest = max(scores.values(), default=0.0)
    nearest = [name for name, score in scores.items() if score == highest]
    return nearest[0] if len(nearest) == 1 and highest > WORD_TO else ""


def misspelt_word(word: str, indexes: Iterable[NameIndex]) -> str:
    """The one word of any name from which a long word differs by typing errors only; else the word itself."""
    errors = min(2, len(word) // _LONG_WORD)
    known = {other for index in indexes for other in index.by_word}
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=errors, limit=2) if errors else []
    is_one = len(near) == 1 or (len(near) == 2 and near[0][1] < near[1][1])
    return near[0][0] if is_one else word


def _names_near(folded: str, names: NameIndex) -> dict[str, float]:
    in_order = " ".join(sorted(folded.split()))
    near: list[dict[str, float]] = []
    for text, choices, weight in ((folded, names.folded, 0.01), (in_order, names.ordered, 0.0098)):
        found = process.extract(text, choices, scorer=fuzz.ratio, score_cutoff=_MIN_CLOSE, limit=None)
        near.append({names.folded[index]: weight * score for _, score, index in found})
    if errors := min(2, len(folded) // ONE_ERROR_FROM):
        mistyped = process.extract(folded, names.folded, scorer=OSA.distance, score_cutoff=errors, limit=None)
        near.append({name: 1 - errors_in_name / 2 / len(folded) for name, errors_in_name, _ in mistyped})
    return {
        name: share - _SHORTER_NAME_PENALTY * (len(name) < len(folded) and not _is_doubled(folded, name))
        for name, share in _highest(*near).items()
        if _differs_by_typos(folded, name)
    }


def _is_doubled(folded: str, name: str) -> bool:
    """Whether the typed text only repeats letters of the name: ``ressurrection``."""
    return re.sub(r"(.)\1+", r"\1", folded) == re.sub(r"(.)\1+", r"\1", name)


def _differs_by_typos(folded: str, name: str) -> bool:
    """Whether each word differs by typing errors only: "swarm of bugs" is not Swarm of Bats."""
    text, name_words = Counter(folded.split()), Counter(name.split())
    words, others = sorted((text - name_words).elements()), sorted((name_words - text).elements())
    if text.total() != name_words.total():  # a word is missing, added, or written as two
        return True
    return all(
        OSA.distance(word, other) <= (1 if len(other) < TWO_ERRORS_FROM else 2)
        for word, other in zip(words, others, strict=True)
    )


def similar_names(search: str, names: NameIndex, allowed: Container[str]) -> dict[str, float]:
    """Similarity scores, from 0 to 1, of the few names that look like a question that matched nothing."""
    text = fold(search)
    similar = process.extract(text, names.folded, scorer=fuzz.ratio, score_cutoff=_MIN_SIMILARITY, limit=_MAX_SIMILAR)
    return {id_: score / 100 for name, score, _ in similar for id_ in names.ids(name, allowed)}


def nearest_names(search: str, entries: Iterable[Entry], limit: int = 3) -> list[str]:
    """Names to suggest when nothing was found."""
    names = {entry.folded: entry.name for entry in entries}
    nearest = process.extract(fold(search), list(names), scorer=fuzz.ratio, score_cutoff=_MIN_SUGGESTION, limit=limit)
    return [names[name] for name, _, _ in nearest]
