"""The names of content types that ``search_all`` accepts."""

from __future__ import annotations

from collections.abc import Sequence

from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.text import slugify
from lorekeeper_mcp.tools.error_messages import CallerError, did_you_mean
from lorekeeper_mcp.tools.kind_tools import ABOUT_RECORDS

HELP = (
    "Any of Spell, Creature, Item, Weapon, Armor, MagicItem, Class, Subclass, Race, Background, Feat, Feature, Rule, "
    "Condition …"
)

_EQUIPMENT = frozenset({Kind.WEAPON, Kind.ARMOR, Kind.ITEM, Kind.MAGIC_ITEM, Kind.SERVICE})
_GROUPS: dict[str, frozenset[Kind]] = {
    **dict.fromkeys(("item", "equipment", "gear"), _EQUIPMENT),
    **dict.fromkeys(("monster", "animal"), frozenset({Kind.CREATURE})),
    **dict.fromkeys(("race", "subrace", "lineage"), frozenset({Kind.SPECIES})),
    **dict.fromkeys(("class", "characterclass"), frozenset({Kind.CLASS, Kind.SUBCLASS})),
    **dict.fromkeys(("classfeature", "trait"), frozenset({Kind.FEATURE})),
    **dict.fromkeys(("rule", "section"), frozenset({Kind.RULE, Kind.RULE_SET})),
    "archetype": frozenset({Kind.SUBCLASS}),
    "option": frozenset(FAMILIES[Family.OPTIONS]),
    "ability": frozenset({Kind.ABILITY_SCORE}),
    "school": frozenset({Kind.MAGIC_SCHOOL}),
    "property": frozenset({Kind.WEAPON_PROPERTY}),
}
_KINDS = _GROUPS | {str(kind).replace("-", ""): frozenset({kind}) for kind in Kind if str(kind) not in _GROUPS}
EVERYTHING = frozenset(Kind) - ABOUT_RECORDS


def kinds(names: Sequence[str] | None) -> frozenset[Kind]:
    """Return the kinds for some names, in any case, singular or plural. Raises CallerError."""
    if not names:
        return EVERYTHING
    return frozenset().union(*map(_kinds_called, names))


def _kinds_called(name: str) -> frozenset[Kind]:
    plain = slugify(name).replace("-", "").replace("_", "")
    for form in (plain, *singular_or_plural_forms(plain)):
        if form in _KINDS:
            return _KINDS[form]
    advice = f": {suggestion}" if (suggestion := did_you_mean(plain, _KINDS)) else "."
    allowed = HELP.removeprefix("Any of ")
    raise CallerError(f'There is no content type "{name[:60]}"{advice} Allowed values are {allowed}')
