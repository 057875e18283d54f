"""Grouping of editions and variants into one result each, and the order of results."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.models import Edition, Kind, Source, family_of
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.names.item_variants import FEWEST, VariantName, parse_variant_name
from lorekeeper_mcp.search.names.name_changes import new_name
from lorekeeper_mcp.store.memory.catalog import Entry, part_of, places, sections

_SRD_FIRST = {"srd-2024": 0, "srd-2014": 1, "core": 2}
_EDITION_ORDER: Mapping[str, int] = {Edition.E2024: 0, Edition.E2014: 1, Edition.A5E: 2}
_USUAL = "longsword"  # which a magic sword is where nothing else is asked for
# A weapon or an armor is also listed among the items, under the same key and with the same facts.
_LISTED_AS_ITEM = frozenset({Kind.WEAPON, Kind.ARMOR})
# A part of another entry, and a list of creatures without a text, stand behind what has the same name.
_BEHIND = frozenset({Kind.FEATURE, Kind.ENVIRONMENT})
# Chapters that say what a term means for their own subject alone: who asks what "Speed" is wants the glossary's entry
# first, and not that of the vehicles.
_OF_ONE_SUBJECT = frozenset(
    "backgrounds between-adventures casting-spells character-backgrounds character-species crafting-magic-items "
    "crafting-nonmagical-items create-your-character magic-item-categories monsters mounts-and-vehicles multiclassing "
    "parts-of-a-stat-block races scribing-spell-scrolls social-interaction spellcasting weapons".split()
)
GroupKey: TypeAlias = str  # a kind and a name, a kind and a family of variants, or an id alone
_FAMILY = "\0family\0"


@dataclass(frozen=True)
class Group:
    """An entity: the entry that stands for it, its score where the search ranked, where else and as what it is.

    ``also_in`` names the other documents that have it, ``variants`` the other members of its family by name;
    ``others`` are its entries in the SRDs of other editions, the newest first.
    """

    entry: Entry
    score: float | None = None
    also_in: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    others: tuple[Entry, ...] = ()


def grouped(
    entries: Sequence[Entry],
    scores: Mapping[str, float],
    same: Mapping[str, GroupKey] | None,
    first: int | None = None,
    *,
    by_document: bool = False,
) -> tuple[list[Group], int]:
    """Entities, the best first, those without a score behind by name, and how many there are.

    Only so many as ``first`` (at least one) are given, all if it is None. ``same`` None: every record for itself.
    ``by_document``: what stands in two documents is two results; the variants in one are still one.
    """
    # What was stored after the entries were read has no sameness yet, and is one thing by itself.
    one_of = {} if same is None else same
    ids = [entry.id for entry in entries]
    things = list(map(one_of.get, ids, ids))
    if by_document:
        things = [f"{one}\0{entry.document_key}" for one, entry in zip(things, entries, strict=True)]
        one_of = dict(zip(ids, things, strict=True))
    total = len(set(things))
    best: dict[GroupKey, float] = {}
    for id_, score in scores.items():
        one = one_of.get(id_, id_)
        best[one] = max(score, best.get(one, 0.0))
    if first is not None and len(best) >= first:
        least = heapq.nlargest(first, best.values())[-1]
        best = {one: score for one, score in best.items() if score >= least}
        return _in_order(_groups(_members(things, entries, best), scores))[:first], total
    ranked = _in_order(_groups(_members(things, entries, best), scores))
    unscored = _members(things, entries, set(things) - best.keys())
    return [*ranked, *_by_name(unscored, None if first is None else first - len(ranked))], total


def sorted_groups(
    entries: Sequence[Entry], same: Mapping[str, GroupKey], sort: Sort, first: int, *, by_document: bool = False
) -> tuple[list[Group], int]:
    """Return at most ``first`` entities in an order, those without a value last, and how many there are."""
    groups, total = grouped(entries, {}, same, by_document=by_document)  # by name
    if sort.column == "name":
        return (groups[::-1] if sort.is_falling else groups)[:first], total
    values = {group.entry.id: _number(group.entry, sort.column) for group in groups}
    known = [group for group in groups if values[group.entry.id] >= 0]
    unknown = [group for group in groups if values[group.entry.id] < 0]
    return [*sorted(known, key=lambda group: values[group.entry.id], reverse=sort.is_falling), *unknown][:first], total


def _number(entry: Entry, column: str) -> float:
    """The value of a column of numbers; below zero where the entry has none."""
    place = places(family_of(entry.kind)).get(column)
    value = -1.0 if place is None else entry.values[place]
    return value if isinstance(value, int | float) else -1.0


def _members(
    things: Iterable[GroupKey], entries: Iterable[Entry], wanted: Container[GroupKey]
) -> Collection[list[Entry]]:
    """The entries that are one of the wanted things, each thing's together."""
    members: dict[GroupKey, list[Entry]] = {}
    for one, entry in zip(things, entries, strict=True):
        if one in wanted:
            members.setdefault(one, []).append(entry)
    return members.values()


def _groups(things: Iterable[list[Entry]], scores: Mapping[str, float]) -> list[Group]:
    return [_group(members, scores) for members in things]


def _in_order(groups: Iterable[Group]) -> list[Group]:
    """The best first; of equals those of an SRD, and a spell, say, before the features that are called the same."""

    def place(group: Group) -> tuple[object, ...]:
        entry = group.entry
        official = entry.document_key in _SRD_FIRST
        return -(group.score or 0.0), not official, entry.folded, entry.kind in _BEHIND, _document_rank(entry)

    return sorted(groups, key=place)


def _by_name(things: Iterable[list[Entry]], first: int | None) -> list[Group]:
    """What has no score, in the same order; of thousands only the first are made into groups, which takes longest."""

    def place(members: list[Entry]) -> tuple[str, tuple[object, ...]]:
        stands = members[0] if len(members) == 1 else min(members, key=_document_rank)
        return stands.folded, _document_rank(stands)

    wanted = sorted(things, key=place) if first is None else heapq.nsmallest(first, things, key=place)
    return _groups(wanted, {})


def group_keys_of(entries: Iterable[Entry]) -> dict[str, GroupKey]:
    """For each id of a family what it is one thing with: all entries for which that is equal are one result.

    Told over all of a family, so that what is one thing does not change with the filters of a question.
    """
    known = list(entries)
    names = {entry.id: _variant_name(entry) for entry in known}
    borne_out = _confirmed_families(names[entry.id] for entry in known if entry.kind is Kind.MAGIC_ITEM)
    weapons = {entry.key: entry.kind for entry in known if entry.kind in _LISTED_AS_ITEM}
    # Open5e's items have the armors of 2014 under the names of 2024.
    weapons_by_name = {
        (entry.document_key, new_name(entry.kind, names[entry.id].plain)): entry.kind
        for entry in known
        if entry.kind in _LISTED_AS_ITEM
    }
    bearers = {(entry.document_key, entry.kind, entry.folded) for entry in known}
    found: dict[str, GroupKey] = {}
    members = Counter[tuple[GroupKey, Kind, str, bool]]()
    for entry in known:
        name = names[entry.id]
        kind = entry.kind
        if kind is Kind.ITEM:
            kind = weapons.get(entry.key) or weapons_by_name.get((entry.document_key, name.plain), kind)
        family = _family(name, borne_out) if entry.kind is Kind.MAGIC_ITEM else ""
        newest = new_name(kind, name.plain)
        has_both = (entry.document_key, entry.kind, newest) in bearers  # then they are two things in that book
        plain = name.plain if has_both else newest
        own = f"{part_of(entry)}\0{plain}" if entry.kind is Kind.FEATURE else plain
        found[entry.id] = f"{kind}{_FAMILY}{family}" if family else f"{kind}\0{own or entry.id}"
        members[_member(found[entry.id], entry)] += 1
    # Two of one kind and name in one document are two things: the rules have several called Size or Speed.
    several = {same for (same, *_), count in members.items() if count > 1 and _FAMILY not in same}
    return {id_: id_ if same in several else same for id_, same in found.items()}


def _variant_name(entry: Entry) -> VariantName:
    """How an entry's name is grouped."""
    if entry.kind is Kind.MAGIC_ITEM or "," in entry.name:
        return parse_variant_name(entry.name, magic=entry.kind is Kind.MAGIC_ITEM)
    return VariantName(entry.folded)


def _member(same: GroupKey, entry: Entry) -> tuple[GroupKey, Kind, str, bool]:
    """An embedded record and the one of Open5e that it gives way to do not make two things of one.

    Of a rule both have the same id; with two ids these are two rules.
    """
    return same, entry.kind, entry.document_key, entry.source is Source.SRD and entry.kind is not Kind.RULE


def _confirmed_families(names: Iterable[VariantName]) -> frozenset[str]:
    """Families that several names confirm: those in brackets, and those of at least three different weapons."""
    seen = set(names)
    sure = {name.family for name in seen if name.family}
    counted = Counter(name.perhaps for name in seen if name.perhaps)
    return frozenset(sure | {family for family, count in counted.items() if count >= FEWEST})


def _family(name: VariantName, borne_out: frozenset[str]) -> str:
    """The family of a name, where there is one: the book's own Flame Tongue is of the family of its longsword."""
    return name.family or next((one for one in (name.perhaps, name.plain) if one in borne_out), "")


def _document_rank(entry: Entry) -> tuple[int, bool, int, str, bool, str]:
    """Newest SRD first, homebrew last, then by edition and key; a weapon before the item it also is.

    Within a document, a rule of a chapter on one subject stands behind the others.

    Only the record itself counts: an order by what else is stored would change while Open5e is fetched.
    """
    srd = _SRD_FIRST.get(entry.document_key, 9)
    edition = min((_EDITION_ORDER[edition] for edition in entry.editions), default=0)
    homebrew = entry.source is Source.ORCBREW
    behind = entry.kind is Kind.ITEM or not _OF_ONE_SUBJECT.isdisjoint(sections(entry))
    return srd, homebrew, edition, entry.document_key, behind, entry.id


def _group(members: list[Entry], scores: Mapping[str, float]) -> Group:
    if len(members) == 1:
        return Group(members[0], scores.get(members[0].id))
    by_rank = sorted(members, key=_document_rank)
    best = max((scores[entry.id] for entry in members if entry.id in scores), default=None)
    chosen = _representative(by_rank, scores, best)
    others = dict.fromkeys(e.document_key for e in by_rank if e.document_key != chosen.document_key)
    return Group(chosen, best, tuple(others), _variants(chosen, by_rank), _otherwise(chosen, by_rank))


def _otherwise(chosen: Entry, by_rank: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entity in the SRD of another edition; a third book's thing of that name may be another thing."""
    if chosen.document_key not in _SRD_FIRST:
        return ()
    first: dict[Edition, Entry] = {}
    for entry in by_rank:
        may_be = entry.document_key in _SRD_FIRST and entry.kind is chosen.kind and _is_same_name(entry, chosen)
        if may_be and entry.edition not in (None, chosen.edition):
            first.setdefault(entry.edition, entry)
    return tuple(first.values())


def _is_same_name(entry: Entry, other: Entry) -> bool:
    """Whether two entries of one group are one thing, spelled or named otherwise, and no variants."""
    if entry.kind is Kind.MAGIC_ITEM:
        return parse_variant_name(entry.name, magic=False) == parse_variant_name(other.name, magic=False)
    return True


def _variants(chosen: Entry, by_rank: Sequence[Entry]) -> tuple[str, ...]:
    """The other names of the family, each once as the first document spells it; "Crossbow, light" is the same name."""
    names = {parse_variant_name(entry.name, magic=False).plain: entry.name for entry in reversed(by_rank)}
    names.pop(parse_variant_name(chosen.name, magic=False).plain, None)
    return tuple(sorted(names.values()))


def _representative(by_rank: Sequence[Entry], scores: Mapping[str, float], best: float | None) -> Entry:
    """The first by document among those named like the best; a variant that was asked for stands for its family."""
    if best is None:
        return by_rank[0]
    asked = next(entry for entry in by_rank if scores.get(entry.id) == best)
    if best < 1 and asked.document_key not in _SRD_FIRST:
        # A family by its bare name means any member, so one of the SRD's: a Flame Tongue is a longsword.
        members = [e for e in by_rank if e.document_key in _SRD_FIRST and e.folded.startswith(f"{asked.folded} ")]
        asked = min(members, key=lambda entry: (not entry.folded.endswith(_USUAL), entry.folded), default=asked)
    return next(entry for entry in by_rank if entry.folded == asked.folded)
