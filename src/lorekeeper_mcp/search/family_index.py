"""What is derived from a family's entries, once per change: their names, and which of them are one result.

Editions of one entity and variants of one item are one result. Open5e lists a magic item once for each weapon, armor or
bonus, forty times Holy Avenger, "Longsword (+1)" to "Whip (+3)". Records have no field for that, so it is read from the
names.
"""

from __future__ import annotations

import operator
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from lorekeeper_mcp.filters.creatures import TRAITS
from lorekeeper_mcp.models import Family, Kind, Source
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.search.names.lexicon import natural_order, new_name
from lorekeeper_mcp.search.names.name_index import NameIndex, build_name_index
from lorekeeper_mcp.store.catalog import Catalog, Entry, part_of, places

GroupKey: TypeAlias = str  # kind and name, kind and variant family, or an id
_FAMILY = "\0family\0"
_WEAPONS_AND_ARMOR = frozenset({Kind.WEAPON, Kind.ARMOR})  # Open5e lists them among the items, too, by the same keys
_ANY_WEAPON = frozenset({"sword", "weapon", "axe"})
_BONUS = re.compile(r"[,\s]*\(?\s*\+\d\s*\)?(?:,?\s*(?:or\s+)?\+\d)*\s*$")
_IN_BRACKETS = re.compile(r"^(.+?)\s*\(([^()]+)\)\s*$")
_MIN_VARIANTS = 3  # items whose names end in different weapons; with fewer, they are not variants


class _Variants:
    """The variant families of magic items: "Longsword (+1)" and "Whip (+3)", "Gale Brand (Rapier)"."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        bases = {"weapon": Kind.WEAPON, "armor": Kind.ARMOR}
        for entry in entries:
            if entry.kind in _WEAPONS_AND_ARMOR and entry.document_key in SRD_ORDER and entry.folded != "shield":
                bases |= dict.fromkeys((entry.folded, natural_order(entry.name)), entry.kind)
        self._bases = {base.removesuffix(" armor"): kind for base, kind in bases.items()} | bases
        items = {entry.name: self._certain(entry.name) for entry in entries if entry.kind is Kind.MAGIC_ITEM}
        others = {natural_order(name) for name, family in items.items() if not family}
        candidates = Counter(map(self._without_base, others))
        self._families = {*items.values(), *(one for one, count in candidates.items() if count >= _MIN_VARIANTS)} - {""}

    def family(self, name: str) -> str:
        """The family of a magic item, or "": Flame Tongue itself belongs to that of Flame Tongue Longsword."""
        plain = natural_order(name)
        others = (family for family in (self._without_base(plain), plain) if family in self._families)
        return self._certain(name) or next(others, "")

    def _certain(self, name: str) -> str:
        """The family that a bonus or brackets name; a +1 longsword and a +1 whip are of one family."""
        bonus = _BONUS.search(name)
        if bonus and (base := natural_order(name[: bonus.start()])):
            return f"{self._bases.get(base, base)} +"
        bracketed = _IN_BRACKETS.match(name)
        return _without(natural_order(bracketed[1]), _ANY_WEAPON) if bracketed else ""

    def _without_base(self, plain: str) -> str:
        """``vicious hand crossbow`` -> ``vicious``; other items must confirm this family."""
        return _without(_without(plain, self._bases), _ANY_WEAPON)


def _without(plain: str, bases: Iterable[str]) -> str:
    """Remove the weapon: ``vicious whip`` -> ``vicious``, ``longsword of sharpness`` -> ``of sharpness``."""
    words = plain.split()
    for count in (3, 2, 1):
        if len(words) > count and " ".join(words[-count:]) in bases:
            return " ".join(words[:-count])
        if len(words) > count + 1 and words[count] == "of" and " ".join(words[:count]) in bases:
            return " ".join(words[count:])
    return plain


def group_keys_of(entries: Iterable[Entry]) -> dict[str, GroupKey]:
    """Map each id of a family to its group key; all entries with equal keys are one result.

    Computed over the whole family, so that the filters of a question do not change the groups.
    """
    every = list(entries)
    variants = _Variants(every)
    names = {entry.id: natural_order(entry.name) if "," in entry.name else entry.folded for entry in every}
    gear = [entry for entry in every if entry.kind in _WEAPONS_AND_ARMOR]
    gear_by_key = {entry.key: entry.kind for entry in gear}
    # Open5e lists the armors of 2014 under the names of 2024 among its items.
    gear_by_name = {(entry.document_key, new_name(entry.kind, names[entry.id])): entry.kind for entry in gear}
    stored = {(entry.document_key, entry.kind, entry.folded) for entry in every}

    def key_of(entry: Entry) -> GroupKey:
        name, kind = names[entry.id], entry.kind
        if kind is Kind.MAGIC_ITEM and (family := variants.family(entry.name)):
            return f"{kind}{_FAMILY}{family}"
        if kind is Kind.ITEM:
            kind = gear_by_key.get(entry.key) or gear_by_name.get((entry.document_key, name), kind)
        newest = new_name(kind, name)
        plain = name if (entry.document_key, entry.kind, newest) in stored else newest  # separate in that book
        own_name = f"{part_of(entry)}\0{plain}" if entry.kind is Kind.FEATURE else plain
        return f"{kind}\0{own_name or entry.id}"

    keys = {entry.id: key_of(entry) for entry in every}
    # Records with the same kind, name and document stay separate: the rules have several called Size or Speed. An
    # embedded record and the Open5e record that replaces it are one; embedded rules have the ids of Open5e's.
    members = Counter(
        (keys[entry.id], entry.kind, entry.document_key, entry.source is Source.SRD and entry.kind is not Kind.RULE)
        for entry in every
    )
    ambiguous = {key for (key, *_), count in members.items() if count > 1 and _FAMILY not in key}
    return {id_: id_ if key in ambiguous else key for id_, key in keys.items()}


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
