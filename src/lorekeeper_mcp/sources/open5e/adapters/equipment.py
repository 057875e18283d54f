"""Items, magic items, weapons and armor: of version 2, and those that only version 1 has, as printed text.

A cost or a weight of 0 means that it is not known.
"""

from __future__ import annotations

import re

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import GOLD, RARITIES
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields
from lorekeeper_mcp.sources.reading import flag, listed, mapping, objects
from lorekeeper_mcp.text import fold, slugify

WEAPON, ARMOR = "weapon", "armor"

_DICE = re.compile(r"\d*d\d+")
_MAGIC_CATEGORIES = frozenset(
    ["ammunition", "armor", "potion", "ring", "rod", "scroll", "shield", "staff", "wand", "weapon", "wondrous-item"]
)
_ARMOR_CATEGORIES = {"light armor": "light", "medium armor": "medium", "heavy armor": "heavy", "shield": "shield"}
_COIN = re.compile(r"\b(cp|sp|ep|gp|pp)\b", re.IGNORECASE)
_PRINTED_PROPERTY = re.compile(r"\s*([^()]*?)\s*(?:\((.*)\))?\s*")
_RANGE = re.compile(r"(\d+)\s*/\s*(\d+)")

# The name of a property within the paragraph of the one before, as in most magic items of one book.
_RUN_IN = re.compile(
    r"(?<=[.!?])(?: | ?\n+)"
    r"([A-Z][\w'’-]+(?: (?:of|the|and|to|with|in|[A-Z][\w'’-]+)){0,7}(?: \([^()]{3,30}\))?)\. (?=[A-Z\"“])"
)


def item(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v2/items``."""
    head["text"] = _without_name(head)
    return Equipment(
        **head,
        category=coercion.key(served.get("category")),
        cost=coercion.number(served.get("cost")) or None,
        weight=coercion.number(served.get("weight")) or None,
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
    """Adapt a record of ``v2/magicitems``."""
    head["text"] = _with_names(_without_name(head))
    return Equipment(
        **head,
        category=coercion.key(served.get("category")),
        cost=coercion.number(served.get("cost")) or None,
        weight=coercion.number(served.get("weight")) or None,
        size=coercion.key(served.get("size")),
        weapon=_weapon_of(served),
        armor=_armor_of(served),
        rarity=coercion.key(served.get("rarity")),
        requires_attunement=flag(served.get("requires_attunement")),
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
    properties = tuple(_property(entry) for entry in objects(served.get("properties")))
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
        is_simple=flag(served.get("is_simple")),
        is_ranged=_is_ranged(key, properties),
        is_improvised=flag(served.get("is_improvised")),
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
        adds_dexterity=bool(flag(served.get("ac_add_dexmod"))),
        dexterity_cap=coercion.integer(served.get("ac_cap_dexmod")),
        strength_required=coercion.integer(served.get("strength_score_required")),
        stealth_disadvantage=bool(flag(served.get("grants_stealth_disadvantage"))),
    )


def _without_name(head: Open5eFields) -> str:
    """The text without a paragraph that is only the name: "A halberd."; "A hand crossbow." of "Crossbow, hand"."""
    first, _, others = head["text"].partition("\n\n")
    words = sorted(fold(first.removeprefix("A ").removeprefix("An ")).split())
    return others if words == sorted(fold(head["name"]).split()) else head["text"]


def _with_names(text: str) -> str:
    return _RUN_IN.sub(r"\n\n**\1.** ", text)


# --- Version 1 ---


def archived_magic_item(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v1/magicitems``. Category and rarity have a key only if the text names exactly one."""
    head["text"] = _with_names(head["text"])
    category_text, rarity_text = (coercion.text(served.get(name)).strip() for name in ("type", "rarity"))
    attunement = coercion.text(served.get("requires_attunement")).strip()
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
    """Adapt a record of ``v1/weapons``, whose ranges are in the text of its properties."""
    properties = tuple(_properties(served.get("properties")))
    category_text = coercion.text(served.get("category")).strip()
    near, far = _ranges(properties)
    simple, ranged = _has_word(category_text, "simple", "martial"), _has_word(category_text, "ranged", "melee")
    return Equipment(
        **head,
        category=WEAPON,
        category_text=category_text if None in (simple, ranged) else "",
        cost=gold(served.get("cost")),
        weight=coercion.number(served.get("weight")) or None,
        weapon=WeaponStats(
            name=head["name"],
            key=head["key"],
            damage_dice=coercion.text(served.get("damage_dice")),
            damage_type=coercion.key(served.get("damage_type")).lower(),
            two_handed_damage=two_handed_damage(properties),
            range=near,
            long_range=far,
            properties=properties,
            is_simple=simple,
            is_ranged=ranged,
        ),
    )


def archived_armor(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v1/armor``; some are shields, and some are spells and class features that give an AC."""
    category_text = coercion.text(served.get("category")).strip()
    category = _ARMOR_CATEGORIES.get(category_text.lower(), "")
    printed = _armor_class(category, coercion.text(served.get("ac_string")))
    base = printed if category == "shield" and printed.startswith("+") else served.get("base_ac")
    return Equipment(
        **head,
        category="shield" if category == "shield" else ARMOR,
        category_text="" if category else category_text,
        cost=gold(served.get("cost")),
        weight=coercion.number(served.get("weight")) or None,
        armor=ArmorStats(
            name=head["name"],
            key=head["key"],
            category=category,
            ac_text=printed,
            ac_base=coercion.integer(base),
            adds_dexterity=bool(flag(served.get("plus_dex_mod"))),
            dexterity_cap=coercion.integer(served.get("plus_max")) or None,  # 0 is none
            strength_required=coercion.integer(served.get("strength_requirement")) or None,
            stealth_disadvantage=bool(flag(served.get("stealth_disadvantage"))),
        ),
    )


def _armor_class(category: str, printed: str) -> str:
    """The armor class as printed; for a shield, which is served as ``11 + Dex modifier +2``, only the bonus."""
    return printed[printed.rfind("+") :] if category == "shield" and "+" in printed else printed


def gold(value: object) -> float | None:
    """Return a printed price in gold pieces: ``5 sp`` is 0.5. A bare number is in gold already."""
    amount, coin = coercion.number(value), _COIN.search(coercion.text(value))
    if amount is None:
        return None
    return round(amount * GOLD[coin[1].lower()], 4) if coin else amount


def _has_word(category_text: str, yes: str, no: str) -> bool | None:
    words = category_text.lower().split()
    return True if yes in words else False if no in words else None


def _properties(value: object) -> list[WeaponProperty]:
    """``thrown (range 20/60)`` is the property Thrown with a detail. Empty ones are served too."""
    texts = (coercion.text(entry).strip() for entry in listed(value))
    matches = ((text, _PRINTED_PROPERTY.fullmatch(text)) for text in texts if text)
    return [
        WeaponProperty(name=match[1].title(), detail=match[2] or "") if match else WeaponProperty(name=text)
        for text, match in matches
    ]


def _ranges(properties: tuple[WeaponProperty, ...]) -> tuple[float | None, float | None]:
    match = next((found for prop in properties if (found := _RANGE.search(prop.detail))), None)
    return (float(match[1]), float(match[2])) if match else (None, None)
