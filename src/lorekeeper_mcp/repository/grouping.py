"""One result for an entity that stands in several documents, and the order of results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.cache.catalog import Entry
from lorekeeper_mcp.models import Kind

_SRD_FIRST = {"srd-2024": 0, "srd-2014": 1, "core": 2}
# A weapon or an armor is also listed among the items, under the same key and with the same facts.
_LISTED_AS_ITEM = frozenset({Kind.WEAPON, Kind.ARMOR})


@dataclass(frozen=True)
class Group:
    """An entity: the entry that stands for it, its score where the search ranked, the other documents that have it."""

    entry: Entry
    score: float | None = None
    also_in: tuple[str, ...] = ()


def _document_rank(entry: Entry, sizes: Mapping[str, int]) -> tuple[int, int, str, bool, str]:
    """Newest SRD first, then the document that holds most, then by key; a weapon before the item it also is."""
    srd = _SRD_FIRST.get(entry.document_key, 9)
    return srd, -sizes.get(entry.document_key, 0), entry.document_key, entry.kind is Kind.ITEM, entry.id


def _identity(entries: Iterable[Entry]) -> dict[str, tuple[str, str]]:
    """What each entry is the same as: its name, and its kind, or the kind of the weapon or armor that it is."""
    known = list(entries)
    weapons = {entry.key: entry.kind for entry in known if entry.kind in _LISTED_AS_ITEM}
    return {
        entry.id: (
            weapons.get(entry.key, entry.kind) if entry.kind is Kind.ITEM else entry.kind,
            entry.folded or entry.id,
        )
        for entry in known
    }


def grouped(
    entries: Iterable[Entry], scores: Mapping[str, float], sizes: Mapping[str, int], *, apart: bool
) -> list[Group]:
    """Entities, the best first, those without a score behind by name. ``apart``: every record for itself."""
    known = list(entries)
    members: dict[tuple[str, ...], list[Entry]] = {}
    if apart:
        members = {(entry.id,): [entry] for entry in known}
    else:
        identity = _identity(known)
        for entry in known:
            members.setdefault(identity[entry.id], []).append(entry)
    groups = [_group(part, scores, sizes) for found in members.values() for part in _namesakes_apart(found)]
    return sorted(groups, key=lambda g: (-(g.score or 0.0), g.entry.folded, _document_rank(g.entry, sizes)))


def _namesakes_apart(members: list[Entry]) -> list[list[Entry]]:
    """Two of one kind and name in one document are two things: the rules have several called Size or Speed."""
    counted = Counter((entry.kind, entry.document_key) for entry in members)
    return [[entry] for entry in members] if max(counted.values()) > 1 else [members]


def _group(members: list[Entry], scores: Mapping[str, float], sizes: Mapping[str, int]) -> Group:
    ordered = sorted(members, key=lambda entry: _document_rank(entry, sizes))
    chosen = ordered[0]
    others = dict.fromkeys(e.document_key for e in ordered if e.document_key != chosen.document_key)
    best = max((scores[entry.id] for entry in members if entry.id in scores), default=None)
    return Group(chosen, best, tuple(others))
