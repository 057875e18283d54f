"""Which records of a family are one result: editions of one entity, variants of one item.

Open5e lists a magic item once for each weapon, armor or bonus, forty times Holy Avenger, "Longsword (+1)"
to "Whip (+3)". Records have no field for that, so it has to be read from the names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Source
from lorekeeper_mcp.search.names.lexicon import new_name
from lorekeeper_mcp.store.catalog import Entry, part_of
from lorekeeper_mcp.text import fold

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
    every = list(entries)
    names = {entry.id: _variant_name(entry) for entry in every}
    families = _confirmed_families(names[entry.id] for entry in every if entry.kind is Kind.MAGIC_ITEM)
    gear = [entry for entry in every if entry.kind in _LISTED_AS_ITEM]
    gear_by_key = {entry.key: entry.kind for entry in gear}
    # Open5e lists the armors of 2014 under the names of 2024 among its items.
    gear_by_name = {(entry.document_key, new_name(entry.kind, names[entry.id].plain)): entry.kind for entry in gear}
    stored = {(entry.document_key, entry.kind, entry.folded) for entry in every}

    def key_of(entry: Entry) -> GroupKey:
        name, kind = names[entry.id], entry.kind
        if kind is Kind.MAGIC_ITEM and (family := _variant_family(name, families)):
            return f"{kind}{_FAMILY}{family}"
        if kind is Kind.ITEM:
            kind = gear_by_key.get(entry.key) or gear_by_name.get((entry.document_key, name.plain), kind)
        newest = new_name(kind, name.plain)
        has_both = (entry.document_key, entry.kind, newest) in stored  # which are separate in that book
        plain = name.plain if has_both else newest
        own_name = f"{part_of(entry)}\0{plain}" if entry.kind is Kind.FEATURE else plain
        return f"{kind}\0{own_name or entry.id}"

    keys = {entry.id: key_of(entry) for entry in every}
    ambiguous_keys = _ambiguous_keys(every, keys)
    return {id_: id_ if key in ambiguous_keys else key for id_, key in keys.items()}


def _ambiguous_keys(entries: Iterable[Entry], keys: Mapping[str, GroupKey]) -> set[GroupKey]:
    """The keys of records with the same kind, name and document: the rules have several called Size or Speed.

    An embedded record and the Open5e record that replaces it are one; embedded rules have the ids of Open5e's.
    """
    members = Counter(
        (keys[entry.id], entry.kind, entry.document_key, entry.source is Source.SRD and entry.kind is not Kind.RULE)
        for entry in entries
    )
    return {key for (key, *_), count in members.items() if count > 1 and _FAMILY not in key}


def _variant_name(entry: Entry) -> VariantName:
    """The name of an entry, parsed for grouping."""
    if entry.kind is Kind.MAGIC_ITEM or "," in entry.name:
        return parse_variant_name(entry.name, magic=entry.kind is Kind.MAGIC_ITEM)
    return VariantName(entry.folded)


def _confirmed_families(names: Iterable[VariantName]) -> frozenset[str]:
    """The variant families in brackets, and the candidates that names with at least three different weapons confirm."""
    distinct_names = set(names)
    certain = {name.family for name in distinct_names if name.family}
    candidates = Counter(name.candidate_family for name in distinct_names if name.candidate_family)
    return frozenset(certain | {family for family, count in candidates.items() if count >= MIN_VARIANTS})


def _variant_family(name: VariantName, confirmed: frozenset[str]) -> str:
    """The variant family of a name, or "": Flame Tongue itself belongs to that of Flame Tongue Longsword."""
    return name.family or next((family for family in (name.candidate_family, name.plain) if family in confirmed), "")
