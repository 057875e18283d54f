"""Weapons, armor and mundane items.

As in Open5e a weapon is two records, a weapon and an item with the same key, and so is an armor, whose armor record has
the key of its short name (``srd_hide``) beside the item's (``srd_hide-armor``).
"""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Ref, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import GOLD
from srd_converter.srd2014.document import COMMON, key_of
from srd_converter.srd2014.entries import Entry, paragraphs, read
from srd_converter.srd2014.names import equipment_ref

# Caltrops: the weight is for a bag of twenty, the package has the price of a single one. Barding costs four times as
# much as armor.
_COSTS = {"caltrops": 1.0, "barding-ring-mail": 120.0}
_DAMAGE_TYPES = {"trident": "piercing"}  # page 66; the package has slashing
_VEHICLES = {"Mounts and Other Animals": "mount", "Waterborne Vehicles": "waterborne-vehicle"}
_GEAR = {"ammunition": "ammunition", "equipment-packs": "equipment-pack"}
_CATEGORIES = {
    **dict.fromkeys(("disguise-kit", "forgery-kit", "herbalism-kit", "poisoners-kit"), "tools"),
    **dict.fromkeys(("carriage", "cart", "chariot", "sled", "wagon"), "land-vehicle"),
    "stabling-1-day": "service",
    "poison-basic-vial": "poison",
}


def equipment() -> list[Equipment]:
    """Every weapon, armor and mundane item."""
    rules = {entry.index: entry for entry in read("WeaponProperties")}
    records = []
    for entry in read("Equipment"):
        weapon = _weapon(entry, rules) if entry.has("weapon_category") else None
        armor = _armor(entry) if entry.has("armor_category") else None
        item = _item(entry, weapon, armor)
        records.append(item)
        if weapon:
            records.append(item.model_copy(update={"kind": Kind.WEAPON}))
        if armor:
            records.append(item.model_copy(update={"kind": Kind.ARMOR, "key": armor.key, "name": armor.name}))
    return records


def _item(entry: Entry, weapon: WeaponStats | None, armor: ArmorStats | None) -> Equipment:
    item = equipment_ref(entry)
    cost, weight = _price(entry)
    category = _category(entry)
    return Equipment(
        kind=Kind.SERVICE if category == "service" else Kind.ITEM,
        key=item.key,
        name=item.name,
        text=_text(entry),
        category=category,
        category_text=entry.text("tool_category"),
        cost=cost,
        weight=weight,
        weapon=weapon,
        armor=armor,
        contents=tuple(map(_content, entry.entries("contents"))),
        **COMMON,
    )


def _category(entry: Entry) -> str:
    kind = entry.entry("equipment_category").index
    if kind == "armor":
        return "shield" if entry.text("armor_category") == "Shield" else "armor"
    if category := _CATEGORIES.get(entry.index):
        return category
    if kind == "mounts-and-vehicles":
        return _VEHICLES.get(entry.text("vehicle_category"), "adventuring-gear")
    return _GEAR.get(entry.entry("gear_category").index, kind)


def _price(entry: Entry) -> tuple[float | None, float | None]:
    """Gold pieces and pounds of one piece; a thing without its own price (a censer) has no weight either.

    Ammunition is sold in bundles; Open5e gives a piece its share.
    """
    cost = entry.entry("cost")
    price = _COSTS.get(entry.index) or cost.integer("quantity") * GOLD[cost.text("unit")]
    if not price:
        return None, None
    pieces = entry.number("quantity") or 1
    weight = entry.number("weight")
    return round(price / pieces, 4), None if weight is None else round(weight / pieces, 4)


def _text(entry: Entry) -> str:
    """The description, then the tables' facts about a mount, a ship or a bundle."""
    facts = []
    if entry.has("speed"):
        speed = entry.entry("speed")
        facts.append(f"Speed: {speed.text('quantity')} {speed.text('unit').replace('ft/round', 'ft')}.")
    if entry.has("capacity"):
        facts.append(f"Carrying capacity: {entry.text('capacity')}")
    if entry.has("quantity"):
        cost = entry.entry("cost")
        price = f"{cost.text('quantity')} {cost.text('unit')}, {entry.text('weight')} lb"
        facts.append(f"Sold by {entry.text('quantity')}: {price}.")
    return paragraphs([*entry.strings("desc"), *entry.strings("special"), " ".join(facts)])


def _content(entry: Entry) -> Ref:
    """An entry of a pack: ``10 × Piton``."""
    item = equipment_ref(entry.entry("item"))
    count = entry.integer("quantity")
    return item if count == 1 else Ref(name=f"{count} × {item.name}", key=item.key)


def _weapon(entry: Entry, rules: Mapping[str, Entry]) -> WeaponStats:
    damage = entry.entry("damage")
    is_ranged, is_thrown = entry.text("weapon_range") == "Ranged", entry.has("throw_range")
    # The package gives a melee weapon's reach as its range.
    distance = entry.entry("throw_range") if is_thrown else entry.entry("range") if is_ranged else Entry()
    return WeaponStats(
        name=entry.name,
        key=key_of(entry.name),
        damage_dice=damage.text("damage_dice"),
        damage_type=_DAMAGE_TYPES.get(entry.index, damage.entry("damage_type").index),
        two_handed_damage=entry.entry("two_handed_damage").text("damage_dice"),
        range=distance.number("normal"),
        long_range=distance.number("long"),
        # The package marks the weapons of one class with "Monk"; the book has no such property.
        properties=tuple(
            _property(rules[rule.index], entry) for rule in entry.entries("properties") if rule.index != "monk"
        ),
        is_simple=entry.text("weapon_category") == "Simple",
        is_ranged=is_ranged,
        is_improvised=False,
    )


def _property(rule: Entry, weapon: Entry) -> WeaponProperty:
    if rule.index == "special":
        return WeaponProperty(name=f"Special ({weapon.name})", text=paragraphs(weapon.strings("special")))
    distance = weapon.entry("throw_range" if rule.index == "thrown" else "range")
    details = {
        "versatile": weapon.entry("two_handed_damage").text("damage_dice"),
        **dict.fromkeys(("thrown", "ammunition"), f"range {distance.text('normal')}/{distance.text('long')}"),
    }
    return WeaponProperty(name=rule.name, detail=details.get(rule.index, ""), text=rule.description)


def _armor(entry: Entry) -> ArmorStats:
    armor_class, category = entry.entry("armor_class"), entry.text("armor_category").lower()
    base, cap = armor_class.integer("base"), armor_class.optional_integer("max_bonus")
    adds_dexterity = armor_class.flag("dex_bonus")
    formula = f"+{base}" if category == "shield" else str(base)
    if adds_dexterity:
        formula += " + Dex modifier" if cap is None else f" + Dex modifier (max {cap})"
    name = equipment_ref(entry).name.removesuffix(" Armor")
    return ArmorStats(
        name=name,
        key=key_of(name),
        category=category,
        ac_text=formula,
        ac_base=base,
        adds_dexterity=adds_dexterity,
        dexterity_cap=cap,
        strength_required=entry.integer("str_minimum") or None,
        stealth_disadvantage=entry.flag("stealth_disadvantage"),
    )
