"""Recognizes names of the same item: written with or without a comma, or those of a magic item's variants.

Open5e lists a magic item once for each weapon, armor or bonus: forty times Holy Avenger, "Longsword (+1)" to "Whip
(+3)". Records have no field for the variant family, so it has to be read from the names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

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
