"""The filters of ``search_equipment``."""

from __future__ import annotations

import re
from typing import Annotated, cast

from pydantic import Field

from lorekeeper_mcp.filters.argument_types import choice, dice, measure, normalised_by
from lorekeeper_mcp.filters.everyday_values import GP, POUNDS
from lorekeeper_mcp.filters.filter_row import (
    Column,
    ColumnType,
    Comparison,
    Filter,
    Params,
    Scalar,
    compare,
    send,
    send_flag,
    send_true,
)
from lorekeeper_mcp.filters.granted_spells import spells_compared_to, spells_granted
from lorekeeper_mcp.models import Equipment, Kind, Record, WeaponStats
from lorekeeper_mcp.models.vocabulary import ARMOR_CATEGORIES, DAMAGE_TYPES, ITEM_CATEGORIES, RARITIES
from lorekeeper_mcp.text import slugify

_ITEMS, _MAGIC, _WEAPONS = "v2/items", "v2/magicitems", "v2/weapons"
_Much = Annotated[float, Field(ge=0, le=10_000_000, allow_inf_nan=False)]
_Price, _Weight = measure(_Much, GP), measure(_Much, POUNDS)
_FOCUS = "spellcasting-focus"
_KIND_OF_FOCUS = r"an? (?:arcane focus|druidic focus|holy symbol|spellcasting focus)\b"
_IS_FOCUS = re.compile(rf"^{_KIND_OF_FOCUS}|\bused? (?:an? [\w ]{{1,40}})?as {_KIND_OF_FOCUS}", re.IGNORECASE)
_MAGIC_ONLY = frozenset({Kind.MAGIC_ITEM})


def _equipment(record: Record) -> Equipment:
    return cast(Equipment, record)


def _weapon(record: Record) -> WeaponStats | None:
    return _equipment(record).weapon


def _categories(record: Record) -> list[str]:
    """The category, and for an armor also light, medium or heavy.

    A spellcasting focus is also recognised by its text: the SRD 5.1 files orbs under adventuring gear and lutes under
    tools.
    """
    thing = _equipment(record)
    weight_class = thing.armor.category if thing.armor and thing.kind is Kind.ARMOR else ""
    focus = _FOCUS if thing.kind is Kind.ITEM and _IS_FOCUS.search(thing.text) else ""
    return list(dict.fromkeys(name for name in (thing.category, weight_class, focus) if name))


def _properties(record: Record) -> list[str]:
    weapon = _weapon(record)
    return [slugify(prop.name) for prop in weapon.properties] if weapon else []


def _has_property(name: str) -> Column:
    """Whether a weapon has a property; not applicable to other records."""
    return Column(f"is_{name}", ColumnType.FLAG, lambda r: name in _properties(r) if _weapon(r) is not None else None)


def _gives_stealth_disadvantage(record: Record) -> bool | None:
    """Whether armor gives disadvantage on Stealth; not applicable to other records and to shields."""
    armor = _equipment(record).armor
    return armor.stealth_disadvantage if armor is not None else None


def _cost(record: Record) -> float | None:
    """The price; for a magic item without one, its value by rarity."""
    thing = _equipment(record)
    return thing.cost if thing.cost is not None else thing.value_by_rarity


def _send_category(value: Scalar) -> Params:
    """Open5e answers 400 to categories it does not know, such as those of armor, and files focuses elsewhere."""
    return {"category": str(value)} if value in ITEM_CATEGORIES and value != _FOCUS else {}


def _send_magic_weight(value: Scalar) -> Params:
    return {"weight__lte": str(value), "weight__gt": "0"}


CATEGORY = Column("category", ColumnType.LIST, _categories)
RARITY = Column("rarity", ColumnType.TEXT, lambda r: _equipment(r).rarity)
ATTUNEMENT = Column("requires_attunement", ColumnType.FLAG, lambda r: _equipment(r).requires_attunement)
MAGIC = Column("is_magic", ColumnType.FLAG, lambda r: r.kind is Kind.MAGIC_ITEM)
DAMAGE_DICE = Column("damage_dice", ColumnType.TEXT, lambda r: dice(w.damage_dice) if (w := _weapon(r)) else "")
DAMAGE_TYPE = Column("damage_type", ColumnType.TEXT, lambda r: w.damage_type if (w := _weapon(r)) else "")
PROPERTIES = Column("properties", ColumnType.LIST, _properties)
SIMPLE = Column("is_simple", ColumnType.FLAG, lambda r: w.is_simple if (w := _weapon(r)) else None)
RANGED = Column("is_ranged", ColumnType.FLAG, lambda r: w.is_ranged if (w := _weapon(r)) else None)
STEALTH = Column("stealth_disadvantage", ColumnType.FLAG, _gives_stealth_disadvantage)
FINESSE, LIGHT = _has_property("finesse"), _has_property("light")
COST = Column("cost", ColumnType.NUMBER, _cost)
WEIGHT = Column("weight", ColumnType.NUMBER, lambda r: _equipment(r).weight)

CASTS = Column("casts", ColumnType.LIST, lambda r: [*spells_granted(r.text), *spells_compared_to(r.text)])

EQUIPMENT_FILTERS: tuple[Filter, ...] = (
    compare(
        "category",
        choice(*ITEM_CATEGORIES, *ARMOR_CATEGORIES),
        CATEGORY,
        Comparison.HAS,
        "ring, wand, potion, wondrous-item …; light, medium, heavy for armor",
        {_ITEMS: _send_category, _MAGIC: _send_category},
        kinds=lambda value: frozenset({Kind.ARMOR}) if value in ARMOR_CATEGORIES else None,
    ),
    compare(
        "rarity",
        choice(*RARITIES),
        RARITY,
        Comparison.EQUALS,
        "Rarity of a magic item",
        {_MAGIC: send("rarity")},
        kinds=lambda _: _MAGIC_ONLY,
    ),
    compare(
        "requires_attunement",
        bool,
        ATTUNEMENT,
        Comparison.EQUALS,
        "Magic items that do or do not need attunement",
        {_MAGIC: send_flag("requires_attunement")},
        kinds=lambda _: _MAGIC_ONLY,
    ),
    compare(
        "is_magic",
        bool,
        MAGIC,
        Comparison.EQUALS,
        "Magic items only, or none",
        kinds=lambda value: _MAGIC_ONLY if value else frozenset({Kind.WEAPON, Kind.ARMOR, Kind.ITEM, Kind.SERVICE}),
    ),
    compare(
        "damage_dice",
        normalised_by(dice, limit=20),
        DAMAGE_DICE,
        Comparison.EQUALS,
        "Weapon damage, e.g. 1d8",
        {_WEAPONS: send("damage_dice__iexact")},
    ),
    compare("damage_type", choice(*DAMAGE_TYPES), DAMAGE_TYPE, Comparison.EQUALS, "Weapon damage type"),
    compare(
        "property",
        normalised_by(slugify),
        PROPERTIES,
        Comparison.HAS,
        "Weapon property: finesse, reach, thrown, versatile, heavy, vex …",
    ),
    compare("is_simple", bool, SIMPLE, Comparison.EQUALS, "Simple (true) or martial (false) weapons"),
    compare("is_ranged", bool, RANGED, Comparison.EQUALS, "Ranged (true) or melee (false) weapons"),
    compare(
        "stealth_disadvantage",
        bool,
        STEALTH,
        Comparison.EQUALS,
        "Armor that does or does not give disadvantage on Stealth",
        kinds=lambda _: frozenset({Kind.ARMOR, Kind.MAGIC_ITEM}),
    ),
    # Not sent: Open5e's whips lack the finesse property, and so do all magic ones.
    compare("is_finesse", bool, FINESSE, Comparison.EQUALS, "Finesse weapons"),
    compare(
        "is_light",
        bool,
        LIGHT,
        Comparison.EQUALS,
        "Light weapons",
        dict.fromkeys((_WEAPONS, _ITEMS, _MAGIC), send_true("is_light")),
    ),
    # Not sent for magic items: Open5e has no prices for them, so those valued by rarity would be left out.
    compare(
        "cost_min",
        _Price,
        COST,
        Comparison.AT_LEAST,
        "Lowest cost in gp; 2024 magic items by rarity",
        {_ITEMS: send("cost__gte")},
    ),
    compare("cost_max", _Price, COST, Comparison.AT_MOST, "Highest cost in gp", {_ITEMS: send("cost__lte")}),
    compare(
        "weight_max",
        _Weight,
        WEIGHT,
        Comparison.AT_MOST,
        "Highest weight in lb",
        {_ITEMS: send("weight__lte"), _MAGIC: _send_magic_weight},
    ),
)

# Not an argument: used to look up what grants a spell.
GIVES_SPELL = compare("casts", str, CASTS, Comparison.HAS, "Lets its owner cast this spell")
