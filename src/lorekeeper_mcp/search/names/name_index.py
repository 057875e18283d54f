"""Index of a family's names and groups, built once per change and used by every search."""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.search.names.group_keys import GroupKey, group_keys_of
from lorekeeper_mcp.search.names.name_changes import new_name, other_names
from lorekeeper_mcp.search.names.stems import stems
from lorekeeper_mcp.store.memory.catalog import Catalog, Entry
from lorekeeper_mcp.text import fold, slugify

_INFLECTIONS = ("ing", "ed", "s")
_RULES = frozenset(FAMILIES[Family.RULES])  # a rule of another edition is wanted by its name in either
RULING_KINDS = frozenset({Kind.RULE, Kind.CONDITION})  # records with rulings for the table


@dataclass(frozen=True)
class NameIndex:
    """Maps folded names, keys and slugs to the ids of records.

    ``ordered`` has each name with its words sorted, parallel to ``folded``; initials are those of all words of a name.
    ``terms`` has the names of rules and conditions by the stems of their words. ``successors`` maps a name of one
    edition to records that cover more or less in the other. ``fuzzy_cache`` has the fuzzy matches of the last few
    texts, since one question needs them several times.
    """

    folded: tuple[str, ...]
    ordered: tuple[str, ...]
    by_name: Mapping[str, tuple[str, ...]]
    by_key: Mapping[str, tuple[str, ...]]
    by_slug: Mapping[str, tuple[str, ...]]
    by_word: Mapping[str, Sequence[str]]
    by_initials: Mapping[str, Sequence[str]]
    terms: Mapping[str, tuple[str, ...]]
    successors: Mapping[str, tuple[str, ...]]
    fuzzy_cache: dict[str, dict[str, float]] = field(default_factory=dict)

    @cached_property
    def joined(self) -> Mapping[str, str]:
        """Each name of several words by its words written as one."""
        return {name.replace(" ", ""): name for name in self.folded if " " in name}

    def containing(self, words: Iterable[str]) -> frozenset[str]:
        """The names that contain all of the words."""
        found = [self.by_word.get(word, ()) for word in words]
        return frozenset(found[0]).intersection(*found[1:]) if found else frozenset()

    def has_name_in(self, text: str, words: Iterable[str]) -> bool:
        """Whether a folded text contains a name of several words that includes one of some words."""
        return any(f" {name} " in f" {text} " for word in words for name in self.by_word.get(word, ()) if name != word)

    def lookup(self, text: str) -> tuple[str, ...]:
        """Return the ids of the records with this key; if there are none, with this name, and then with this slug."""
        lowered = text.strip().lower()
        folded = fold(lowered)
        return (
            self.keyed(lowered)
            or self.by_name.get(folded)
            or self.successors.get(folded)
            or self.by_slug.get(slugify(lowered))
            or ()
        )

    def keyed(self, lowered: str) -> tuple[str, ...]:
        """The ids of the records with a key or an id in lower case."""
        kind, _, key = lowered.rpartition(":")
        return tuple(id_ for id_ in self.by_key.get(key, ()) if not kind or id_.startswith(f"{kind}:"))

    def ids(self, name: str, among: Container[str]) -> tuple[str, ...]:
        """The wanted ids with a folded name; if there are none, those that the name leads to."""
        return self._of(self.by_name, name, among) or self._of(self.successors, name, among)

    def shortened(self, name: str, among: Container[str]) -> tuple[str, ...]:
        """The wanted ids that people shorten to these words: "hunter mark", and of things "protection ring".

        "Healing potions" asks for several things rather than for one.
        """
        first, _, rest = name.partition(" ")
        if not rest:
            return ()
        if ids := self._of(self.by_name, f"{first}s {rest}", among):
            return ids
        front, _, last = name.rpartition(" ")
        if last.endswith("s") and f"{last[:-1]} of {front}" in self.by_name:
            return ()
        ids = self._of(self.by_name, f"{last} of {front}", among) or self._of(
            self.by_name, f"{last} of the {front}", among
        )
        return tuple(id_ for id_ in ids if id_.partition(":")[0] in FAMILIES[Family.EQUIPMENT])

    def successors_of(self, name: str, among: Container[str]) -> tuple[str, ...]:
        """The wanted ids that a folded name leads to although other records have it."""
        return self._of(self.successors, name, among) if self._of(self.by_name, name, among) else ()

    def inflected(self, name: str, among: Container[str], *, is_verb: bool = False) -> tuple[str, ...]:
        """Ids of rules and conditions named by another form of the words: "hiding" finds Hide.

        If ``is_verb``, the typed form may be the bare one: "grapple" finds Grappling.
        """
        may_be_form = is_verb or " " in name or name.endswith(_INFLECTIONS)
        is_form = may_be_form and not self._of(self.by_name, name, among)
        return self._of(self.terms, stems(name), among) if is_form else ()

    @staticmethod
    def _of(ids: Mapping[str, tuple[str, ...]], name: str, among: Container[str]) -> tuple[str, ...]:
        return tuple(id_ for id_ in ids.get(name, ()) if id_ in among)


def build_name_index(entries: Iterable[Entry]) -> NameIndex:
    """Build the index of the names of some entries."""
    by_name, by_key, by_slug, terms, led_to = (dict[str, tuple[str, ...]]() for _ in range(5))
    by_word = defaultdict[str, list[str]](list)
    by_initials = defaultdict[str, list[str]](list)
    for entry in entries:
        alone = (entry.id,)  # one tuple shared by all maps: most names have one record
        newest = new_name(entry.kind, entry.folded)
        for name in (entry.folded, *other_names(entry.kind, entry.folded, entry.document_key)):
            is_own = entry.kind in _RULES or new_name(entry.kind, name) == newest
            ids = by_name if is_own else led_to
            ids[name] = ids.get(name, ()) + alone
            if entry.kind in RULING_KINDS:
                stemmed = stems(name)
                terms[stemmed] = terms.get(stemmed, ()) + alone
        key = _lower(entry.key)
        by_key[key] = by_key.get(key, ()) + alone
        slug = entry.key.rpartition("_")[2]
        by_slug[slug] = by_slug.get(slug, ()) + alone
    ordered = []
    every = tuple(by_name | led_to)
    for name in every:
        words = name.split()
        ordered.append(" ".join(sorted(words)))
        by_initials["".join(word[0] for word in words)].append(name)
        for word in dict.fromkeys(words):
            by_word[word].append(name)
    return NameIndex(every, tuple(ordered), by_name, by_key, by_slug, dict(by_word), dict(by_initials), terms, led_to)


def _lower(text: str) -> str:
    """Lower-case a text; one already in lower case is returned itself, so that memory has it once."""
    return text if (lowered := text.lower()) == text else lowered


@dataclass(frozen=True)
class FamilyIndex:
    """A snapshot of a family's entries and what is derived from them."""

    entries: Mapping[str, Entry]

    @cached_property
    def names(self) -> NameIndex:
        """The index of all names."""
        return build_name_index(self.entries.values())

    @cached_property
    def group_keys(self) -> Mapping[str, GroupKey]:
        """The group key of each id."""
        return MappingProxyType(group_keys_of(self.entries.values()))

    @cached_property
    def without_vector(self) -> Counter[Kind]:
        """How many records of each kind have no embedding yet."""
        return Counter(entry.kind for entry in self.entries.values() if not entry.has_vector)


class FamilyIndexes:
    """The index of each family, rebuilt when its entries have changed."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._by_family: dict[Family, FamilyIndex] = {}
        self._combined: tuple[list[FamilyIndex], Mapping[str, GroupKey]] = ([], {})

    def of(self, family: Family) -> FamilyIndex:
        """Return the current index of a family."""
        entries = self._catalog.of(family)
        known = self._by_family.get(family)
        if known is None or known.entries is not entries:
            self._by_family[family] = known = FamilyIndex(entries)
        return known

    def group_keys(self, families: Iterable[Family]) -> Mapping[str, GroupKey]:
        """The group key of each id of some families; cached until a family changes."""
        known = list(map(self.of, families))
        if len(known) == 1:
            return known[0].group_keys
        of, together = self._combined
        if len(of) != len(known) or not all(map(operator.is_, of, known)):
            together = dict(chain.from_iterable(index.group_keys.items() for index in known))
            self._combined = known, together
        return together

    def is_in_names(self, word: str) -> bool:
        """Whether a folded word or its singular is part of any name of any family."""
        forms = {word, word.removesuffix("s")}
        return any(not forms.isdisjoint(self.of(family).names.by_word) for family in Family)
