"""Groups editions and variants of one entity into a result, and orders the results."""

from __future__ import annotations

import heapq
import operator
import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from itertools import count as counting
from typing import TypeAlias

from lorekeeper_mcp.models import Edition, Kind, Source, family_of
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.names.lexicon import new_name
from lorekeeper_mcp.store.catalog import Entry, part_of, places, sections
from lorekeeper_mcp.text import fold

# -- names of variants: Open5e lists a magic item once for each weapon, armor or bonus, forty times Holy Avenger,
# "Longsword (+1)" to "Whip (+3)". Records have no field for the variant family, so it has to be read from the names.

_WEAPONS = frozenset(
    (
        "battleaxe, blowgun, club, dagger, dart, flail, glaive, greataxe, greatclub, greatsword, halberd, handaxe, "
        "hand crossbow, heavy crossbow, javelin, lance, light crossbow, light hammer, longbow, longsword, mace, maul, "
        "morningstar, musket, net, pike, pistol, quarterstaff, rapier, scimitar, shortbow, shortsword, sickle, sling, "
        "spear, trident, war pick, warhammer, whip, crossbow hand, crossbow heavy, crossbow light"
    ).split(", ")
)
_ANY_WEAPON = frozenset({"sword", "weapon", "axe"})
_ARMORS = frozenset(
    (
        "breastplate, chain mail, chain shirt, half plate, hide, leather, padded, plate, ring mail, scale mail, "
        "splint, studded leather, armor"
    ).split(", ")
)
_BASES = _WEAPONS | _ARMORS | {f"{armor} armor" for armor in _ARMORS}
_BONUS = re.compile(r"[,\s]*\(?\s*\+\d\s*\)?(?:,?\s*(?:or\s+)?\+\d)*\s*$")
_IN_BRACKETS = re.compile(r"^(.+?)\s*\(([^()]+)\)\s*$")
MIN_VARIANTS = 3  # items whose names end in different weapons; with fewer, they are not variants


@dataclass(frozen=True)
class VariantName:
    """A normalized name, its variant family, and a candidate for it that other names must confirm.

    A name that equals a confirmed family (Holy Avenger) belongs to it.
    """

    plain: str
    family: str = ""
    candidate_family: str = ""


@lru_cache(maxsize=32_768)
def parse_variant_name(name: str, *, magic: bool) -> VariantName:
    """Parse a name for grouping. Only magic items (``magic``) have variants."""
    plain = _in_natural_order(name)
    if not magic:
        return VariantName(plain)
    bonus = _BONUS.search(name)
    if bonus and (base := _in_natural_order(name[: bonus.start()])):
        return VariantName(plain, f"{_base_kind(base)} +")
    if bracketed := _IN_BRACKETS.match(name):
        return VariantName(plain, _without(fold(bracketed[1]), _ANY_WEAPON))
    return VariantName(plain, "", _without(_without(plain, _BASES), _ANY_WEAPON))


def _in_natural_order(name: str) -> str:
    """``Crossbow, light`` -> ``light crossbow``; a name with two commas is a list and returned unchanged."""
    first, comma, rest = name.partition(", ")
    inverted = comma and ", " not in rest and "+" not in rest and "(" not in name and " or " not in f" {rest} "
    return fold(f"{rest} {first}" if inverted and " and " not in rest else name)


def _base_kind(base: str) -> str:
    """The kind of a base item: "weapon" or "armor", since a +1 longsword and a +1 whip are one family."""
    if base in _WEAPONS or base == "weapon":
        return "weapon"
    return "armor" if base in _ARMORS or base.removesuffix(" armor") in _ARMORS else base


def _without(plain: str, weapons: frozenset[str]) -> str:
    """Remove the weapon: ``vicious hand crossbow`` -> ``vicious``, ``longsword of sharpness`` -> ``of sharpness``."""
    words = plain.split()
    for count in (3, 2, 1):
        if len(words) > count and " ".join(words[-count:]) in weapons:
            return " ".join(words[:-count])
        if len(words) > count + 1 and words[count] == "of" and " ".join(words[:count]) in weapons:
            return " ".join(words[count:])
    return plain


# -- group keys: records of a family that are one result have the same key

GroupKey: TypeAlias = str  # kind and name, kind and variant family, or an id
_FAMILY = "\0family\0"
# Open5e lists weapons and armor among the items as well, under the same key and with the same facts.
_LISTED_AS_ITEM = frozenset({Kind.WEAPON, Kind.ARMOR})


def group_keys_of(entries: Iterable[Entry]) -> dict[str, GroupKey]:
    """Map each id of a family to its group key; all entries with equal keys are one result.

    Computed over the whole family, so that the filters of a question do not change the groups.
    """
    all_entries = list(entries)
    names = _FamilyNames.of(all_entries)
    keys = {entry.id: _group_key(entry, names) for entry in all_entries}
    members = Counter(_member_key(keys[entry.id], entry) for entry in all_entries)
    # Records with the same kind, name and document are separate: the rules have several called Size or Speed.
    ambiguous_keys = {key for (key, *_), count in members.items() if count > 1 and _FAMILY not in key}
    return {id_: id_ if key in ambiguous_keys else key for id_, key in keys.items()}


@dataclass(frozen=True)
class _FamilyNames:
    """The names of a family's entries, parsed, by id; and what they say about the groups of other entries.

    ``variant_families`` are those of magic items. ``kinds_by_key`` and ``kinds_by_name`` have the kinds of weapons and
    armor, ``records`` the book, kind and folded name of every entry.
    """

    parsed: Mapping[str, VariantName]
    variant_families: frozenset[str]
    kinds_by_key: Mapping[str, Kind]
    kinds_by_name: Mapping[tuple[str, str], Kind]
    records: frozenset[tuple[str, Kind, str]]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> _FamilyNames:
        """Read the names of all entries of a family."""
        parsed = {entry.id: _variant_name(entry) for entry in entries}
        gear = [entry for entry in entries if entry.kind in _LISTED_AS_ITEM]
        return cls(
            parsed,
            _confirmed_families(parsed[entry.id] for entry in entries if entry.kind is Kind.MAGIC_ITEM),
            {entry.key: entry.kind for entry in gear},
            # Open5e lists the armors of 2014 under the names of 2024 among its items.
            {(entry.document_key, new_name(entry.kind, parsed[entry.id].plain)): entry.kind for entry in gear},
            frozenset((entry.document_key, entry.kind, entry.folded) for entry in entries),
        )


def _group_key(entry: Entry, names: _FamilyNames) -> GroupKey:
    name = names.parsed[entry.id]
    if entry.kind is Kind.MAGIC_ITEM and (family := _variant_family(name, names.variant_families)):
        return f"{entry.kind}{_FAMILY}{family}"
    kind = entry.kind
    if kind is Kind.ITEM:
        kind = names.kinds_by_key.get(entry.key) or names.kinds_by_name.get((entry.document_key, name.plain), kind)
    newest = new_name(kind, name.plain)
    has_both = (entry.document_key, entry.kind, newest) in names.records  # which are separate in that book
    plain = name.plain if has_both else newest
    own_name = f"{part_of(entry)}\0{plain}" if entry.kind is Kind.FEATURE else plain
    return f"{kind}\0{own_name or entry.id}"


def _variant_name(entry: Entry) -> VariantName:
    """The name of an entry, parsed for grouping."""
    if entry.kind is Kind.MAGIC_ITEM or "," in entry.name:
        return parse_variant_name(entry.name, magic=entry.kind is Kind.MAGIC_ITEM)
    return VariantName(entry.folded)


def _member_key(group_key: GroupKey, entry: Entry) -> tuple[GroupKey, Kind, str, bool]:
    """A key to count the records of a group. An embedded record and the Open5e record that replaces it differ.

    Embedded rules have the ids of Open5e's, so rules with different ids are two rules.
    """
    return group_key, entry.kind, entry.document_key, entry.source is Source.SRD and entry.kind is not Kind.RULE


def _confirmed_families(names: Iterable[VariantName]) -> frozenset[str]:
    """The variant families in brackets, and the candidates that names with at least three different weapons confirm."""
    distinct_names = set(names)
    certain = {name.family for name in distinct_names if name.family}
    candidates = Counter(name.candidate_family for name in distinct_names if name.candidate_family)
    return frozenset(certain | {family for family, count in candidates.items() if count >= MIN_VARIANTS})


def _variant_family(name: VariantName, confirmed: frozenset[str]) -> str:
    """The variant family of a name, or "": Flame Tongue itself belongs to that of Flame Tongue Longsword."""
    return name.family or next((family for family in (name.candidate_family, name.plain) if family in confirmed), "")


# -- groups

_SRD_FIRST = {"srd-2024": 0, "srd-2014": 1, "core": 2}
_EDITION_ORDER: Mapping[str, int] = {Edition.E2024: 0, Edition.E2014: 1, Edition.A5E: 2}
_FIRST_NUMBER = re.compile(r"\d+")
# A potion of healing is a magic item in 2014, and adventuring gear in 2024.
_ITEMS = frozenset({Kind.ITEM, Kind.MAGIC_ITEM})
# Parts of other entries, and lists of creatures without a text, rank below other entries of the same name.
_LOWER_KINDS = frozenset({Kind.FEATURE, Kind.ENVIRONMENT})
_GLOSSARY = "rules-glossary"  # the section that explains a term for all subjects


@dataclass(frozen=True)
class Group:
    """One result: its representative entry, its score if the search ranked, and its other documents and names.

    ``also_in`` has the other documents with the entity, ``variants`` the names of its other variants, ``others`` its
    entries in the SRDs of other editions, newest first.
    """

    entry: Entry
    score: float | None = None
    also_in: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    others: tuple[Entry, ...] = ()


def group_entries(
    entries: Sequence[Entry],
    scores: Mapping[str, float],
    group_keys: Mapping[str, GroupKey] | None,
    count: int | None = None,
    *,
    by_document: bool = False,
    is_list: bool = False,
) -> tuple[list[Group], int]:
    """Return the groups, best first, and their total count.

    Groups without a score come last: among scored ones with a score of 0, the SRDs first; in an ``is_list`` of equal
    matches the SRDs first and mundane equipment before magic items; otherwise by name alone.
    Returns at most ``count`` groups, or all if it is None; it has to be at least one. If ``group_keys`` is None, each
    record is its own group. With ``by_document``, an entity in two documents is two results; its variants within
    one document are still one.
    """
    # An entry stored after the index was built has no group key yet, and is a group of its own.
    keys_by_id = {} if group_keys is None else group_keys
    ids = [entry.id for entry in entries]
    keys = list(map(keys_by_id.get, ids, ids))
    if by_document:
        keys = [f"{key}\0{entry.document_key}" for key, entry in zip(keys, entries, strict=True)]
        keys_by_id = dict(zip(ids, keys, strict=True))
    total = len(set(keys))
    best_keys = _best_keys(scores, keys_by_id, count)
    best = _entries_by_group(keys, entries, best_keys)
    ranked = _sort_groups(_group(of_group, scores, is_list=is_list) for of_group in best)
    if count is not None and len(best_keys) >= count:
        return ranked[:count], total
    unscored = _entries_by_group(keys, entries, set(keys) - best_keys)
    rest = _by_name(unscored, None if count is None else count - len(ranked), is_ranked=bool(scores), is_list=is_list)
    return [*ranked, *rest], total


def _best_keys(scores: Mapping[str, float], keys_by_id: Mapping[str, GroupKey], count: int | None) -> set[GroupKey]:
    """The groups with the ``count`` highest scores, and those that score as much as the last of them."""
    if count is None:
        return set(map(keys_by_id.get, scores, scores))
    for size in counting(2 * count, 8 * count):  # usually two records of each are enough; sorting all is slow
        best_keys: set[GroupKey] = set()
        for id_, score in heapq.nlargest(size, scores.items(), key=operator.itemgetter(1)):
            best_keys.add(keys_by_id.get(id_, id_))
            if len(best_keys) == count:
                return {keys_by_id.get(id_, id_) for id_, other in scores.items() if other >= score}
        if size >= len(scores):
            return best_keys
    raise AssertionError


def sorted_groups(
    entries: Sequence[Entry],
    group_keys: Mapping[str, GroupKey],
    sort: Sort,
    count: int,
    *,
    by_document: bool = False,
    is_asked_in_words: bool = False,
) -> tuple[list[Group], int]:
    """Return at most ``count`` groups in a given order, those without a value last, and their total count.

    On equal values the SRDs come first, and the armor before magic items made of it. "The most expensive armor" is one
    that has a price, so magic items, which are valued by rarity, come after it.
    """
    groups, total = group_entries(entries, {}, group_keys, by_document=by_document)  # by name
    if sort.column == "name":
        return (groups[::-1] if sort.is_descending else groups)[:count], total
    values = {group.entry.id: _number(group.entry, sort.column) for group in groups}
    known = [group for group in groups if values[group.entry.id] >= 0]
    unknown = [group for group in groups if values[group.entry.id] < 0]
    known.sort(key=lambda group: (group.entry.document_key not in _SRD_FIRST, group.entry.kind is Kind.MAGIC_ITEM))
    known.sort(key=lambda group: values[group.entry.id], reverse=sort.is_descending)
    if is_asked_in_words and sort.column == "cost":
        known.sort(key=lambda group: group.entry.kind is Kind.MAGIC_ITEM)
    return [*known, *unknown][:count], total


def _number(entry: Entry, column: str) -> float:
    """The value of a numeric column, or the first of a list; below zero if the entry has none."""
    index = places(family_of(entry.kind)).get(column)
    value = "" if index is None else entry.values[index]
    if isinstance(value, int | float):
        return value
    first = _FIRST_NUMBER.search(value)
    return float(first[0]) if first else -1.0


def _entries_by_group(
    keys: Sequence[GroupKey], entries: Iterable[Entry], keys_to_group: Container[GroupKey]
) -> Collection[list[Entry]]:
    """The entries of some groups, one list per group."""
    entries_by_key: dict[GroupKey, list[Entry]] = {}
    # The loop skips the other groups, since a question with a filter matches many records.
    for key, entry in compress(zip(keys, entries, strict=True), map(keys_to_group.__contains__, keys)):
        entries_by_key.setdefault(key, []).append(entry)
    return entries_by_key.values()


def _sort_groups(groups: Iterable[Group]) -> list[Group]:
    """Sort groups by score. On equal scores SRD entries come first, and a spell before features of the same name."""

    def sort_key(group: Group) -> tuple[object, ...]:
        entry = group.entry
        official = entry.document_key in _SRD_FIRST
        return -(group.score or 0.0), not official, entry.folded, entry.kind in _LOWER_KINDS, _document_rank(entry)

    return sorted(groups, key=sort_key)


def _by_name(groups: Iterable[list[Entry]], count: int | None, *, is_ranked: bool, is_list: bool) -> list[Group]:
    """Groups that no signal has scored, by name; in a ranking the SRDs first, with a score of 0.

    Only the first ones are built, since building thousands is slow.
    """

    def sort_key(entries: list[Entry]) -> tuple[bool, bool, str, tuple[object, ...]]:
        first = entries[0] if len(entries) == 1 else min(entries, key=_document_rank)
        is_later = (is_ranked or is_list) and first.document_key not in _SRD_FIRST
        return is_later, is_list and first.kind is Kind.MAGIC_ITEM, first.folded, _document_rank(first)

    first_groups = sorted(groups, key=sort_key) if count is None else heapq.nsmallest(count, groups, key=sort_key)
    return [
        replace(group, score=0.0) if is_ranked else group
        for group in (_group(of_group, {}) for of_group in first_groups)
    ]


def _document_rank(entry: Entry) -> tuple[int, bool, int, str, bool, str]:
    """A sort key: newest SRD first, homebrew last, then edition and key; a weapon before the item of the same name.

    Within a document, rules outside the glossary come last. The key depends on the record only: one that
    depends on other records would change while Open5e is fetched.
    """
    srd = _SRD_FIRST.get(entry.document_key, 9)
    edition = min((_EDITION_ORDER[edition] for edition in entry.editions), default=0)
    homebrew = entry.source is Source.HOMEBREW
    is_last = entry.kind is Kind.ITEM or (entry.kind is Kind.RULE and _GLOSSARY not in sections(entry))
    return srd, homebrew, edition, entry.document_key, is_last, entry.id


def _group(entries: list[Entry], scores: Mapping[str, float], *, is_list: bool = False) -> Group:
    """A group of one or several entries. In a list of equal matches the first book's entry represents it."""
    if len(entries) == 1:
        return Group(entries[0], scores.get(entries[0].id))
    by_rank = sorted(entries, key=_document_rank)
    best = max((scores[entry.id] for entry in entries if entry.id in scores), default=None)
    chosen = by_rank[0] if is_list else _representative(by_rank, scores, best)
    others = dict.fromkeys(e.document_key for e in by_rank if e.document_key != chosen.document_key)
    editions = _in_other_editions(chosen, by_rank)
    return Group(chosen, best, tuple(others), _variants(chosen, by_rank), editions)


def _in_other_editions(chosen: Entry, by_rank: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entity's entries in the SRDs of other editions. Third-party entries of that name may be other entities."""
    if chosen.document_key not in _SRD_FIRST:
        return ()
    newest: dict[Edition, Entry] = {}
    for entry in by_rank:
        same_kind = entry.kind is chosen.kind or {entry.kind, chosen.kind} == _ITEMS
        is_same = entry.document_key in _SRD_FIRST and same_kind and _is_same_name(entry, chosen)
        if is_same and entry.edition not in (None, chosen.edition):
            newest.setdefault(entry.edition, entry)
    return tuple(newest.values())


def _is_same_name(entry: Entry, other: Entry) -> bool:
    """Whether two entries of one group are the same entity under another spelling or name, and not variants."""
    if entry.kind is Kind.MAGIC_ITEM:
        return parse_variant_name(entry.name, magic=False) == parse_variant_name(other.name, magic=False)
    return True


def _variants(chosen: Entry, by_rank: Sequence[Entry]) -> tuple[str, ...]:
    """The other names in the group, as their first document spells them; "Crossbow, light" equals "Light Crossbow"."""
    names = {parse_variant_name(entry.name, magic=False).plain: entry.name for entry in reversed(by_rank)}
    names.pop(parse_variant_name(chosen.name, magic=False).plain, None)
    return tuple(sorted(names.values()))


def _representative(by_rank: Sequence[Entry], scores: Mapping[str, float], best: float | None) -> Entry:
    """The first document's entry with the best match's name, so that a variant in the question represents its group."""
    if best is None:
        return by_rank[0]
    match = next(entry for entry in by_rank if scores.get(entry.id) == best)
    return next(entry for entry in by_rank if entry.folded == match.folded)
