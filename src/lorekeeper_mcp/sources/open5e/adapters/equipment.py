"""Items, magic items, weapons and armor of v2."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, WeaponProperty, WeaponStats
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields

WEAPON, ARMOR = "weapon", "armor"

_DICE = re.compile(r"\d*d\d+")


def item(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v2/items``."""
    return Equipment(
        **head,
        category=coercion.key(served.get("category")),
        cost=coercion.number(served.get("cost")),
        weight=coercion.number(served.get("weight")),
        size=coercion.key(served.get("size")),
        weapon=_weapon_of(served),
        armor=_armor_of(served),
    )


def service(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v2/services``; the detail is the unit of the cost: per day, per mile."""
    return Equipment(
        **head,
        category="service",
        cost=coercion.number(served.get("cost")),
        cost_unit=coercion.text(served.get("detail")).removeprefix("per ").removeprefix("1 "),
    )


def magic_item(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v2/magicitems``, where a cost or weight of 0 means that it is not known."""
    return Equipment(
        **head,
        category=coercion.key(served.get("category")),
        cost=coercion.number(served.get("cost")) or None,
        weight=coercion.number(served.get("weight")) or None,
        size=coercion.key(served.get("size")),
        weapon=_weapon_of(served),
        armor=_armor_of(served),
        rarity=coercion.key(served.get("rarity")),
        requires_attunement=coercion.flag(served.get("requires_attunement")),
        attunement_text=coercion.text(served.get("attunement_detail")),
    )


def weapon(head: Open5eFields, served: Served, context: Context) -> Equipment:
    """Adapt a record of ``v2/weapons``; cost, weight and text are in the item of the same key."""
    fields = _as_sold(head, context.items.get(head["key"]))
    return Equipment.model_validate({**fields, "category": WEAPON, "weapon": weapon_stats(served)})


def armor(head: Open5eFields, served: Served, context: Context) -> Equipment:
    """Adapt a record of ``v2/armor``; cost, weight and text are in the item that names it."""
    sold_item = _item_of_armor(head["key"], context)
    category = (sold_item.category if sold_item else "") or ARMOR
    fields = _as_sold(head, sold_item)
    return Equipment.model_validate({**fields, "category": category, "armor": armor_stats(served)})


def _item_of_armor(key: str, context: Context) -> Equipment | None:
    """The item of an armor: usually the same key, but ``srd_leather-armor`` for ``srd_leather``."""
    same = context.items.get(key)
    return same or next((item for item in context.items.values() if item.armor and item.armor.key == key), None)


def _as_sold(head: Open5eFields, item: Equipment | None) -> dict[str, object]:
    """The fields with the cost, weight and size of an item, and with its text if there is none."""
    if item is None:
        return {**head}
    return {**head, "text": head["text"] or item.text, "cost": item.cost, "weight": item.weight, "size": item.size}


def _weapon_of(served: Served) -> WeaponStats | None:
    nested = mapping(served.get("weapon"))
    return weapon_stats(nested) if nested else None


def _armor_of(served: Served) -> ArmorStats | None:
    nested = mapping(served.get("armor"))
    return armor_stats(nested) if nested else None


def weapon_stats(served: Served) -> WeaponStats:
    """Return the numbers of a weapon, served alone or within an item (there without ranges)."""
    properties = tuple(_property(entry) for entry in coercion.objects(served.get("properties")))
    key = coercion.key(served.get("key"))
    return WeaponStats(
        name=coercion.text(served.get("name")).strip(),
        key=key,
        damage_dice=coercion.text(served.get("damage_dice")),
        damage_type=coercion.key(served.get("damage_type")).lower(),
        two_handed_damage=two_handed_damage(properties),
        range=coercion.number(served.get("range")) or None,  # 0 is none
        long_range=coercion.number(served.get("long_range")) or None,
        properties=properties,
        is_simple=coercion.flag(served.get("is_simple")),
        is_ranged=_is_ranged(key, properties),
        is_improvised=coercion.flag(served.get("is_improvised")),
    )


def _is_ranged(key: str, properties: tuple[WeaponProperty, ...]) -> bool | None:
    """Whether the books' tables list a weapon as ranged, for which Open5e has no field.

    Of a weapon that no book has, its properties tell, except for thrown ones: those are melee weapons or darts.
    """
    own = srd.record_of(f"{Kind.WEAPON}:{key}")
    if isinstance(own, Equipment) and own.weapon:
        return own.weapon.is_ranged
    names = {prop.name.lower() for prop in properties}
    return True if "ammunition" in names else None if "thrown" in names else False


def two_handed_damage(properties: tuple[WeaponProperty, ...]) -> str:
    """Return the dice of a versatile weapon in two hands."""
    details = (prop.detail for prop in properties if prop.name.lower() == "versatile")
    return next((detail for detail in details if _DICE.fullmatch(detail)), "")


def _property(entry: Served) -> WeaponProperty:
    """Return a property, served as an object with the rule or as a bare key."""
    served = entry.get("property")
    rule = mapping(served)
    return WeaponProperty(
        name=coercion.name(served if served is not None else entry),
        detail=coercion.text(entry.get("detail")).strip(),
        text=coercion.prose(rule.get("desc")),
        type=coercion.text(rule.get("type")),
    )


def armor_stats(served: Served) -> ArmorStats:
    """Return the numbers of an armor, served alone or within an item."""
    return ArmorStats(
        name=coercion.text(served.get("name")).strip(),
        key=coercion.key(served.get("key")),
        category=coercion.key(served.get("category")).lower(),
        ac_text=coercion.text(served.get("ac_display")),
        ac_base=coercion.integer(served.get("ac_base")),
        adds_dexterity=bool(coercion.flag(served.get("ac_add_dexmod"))),
        dexterity_cap=coercion.integer(served.get("ac_cap_dexmod")),
        strength_required=coercion.integer(served.get("strength_score_required")),
        stealth_disadvantage=bool(coercion.flag(served.get("grants_stealth_disadvantage"))),
    )
