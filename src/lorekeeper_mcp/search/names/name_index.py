"""The index of a family's names and groups, built once per change and used by every search."""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from lorekeeper_mcp.filters.creatures import TRAITS
from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.search.names.group_keys import GroupKey, group_keys_of, parse_variant_name
from lorekeeper_mcp.search.names.lexicon import new_name, other_names
from lorekeeper_mcp.search.names.stems import stems
from lorekeeper_mcp.store.catalog import Catalog, Entry, places
from lorekeeper_mcp.text import fold, slugify

_INFLECTIONS = ("ing", "ed", "s")
_RULES = frozenset(FAMILIES[Family.RULES])  # a rule of another edition is wanted by its name in either
RULING_KINDS = frozenset({Kind.RULE, Kind.CONDITION})  # records with rulings for the table


@dataclass(frozen=True)
class NameIndex:
    """Maps folded names, keys and slugs to the ids of records.

    ``ordered`` has the names of ``folded`` with their words sorted. ``terms`` has the names of rules and conditions by
    the stems of their words. ``successors`` maps a name of one edition to records of the other that cover more or less.
    ``fuzzy_cache`` has the fuzzy matches of the last few texts, since one question needs them several times.
    """

    folded: tuple[str, ...]
    ordered: tuple[str, ...]
    by_name: Mapping[str, tuple[str, ...]]
    by_key: Mapping[str, tuple[str, ...]]
    by_slug: Mapping[str, tuple[str, ...]]
    by_word: Mapping[str, Sequence[str]]
    terms: Mapping[str, tuple[str, ...]]
    successors: Mapping[str, tuple[str, ...]]
    fuzzy_cache: dict[str, dict[str, float]] = field(default_factory=dict)

    def names_with(self, words: Iterable[str]) -> frozenset[str]:
        """The names that contain all of the words."""
        matches = [self.by_word.get(word, ()) for word in words]
        return frozenset(matches[0]).intersection(*matches[1:]) if matches else frozenset()

    def has_name_in(self, text: str, words: Iterable[str]) -> bool:
        """Whether a folded text contains a name of several words that includes one of some words."""
        return any(f" {name} " in f" {text} " for word in words for name in self.by_word.get(word, ()) if name != word)

    def lookup(self, text: str) -> tuple[str, ...]:
        """Return the ids of the records with this key; if there are none, with this name, and then with this slug."""
        lowered = text.strip().lower()
        folded = fold(lowered)
        return (
            self.ids_with_key(lowered)
            or self.by_name.get(folded)
            or self.successors.get(folded)
            or self.by_slug.get(slugify(lowered))
            or ()
        )

    def ids_with_key(self, lowered: str) -> tuple[str, ...]:
        """The ids of the records with a key or an id in lower case."""
        kind, _, key = lowered.rpartition(":")
        return tuple(id_ for id_ in self.by_key.get(key, ()) if not kind or id_.startswith(f"{kind}:"))

    def ids(self, name: str, allowed: Container[str]) -> tuple[str, ...]:
        """The allowed ids with a folded name; if there are none, those of its successors."""
        return self._select(self.by_name, name, allowed) or self._select(self.successors, name, allowed)

    def shortened_ids(self, name: str, allowed: Container[str]) -> tuple[str, ...]:
        """The allowed ids whose names people shorten to these words: "hunter mark", or for items "protection ring".

        "Healing potions" asks for several items rather than for one.
        """
        first, _, rest = name.partition(" ")
        if not rest:
            return ()
        if ids := self._select(self.by_name, f"{first}s {rest}", allowed):
            return ids
        front, _, last = name.rpartition(" ")
        if last.endswith("s") and f"{last[:-1]} of {front}" in self.by_name:
            return ()
        ids = self._select(self.by_name, f"{last} of {front}", allowed) or self._select(
            self.by_name, f"{last} of the {front}", allowed
        )
        return tuple(id_ for id_ in ids if id_.partition(":")[0] in FAMILIES[Family.EQUIPMENT])

    def successors_of(self, name: str, allowed: Container[str]) -> tuple[str, ...]:
        """The allowed ids of the successors of a folded name that other records have."""
        return self._select(self.successors, name, allowed) if self._select(self.by_name, name, allowed) else ()

    def inflected_ids(self, name: str, allowed: Container[str], *, is_verb: bool = False) -> tuple[str, ...]:
        """Ids of rules and conditions named by another form of the words: "hiding" finds Hide.

        If ``is_verb``, the typed form may be the base form: "grapple" finds Grappling.
        """
        may_be_form = is_verb or " " in name or name.endswith(_INFLECTIONS)
        is_form = may_be_form and not self._select(self.by_name, name, allowed)
        return self._select(self.terms, stems(name), allowed) if is_form else ()

    @staticmethod
    def _select(ids: Mapping[str, tuple[str, ...]], name: str, allowed: Container[str]) -> tuple[str, ...]:
        return tuple(id_ for id_ in ids.get(name, ()) if id_ in allowed)


def build_name_index(entries: Iterable[Entry]) -> NameIndex:
    """Build the index of the names of some entries."""
    by_name, by_key, by_slug, terms, led_to = (dict[str, tuple[str, ...]]() for _ in range(5))
    by_word = defaultdict[str, list[str]](list)
    for entry in entries:
        entry_ids = (entry.id,)  # one tuple for all maps, since most names have one record
        newest = new_name(entry.kind, entry.folded)
        natural = parse_variant_name(entry.name, magic=False).plain if "," in entry.name else entry.folded
        other = other_names(entry.kind, entry.folded, entry.document_key)
        if "+" in entry.name:  # people say "+1 longsword"
            base, _, bonus = entry.folded.rpartition(" ")
            other = (*other, f"{bonus} {base}")
        for name in dict.fromkeys((entry.folded, natural, *other)):
            is_own = entry.kind in _RULES or name == natural or new_name(entry.kind, name) == newest
            ids = by_name if is_own else led_to
            ids[name] = ids.get(name, ()) + entry_ids
            if entry.kind in RULING_KINDS:
                stemmed = stems(name)
                terms[stemmed] = terms.get(stemmed, ()) + entry_ids
        key = _lower(entry.key)
        by_key[key] = by_key.get(key, ()) + entry_ids
        slug = entry.key.rpartition("_")[2]
        by_slug[slug] = by_slug.get(slug, ()) + entry_ids
    ordered = []
    all_names = tuple(by_name | led_to)
    for name in all_names:
        words = name.split()
        ordered.append(" ".join(sorted(words)))
        for word in dict.fromkeys(words):
            by_word[word].append(name)
    return NameIndex(all_names, tuple(ordered), by_name, by_key, by_slug, dict(by_word), terms, led_to)


def _lower(text: str) -> str:
    """Lower-case a text. A text already in lower case is returned itself, so that it is in memory only once."""
    return text if (lowered := text.lower()) == text else lowered


@dataclass(frozen=True)
class FamilyIndex:
    """A snapshot of a family's entries, and what is derived from them."""

    family: Family
    entries: Mapping[str, Entry]

    @cached_property
    def names(self) -> NameIndex:
        """The index of all names."""
        return build_name_index(self.entries.values())

    @cached_property
    def group_keys(self) -> Mapping[str, GroupKey]:
        """The group key of each id."""
        return group_keys_of(self.entries.values())

    @cached_property
    def traits(self) -> frozenset[str]:
        """The keys of the traits and actions of all creatures; none in another family."""
        if (index := places(self.family).get(TRAITS.name)) is None:
            return frozenset()
        listed = {str(entry.values[index]) for entry in self.entries.values()}
        return frozenset(key for keys in listed for key in keys.strip("|").split("|") if key)

    @cached_property
    def without_vector(self) -> Counter[Kind]:
        """How many records of each kind have no embedding yet."""
        return Counter(entry.kind for entry in self.entries.values() if not entry.has_vector)


@dataclass(frozen=True)
class Groups:
    """The group key of each id of some families, and the ids of each group."""

    keys: Mapping[str, GroupKey]
    members: Mapping[GroupKey, Sequence[str]]


class FamilyIndexes:
    """The index of each family, rebuilt when its entries have changed."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._by_family: dict[Family, FamilyIndex] = {}
        self._groups: dict[tuple[Family, ...], tuple[list[FamilyIndex], Groups]] = {}

    def of(self, family: Family) -> FamilyIndex:
        """Return the current index of a family."""
        entries = self._catalog.of(family)
        index = self._by_family.get(family)
        if index is None or index.entries is not entries:
            self._by_family[family] = index = FamilyIndex(family, entries)
        return index

    def groups(self, families: Iterable[Family]) -> Groups:
        """The groups of some families; made again when one of these has changed."""
        indexes = [self.of(family) for family in families]
        which = tuple(index.family for index in indexes)
        made_from, groups = self._groups.get(which, ([], Groups({}, {})))
        if len(made_from) != len(indexes) or not all(map(operator.is_, made_from, indexes)):
            keys = dict(chain.from_iterable(index.group_keys.items() for index in indexes))
            members = defaultdict[GroupKey, list[str]](list)
            for id_, key in keys.items():
                members[key].append(id_)
            self._groups[which] = indexes, (groups := Groups(keys, dict(members)))
        return groups

    def is_in_names(self, word: str) -> bool:
        """Whether a folded word or its singular is part of any name of any family."""
        forms = {word, word.removesuffix("s")}
        return any(not forms.isdisjoint(self.of(family).names.by_word) for family in Family)
