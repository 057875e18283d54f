"""Weapons, armor and mundane items.

As in Open5e a weapon is two records, a weapon and an item with the same key, and so is an armor, whose armor record has
the key of its short name (``srd_hide``) beside the item's (``srd_hide-armor``).
"""

from __future__ import annotations

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Ref, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import GOLD
from srd_converter.srd2014.document import COMMON, key_of
from srd_converter.srd2014.entries import Entry, paragraphs, read
from srd_converter.srd2014.names import equipment_ref

# Caltrops: the weight is for a bag of twenty, the package has the price of a single one. Barding costs four times as
# much as armor.
_COSTS = {"caltrops": 1.0, "barding-ring-mail": 120.0}
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
            record = {"kind": Kind.ARMOR, "key": armor.key, "name": armor.name}
            records.append(item.model_copy(update=record))
    return records


def _item(entry: Entry, weapon: WeaponStats | None, armor: ArmorStats | None) -> Equipment:
    named = equipment_ref(entry)
    cost, weight = _price(entry)
    category = _category(entry)
    return Equipment(
        kind=Kind.SERVICE if category == "service" else Kind.ITEM,
        key=named.key,
        name=named.name,
        text=_text(entry),
        category=category,
        category_text=entry.text("tool_category"),
        cost=cost,
        weight=weight,
        weapon=weapon,
        armor=armor,
        contents=tuple(_content(one) for one in entry.entries("contents")),
        **COMMON,
    )


def _category(entry: Entry) -> str:
    kind = entry.entry("equipment_category").index
    if kind == "armor":
        return "shield" if entry.text("armor_category") == "Shield" else "armor"
    if known := _CATEGORIES.get(entry.index):
        return known
    if kind == "mounts-and-vehicles":
        return _VEHICLES.get(entry.text("vehicle_category"), "adventuring-gear")
    return _GEAR.get(entry.entry("gear_category").index, kind)


def _price(entry: Entry) -> tuple[float | None, float | None]:
    """Gold pieces and pounds of one piece; a thing without its own price (a censer) has no weight either.

    Ammunition is sold in bundles; Open5e gives a piece its share.
    """
    cost = entry.entry("cost")
    price = _COSTS.get(entry.index) or (cost.number("quantity") or 0) * GOLD.get(cost.text("unit"), 1.0)
    pieces = entry.integer("quantity") or 1
    weight = entry.number("weight")
    if not price:
        return None, weight or None
    return round(price / pieces, 4), None if weight is None else round(weight / pieces, 4)


def _text(entry: Entry) -> str:
    """The description, then the tables' facts about a mount, a ship or a bundle."""
    speed, bundle = entry.entry("speed"), entry.integer("quantity")
    facts = [
        f"Speed: {speed.text('quantity')} {speed.text('unit').replace('ft/round', 'ft')}."
        if speed.has("quantity")
        else "",
        f"Carrying capacity: {entry.text('capacity')}" if entry.has("capacity") else "",
        f"Sold by {bundle}: {_bundle(entry)}." if bundle else "",
    ]
    return paragraphs([*entry.strings("desc"), *entry.strings("special"), " ".join(fact for fact in facts if fact)])


def _bundle(entry: Entry) -> str:
    cost = entry.entry("cost")
    return f"{cost.text('quantity')} {cost.text('unit')}, {entry.text('weight')} lb"


def _content(entry: Entry) -> Ref:
    """An entry of a pack: ``10 × Piton``."""
    item = equipment_ref(entry.entry("item"))
    count = entry.integer("quantity") or 1
    return Ref(name=item.name if count == 1 else f"{count} × {item.name}", key=item.key)


def _weapon(entry: Entry, rules: dict[str, Entry]) -> WeaponStats:
    damage, two_handed = entry.entry("damage"), entry.entry("two_handed_damage")
    # The package gives a melee weapon's reach as its range.
    away = entry.entry("throw_range") if entry.has("throw_range") else entry.entry("range")
    melee = entry.text("weapon_range") == "Melee" and not entry.has("throw_range")
    return WeaponStats(
        name=entry.name,
        key=key_of(entry.name),
        damage_dice=damage.text("damage_dice"),
        damage_type=damage.entry("damage_type").index,
        two_handed_damage=two_handed.text("damage_dice"),
        range=None if melee else away.number("normal"),
        long_range=None if melee else away.number("long"),
        # The package marks the weapons of one class with "Monk"; the book has no such property.
        properties=tuple(
            _property(one.index, entry, rules) for one in entry.entries("properties") if one.index != "monk"
        ),
        is_simple=entry.text("weapon_category") == "Simple",
        is_ranged=entry.text("weapon_range") == "Ranged",
        is_improvised=False,
    )


def _property(index: str, weapon: Entry, rules: dict[str, Entry]) -> WeaponProperty:
    rule = rules.get(index, Entry({"name": index}))
    if index == "special":
        return WeaponProperty(name=f"Special ({weapon.name})", text=paragraphs(weapon.strings("special")))
    away = weapon.entry("throw_range" if index == "thrown" else "range")
    details = {
        "versatile": weapon.entry("two_handed_damage").text("damage_dice"),
        **dict.fromkeys(("thrown", "ammunition"), f"range {away.text('normal')}/{away.text('long')}"),
    }
    return WeaponProperty(name=rule.name, detail=details.get(index, ""), text=rule.description)


def _armor(entry: Entry) -> ArmorStats:
    armor_class = entry.entry("armor_class")
    base, cap = armor_class.integer("base"), armor_class.integer("max_bonus")
    dexterity, shield = armor_class.flag("dex_bonus"), entry.text("armor_category") == "Shield"
    name = equipment_ref(entry).name.removesuffix(" Armor")
    modifier = "" if not dexterity else " + Dex modifier" if cap is None else f" + Dex modifier (max {cap})"
    return ArmorStats(
        name=name,
        key=key_of(name),
        category=entry.text("armor_category").lower(),
        ac_text=f"{'+' if shield else ''}{base}{modifier}",
        ac_base=base,
        adds_dexterity=dexterity,
        dexterity_cap=cap,
        strength_required=entry.integer("str_minimum") or None,
        stealth_disadvantage=entry.flag("stealth_disadvantage"),
    )
