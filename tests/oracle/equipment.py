"""What each filter of ``search_equipment`` selects."""

from __future__ import annotations

import functools
import re

from lorekeeper_mcp.models import Equipment
from tests.corrected_json import corrected
from tests.oracle.cases import Raw, Test, at_least, at_most, cased, cases, fold, number, same
from tests.served_open5e import IS_RECORDED
from tests.srd import srd_records


@functools.cache
def base_records(document: str) -> dict[str, Raw]:
    """The weapons and armor of an SRD by name."""
    found = (record for endpoint in ("v2/weapons", "v2/armor") for record in corrected(endpoint))
    shield = {"name": "Shield", "key": "shield", "ac_base": 2, "grants_stealth_disadvantage": False}
    return {"shield": shield} | {fold(r["name"]): r for r in found if r["document"]["key"] == document}


def named_base(record: Raw) -> Raw | None:
    """The armor or weapon of the 5e of 2014 after which a magic item is named, if only one is."""
    if record["_type"] != "magic-item" or category(record) not in ("armor", "shield", "weapon"):
        return None
    bases, name = base_records("srd-2014"), f" {fold(record['name'])} "
    found = [base for base in bases if f" {base} " in name]
    longest = [base for base in found if not any(base != other and base in other for other in found)]
    return bases[longest[0]] if len(longest) == 1 and record["document"]["key"] == "vom" else None


def made_of(record: Raw) -> Raw | None:
    """The weapon or armor that a record is or is made of."""
    if "damage_dice" in record or "ac_base" in record:
        return record
    return record.get("weapon") or record.get("armor") or named_base(record)


def weapon(record: Raw) -> Raw | None:
    """The weapon, with the damage and properties that an item's own text gives it."""
    base = made_of(record)
    if base is None or "damage_dice" not in base:
        return None
    if record["_type"] != "magic-item":
        return base
    text = record["desc"].lower()
    names = [one for one in base["properties"] if f"have the {one['property']['name'].lower()} property" not in text]
    given = re.findall(r"has the (finesse|light|reach|thrown) property", text)
    instead = re.search(r"(?<!\bit) deals (\w+) damage instead of (\w+) damage", text)
    is_changed = instead and instead[2] == base["damage_type"]["key"]
    return {
        **base,
        "properties": [*names, *({"property": {"name": name}} for name in given)],
        "damage_type": {"key": instead[1]} if instead and is_changed else base["damage_type"],
    }


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
    """The price in gp, for weapons and armor that of their item; without one, the value by rarity."""
    item = as_item(record) if "damage_dice" in record or "ac_base" in record else record
    if item is None:
        return None
    return worth(item) if item["cost"] is None else number(item["cost"])


def weight_of(record: Raw) -> float | None:
    """The weight in lb, of a magic item that has none that of its weapon or armor. It may be unknown."""
    base = made_of(record)
    item = as_item(record) if base is record else record
    weight = number(item.get("weight")) if item else None
    own = re.search(r"it weighs only (\d+) pounds?\b", record.get("desc", ""), re.IGNORECASE)
    if record["_type"] == "magic-item" and own:
        return float(own[1])
    if not weight and base is not None and base is not record and record["_type"] == "magic-item":
        document = "srd-2024" if record["document"]["key"] == "srd-2024" else "srd-2014"
        whole = base_records(document).get(fold(base["name"]))
        weight = weight_of({**whole, "_type": "weapon"}) if whole else None
    return weight


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


def is_ranged(record: Raw) -> bool | None:
    """Whether the books list a weapon as ranged; of others only thrown ones are in doubt."""
    if (base := weapon(record)) is None:
        return None
    prefix, _, name = str(base["key"]).partition("_")
    if name in RANGED.get(prefix, ()) or (prefix in RANGED and IS_RECORDED):  # invented weapons are in no book
        return name in RANGED[prefix]
    return None if "thrown" in properties(record) else False


def category(record: Raw) -> str:
    if record["_type"] in ("service", "weapon"):
        return str(record["_type"])
    return str(record["category"]["key"] if isinstance(record.get("category"), dict) else record.get("category"))


def categories(record: Raw) -> list[str]:
    """The category; of armor also that it is armor, and of an item that it is a focus."""
    own = category(record)
    is_armor = record["_type"] == "armor" and own != "shield"
    return [own, *(["armor"] if is_armor else []), *(["spellcasting-focus"] if is_focus(record) else [])]


FOCI = ("arcane focus", "druidic focus", "holy symbol", "spellcasting focus")


def is_focus(record: Raw) -> bool:
    """Whether an item is called a focus, or its text says that it can be used as one."""
    if record["_type"] != "item":
        return False
    text = record["desc"].lower().replace(" an ", " a ")
    return record["name"].lower().startswith(FOCI) or any(f" as a {one}" in text for one in FOCI)


def stealth_disadvantage(record: Raw) -> bool | None:
    """Whether armor, or what a magic item is made of, gives disadvantage on Stealth, unless its text takes it away."""
    armor = made_of(record) if record["_type"] in ("armor", "magic-item") else None
    if armor is None or "ac_base" not in armor:
        return None
    is_quiet = re.search(
        r"stealth\) checks or has a strength requirement, th[^.]* doesn.t"
        r"|don.t have disadvantage on dexterity \(stealth\) checks as a result",
        record.get("desc", "").lower(),
    )
    return armor["grants_stealth_disadvantage"] and not is_quiet


@functools.cache
def attuned_families() -> frozenset[str]:
    """The magic items of the SRDs that have variants of their own: all of one family need attunement, or none."""
    return frozenset(r.key for r in srd_records() if isinstance(r, Equipment) and r.requires_attunement)


def requires_attunement(record: Raw) -> bool | None:
    words = record["key"].split("-")
    families = {"-".join(words[:end]) for end in range(1, len(words))}
    is_of_srd = record["document"]["key"].startswith("srd") and "requires_attunement" in record
    return True if is_of_srd and families & attuned_families() else record.get("requires_attunement")


EQUIPMENT: dict[str, Test] = {
    "category": lambda r, v: v in categories(r),
    "rarity": lambda r, v: bool(r.get("rarity")) and r["rarity"]["key"] == v,
    "requires_attunement": lambda r, v: requires_attunement(r) is v,
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
    *cases("weight_max", same([0.1, 0.5])),
]
