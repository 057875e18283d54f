"""Context of a file that its adapters share, and its codes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES, SRD_RACES
from lorekeeper_mcp.sources.imported import parent_key

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
"""The kinds of record that an item of a section is written from, and may be copied from."""


@dataclass(frozen=True)
class Context:
    """A file's definitions for all of its items: names of its own codes, features, keys of its classes and races."""

    schools: Mapping[str, str] = field(default_factory=dict)
    psionic_types: Mapping[str, str] = field(default_factory=dict)
    feat_categories: Mapping[str, str] = field(default_factory=dict)
    feature_types: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # code -> name, text
    item_types: Mapping[str, str] = field(default_factory=dict)
    legendary_groups: Mapping[tuple[str, str], Mapping[str, object]] = field(default_factory=dict)
    class_features: Mapping[tuple[str, ...], Mapping[str, object]] = field(default_factory=dict)
    subclass_features: Mapping[tuple[str, ...], Mapping[str, object]] = field(default_factory=dict)
    classes: Mapping[tuple[str, str], str] = field(default_factory=dict)  # name, source or nothing -> key
    races: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def class_key(self, name: str, source: str = "") -> str:
        """Return the key of a class of this file or of the SRD, or a bare name."""
        return _key(name, source, self.classes, SRD_CLASSES)

    def race_key(self, name: str, source: str = "") -> str:
        """Return the key of a race of this file or of the SRD, or a bare name."""
        return _key(name, source, self.races, SRD_RACES)


def _key(name: str, source: str, own: Mapping[tuple[str, str], str], of_srd: Collection[str]) -> str:
    return own.get((name.lower(), source.lower())) or parent_key(name, {}, of_srd)


def codes_of(names: Mapping[str, str]) -> dict[str, str]:
    """Return the codes by name; of several codes with one name the first."""
    return {name: code for code, name in reversed(list(names.items()))}


def code(value: object) -> str:
    """Return a code without its source: ``M`` for ``M|XPHB``."""
    return str(value).partition("|")[0].strip() if value is not None else ""
