"""Group keys: by their names, records of a family that are one result have the same key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Source
from lorekeeper_mcp.search.names.item_variants import MIN_VARIANTS, VariantName, parse_variant_name
from lorekeeper_mcp.search.names.name_changes import new_name
from lorekeeper_mcp.store.catalog import Entry, part_of

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
