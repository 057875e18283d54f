"""The filters of ``search_equipment``."""

from __future__ import annotations

import re

from lorekeeper_mcp.filters.argument_types import GP, POUNDS, choice, dice, measure, normalized_by
from lorekeeper_mcp.filters.filter_row import (
    FLAG,
    LIST,
    NUMBER,
    TEXT,
    Column,
    Filter,
    Params,
    bounds,
    compare,
    field_column,
    send,
)
from lorekeeper_mcp.filters.granted_spells import spells_granted
from lorekeeper_mcp.filters.words import CREATURES, DEALS, LAST, NEEDS, Extremes, Measure, Scalar, Words, flag, forms
from lorekeeper_mcp.models import Equipment, Kind
from lorekeeper_mcp.models.vocabulary import (
    ARMOR_CATEGORIES,
    DAMAGE_TYPES,
    ITEM_CATEGORIES,
    MASTERIES,
    RARITIES,
    WEAPON_PROPERTIES,
)
from lorekeeper_mcp.text import slugify

_ITEMS, _MAGIC, _WEAPONS = "v2/items", "v2/magicitems", "v2/weapons"
_FOCUS = "spellcasting-focus"
_KIND_OF_FOCUS = r"an? (?:arcane focus|druidic focus|holy symbol|spellcasting focus)\b"
_IS_FOCUS = re.compile(rf"^{_KIND_OF_FOCUS}|\bused? (?:an? [\w ]{{1,40}})?as {_KIND_OF_FOCUS}", re.IGNORECASE)
_WEAPON_DAMAGE = ("bludgeoning", "necrotic", "piercing", "radiant", "slashing")  # of the stored weapons


def _categories(item: Equipment) -> list[str]:
    """The category, and for an armor also light, medium or heavy.

    A spellcasting focus is also recognized by its text, since the SRD 5.1 lists orbs under adventuring gear and lutes
    under tools.
    """
    weight_class = item.armor.category if item.armor and item.kind is Kind.ARMOR else ""
    focus = _FOCUS if item.kind is Kind.ITEM and _IS_FOCUS.search(item.text) else ""
    return list(dict.fromkeys(name for name in (item.category, weight_class, focus) if name))


def _properties(item: Equipment) -> list[str]:
    return [slugify(prop.name) for prop in item.weapon.properties] if item.weapon else []


def _property_flag(name: str) -> Column:
    """Whether a weapon has a property; not applicable to other records."""
    return Column(f"is_{name}", FLAG, lambda item: name in _properties(item) if item.weapon else None)


def _cost(item: Equipment) -> float | None:
    """The price; for a magic item without one, its value by rarity."""
    return item.cost if item.cost is not None else item.value_by_rarity


def _is_gear_again(item: Equipment) -> bool:
    """Whether a record is a weapon or an armor, which Open5e lists again among the items."""
    is_gear = item.weapon is not None or item.armor is not None or item.category in ("weapon", "armor", "shield")
    return item.kind is Kind.ITEM and is_gear


def _send_category(value: Scalar) -> Params:
    """Open5e answers 400 to categories it does not know, such as those of armor, and files focuses elsewhere."""
    return {"category": str(value)} if value in ITEM_CATEGORIES and value != _FOCUS else {}


_IS_MAGIC = Column("is_magic", FLAG, lambda item: item.kind is Kind.MAGIC_ITEM)
_DICE = Column("damage_dice", TEXT, lambda item: dice(item.weapon.damage_dice) if item.weapon else "")

_WEAPON = r"(?=(?: (?:finesse|light|simple|martial|melee|ranged|magic|magical|thrown|heavy))* weapons?\b)"
_WITH = r"(?:with|that (?:are|have|can be)|have|has|and)(?: the)?"
_CATEGORIES = forms(
    ("ring", "wand", "rod", "staff", "potion", "scroll", "shield", "weapon", "poison", "mount", "wondrous-item"),
    **{"armor": "armor", "adventuring_gear": "adventuring-gear", "services": "service", "trade_goods": "trade-good"},
    **{"tools": "tools", "boats": "waterborne-vehicle", "ships": "waterborne-vehicle", "staffs": "staff"},
)
_OF_WEAPONS = ("property", "is_simple", "is_ranged", "is_finesse", "is_light", "damage_dice")  # say what it is
IS_GEAR_AGAIN = compare(
    "is_gear_again",
    bool,
    Column("is_gear_again", FLAG, _is_gear_again),
    "Items that are weapons or armor",
    is_argument=False,
)

EQUIPMENT_FILTERS: tuple[Filter, ...] = (
    compare(
        "category",
        choice(*ITEM_CATEGORIES, *ARMOR_CATEGORIES),
        Column("category", LIST, _categories),
        "ring, wand, potion, wondrous-item …; light, medium, heavy for armor",
        upstream={_ITEMS: _send_category, _MAGIC: _send_category},
        kinds=lambda value: frozenset({Kind.ARMOR}) if value in ARMOR_CATEGORIES else None,
    ).said(
        Words(after="armou?rs?", values={name: name for name in ARMOR_CATEGORIES}, unless=("is_light",)),
        Words(alone=LAST, values=_CATEGORIES, unless=_OF_WEAPONS),
    ),
    compare(
        "rarity",
        choice(*RARITIES),
        TEXT,
        "Rarity of a magic item",
        upstream=send(_MAGIC, "rarity"),
        kinds=Kind.MAGIC_ITEM,
    ).said(
        Words(
            alone=rf"(?= \w)(?! (?:actions?|resistance|lair|{CREATURES})\b)",
            values={name.replace("-", " "): name for name in RARITIES[1:5]},
            restricts=True,
            order=RARITIES,
        ),
        Words(alone="", values=forms(RARITIES, legendaries="legendary"), order=RARITIES),
    ),
    compare(
        "requires_attunement",
        bool,
        FLAG,
        "Magic items that do (true) or don't (false) require attunement",
        upstream=send(_MAGIC, "requires_attunement"),
        kinds=Kind.MAGIC_ITEM,
    ).said(Words(NEEDS, values=flag("attunement|attuning|attuned|attune"), restricts=True)),
    compare(
        "is_magic",
        bool,
        _IS_MAGIC,
        "Magic (true) or nonmagical (false) items",
        kinds=lambda value: frozenset(
            {Kind.MAGIC_ITEM} if value else {Kind.WEAPON, Kind.ARMOR, Kind.ITEM, Kind.SERVICE}
        ),
    ).said(
        Words(
            "are|is", r"(?=(?:weapon|armou?r|item|ring|shield|staff|wand|rod|thing)s?\b)", values=flag("magic|magical")
        ),
        Words(alone="", values=dict.fromkeys(("nonmagical", "non magical", "mundane", "nonmagic"), False)),
    ),
    compare(
        "damage_dice",
        normalized_by(dice, limit=20),
        _DICE,
        "Weapon damage, e.g. 1d8",
        upstream=send(_WEAPONS, "damage_dice__iexact"),
    ).said(Words(DEALS, r"(?:damage|(?=weapons?\b))", values=r"\d?d\d+", read=dice)),
    compare(
        "damage_type",
        choice(*_WEAPON_DAMAGE, unlisted=tuple(name for name in DAMAGE_TYPES if name not in _WEAPON_DAMAGE)),
        field_column("damage_type", TEXT, path="weapon.damage_type"),
        "Weapon damage type",
    ).said(
        Words(
            f"{DEALS}|with",
            r"(?:damage ?)?(?=weapons?\b)|damage",
            values=forms(("slashing", "piercing", "bludgeoning")),
        )
    ),
    compare(
        "property",
        normalized_by(slugify),
        Column("properties", LIST, _properties),
        "Weapon property: finesse, reach, thrown, versatile, heavy, vex …",
    ).said(
        Words(
            rf"{_WITH}|can(?: be)?",
            rf"{_WEAPON}|mastery|property",
            values=forms({*WEAPON_PROPERTIES, *MASTERIES} - {"special", "finesse", "light"}, throw="thrown"),
        )
    ),
    compare(
        "is_simple",
        bool,
        field_column("is_simple", FLAG, path="weapon.is_simple"),
        "Simple (true) or martial (false) weapons",
    ).said(Words(alone=r"(?=.* weapons?\b)", values={"simple": True, "martial": False})),
    compare(
        "is_ranged",
        bool,
        field_column("is_ranged", FLAG, path="weapon.is_ranged"),
        "Ranged (true) or melee (false) weapons",
    ).said(Words(alone=r"(?=(?: [\w-]+)*? weapons?\b(?! attacks?\b))", values={"ranged": True, "melee": False})),
    compare(
        "stealth_disadvantage",
        bool,
        field_column("stealth_disadvantage", FLAG, path="armor.stealth_disadvantage"),
        "Armor with (true) or without (false) disadvantage on Stealth",
        kinds=lambda _: frozenset({Kind.ARMOR, Kind.MAGIC_ITEM}),
    ).said(
        Words(
            "gives?|has|have|with|imposes?|causes?",
            alone="",
            values=flag("stealth disadvantage|disadvantage on stealth|disadvantage to stealth"),
            restricts=True,
        )
    ),
    # Not sent, since Open5e's whips and magic weapons lack the property, and false is treated as true.
    *(
        compare(f"is_{name}", bool, _property_flag(name), f"{name.title()} weapons").said(
            Words(_WITH, _WEAPON, restricts=True)
        )
        for name in ("finesse", "light")
    ),
    # Not sent for magic items: Open5e has no prices and few weights for them.
    *bounds(
        "cost",
        measure(GP, is_whole=False),
        Column("cost", NUMBER, _cost),
        "cost in gp; 2024 magic items are priced by rarity",
        Measure("worth|costs?|costing|priced at", "gp|gold(?: pieces)?", is_fractional=True),
        Extremes("price|cost", "most (?:expensive|costly)|priciest|costliest", "cheapest|least expensive"),
        upstream=(_ITEMS, "cost"),
    ),
    *bounds(
        "weight",
        measure(POUNDS, is_whole=False),
        field_column("weight", NUMBER),
        "weight in lb",
        Measure("weighs?|weighing", r"lbs?|pounds?", is_fractional=True),
        Extremes("weight", "heaviest", "lightest"),
        upstream=(_ITEMS, "weight"),
        arguments="max",
    ),
    # Not arguments: the tool's type="item" sets the first; the second is a column for what grants a spell.
    IS_GEAR_AGAIN,
    compare(
        "casts",
        str,
        Column("casts", LIST, lambda item: spells_granted(item.text)),
        "Lets its owner cast this spell",
        is_argument=False,
    ),
)
