"""Invented equipment: gear, weapons, armor, magic items and services."""

from __future__ import annotations

from tests.open5e.books import key, links, named_ref, names, nested, pick
from tests.open5e.parameters import Raw

RARITIES = ("common", "uncommon", "rare", "very-rare", "legendary", "artifact")
KINDS = ("ring", "potion", "wondrous-item", "weapon", "armor")
DICE = ("1d6", "2d6", "1d12", "1d8")
DAMAGE = ("slashing", "piercing", "bludgeoning")
PROPERTIES = ("Finesse", "Light", "Two-Handed", "Heavy", "Thrown", "Reach", "Versatile")
BOOKS = ("srd-2014", "srd-2024")
MAGIC_BOOKS = ("vom", "srd-2014", "srd-2024")


def _weapon(number: int, name: str, document: str) -> Raw:
    properties = sorted({pick(PROPERTIES, number), pick(PROPERTIES, number, 3)})
    if document == "srd-2024":
        properties.append("Vex")
    return {
        **named_ref(name, key(document, name)),
        "properties": [
            {
                "property": {
                    "name": property_,
                    "type": "Mastery" if property_ == "Vex" else None,
                    "desc": f"{property_}.",
                },
                "detail": None,
            }
            for property_ in properties
        ],
        "damage_type": named_ref(pick(DAMAGE, number).title()),
        "distance_unit": "feet",
        "damage_dice": pick(DICE, number),
        "is_simple": number % 2 == 0,
        "is_improvised": False,
    }


def _armor(number: int, name: str, document: str) -> Raw:
    base = 11 + number % 7
    return {
        **named_ref(name, key(document, name)),
        "ac_display": f"{base} + Dex modifier" if number % 2 else str(base),
        "category": pick(("light", "medium", "heavy"), number),
        "grants_stealth_disadvantage": number % 3 == 0,
        "strength_score_required": 13 if number % 3 == 2 else None,
        "ac_base": base,
        "ac_add_dexmod": bool(number % 2),
        "ac_cap_dexmod": None,
    }


def _item(name: str, document: str, category: str, cost: str, weight: str, **parts: object) -> Raw:
    return {
        **named_ref(name, key(document, name)),
        "desc": f"The {name.lower()} of a maker who signs with three dots.",
        "category": named_ref(category.replace("-", " ").title()),
        "weapon": None,
        "armor": None,
        "size": named_ref("Tiny"),
        "weight": weight,
        "weight_unit": "lb",
        "cost": cost,
        "document": nested(document),
        "crossreferences": links(),
        **parts,
    }


def _magic(number: int, name: str) -> Raw:
    rarity, document = pick(RARITIES, number), pick(MAGIC_BOOKS, number)
    rank = {"name": rarity.replace("-", " ").title(), "key": rarity, "rank": RARITIES.index(rarity) + 1}
    kind = pick(KINDS, number)
    weapon = _weapon(number, "Cinder Blade", document) if kind == "weapon" else None
    needs = number % 3 == 0
    # 0.00 is served if cost or weight is not known.
    item = _item(name, document, kind, "0.00", "0.000", rarity=rank, weapon=weapon)
    return {**item, "requires_attunement": needs, "attunement_detail": "by a bard" if needs and number % 2 else None}


def endpoints() -> dict[str, list[Raw]]:
    """Every list of equipment."""
    weapons, armor, items = [], [], []
    for number, name in enumerate(names(14, ("Blade", "Maul"))):
        document = pick(BOOKS, number)
        weapon = _weapon(number, name, document)
        nested_weapon = {**weapon, "is_martial": not weapon["is_simple"]}
        weapons.append({**weapon, "document": nested(document), "range": 0, "long_range": 0})
        items.append(
            _item(name, document, "weapon", f"{number * 4 + 1}.00", f"{number % 5 + 1}.000", weapon=nested_weapon)
        )
    for number, name in enumerate(names(8, ("Mail",))):
        document = pick(BOOKS, number)
        suit = _armor(number, name, document)
        armor.append({**suit, "document": nested(document)})
        items.append(_item(name, document, "armor", f"{number * 250 + 5}.00", f"{number * 8 + 8}.000", armor=suit))
    for number, name in enumerate(names(24, ("Kettle", "Rope"))):
        category = pick(("adventuring-gear", "tools"), number)
        items.append(
            _item(name, pick(BOOKS, number), category, f"{number // 8}.0{number % 5 + 1}", f"{number % 4}.500")
        )
    services = [
        {**named_ref(name, key("srd-2024", name)), "document": nested("srd-2024"), "desc": "A service.", "cost": "0.20"}
        | {"detail": None, "crossreferences": links()}
        for name in names(4, ("Ferry",))
    ]
    sets = [{"key": "kettles", "items": [{**named_ref(i["name"], i["key"]), "url": ""} for i in items[-3:]]}]
    sets[0] |= {"name": "Kettles", "desc": "All that boils.", "document": "srd-2014", "crossreferences": links()}
    return {
        "v2/weapons": weapons,
        "v2/armor": armor,
        "v2/items": items,
        "v2/magicitems": [_magic(number, name) for number, name in enumerate(names(36, ("Ring", "Phial", "Crown")))],
        "v2/services": services,
        "v2/itemsets": sets,
        "v2/itemcategories": [
            {**named_ref(name.replace("-", " ").title()), "document": nested("core")}
            for name in (*KINDS, "adventuring-gear", "tools")
        ],
        "v2/itemrarities": [
            {**named_ref(name.replace("-", " ").title()), "rank": rank} for rank, name in enumerate(RARITIES, 1)
        ],
        "v2/weaponproperties": [
            {**named_ref(name, f"{prefix}_{name.lower()}-wp"), "desc": f"A weapon that is {name.lower()}."}
            | {"document": prefix, "type": None, "crossreferences": links()}
            for prefix in ("srd-2014", "srd-2024")
            for name in PROPERTIES
        ],
    }
