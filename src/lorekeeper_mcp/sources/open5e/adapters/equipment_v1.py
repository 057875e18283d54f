"""Magic items, weapons and armor that only v1 has, served as flat records of printed text."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import ArmorStats, Equipment, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import GOLD, RARITIES
from lorekeeper_mcp.sources.json_values import listed
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.equipment import ARMOR, WEAPON, two_handed_damage
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields
from lorekeeper_mcp.text import slugify

_MAGIC_CATEGORIES = frozenset(
    ["ammunition", "armor", "potion", "ring", "rod", "scroll", "shield", "staff", "wand", "weapon", "wondrous-item"]
)
_ARMOR_CATEGORIES = {"light armor": "light", "medium armor": "medium", "heavy armor": "heavy", "shield": "shield"}
_COIN = re.compile(r"\b(cp|sp|ep|gp|pp)\b", re.IGNORECASE)
_PROPERTY = re.compile(r"\s*([^()]*?)\s*(?:\((.*)\))?\s*")
_RANGE = re.compile(r"(\d+)\s*/\s*(\d+)")


def magic_item(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v1/magicitems``. Category and rarity have a key only if the text names exactly one."""
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


def weapon(head: Open5eFields, served: Served, _: Context) -> Equipment:
    """Adapt a record of ``v1/weapons``, whose ranges are in the text of its properties."""
    properties = tuple(_properties(served.get("properties")))
    category_text = coercion.text(served.get("category")).strip()
    near, far = _range(properties)
    simple, ranged = _has_word(category_text, "simple", "martial"), _has_word(category_text, "ranged", "melee")
    return Equipment(
        **head,
        category=WEAPON,
        category_text=category_text if None in (simple, ranged) else "",
        cost=gold(served.get("cost")),
        weight=coercion.number(served.get("weight")),
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


def armor(head: Open5eFields, served: Served, _: Context) -> Equipment:
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
        weight=coercion.number(served.get("weight")),
        armor=ArmorStats(
            name=head["name"],
            key=head["key"],
            category=category,
            ac_text=printed,
            ac_base=coercion.integer(base),
            adds_dexterity=bool(coercion.flag(served.get("plus_dex_mod"))),
            dexterity_cap=coercion.integer(served.get("plus_max")) or None,  # 0 is none
            strength_required=coercion.integer(served.get("strength_requirement")) or None,
            stealth_disadvantage=bool(coercion.flag(served.get("stealth_disadvantage"))),
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
    matches = ((text, _PROPERTY.fullmatch(text)) for text in texts if text)
    return [
        WeaponProperty(name=match[1].title(), detail=match[2] or "") if match else WeaponProperty(name=text)
        for text, match in matches
    ]


def _range(properties: tuple[WeaponProperty, ...]) -> tuple[float | None, float | None]:
    match = next((found for prop in properties if (found := _RANGE.search(prop.detail))), None)
    return (float(match[1]), float(match[2])) if match else (None, None)
