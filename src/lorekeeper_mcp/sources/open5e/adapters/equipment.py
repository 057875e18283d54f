"""Items, magic items, weapons and armor: of version 2, and those that only version 1 has, as printed text.

A cost or a weight of 0 means that it is not known.
"""

from __future__ import annotations

import re

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import RARITIES
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.field_reader import Table, flag, integer, listed, mapping, number, objects, text
from lorekeeper_mcp.sources.item_form import pounds, price
from lorekeeper_mcp.sources.open5e.adapters.served import (
    Context,
    Open5eFields,
    Served,
    key,
    lower,
    name,
    positive,
    prose,
    read,
)
from lorekeeper_mcp.text import fold, slugify

WEAPON, ARMOR = "weapon", "armor"

_DICE = re.compile(r"\d*d\d+")
_MAGIC_CATEGORIES = frozenset(
    ["ammunition", "armor", "potion", "ring", "rod", "scroll", "shield", "staff", "wand", "weapon", "wondrous-item"]
)
_PRINTED_PROPERTY = re.compile(r"\s*([^()]*?)\s*(?:\((.*)\))?\s*")
_RANGE = re.compile(r"(\d+)\s*/\s*(\d+)")
# The name of a property within the paragraph of the one before, as in most magic items of one book.
_RUN_IN = re.compile(
    r"(?<=[.!?])(?: | ?\n+)"
    r"([A-Z][\w'’-]+(?: (?:of|the|and|to|with|in|[A-Z][\w'’-]+)){0,7}(?: \([^()]{3,30}\))?)\. (?=[A-Z\"“])"
)


# --- Weapons and armor, served alone or within an item ---


def weapon_stats(value: object) -> WeaponStats | None:
    """Return the numbers of a weapon (within an item it has no ranges), or None."""
    served = mapping(value)
    properties = tuple(_property(entry) for entry in objects(served.get("properties")))
    fields = {**read(served, _WEAPON), "properties": properties, "two_handed_damage": _two_handed_damage(properties)}
    is_ranged = _is_ranged(key(served.get("key")), properties)
    return WeaponStats.model_validate({**fields, "is_ranged": is_ranged}) if served else None


def armor_stats(value: object) -> ArmorStats | None:
    """Return the numbers of an armor, or None."""
    served = mapping(value)
    return ArmorStats.model_validate(read(served, _ARMOR)) if served else None


def _property(entry: Served) -> WeaponProperty:
    """Return a property, served as an object with the rule or as a bare key."""
    served = entry.get("property")
    rule = mapping(served)
    return WeaponProperty(
        name=name(served if served is not None else entry),
        detail=text(entry.get("detail")),
        text=prose(rule.get("desc")),
        type=text(rule.get("type")),
    )


def _two_handed_damage(properties: tuple[WeaponProperty, ...]) -> str:
    """The dice of a versatile weapon in two hands."""
    details = (prop.detail for prop in properties if prop.name.lower() == "versatile")
    return next((detail for detail in details if _DICE.fullmatch(detail)), "")


def _is_ranged(key_: str, properties: tuple[WeaponProperty, ...]) -> bool | None:
    """Whether the books' tables list a weapon as ranged, for which Open5e has no field.

    Of a weapon that no book has, its properties tell, except for thrown ones: those are melee weapons or darts.
    """
    own = srd.record_of(f"{Kind.WEAPON}:{key_}")
    if isinstance(own, Equipment) and own.weapon:
        return own.weapon.is_ranged
    names = {prop.name.lower() for prop in properties}
    return True if "ammunition" in names else None if "thrown" in names else False


_WEAPON: Table = {
    "name": ("name", text),
    "key": ("key", key),
    "damage_dice": ("damage_dice", text),
    "damage_type": ("damage_type", lambda value: key(value).lower()),
    "range": ("range", positive),
    "long_range": ("long_range", positive),
    "is_simple": ("is_simple", flag),
    "is_improvised": ("is_improvised", flag),
}
_ARMOR: Table = {
    "name": ("name", text),
    "key": ("key", key),
    "category": ("category", lambda value: key(value).lower()),
    "ac_text": ("ac_display", text),
    "ac_base": ("ac_base", integer),
    "adds_dexterity": ("ac_add_dexmod", flag),
    "dexterity_cap": ("ac_cap_dexmod", integer),
    "strength_required": ("strength_score_required", integer),
    "stealth_disadvantage": ("grants_stealth_disadvantage", flag),
}
_ITEM: Table = {
    "category": ("category", key),
    "cost": ("cost", positive),
    "weight": ("weight", positive),
    "size": ("size", key),
    "weapon": ("weapon", weapon_stats),
    "armor": ("armor", armor_stats),
}
_MAGIC_ITEM: Table = {
    **_ITEM,
    "rarity": ("rarity", key),
    "requires_attunement": ("requires_attunement", flag),
    "attunement_text": ("attunement_detail", text),
}


# --- Records of version 2 ---


def item(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v2/items``."""
    head["text"] = _without_name(head)
    return Equipment.model_validate({**head, **read(served, _ITEM)})


def magic_item(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v2/magicitems``."""
    head["text"] = _with_names(_without_name(head))
    return Equipment.model_validate({**head, **read(served, _MAGIC_ITEM)})


def service(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v2/services``; the detail is the unit of the cost: per day, per mile."""
    unit = text(served.get("detail")).removeprefix("per ").removeprefix("1 ")
    return Equipment(**head, category="service", cost=number(served.get("cost")), cost_unit=unit)


def weapon(head: Open5eFields, served: Served, context: Context) -> Equipment:
    """Adapt a record of ``v2/weapons``; cost, weight and text are in the item of the same key."""
    fields = _as_sold(head, context.items.get(head["key"]))
    return Equipment.model_validate({**fields, "category": WEAPON, "weapon": weapon_stats(served)})


def armor(head: Open5eFields, served: Served, context: Context) -> Equipment:
    """Adapt a record of ``v2/armor``; cost, weight and text are in the item that names it.

    That has usually the same key, but ``srd_leather-armor`` is the item of ``srd_leather``.
    """
    naming = (item for item in context.items.values() if item.armor and item.armor.key == head["key"])
    sold_item = context.items.get(head["key"]) or next(naming, None)
    category = (sold_item.category if sold_item else "") or ARMOR
    return Equipment.model_validate({**_as_sold(head, sold_item), "category": category, "armor": armor_stats(served)})


def _as_sold(head: Open5eFields, item: Equipment | None) -> dict[str, object]:
    """The fields with the cost, weight and size of an item, and with its text if there is none."""
    if item is None:
        return {**head}
    return {**head, "text": head["text"] or item.text, "cost": item.cost, "weight": item.weight, "size": item.size}


def _without_name(head: Open5eFields) -> str:
    """The text without a paragraph that is only the name: "A halberd."; "A hand crossbow." of "Crossbow, hand"."""
    first, _, others = head["text"].partition("\n\n")
    words = sorted(fold(first.removeprefix("A ").removeprefix("An ")).split())
    return others if words == sorted(fold(head["name"]).split()) else head["text"]


def _with_names(words: str) -> str:
    return _RUN_IN.sub(r"\n\n**\1.** ", words)


# --- Version 1 ---


def archived_magic_item(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v1/magicitems``. Category and rarity have a key only if the text names exactly one."""
    head["text"] = _with_names(head["text"])
    category_text, rarity_text, attunement = (text(served.get(n)) for n in ("type", "rarity", "requires_attunement"))
    category, rarity = slugify(category_text.partition("(")[0]), slugify(rarity_text)
    return Equipment(
        **head,
        category=category if category in _MAGIC_CATEGORIES else "",
        category_text="" if slugify(category_text) in _MAGIC_CATEGORIES else category_text,
        rarity=rarity if rarity in RARITIES else "",
        rarity_text="" if rarity in RARITIES else rarity_text,
        requires_attunement=attunement.lower().startswith("requires attunement"),
        attunement_text=attunement,
    )


def archived_weapon(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v1/weapons``, of a category such as ``Martial Melee Weapons``.

    ``thrown (range 20/60)`` is the property Thrown with a detail, and the weapon's range.
    """
    printed = [_PRINTED_PROPERTY.fullmatch(text(entry)) for entry in listed(served.get("properties"))]
    properties = tuple(WeaponProperty(name=one[1].title(), detail=one[2] or "") for one in printed if one and one[1])
    ranges = next((found for prop in properties if (found := _RANGE.search(prop.detail))), None)
    category = lower(served.get("category"))
    return Equipment(
        **head,
        category=WEAPON,
        cost=price(served.get("cost")),
        weight=pounds(served.get("weight")),
        weapon=WeaponStats(
            name=head["name"],
            key=head["key"],
            damage_dice=text(served.get("damage_dice")),
            damage_type=lower(served.get("damage_type")),
            two_handed_damage=_two_handed_damage(properties),
            range=float(ranges[1]) if ranges else None,
            long_range=float(ranges[2]) if ranges else None,
            properties=properties,
            is_simple="simple" in category,
            is_ranged="ranged" in category,
        ),
    )


def archived_armor(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v1/armor``; a shield is served as ``11 + Dex modifier +2``, of which the bonus is its own."""
    category, printed = lower(served.get("category")).removesuffix(" armor"), text(served.get("ac_string"))
    is_shield = category == "shield"
    bonus = printed[printed.rfind("+") :] if is_shield and "+" in printed else ""
    return Equipment(
        **head,
        category="shield" if is_shield else ARMOR,
        cost=price(served.get("cost")),
        weight=pounds(served.get("weight")),
        armor=ArmorStats(
            name=head["name"],
            key=head["key"],
            category=category,
            ac_text=bonus or printed,
            ac_base=integer(bonus or served.get("base_ac")),
            adds_dexterity=bool(flag(served.get("plus_dex_mod"))),
            dexterity_cap=integer(served.get("plus_max")) or None,  # 0 is none
            strength_required=integer(served.get("strength_requirement")) or None,
            stealth_disadvantage=bool(flag(served.get("stealth_disadvantage"))),
        ),
    )
