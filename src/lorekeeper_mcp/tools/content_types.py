"""The names of content types that ``search_all`` accepts."""

from __future__ import annotations

from collections.abc import Sequence

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.text import slugify
from lorekeeper_mcp.tools.error_messages import did_you_mean
from lorekeeper_mcp.tools.kind_tools import ABOUT_RECORDS

HELP = (
    "Any of Spell, Creature, Item, Weapon, Armor, MagicItem, Class, Subclass, Race, Background, Feat, Feature, Rule, "
    "Condition …"
)

_EQUIPMENT = frozenset({Kind.WEAPON, Kind.ARMOR, Kind.ITEM, Kind.MAGIC_ITEM, Kind.SERVICE})
_GROUPS: dict[str, frozenset[Kind]] = {
    "item": _EQUIPMENT,
    "equipment": _EQUIPMENT,
    "gear": _EQUIPMENT,
    "magicitem": frozenset({Kind.MAGIC_ITEM}),
    "monster": frozenset({Kind.CREATURE}),
    "animal": frozenset({Kind.CREATURE}),
    "race": frozenset({Kind.SPECIES}),
    "subrace": frozenset({Kind.SPECIES}),
    "lineage": frozenset({Kind.SPECIES}),
    "class": frozenset({Kind.CLASS, Kind.SUBCLASS}),
    "characterclass": frozenset({Kind.CLASS, Kind.SUBCLASS}),
    "archetype": frozenset({Kind.SUBCLASS}),
    "classfeature": frozenset({Kind.FEATURE}),
    "trait": frozenset({Kind.FEATURE}),
    "option": frozenset({Kind.CLASS, Kind.SUBCLASS, Kind.SPECIES, Kind.BACKGROUND, Kind.FEAT, Kind.FEATURE}),
    "rule": frozenset({Kind.RULE, Kind.RULE_SET}),
    "section": frozenset({Kind.RULE, Kind.RULE_SET}),
    "ability": frozenset({Kind.ABILITY_SCORE}),
    "school": frozenset({Kind.MAGIC_SCHOOL}),
    "property": frozenset({Kind.WEAPON_PROPERTY}),
}
_KINDS = _GROUPS | {str(kind).replace("-", ""): frozenset({kind}) for kind in Kind if str(kind) not in _GROUPS}
EVERYTHING = frozenset(Kind) - ABOUT_RECORDS


class UnknownKindError(ValueError):
    """An unknown kind; the message gives advice. It is defined here for commands, which do not import FastMCP."""


def kinds(names: Sequence[str] | None) -> frozenset[Kind]:
    """Return the kinds for some names, in any case, singular or plural. Raises UnknownKindError."""
    if not names:
        return EVERYTHING
    return frozenset().union(*map(_kinds_called, names))


def _kinds_called(name: str) -> frozenset[Kind]:
    plain = slugify(name).replace("-", "").replace("_", "")
    for form in _singulars(plain):
        if form in _KINDS:
            return _KINDS[form]
    advice = f": {suggestion}" if (suggestion := did_you_mean(plain, _KINDS)) else "."
    allowed = HELP.removeprefix("Any of ")
    raise UnknownKindError(f'There is no content type "{name[:60]}"{advice} Allowed values are {allowed}')


def _singulars(plain: str) -> list[str]:
    """Possible singulars: ``classes`` -> ``class``, ``abilities`` -> ``ability``, ``species`` -> ``species``."""
    return [plain, plain.removesuffix("s"), plain.removesuffix("es"), f"{plain.removesuffix('ies')}y"]
