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
from lorekeeper_mcp.search.names.lexicon import book_name, shorthand_meanings
from lorekeeper_mcp.search.names.missing_names import is_in_missing_name
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.text import fold, slugify

# At 86, names of six letters match with one typing error and names of fifteen with two.
_CLOSE = 86.0
_ONE_ERROR_FROM = 5  # letters a name needs for one typing error; twice as many for two
_TWO_ERRORS_FROM = 6  # letters a word needs for two
_PLURAL = 0.98
_TOO_LONG = 0.004  # penalty of a name shorter than the typed text: an extra letter is a rarer error than a wrong one
_OTHER_KIND_SCORE = 0.5  # the score of a record that has the name but not the kind
_LED_TO_SCORE = 0.995  # the score of a record that a name leads to, below those that have it
_ALIKE, _FEW_ALIKE = 75.0, 3  # "ressurect" passes for Resurrection; gibberish scores up to 60
_NEAR = 78.0  # the minimum for a suggested name: "beholder" does not suggest Deer
_CACHED_TEXTS = 64  # texts whose fuzzy matches a family caches
# A folded "hasn't": no text of the books has most of these words, but they are no misspelt names.
_CONTRACTION = re.compile(
    r"(?:are|could|did|does|do|had|has|have|is|might|must|need|should|was|were|would)nt|(?:they|you)(?:re|ve|ll)"
)
_FEWEST_INITIALS = 3  # two letters are the initials of too many names
# Names that contain all words of the question rank below those that differ by typing errors.
_WORD_FROM, _WORD_TO = 0.5, 0.85


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
        return bool(self.exact) or any(near > _WORD_TO for near in self.fuzzy.values())


def is_pattern(search: str) -> bool:
    """Whether the question is a pattern on names."""
    return "*" in search or "%" in search


def match_pattern(search: str, entries: Iterable[Entry]) -> set[str]:
    """Ids of the entries whose whole name matches a pattern with ``*`` or ``%``, ignoring case."""
    parts = re.split(r"[*%]+", _plain(search))
    pattern = re.compile(".*".join(re.escape(part) for part in parts), re.DOTALL)
    return {entry.id for entry in entries if pattern.fullmatch(_plain(entry.name))}


def literal_part(search: str) -> str:
    """The longest part of a pattern that has no wildcard."""
    return max(re.split(r"[*%]+", search), key=len).strip()


def _plain(text: str) -> str:
    return text.casefold().replace("’", "'").strip()


def match_name(search: str, names: NameIndex, among: Container[str]) -> NameMatch:
    """Match a question with the names of the wanted ids.

    A full key matches one record, a bare slug or a name every record with it.
    """
    text = search.strip()
    lowered = text.lower()
    if by_key := frozenset(id_ for id_ in names.keyed(lowered) if id_ in among):
        return NameMatch(by_key, by_key="_" in lowered)
    folded = fold(text)
    slug = slugify(text)
    # Some records have another record's name as their slug: those with the name come first.
    exact = frozenset(names.ids(folded, among)) or frozenset(
        id_ for id_ in names.by_slug.get(slug, ()) if slug and id_ in among
    )
    close = _close(folded, names, among, exact)
    close |= dict.fromkeys(names.successors_of(folded, among), _LED_TO_SCORE)
    if exact:
        return NameMatch(exact, fuzzy=close)
    for bare, added in _without_kind_words(folded):
        if bearing := _ids_named(bare, names, among):
            exact = ids_of_kinds(bearing, kinds := kinds_of_words(added))
            sure = len(added) < 2 and all(is_of_kinds(id_, kinds) for id_ in exact)
            barely = _close(bare, names, among, bearing) | dict.fromkeys(bearing - exact, _OTHER_KIND_SCORE)
            return NameMatch(exact, kind_word_ignored=bool(exact) and not sure, fuzzy=_nearest(close, barely, exact))
    bare, _ = _without_kind_words(folded)[-1]
    if bare in ("", folded):
        return NameMatch(fuzzy=close or _abbreviated(text, folded, names, among))
    return NameMatch(fuzzy=_nearest(close, _close(bare, names, among, exact), exact))


def is_key(search: str, names: NameIndex, among: Container[str]) -> bool:
    """Whether a question is the key of a wanted record."""
    lowered = search.strip().lower()
    return "_" in lowered and any(id_ in among for id_ in names.keyed(lowered))


def _nearest(one: dict[str, float], other: dict[str, float], without: Container[str]) -> dict[str, float]:
    both = one | {id_: max(near, one.get(id_, 0.0)) for id_, near in other.items()}
    return {id_: near for id_, near in both.items() if id_ not in without}


def _ids_named(bare: str, names: NameIndex, among: Container[str]) -> frozenset[str]:
    """Records with a name, with its singular or plural, or rules named by another form of it."""
    if found := names.ids(bare, among):
        return frozenset(found)
    for name in singular_or_plural_forms(bare) if len(bare) >= _ONE_ERROR_FROM else ():
        if found := tuple(id_ for id_ in names.ids(name, among) if id_.partition(":")[0] not in UNCOUNTED):
            return frozenset(found)
    return frozenset(names.inflected(bare, among))


def _without_kind_words(folded: str) -> list[tuple[str, list[str]]]:
    """The question without the words for a kind, and those words: the last, the first, or all of them.

    Each also without its inventor's name (Bigby's), which the SRDs omit.
    """
    words = folded.split()
    found: list[tuple[list[str], list[str]]] = [(words, [])]
    if len(words) > 1 and is_kind_word(words[-1]):
        found.append((words[:-1], words[-1:]))
    if len(words) > 1 and is_kind_word(words[0]):
        found.append((words[1:], words[:1]))
    found.append(([word for word in words if not is_kind_word(word)], [word for word in words if is_kind_word(word)]))
    return [(book_name(" ".join(left)), added) for left, added in found]


def _close(folded: str, names: NameIndex, among: Container[str], exact: frozenset[str]) -> dict[str, float]:
    """Records whose names differ by typing errors, a plural, or by reordered or missing words."""
    if len(folded) < 3:
        return {}
    found = dict(_mistyped(folded, names))
    singular = folded[:-1] if folded.endswith("s") and not folded.endswith("ss") else folded
    if singular != folded:
        for name, share in _mistyped(singular, names).items():
            found[name] = max(found.get(name, 0.0), _PLURAL * share)
    for name, share in _containing(folded, names).items():
        found[name] = max(found.get(name, 0.0), share)
    return {
        id_: min(score, 0.999) for name, score in found.items() for id_ in names.ids(name, among) if id_ not in exact
    }


def _mistyped(folded: str, names: NameIndex) -> Mapping[str, float]:
    """Names that differ by typing errors or by the order of their words."""
    if folded not in names.fuzzy_cache:
        if len(names.fuzzy_cache) >= _CACHED_TEXTS:
            names.fuzzy_cache.clear()
        names.fuzzy_cache[folded] = _names_near(folded, names)
    return names.fuzzy_cache[folded]


def _names_near(folded: str, names: NameIndex) -> dict[str, float]:
    found: dict[str, float] = {}
    in_order = " ".join(sorted(folded.split()))
    for asked, choices, worth in ((folded, names.folded, 1.0), (in_order, names.ordered, 0.98)):
        for _, score, place in process.extract(asked, choices, scorer=fuzz.ratio, score_cutoff=_CLOSE, limit=None):
            name = names.folded[place]
            found[name] = max(found.get(name, 0.0), worth * score / 100)
    errors = 0 if len(folded) < _ONE_ERROR_FROM else 1 if len(folded) < 2 * _ONE_ERROR_FROM else 2
    if errors:
        near = process.extract(folded, names.folded, scorer=OSA.distance, score_cutoff=errors, limit=None)
        for name, wrong, _ in near:
            found[name] = max(found.get(name, 0.0), 1 - wrong / 2 / len(folded))
    return {
        name: share - _TOO_LONG * (len(name) < len(folded) and not _is_doubled(folded, name))
        for name, share in found.items()
        if _differs_by_typos(folded, name)
    }


def _is_doubled(folded: str, name: str) -> bool:
    """Whether the typed text only repeats letters of the name: ``ressurrection``."""
    return re.sub(r"(.)\1+", r"\1", folded) == re.sub(r"(.)\1+", r"\1", name)


def _differs_by_typos(folded: str, name: str) -> bool:
    """Whether each word differs only by typing errors: "swarm of bugs" is not Swarm of Bats."""
    asked, meant = Counter(folded.split()), Counter(name.split())
    words, others = sorted((asked - meant).elements()), sorted((meant - asked).elements())
    if asked.total() != meant.total():  # a word is missing, added, or written as two
        return True
    return all(
        OSA.distance(word, other) <= (1 if len(other) < _TWO_ERRORS_FROM else 2)
        for word, other in zip(words, others, strict=True)
    )


def _abbreviated(text: str, folded: str, names: NameIndex, among: Container[str]) -> dict[str, float]:
    """Records that the question abbreviates: "BoH" is Bag of Holding. Needs two capitals and no lexicon word."""
    initials = text.isalpha() and len(text) >= _FEWEST_INITIALS and sum(map(str.isupper, text)) > 1
    if not initials or shorthand_meanings(folded):
        return {}
    return {id_: _WORD_FROM for name in names.by_initials.get(folded, ()) for id_ in names.ids(name, among)}


def _containing(folded: str, names: NameIndex) -> dict[str, float]:
    """Names that contain every word of a question of two or more; the fewer other words, the higher the score."""
    words = set(folded.split())
    if len(words) < 2:
        return {}
    return {
        name: _WORD_FROM + (_WORD_TO - _WORD_FROM) * len(folded) / len(name) for name in sorted(names.containing(words))
    }


def similar_names(search: str, names: NameIndex, among: Container[str]) -> dict[str, float]:
    """Similarity scores, from 0 to 1, of the few names that look like a question that matched nothing."""
    asked = fold(search)
    found = process.extract(asked, names.folded, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=_FEW_ALIKE)
    return {id_: score / 100 for name, score, _ in found for id_ in names.ids(name, among)}


def misspelt_name(search: str, indexes: Iterable[NameIndex]) -> str:
    """The folded name that a question differs from by typing errors alone; "" if none or several are nearest."""
    scores: dict[str, float] = {}
    for index in indexes:
        scores |= _mistyped(fold(search), index)
    highest = max(scores.values(), default=0.0)
    nearest = [name for name, score in scores.items() if score == highest]
    return nearest[0] if len(nearest) == 1 and highest > _WORD_TO else ""


def correct_spelling(search: str, unknown: Iterable[str], names: NameIndex) -> str:
    """The folded question with unknown words replaced by the nearest words of names: "vorpel" -> "vorpal"."""
    text = fold(search)
    for word in unknown:
        if len(word) < _ONE_ERROR_FROM or _CONTRACTION.fullmatch(word) or is_in_missing_name(word):
            continue
        if _is_superlative(word, names):
            continue
        found = process.extractOne(word, sorted(names.by_word), scorer=OSA.distance, score_cutoff=1)
        # Two errors are accepted only after a correct first letter.
        if found is None and len(word) >= _TWO_ERRORS_FROM + 2:
            alike = sorted(known for known in names.by_word if known[0] == word[0])
            found = process.extractOne(word, alike, scorer=OSA.distance, score_cutoff=2)
        if found is not None:
            text = re.sub(rf"\b{word}\b", found[0], text)
    return text


def _is_superlative(word: str, names: NameIndex) -> bool:
    """Whether a word is a superlative of a word in names: "lightest" is not a misspelling of "lights"."""
    base = word.removesuffix("est")
    forms = {base, base[:-1], f"{base}e", f"{base.removesuffix('i')}y"}
    return base != word and any(form in names.by_word for form in forms)


def split_joined_names(search: str, indexes: Iterable[NameIndex]) -> str:
    """The question with names written as one word split as in the books: "wildshape" -> "wild shape"."""
    known = list(indexes)
    words = fold(search).split()
    names = {
        word: index.joined[word]
        for word in words
        for index in known
        if word in index.joined and not any(word in one.by_word for one in known)
    }
    return " ".join(names.get(word, word) for word in words) if names else search


def nearest_names(search: str, entries: Iterable[Entry], limit: int = 3) -> list[str]:
    """Names to suggest when nothing was found."""
    names = {entry.folded: entry.name for entry in entries}
    found = process.extract(fold(search), list(names), scorer=fuzz.ratio, score_cutoff=_NEAR, limit=limit)
    return [names[name] for name, _, _ in found]
