"""Items, magic items, weapons and armor of v2."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import ArmorStats, Equipment, WeaponProperty, WeaponStats
from lorekeeper_mcp.sources.open5e.adapters import reading
from lorekeeper_mcp.sources.open5e.adapters.heading import Context, Head
from lorekeeper_mcp.sources.open5e.adapters.reading import Served

WEAPON, ARMOR = "weapon", "armor"

_DICE = re.compile(r"\d*d\d+")


def item(head: Head, served: Served, _: Context) -> Equipment:
    """A record of ``v2/items``."""
    return Equipment(
        **head,
        category=reading.key(served.get("category")),
        cost=reading.number(served.get("cost")),
        weight=reading.number(served.get("weight")),
        size=reading.key(served.get("size")),
        weapon=_weapon_of(served),
        armor=_armor_of(served),
    )


def magic_item(head: Head, served: Served, _: Context) -> Equipment:
    """A record of ``v2/magicitems``, where a cost or weight of 0 means that it is not known."""
    return Equipment(
        **head,
        category=reading.key(served.get("category")),
        cost=reading.number(served.get("cost")) or None,
        weight=reading.number(served.get("weight")) or None,
        size=reading.key(served.get("size")),
        weapon=_weapon_of(served),
        armor=_armor_of(served),
        rarity=reading.key(served.get("rarity")),
        requires_attunement=reading.flag(served.get("requires_attunement")),
        attunement_text=reading.text(served.get("attunement_detail")),
    )


def weapon(head: Head, served: Served, context: Context) -> Equipment:
    """A record of ``v2/weapons``; cost, weight and text stand in the item of the same key."""
    found = context.items.get(head["key"])
    return Equipment(
        **_with_text(head, found),
        category=WEAPON,
        cost=found.cost if found else None,
        weight=found.weight if found else None,
        size=found.size if found else "",
        weapon=weapon_stats(served),
    )


def armor(head: Head, served: Served, context: Context) -> Equipment:
    """A record of ``v2/armor``; cost, weight and text stand in the item that names it."""
    found = _item_of_armor(head["key"], context)
    return Equipment(
        **_with_text(head, found),
        category=(found.category if found else "") or ARMOR,
        cost=found.cost if found else None,
        weight=found.weight if found else None,
        size=found.size if found else "",
        armor=armor_stats(served),
    )


def _item_of_armor(key: str, context: Context) -> Equipment | None:
    """The item of an armor: mostly of the same key, but ``srd_leather-armor`` for ``srd_leather``."""
    same = context.items.get(key)
    return same or next((item for item in context.items.values() if item.armor and item.armor.key == key), None)


def _with_text(head: Head, item: Equipment | None) -> Head:
    if item and not head["text"]:
        head["text"] = item.text
    return head


def _weapon_of(served: Served) -> WeaponStats | None:
    nested = reading.fields(served.get("weapon"))
    return weapon_stats(nested) if nested else None


def _armor_of(served: Served) -> ArmorStats | None:
    nested = reading.fields(served.get("armor"))
    return armor_stats(nested) if nested else None


def weapon_stats(served: Served) -> WeaponStats:
    """The numbers of a weapon, served alone or within an item (there without ranges)."""
    properties = tuple(_property(entry) for entry in reading.objects(served.get("properties")))
    return WeaponStats(
        name=reading.text(served.get("name")).strip(),
        key=reading.key(served.get("key")),
        damage_dice=reading.text(served.get("damage_dice")),
        damage_type=reading.key(served.get("damage_type")).lower(),
        two_handed_damage=two_handed_damage(properties),
        range=reading.number(served.get("range")) or None,  # 0 is none
        long_range=reading.number(served.get("long_range")) or None,
        properties=properties,
        is_simple=reading.flag(served.get("is_simple")),
        is_improvised=reading.flag(served.get("is_improvised")),
    )


def two_handed_damage(properties: tuple[WeaponProperty, ...]) -> str:
    """The dice of a versatile weapon in two hands."""
    details = (prop.detail for prop in properties if prop.name.lower() == "versatile")
    return next((detail for detail in details if _DICE.fullmatch(detail)), "")


def _property(entry: Served) -> WeaponProperty:
    """A property: an object with the rule, or its bare key."""
    served = entry.get("property")
    rule = reading.fields(served)
    return WeaponProperty(
        name=reading.name(served if served is not None else entry),
        detail=reading.text(entry.get("detail")).strip(),
        text=reading.prose(rule.get("desc")),
        type=reading.text(rule.get("type")),
    )


def armor_stats(served: Served) -> ArmorStats:
    """The numbers of an armor, served alone or within an item."""
    return ArmorStats(
        name=reading.text(served.get("name")).strip(),
        key=reading.key(served.get("key")),
        category=reading.key(served.get("category")).lower(),
        ac_text=reading.text(served.get("ac_display")),
        ac_base=reading.integer(served.get("ac_base")),
        adds_dexterity=bool(reading.flag(served.get("ac_add_dexmod"))),
        dexterity_cap=reading.integer(served.get("ac_cap_dexmod")),
        strength_required=reading.integer(served.get("strength_score_required")),
        stealth_disadvantage=bool(reading.flag(served.get("grants_stealth_disadvantage"))),
    )
