"""The format's codes, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.models import Kind

DAMAGE = {
    "A": "acid", "B": "bludgeoning", "C": "cold", "F": "fire", "I": "poison", "L": "lightning", "N": "necrotic",
    "O": "force", "P": "piercing", "R": "radiant", "S": "slashing", "T": "thunder", "Y": "psychic",
}  # fmt: skip
SIZES = {
    "F": "fine", "D": "diminutive", "T": "tiny", "S": "small", "M": "medium", "L": "large", "H": "huge",
    "G": "gargantuan", "C": "colossal", "V": "varies",
}  # fmt: skip
KINDS: dict[str, tuple[Kind, ...]] = {
    "monster": (Kind.CREATURE,),
    "spell": (Kind.SPELL,),
    "item": (Kind.MAGIC_ITEM, Kind.WEAPON, Kind.ARMOR, Kind.ITEM),
    "baseitem": (Kind.WEAPON, Kind.ARMOR, Kind.ITEM),
    "race": (Kind.SPECIES,),
    "background": (Kind.BACKGROUND,),
    "feat": (Kind.FEAT,),
    "optionalfeature": (Kind.FEAT,),
    "condition": (Kind.CONDITION,),
    "language": (Kind.LANGUAGE,),
}
"""The kinds of record that an item of a section may be copied from."""


def code(value: object) -> str:
    """Return a code without its source: ``M`` for ``M|XPHB``."""
    return str(value).partition("|")[0].strip() if value is not None else ""


def size_names(sizes: Iterable[object]) -> list[str]:
    """Return the names of sizes: small and medium for ``S`` and ``M``."""
    return [SIZES.get(str(size), str(size).lower()) for size in sizes]
