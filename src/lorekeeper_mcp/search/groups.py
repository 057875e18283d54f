"""Groups editions and variants into one result each, and orders the results."""

from __future__ import annotations

import heapq
import operator
import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from itertools import count as counting

from lorekeeper_mcp.models import Edition, Kind, Source, family_of
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.names.group_keys import GroupKey
from lorekeeper_mcp.search.names.item_variants import parse_variant_name
from lorekeeper_mcp.search.ranking_weights import BETTER_EDITION
from lorekeeper_mcp.store.memory.catalog import Entry, places, sections

_SRD_FIRST = {"srd-2024": 0, "srd-2014": 1, "core": 2}
_EDITION_ORDER: Mapping[str, int] = {Edition.E2024: 0, Edition.E2014: 1, Edition.A5E: 2}
_FIRST_NUMBER = re.compile(r"\d+")
_DEFAULT_WEAPON = "longsword"  # the base weapon of a magic sword, unless the question says otherwise
# Parts of other entries, and lists of creatures without a text, rank below other entries of the same name.
_LOWER_KINDS = frozenset({Kind.FEATURE, Kind.ENVIRONMENT})
# Chapters that explain a term for one subject only: for "Speed" the glossary comes before the chapter on vehicles.
_OF_ONE_SUBJECT = frozenset(
    "backgrounds between-adventures casting-spells character-backgrounds character-species crafting-magic-items "
    "crafting-nonmagical-items create-your-character magic-item-categories monsters mounts-and-vehicles multiclassing "
    "parts-of-a-stat-block races scribing-spell-scrolls social-interaction spellcasting weapons".split()
)


@dataclass(frozen=True)
class Group:
    """One result: its representative entry, its score if the search ranked, and its other documents and names.

    ``also_in`` has the other documents with the entity, ``variants`` the names of the other members of its family,
    ``others`` its entries in the SRDs of other editions, newest first; ``better`` is the one of them that matches the
    question clearly better: "vampire spawn regeneration", a trait that the newest edition dropped.
    """

    entry: Entry
    score: float | None = None
    also_in: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    others: tuple[Entry, ...] = ()
    better: Entry | None = None


def group_entries(
    entries: Sequence[Entry],
    scores: Mapping[str, float],
    group_keys: Mapping[str, GroupKey] | None,
    count: int | None = None,
    *,
    by_document: bool = False,
) -> tuple[list[Group], int]:
    """Return the groups, best first and unscored ones last by name, and their total count.

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
    best = _best_keys(scores, keys_by_id, count)
    ranked = _in_order(_groups(_members(keys, entries, best), scores))
    if count is not None and len(best) >= count:
        return ranked[:count], total
    unscored = _members(keys, entries, set(keys) - best)
    return [*ranked, *_by_name(unscored, None if count is None else count - len(ranked))], total


def _best_keys(scores: Mapping[str, float], keys_by_id: Mapping[str, GroupKey], count: int | None) -> set[GroupKey]:
    """The groups with the ``count`` highest scores, and those that score as much as the last of them."""
    if count is None:
        return set(map(keys_by_id.get, scores, scores))
    for size in counting(2 * count, 8 * count):  # usually two records of each are enough; sorting all is slow
        best: set[GroupKey] = set()
        for id_, score in heapq.nlargest(size, scores.items(), key=operator.itemgetter(1)):
            best.add(keys_by_id.get(id_, id_))
            if len(best) == count:
                return {keys_by_id.get(id_, id_) for id_, other in scores.items() if other >= score}
        if size >= len(scores):
            return best
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


def _members(
    keys: Sequence[GroupKey], entries: Iterable[Entry], wanted: Container[GroupKey]
) -> Collection[list[Entry]]:
    """The entries of the wanted groups, one list per group."""
    members: dict[GroupKey, list[Entry]] = {}
    # The loop goes through the wanted ones alone: each question with a filter goes through all records that match it.
    for key, entry in compress(zip(keys, entries, strict=True), map(wanted.__contains__, keys)):
        members.setdefault(key, []).append(entry)
    return members.values()


def _groups(member_lists: Iterable[list[Entry]], scores: Mapping[str, float]) -> list[Group]:
    return [_group(members, scores) for members in member_lists]


def _in_order(groups: Iterable[Group]) -> list[Group]:
    """Best first; on equal scores SRD entries first, and a spell before features of the same name."""

    def sort_key(group: Group) -> tuple[object, ...]:
        entry = group.entry
        official = entry.document_key in _SRD_FIRST
        return -(group.score or 0.0), not official, entry.folded, entry.kind in _LOWER_KINDS, _document_rank(entry)

    return sorted(groups, key=sort_key)


def _by_name(groups: Iterable[list[Entry]], count: int | None) -> list[Group]:
    """Groups without a score, by name. Only the first ones are built, since building thousands is the slow part."""

    def sort_key(members: list[Entry]) -> tuple[str, tuple[object, ...]]:
        first = members[0] if len(members) == 1 else min(members, key=_document_rank)
        return first.folded, _document_rank(first)

    wanted = sorted(groups, key=sort_key) if count is None else heapq.nsmallest(count, groups, key=sort_key)
    return _groups(wanted, {})


def _document_rank(entry: Entry) -> tuple[int, bool, int, str, bool, str]:
    """Sort key: newest SRD first, homebrew last, then edition and key; a weapon before the item of the same name.

    Within a document, rules from a chapter on one subject come last.
    Depends on the record alone; a key that depends on other records would change while Open5e is fetched.
    """
    srd = _SRD_FIRST.get(entry.document_key, 9)
    edition = min((_EDITION_ORDER[edition] for edition in entry.editions), default=0)
    homebrew = entry.source is Source.HOMEBREW
    behind = entry.kind is Kind.ITEM or not _OF_ONE_SUBJECT.isdisjoint(sections(entry))
    return srd, homebrew, edition, entry.document_key, behind, entry.id


def _group(members: list[Entry], scores: Mapping[str, float]) -> Group:
    if len(members) == 1:
        return Group(members[0], scores.get(members[0].id))
    by_rank = sorted(members, key=_document_rank)
    best = max((scores[entry.id] for entry in members if entry.id in scores), default=None)
    chosen = _representative(by_rank, scores, best)
    others = dict.fromkeys(e.document_key for e in by_rank if e.document_key != chosen.document_key)
    editions = _in_other_editions(chosen, by_rank)
    better = _better_edition(chosen, editions, scores)
    return Group(chosen, best, tuple(others), _variants(chosen, by_rank), editions, better)


def _better_edition(chosen: Entry, editions: Sequence[Entry], scores: Mapping[str, float]) -> Entry | None:
    """The entry of another edition that matches clearly better than the chosen one, if there is any."""
    if chosen.id not in scores:
        return None
    best = max(editions, key=lambda entry: scores.get(entry.id, 0.0), default=None)
    is_better = best is not None and scores.get(best.id, 0.0) >= scores[chosen.id] + BETTER_EDITION
    return best if is_better else None


def _in_other_editions(chosen: Entry, by_rank: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entity's entries in the SRDs of other editions; third-party entries of that name may be other things."""
    if chosen.document_key not in _SRD_FIRST:
        return ()
    newest: dict[Edition, Entry] = {}
    for entry in by_rank:
        may_be = entry.document_key in _SRD_FIRST and entry.kind is chosen.kind and _is_same_name(entry, chosen)
        if may_be and entry.edition not in (None, chosen.edition):
            newest.setdefault(entry.edition, entry)
    return tuple(newest.values())


def _is_same_name(entry: Entry, other: Entry) -> bool:
    """Whether two entries of one group are the same thing under another spelling or name, not variants."""
    if entry.kind is Kind.MAGIC_ITEM:
        return parse_variant_name(entry.name, magic=False) == parse_variant_name(other.name, magic=False)
    return True


def _variants(chosen: Entry, by_rank: Sequence[Entry]) -> tuple[str, ...]:
    """The family's other names, each as its first document spells it; "Crossbow, light" equals "Light Crossbow"."""
    names = {parse_variant_name(entry.name, magic=False).plain: entry.name for entry in reversed(by_rank)}
    names.pop(parse_variant_name(chosen.name, magic=False).plain, None)
    return tuple(sorted(names.values()))


def _representative(by_rank: Sequence[Entry], scores: Mapping[str, float], best: float | None) -> Entry:
    """The first document's entry with the best match's name: a variant that was asked for represents its family."""
    if best is None:
        return by_rank[0]
    asked = next(entry for entry in by_rank if scores.get(entry.id) == best)
    if best < 1 and asked.document_key not in _SRD_FIRST:
        # The bare name of a family means any member: represent it by an SRD's, such as Flame Tongue Longsword.
        members = [e for e in by_rank if e.document_key in _SRD_FIRST and e.folded.startswith(f"{asked.folded} ")]
        asked = min(
            members, key=lambda entry: (not entry.folded.endswith(_DEFAULT_WEAPON), entry.folded), default=asked
        )
    return next(entry for entry in by_rank if entry.folded == asked.folded)
