"""The names of a family's records: an index of them, and what they match as people type them.

A phrase names records by the form of their name as typed, the books' term for it, its plural, a shortened or turned
name, or another form of a rule's words. A whole text may also be a key, a pattern, or near a name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.search.names.kind_words import UNCOUNTED, kind_of
from lorekeeper_mcp.search.names.lexicon import book_name, natural_order, new_name, other_names, stems
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold, slugify

_INFLECTIONS = ("ing", "ed", "s")
_WITH_BONUS = re.compile(r"([123]) (.+)|(.+) ([123])")  # as folded
_RULES = frozenset(FAMILIES[Family.RULES])  # a rule of another edition is wanted by its name in either
RULING_KINDS = frozenset({Kind.RULE, Kind.CONDITION})  # records with rulings for the table
MIN_LETTERS = 3  # longer names are also looked up in the other grammatical number
# At 86, names of six letters match with one typing error and names of fifteen with two.
_MIN_CLOSE = 86.0
_ONE_ERROR_FROM = 5  # letters a name needs for one typing error; twice as many for two
_LONG_WORD = 7  # letters that a word in a question needs for one typing error
_TWO_ERRORS_FROM = 6  # letters a word needs for two
_PLURAL = 0.98
_SHORTER_NAME_PENALTY = 0.004  # for a name shorter than the text: extra letters are rarer errors than wrong ones
_SUCCESSOR_SCORE = 0.995  # the score of a name's successor, below those of records that have the name
_MIN_SIMILARITY, _MAX_SIMILAR = 75.0, 3  # "ressurect" is similar to Resurrection; gibberish scores up to 60
_CACHED_TEXTS = 64  # texts whose near names are cached, since one question needs them several times
# Names that contain all words of the question rank below those that differ by typing errors.
_WORD_FROM, _WORD_TO = 0.5, 0.85


@dataclass(frozen=True)
class NameIndex:
    """Maps folded names, keys and slugs to the ids of records.

    ``by_word`` has the names with a word, ``terms`` the names of rules and conditions by the stems of their words.
    ``successors`` maps a name of one edition to records of the other that cover more or less.
    """

    by_name: Mapping[str, tuple[str, ...]]
    by_key: Mapping[str, tuple[str, ...]]
    by_slug: Mapping[str, tuple[str, ...]]
    by_word: Mapping[str, Sequence[str]]
    terms: Mapping[str, tuple[str, ...]]
    successors: Mapping[str, tuple[str, ...]]
    names: tuple[str, ...]
    _ordered: tuple[str, ...]  # the same with their words sorted
    _near: dict[str, Mapping[str, float]] = field(default_factory=dict)

    def has_name_in(self, text: str, words: Iterable[str]) -> bool:
        """Whether a folded text contains a name of several words that includes one of some words."""
        return any(f" {name} " in f" {text} " for word in words for name in self.by_word.get(word, ()) if name != word)

    def lookup(self, text: str) -> tuple[str, ...]:
        """Return the ids of the records with this key; if there are none, with this name, and then with this slug."""
        lowered = text.strip().lower()
        folded = fold(lowered)
        found = self.ids_with_key(lowered) or self.by_name.get(folded) or self.successors.get(folded)
        return found or self.by_slug.get(slugify(lowered)) or ()

    def ids_with_key(self, lowered: str) -> tuple[str, ...]:
        """The ids of the records with a key or an id in lower case."""
        kind, _, key = lowered.rpartition(":")
        return tuple(id_ for id_ in self.by_key.get(key, ()) if not kind or id_.startswith(f"{kind}:"))

    def ids(self, name: str, allowed: Container[str]) -> tuple[str, ...]:
        """The allowed ids with a folded name; if there are none, those of its successors."""
        return _allowed(self.by_name, name, allowed) or _allowed(self.successors, name, allowed)

    def shortened_ids(self, name: str, allowed: Container[str]) -> tuple[str, ...]:
        """The allowed ids whose names people shorten to these words: "hunter mark", or for items "protection ring".

        "Healing potions" asks for several items rather than for one.
        """
        first, _, rest = name.partition(" ")
        front, _, last = name.rpartition(" ")
        if ids := _allowed(self.by_name, f"{first}s {rest}", allowed) if rest else ():
            return ids
        turned = () if last.endswith("s") and f"{last[:-1]} of {front}" in self.by_name else ("of", "of the")
        ids = next(filter(None, (_allowed(self.by_name, f"{last} {of} {front}", allowed) for of in turned)), ())
        return tuple(id_ for id_ in ids if kind_of(id_) in FAMILIES[Family.EQUIPMENT])

    def generic_ids(self, name: str, allowed: Container[str]) -> tuple[str, ...]:
        """The allowed ids of the item that a book has for every base: a "1 longsword" is a "Weapon, +1, +2, or +3"."""
        found = _WITH_BONUS.fullmatch(name)
        base, number = (found[2] or found[3], found[1] or found[4]) if found else ("", "")
        kinds = {kind_of(id_) for id_ in self.by_name.get(base, ())} & {Kind.WEAPON, Kind.ARMOR}
        generic = "shield" if base == "shield" else next(iter(kinds), "")
        names = (f"{generic} {number}", f"{generic} 1 2 or 3") if generic else ()
        return tuple(id_ for each in names for id_ in _allowed(self.by_name, each, allowed))

    def inflected_ids(self, name: str, allowed: Container[str], *, is_verb: bool = False) -> tuple[str, ...]:
        """Ids of rules and conditions named by another form of the words: "hiding" finds Hide.

        If ``is_verb``, the typed form may be the base form: "grapple" finds Grappling.
        """
        is_form = (is_verb or " " in name or name.endswith(_INFLECTIONS)) and not _allowed(self.by_name, name, allowed)
        return _allowed(self.terms, stems(name), allowed) if is_form else ()

    def near(self, folded: str) -> Mapping[str, float]:
        """Names that differ by typing errors or by the order of their words, each with a score up to 1."""
        if folded not in self._near:
            if len(self._near) >= _CACHED_TEXTS:
                self._near.clear()
            self._near[folded] = self._find_near(folded)
        return self._near[folded]

    def _find_near(self, folded: str) -> dict[str, float]:
        near: list[dict[str, float]] = []
        in_order = " ".join(sorted(folded.split()))
        for text, choices, weight in ((folded, self.names, 0.01), (in_order, self._ordered, 0.0098)):
            found = process.extract(text, choices, scorer=fuzz.ratio, score_cutoff=_MIN_CLOSE, limit=None)
            near.append({self.names[index]: weight * score for _, score, index in found})
        if errors := min(2, len(folded) // _ONE_ERROR_FROM):
            mistyped = process.extract(folded, self.names, scorer=OSA.distance, score_cutoff=errors, limit=None)
            near.append({name: 1 - errors_in_name / 2 / len(folded) for name, errors_in_name, _ in mistyped})
        return {
            name: share - _SHORTER_NAME_PENALTY * (len(name) < len(folded) and not _is_doubled(folded, name))
            for name, share in _highest(*near).items()
            if _differs_by_typos(folded, name)
        }


def build_name_index(entries: Iterable[Entry]) -> NameIndex:
    """Build the index of the names of some entries."""
    by_name, by_key, by_slug, terms, successors = (dict[str, tuple[str, ...]]() for _ in range(5))
    by_word = defaultdict[str, list[str]](list)
    for entry in entries:
        entry_ids = (entry.id,)  # one tuple for all maps, since most names have one record
        newest = new_name(entry.kind, entry.folded)
        natural = natural_order(entry.name) if "," in entry.name else entry.folded
        other = other_names(entry.kind, entry.folded, entry.document_key)
        if "+" in entry.name:  # people say "+1 longsword"
            base, _, bonus = entry.folded.rpartition(" ")
            other = (*other, f"{bonus} {base}")
        for name in dict.fromkeys((entry.folded, natural, *other)):
            is_own = entry.kind in _RULES or name == natural or new_name(entry.kind, name) == newest
            ids = by_name if is_own else successors
            ids[name] = ids.get(name, ()) + entry_ids
            if entry.kind in RULING_KINDS:
                stemmed = stems(name)
                terms[stemmed] = terms.get(stemmed, ()) + entry_ids
        key = entry.key if (lowered := entry.key.lower()) == entry.key else lowered  # in memory only once
        by_key[key] = by_key.get(key, ()) + entry_ids
        slug = entry.key.rpartition("_")[2]
        by_slug[slug] = by_slug.get(slug, ()) + entry_ids
    names = tuple(by_name | successors)
    for name in names:
        for word in dict.fromkeys(name.split()):
            by_word[word].append(name)
    ordered = tuple(" ".join(sorted(name.split())) for name in names)
    return NameIndex(by_name, by_key, by_slug, dict(by_word), terms, successors, names, ordered)


def _allowed(ids: Mapping[str, tuple[str, ...]], name: str, allowed: Container[str]) -> tuple[str, ...]:
    return tuple(id_ for id_ in ids.get(name, ()) if id_ in allowed)


# -- phrases


def ids_named(name: str, indexes: Sequence[tuple[NameIndex, Container[str]]]) -> frozenset[str]:
    """The allowed ids that a folded phrase names, in the first of its forms in which any record has it.

    The forms are the phrase as typed, the books' term, the other grammatical number, a shortened name, or that of a
    generic item.
    """
    plurals = list(singular_or_plural_forms(name)) if len(name) > MIN_LETTERS else []
    for form in dict.fromkeys([name, book_name(name), *plurals]):
        found = (id_ for index, allowed in indexes for id_ in index.ids(form, allowed))
        if ids := frozenset(id_ for id_ in found if form not in plurals or kind_of(id_) not in UNCOUNTED):
            return ids
    shortened = frozenset(id_ for index, allowed in indexes for id_ in index.shortened_ids(name, allowed))
    return shortened or frozenset(id_ for index, allowed in indexes for id_ in index.generic_ids(name, allowed))


# -- whole texts


@dataclass(frozen=True)
class NameMatch:
    """The ids that a text names exactly, by their key or name, and scores in (0, 1) of those that it nearly names."""

    exact: frozenset[str] = frozenset()
    by_key: bool = False
    fuzzy: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_confident(self) -> bool:
        """Whether the text is a name, possibly misspelt, and should not be parsed for anything else."""
        return bool(self.exact) or any(near > _WORD_TO for near in self.fuzzy.values())


def match_name(search: str, names: NameIndex, allowed: Container[str]) -> NameMatch:
    """Match a whole text with the names of the allowed ids.

    A full key matches one record; a bare slug or a name matches every record that has it.
    """
    lowered, folded, slug = search.strip().lower(), fold(search), slugify(search.strip())
    if by_key := frozenset(id_ for id_ in names.ids_with_key(lowered) if id_ in allowed):
        return NameMatch(by_key, by_key="_" in lowered)
    # Records with the name come first, since some records have another record's name as their slug.
    exact = frozenset(
        names.ids(folded, allowed)
        or (_allowed(names.by_slug, slug, allowed) if slug else ())
        or ids_named(folded, [(names, allowed)])
        or names.inflected_ids(folded, allowed)
    )
    close = _close_matches(folded, names, allowed)
    if _allowed(names.by_name, folded, allowed):
        close |= dict.fromkeys(_allowed(names.successors, folded, allowed), _SUCCESSOR_SCORE)
    return NameMatch(exact, fuzzy={id_: score for id_, score in close.items() if id_ not in exact})


def is_key(search: str, names: NameIndex, allowed: Container[str]) -> bool:
    """Whether a text is the key of an allowed record."""
    lowered = search.strip().lower()
    return "_" in lowered and any(id_ in allowed for id_ in names.ids_with_key(lowered))


def _close_matches(folded: str, names: NameIndex, allowed: Container[str]) -> dict[str, float]:
    """Scores of records whose names differ by typing errors, by a plural, or by reordered or missing words."""
    if len(folded) < MIN_LETTERS:
        return {}
    scores = [names.near(folded)]
    if folded.endswith("s") and not folded.endswith("ss"):
        scores.append({name: _PLURAL * share for name, share in names.near(folded[:-1]).items()})
    if len(words := set(folded.split())) > 1:  # names with all of them: the fewer others, the higher the score
        with_all = set.intersection(*(set(names.by_word.get(word, ())) for word in words))
        share_of_words = (_WORD_TO - _WORD_FROM) * len(folded)
        scores.append({name: _WORD_FROM + share_of_words / len(name) for name in sorted(with_all)})
    best = _highest(*scores)
    return {id_: min(score, 0.999) for name, score in best.items() for id_ in names.ids(name, allowed)}


def _highest(*scores: Mapping[str, float]) -> dict[str, float]:
    return {key: max(each.get(key, 0.0) for each in scores) for each in scores for key in each}


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
        OSA.distance(word, other) <= (1 if len(other) < _TWO_ERRORS_FROM else 2)
        for word, other in zip(words, others, strict=True)
    )


def misspelt_name(folded: str, indexes: Iterable[NameIndex]) -> str:
    """The folded name from which a text differs by typing errors only; "" if none or several are nearest."""
    scores: dict[str, float] = {}
    for index in indexes:
        scores |= index.near(folded)
    highest = max(scores.values(), default=0.0)
    nearest = [name for name, score in scores.items() if score == highest]
    return nearest[0] if len(nearest) == 1 and highest > _WORD_TO else ""


def misspelt_word(word: str, indexes: Iterable[NameIndex]) -> str:
    """The one word of any name from which a long word differs by typing errors only; else the word itself."""
    errors = min(2, len(word) // _LONG_WORD)
    known = {other for index in indexes for other in index.by_word}
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=errors, limit=2) if errors else []
    is_one = len(near) == 1 or (len(near) == 2 and near[0][1] < near[1][1])
    return near[0][0] if is_one else word


def similar_names(search: str, names: NameIndex, allowed: Container[str]) -> dict[str, float]:
    """Similarity scores, from 0 to 1, of the few names that look like a text that matched nothing."""
    text = fold(search)
    similar = process.extract(text, names.names, scorer=fuzz.ratio, score_cutoff=_MIN_SIMILARITY, limit=_MAX_SIMILAR)
    return {id_: score / 100 for name, score, _ in similar for id_ in names.ids(name, allowed)}


# -- patterns


def is_pattern(search: str) -> bool:
    """Whether a text is a pattern on names."""
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
