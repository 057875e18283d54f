"""Weapons, armor, gear and magic items."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import Equipment, Kind, Record, Section
from lorekeeper_mcp.sources.foundry.item_values import damages, described, marks, part, rest, text, texts, uses
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.stat_block import bonus, heading

_RARITIES = {"veryRare": "very-rare"}
_PROPERTIES = {
    "amm": "Ammunition", "fin": "Finesse", "fir": "Firearm", "foc": "Focus", "hvy": "Heavy", "lgt": "Light",
    "lod": "Loading", "rch": "Reach", "rel": "Reload", "ret": "Returning", "spc": "Special", "thr": "Thrown",
    "two": "Two-Handed", "ver": "Versatile",
}  # fmt: skip
_COINS = {"pp": 10.0, "gp": 1.0, "ep": 0.5, "sp": 0.1, "cp": 0.01}
_KNOWN = frozenset(
    {
        "rarity", "attunement", "type", "price", "weight", "armor", "strength", "stealth", "range", "weaponType",
        "mastery", "magicalBonus",
    }
)  # fmt: skip


def thing(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A weapon, armor, another thing, or a magic item."""
    rarity = str(system.get("rarity") or "")
    attunement = system.get("attunement")
    held = marks(system)
    magical = bool(rarity and rarity != "common") or "mgc" in held or attunement in (1, 2, "required")
    type_ = system.get("type") if isinstance(system.get("type"), Mapping) else {}
    category = text(type_, "value") if isinstance(type_, Mapping) else ""
    armor = part(system, "armor")
    cap = bonus(armor.get("dex"))
    kind = str(one["type"])
    is_armor = (
        kind == "equipment"
        and bonus(armor.get("value")) is not None
        and category in ("light", "medium", "heavy", "shield", "")
    )
    made = Kind.MAGIC_ITEM if magical else Kind.WEAPON if kind == "weapon" else Kind.ARMOR if is_armor else Kind.ITEM
    head = heading(book, "items", text(one, "name"), made, described(system))
    price, weight = part(system, "price"), system.get("weight")
    worth = bonus(price.get("value", system.get("price")))
    heavy = weight.get("value") if isinstance(weight, Mapping) else weight
    return Equipment.model_validate(
        {
            **head,
            "category": "weapon" if kind == "weapon" else "armor" if is_armor else slug(category or kind),
            "cost": worth * _COINS.get(str(price.get("denomination") or "gp"), 1.0) if worth is not None else None,
            "weight": float(heavy) if isinstance(heavy, int | float) and not isinstance(heavy, bool) else None,
            "rarity": _RARITIES.get(rarity, slug(rarity) if rarity else ""),
            "requires_attunement": bool(attunement in (1, 2, "required")) if magical else None,
            "weapon": _weapon(one, system, head, held, category) if kind == "weapon" else None,
            "armor": {
                "name": head["name"],
                "key": head["key"],
                "category": category,
                "ac_text": _formula(bonus(armor.get("value")), category, cap),
                "ac_base": bonus(armor.get("value")),
                "adds_dexterity": category in ("light", "medium") and cap != 0,
                "dexterity_cap": cap,
                "strength_required": bonus(system.get("strength")),
                "stealth_disadvantage": system.get("stealth") is True or "stealthDisadvantage" in held,
            }
            if is_armor
            else None,
            "other": _other(system),
        }
    )


def _weapon(
    one: Mapping[str, object],
    system: Mapping[str, object],
    head: Mapping[str, object],
    held: frozenset[str],
    category: str,
) -> dict[str, object]:
    kind = category or str(system.get("weaponType") or "")
    dice, damage = next(iter(damages(part(system, "damage"))), ("", ""))
    span = part(system, "range")
    return {
        "name": text(one, "name"),
        "key": head["key"],
        "damage_dice": dice.replace(" + @mod", "").replace(" ", ""),
        "damage_type": damage,
        "two_handed_damage": _versatile(part(system, "damage").get("versatile")),
        "range": float(near) if (near := bonus(span.get("value"))) else None,
        "long_range": float(far) if (far := bonus(span.get("long"))) else None,
        "properties": [
            *({"name": _PROPERTIES[mark]} for mark in sorted(held) if mark in _PROPERTIES),
            *({"name": mastery.title(), "type": "Mastery"} for mastery in texts(system.get("mastery"))),
        ],
        "is_simple": True if kind.startswith("simple") else False if kind.startswith("martial") else None,
    }


def _versatile(value: object) -> str:
    """Damage with two hands: dice in a text before version 4, an object since."""
    if isinstance(value, str):
        return value.replace(" + @mod", "").strip()
    return next((dice for dice, _ in damages({"base": value}) if dice), "")


def _formula(base: int | None, category: str, cap: int | None) -> str:
    """``14 + Dex modifier (max 2)``, as armor is printed."""
    if base is None or category == "shield":
        return f"+{base}" if base is not None else ""
    limit = 2 if cap is None and category == "medium" else cap
    adds = category in ("light", "medium") and limit != 0
    most = f" (max {limit})" if limit else ""
    return f"{base} + Dex modifier{most}" if adds else str(base)


def _other(system: Mapping[str, object]) -> list[Section]:
    magic = bonus(system.get("magicalBonus", part(system, "armor").get("magicalBonus")))
    told = {"Uses": uses(system), "Bonus": f"{magic:+d}" if magic else ""}
    return [*(Section(name=name, text=text) for name, text in told.items() if text), *rest(system, _KNOWN)]
