"""What each filter of ``search_equipment`` selects."""

from __future__ import annotations

from tests.corrected_json import corrected
from tests.oracle.cases import Raw, Test, at_least, at_most, cased, cases, number, same
from tests.served_open5e import IS_RECORDED


def weapon(record: Raw) -> Raw | None:
    return record if "damage_dice" in record else record.get("weapon")


def properties(record: Raw) -> list[str]:
    return [p["property"]["name"].lower() for p in (weapon(record) or {}).get("properties", [])]


def as_item(record: Raw) -> Raw | None:
    """The item record of a weapon or an armor; a few items have other keys (leather armor)."""
    items = corrected("v2/items")
    part = "weapon" if "damage_dice" in record else "armor"
    same_key = (item for item in items if item["key"] == record["key"])
    holds = (item for item in items if (item[part] or {}).get("key") == record["key"])
    return next(same_key, None) or next(holds, None)


WORTH = {"common": 100, "uncommon": 400, "rare": 4000, "very-rare": 40_000, "legendary": 200_000}  # SRD 5.2


def worth(record: Raw) -> float | None:
    """The value of items of a single rarity in the SRD 5.2, half of it for potions and ammunition."""
    of_book = record["document"]["key"] == "srd-2024" and record.get("rarity")
    value = WORTH.get(record["rarity"]["key"]) if of_book and not record.get("rarity_text") else None
    if not value:
        return None
    is_consumed = record["category"]["key"] == "potion" or record["name"].startswith("Ammunition")
    return value / 2 if is_consumed else value


def cost_of(record: Raw) -> float | None:
    """The price in gp, for weapons and armor that of their item; without one, the value by rarity.

    Open5e has 0.00 if the price is not known.
    """
    item = as_item(record) if "damage_dice" in record or "ac_base" in record else record
    return number(item["cost"]) or worth(item) if item else None


def weight_of(record: Raw) -> float | None:
    """The weight in lb. Open5e has 0 for magic items of unknown weight; services have none."""
    item = as_item(record) if "damage_dice" in record or "ac_base" in record else record
    if not item or "weight" not in item:
        return None
    is_unknown = "rarity" in item or item["category"]["key"] in ("mount", "land-vehicle", "waterborne-vehicle")
    return number(item["weight"]) or (None if is_unknown else number(item["weight"]))


def is_property(name: str) -> Test:
    return lambda r, v: weapon(r) is not None and (name in properties(r)) is v


RANGED = {  # in the tables of the books
    "srd": (
        "blowgun",
        "crossbow-hand",
        "crossbow-heavy",
        "crossbow-light",
        "dart",
        "longbow",
        "net",
        "shortbow",
        "sling",
    ),
    "srd-2024": (
        *("blowgun", "dart", "hand-crossbow", "heavy-crossbow", "light-crossbow", "longbow", "musket", "pistol"),
        *("shortbow", "sling"),
    ),
}
THROWN_MELEE = ("dagger", "handaxe", "javelin", "light-hammer", "spear", "trident")


def is_ranged(record: Raw) -> bool | None:
    """Whether the books list a weapon as ranged; of others only thrown ones are in doubt."""
    if (base := weapon(record)) is None:
        return None
    prefix, _, name = str(base["key"]).partition("_")
    if name in RANGED.get(prefix, ()):
        return True
    return None if "thrown" in properties(record) and name not in THROWN_MELEE else False


def category(record: Raw) -> str:
    if record["_type"] == "service":
        return "service"
    return str(record["category"]["key"] if isinstance(record.get("category"), dict) else record.get("category"))


FOCI = ("arcane focus", "druidic focus", "holy symbol", "spellcasting focus")


def is_focus(record: Raw) -> bool:
    """Whether an item is called a focus, or its text says that it can be used as one."""
    if record["_type"] != "item":
        return False
    text = record["desc"].lower().replace(" an ", " a ")
    return record["name"].lower().startswith(FOCI) or any(f" as a {one}" in text for one in FOCI)


def stealth_disadvantage(record: Raw) -> bool | None:
    """Whether armor, or the armor that a magic item is, gives disadvantage on Stealth."""
    armor = record if "ac_base" in record else record.get("armor")
    return armor["grants_stealth_disadvantage"] if armor else None


EQUIPMENT: dict[str, Test] = {
    "category": lambda r, v: category(r) == v or (v == "spellcasting-focus" and is_focus(r)),
    "rarity": lambda r, v: bool(r.get("rarity")) and r["rarity"]["key"] == v,
    "requires_attunement": lambda r, v: r.get("requires_attunement") is v,
    "is_magic": lambda r, v: ("rarity" in r) is v,
    "damage_dice": lambda r, v: weapon(r) is not None and weapon(r)["damage_dice"] == v,  # type: ignore[index]
    "damage_type": lambda r, v: weapon(r) is not None and weapon(r)["damage_type"]["key"] == v,  # type: ignore[index]
    "property": lambda r, v: v in properties(r),
    "is_simple": lambda r, v: weapon(r) is not None and weapon(r)["is_simple"] is v,  # type: ignore[index]
    "is_ranged": lambda r, v: is_ranged(r) is v,
    "stealth_disadvantage": lambda r, v: stealth_disadvantage(r) is v,
    "is_finesse": is_property("finesse"),
    "is_light": is_property("light"),
    "cost_min": lambda r, v: at_least(cost_of(r), v),
    "cost_max": lambda r, v: at_most(cost_of(r), v),
    "weight_max": lambda r, v: at_most(weight_of(r), v),
}
EQUIPMENT_CASES = [
    *cases("category", cased(["ring", "potion", "wondrous-item", "service", "spellcasting-focus"])),
    *cases("rarity", cased(["legendary", "artifact", "very-rare"])),
    *cases("requires_attunement", same([True, False])),
    *cases("is_magic", same([False, True])),
    *cases("damage_dice", [("2d6", "2d6"), ("1D12", "1d12")]),
    *cases("damage_type", cased(["slashing", "piercing"])),
    *cases("property", cased(["finesse", "two-handed", "vex"])),
    *cases("is_simple", same([True, False])),
    *cases("is_ranged", same([True, False] if IS_RECORDED else [False])),
    *cases("stealth_disadvantage", same([True, False])),
    *cases("is_finesse", same([True, False])),
    *cases("is_light", same([True, False])),
    *cases("cost_min", same([500, 1000])),
    *cases("cost_max", same([0.05, 1])),
    *cases("weight_max", same([0, 0.5])),
]
