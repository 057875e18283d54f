"""Groups editions and variants into one result each, and orders the results."""

from __future__ import annotations

import heapq
import operator
import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from itertools import count as counting

from lorekeeper_mcp.models import Edition, Kind, Source, family_of
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.names.group_keys import GroupKey
from lorekeeper_mcp.search.names.item_variants import parse_variant_name
from lorekeeper_mcp.store.catalog import Entry, places, sections

_SRD_FIRST = {"srd-2024": 0, "srd-2014": 1, "core": 2}
_EDITION_ORDER: Mapping[str, int] = {Edition.E2024: 0, Edition.E2014: 1, Edition.A5E: 2}
_FIRST_NUMBER = re.compile(r"\d+")
# A potion of healing is a magic item in 2014, and adventuring gear in 2024.
_ITEMS = frozenset({Kind.ITEM, Kind.MAGIC_ITEM})
_DEFAULT_WEAPON = "longsword"  # the base weapon of a magic sword, unless the question says otherwise
# Parts of other entries, and lists of creatures without a text, rank below other entries of the same name.
_LOWER_KINDS = frozenset({Kind.FEATURE, Kind.ENVIRONMENT})
# Chapters that explain a term for one subject only. For "Speed" the glossary comes before the chapter on vehicles.
_SUBJECT_CHAPTERS = frozenset(
    "backgrounds between-adventures casting-spells character-backgrounds character-species crafting-magic-items "
    "crafting-nonmagical-items create-your-character magic-item-categories monsters mounts-and-vehicles multiclassing "
    "parts-of-a-stat-block races scribing-spell-scrolls social-interaction spellcasting weapons".split()
)


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
    ranked = _sort_groups(_groups(_entries_by_group(keys, entries, best_keys), scores, is_list=is_list))
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


def _groups(
    groups_of_entries: Iterable[list[Entry]], scores: Mapping[str, float], *, is_list: bool = False
) -> list[Group]:
    return [_group(entries, scores, is_list=is_list) for entries in groups_of_entries]


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
    return [replace(group, score=0.0) if is_ranked else group for group in _groups(first_groups, {})]


def _document_rank(entry: Entry) -> tuple[int, bool, int, str, bool, str]:
    """A sort key: newest SRD first, homebrew last, then edition and key; a weapon before the item of the same name.

    Within a document, rules from a chapter on one subject come last. The key depends on the record only: one that
    depends on other records would change while Open5e is fetched.
    """
    srd = _SRD_FIRST.get(entry.document_key, 9)
    edition = min((_EDITION_ORDER[edition] for edition in entry.editions), default=0)
    homebrew = entry.source is Source.HOMEBREW
    is_last = entry.kind is Kind.ITEM or not _SUBJECT_CHAPTERS.isdisjoint(sections(entry))
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
    if best < 1 and match.document_key not in _SRD_FIRST:
        # The bare name of a variant family means any variant; choose one of an SRD, such as Flame Tongue Longsword.
        variants = [e for e in by_rank if e.document_key in _SRD_FIRST and e.folded.startswith(f"{match.folded} ")]
        match = min(
            variants, key=lambda entry: (not entry.folded.endswith(_DEFAULT_WEAPON), entry.folded), default=match
        )
    return next(entry for entry in by_rank if entry.folded == match.folded)
