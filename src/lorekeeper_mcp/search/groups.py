"""Results: the editions and variants of one entity as a group, and the order of the groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest, nsmallest

from lorekeeper_mcp.models import Edition, Kind, Source, family_of
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.family_index import GroupKey
from lorekeeper_mcp.search.names.lexicon import natural_order, new_name
from lorekeeper_mcp.store.catalog import Entry, places, sections

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
    entries: Iterable[Entry],
    scores: Mapping[str, float],
    group_keys: Mapping[str, GroupKey],
    count: int | None = None,
    *,
    by_document: bool = False,
    is_list: bool = False,
) -> tuple[list[Group], int]:
    """Return the groups, best first, and their total count.

    Groups without a score come last: among scored ones with a score of 0, the SRDs first; in an ``is_list`` of equal
    matches the SRDs first and mundane equipment before magic items; otherwise by name alone.
    Returns at most ``count`` groups, or all if it is None. An entry without a group key, as one that was stored
    meanwhile, is its own group. With ``by_document``, an entity in two documents is two results; its variants within
    one document are still one.
    """
    members: dict[GroupKey, list[Entry]] = {}
    best: dict[GroupKey, float] = {}
    for entry in entries:
        key = group_keys.get(entry.id, entry.id)
        key = f"{key}\0{entry.document_key}" if by_document else key
        members.setdefault(key, []).append(entry)
        if (score := scores.get(entry.id)) is not None:
            best[key] = max(score, best.get(key, 0.0))
    lowest = min(nlargest(len(members) if count is None else count, best.values()), default=0.0)
    ranked = [_group(members[key], scores, is_list=is_list) for key, score in best.items() if score >= lowest]
    ranked.sort(key=_best_first)
    if count is not None and len(ranked) >= count:
        return ranked[:count], len(members)
    unscored = (of_group for key, of_group in members.items() if key not in best)
    room = len(members) if count is None else count - len(ranked)
    rest = _by_name(unscored, room, is_ranked=bool(scores), is_list=is_list)
    return [*ranked, *rest], len(members)


def _best_first(group: Group) -> tuple[object, ...]:
    """A sort key. On equal scores SRD entries come first, and a spell before features of the same name."""
    entry = group.entry
    official = entry.document_key in _SRD_FIRST
    return -(group.score or 0.0), not official, entry.folded, entry.kind in _LOWER_KINDS, _document_rank(entry)


def _by_name(groups: Iterable[list[Entry]], count: int, *, is_ranked: bool, is_list: bool) -> list[Group]:
    """The first groups by name of those that no signal has scored; in a ranking the SRDs first, with a score of 0."""

    def sort_key(entries: list[Entry]) -> tuple[object, ...]:
        first = entries[0] if len(entries) == 1 else min(entries, key=_document_rank)
        is_later = (is_ranked or is_list) and first.document_key not in _SRD_FIRST
        return is_later, is_list and first.kind is Kind.MAGIC_ITEM, first.folded, _document_rank(first)

    named = [_group(of_group, {}) for of_group in nsmallest(count, groups, key=sort_key)]
    return [replace(group, score=0.0) for group in named] if is_ranked else named


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


def _group(entries: Sequence[Entry], scores: Mapping[str, float], *, is_list: bool = False) -> Group:
    """A group of one or several entries.

    Its representative is the first document's entry with the best match's name, so that the variant that a question
    names stands for all; in a list of equal matches the first document's entry.
    """
    if len(entries) == 1:
        return Group(entries[0], scores.get(entries[0].id))
    by_rank = sorted(entries, key=_document_rank)
    best = max((scores[entry.id] for entry in entries if entry.id in scores), default=None)
    chosen = by_rank[0]
    if best is not None and not is_list:
        match = next(entry for entry in by_rank if scores.get(entry.id) == best)
        chosen = next(entry for entry in by_rank if entry.folded == match.folded)
    others = dict.fromkeys(entry.document_key for entry in by_rank if entry.document_key != chosen.document_key)
    # The other names as their first document spells them; "Crossbow, light" equals "Light Crossbow".
    names = {natural_order(entry.name): entry.name for entry in reversed(by_rank)}
    names.pop(natural_order(chosen.name), None)
    return Group(chosen, best, tuple(others), tuple(sorted(names.values())), _in_other_editions(chosen, by_rank))


def _in_other_editions(chosen: Entry, by_rank: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entity's entries in the SRDs of other editions. Third-party entries of that name may be other entities."""
    newest: dict[Edition, Entry] = {}
    for entry in by_rank if chosen.document_key in _SRD_FIRST else ():
        same_kind = entry.kind is chosen.kind or {entry.kind, chosen.kind} == _ITEMS
        names = {new_name(Kind.MAGIC_ITEM, natural_order(one.name)) for one in (entry, chosen)}
        is_variant = entry.kind is Kind.MAGIC_ITEM and len(names) > 1
        is_same = entry.document_key in _SRD_FIRST and same_kind and not is_variant
        if is_same and entry.edition not in (None, chosen.edition):
            newest.setdefault(entry.edition, entry)
    return tuple(newest.values())
