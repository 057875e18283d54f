"""Weapons, armor, gear and magic items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Equipment, Kind, Record, Section
from lorekeeper_mcp.sources.foundry.item_values import (
    damages,
    described,
    further_texts,
    marks,
    number,
    part,
    rest,
    text,
    texts,
    uses,
    versatile,
    words,
)
from lorekeeper_mcp.sources.foundry.mechanics import mechanics
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.stat_block import bonus, heading

_RARITIES = {"veryRare": "very-rare"}
_PROPERTIES = {
    "amm": "Ammunition", "fin": "Finesse", "fir": "Firearm", "foc": "Focus", "hvy": "Heavy", "lgt": "Light",
    "lod": "Loading", "rch": "Reach", "rel": "Reload", "ret": "Returning", "spc": "Special", "thr": "Thrown",
    "two": "Two-Handed", "ver": "Versatile",
}  # fmt: skip
_OTHER_PROPERTIES = {"ada": "Adamantine", "mgc": "", "sil": "Silvered", "stealthDisadvantage": "",
                     "weightlessContents": "its contents weigh nothing"}  # fmt: skip
_POUNDS = {"kg": 2.0, "Mg": 2000.0, "tn": 2000.0}  # as the rules convert them
_COINS = {"pp": 10.0, "gp": 1.0, "ep": 0.5, "sp": 0.1, "cp": 0.01}
_KNOWN = frozenset(
    {
        "rarity", "attunement", "type", "price", "weight", "strength", "stealth", "weaponType", "mastery",
        "magicalBonus", "armor",
    }
)  # fmt: skip


def thing(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A weapon, armor, another thing, or a magic item."""
    rarity = str(system.get("rarity") or "")
    attunement = system.get("attunement")
    held = marks(system)
    required = attunement in (1, 2, "required")
    magical = bool(rarity and rarity != "common") or "mgc" in held or required
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
    worth = number(price.get("value", system.get("price")))
    spec = weight if isinstance(weight, Mapping) else {"value": weight}
    heavy = number(spec.get("value"))
    fields = {
        **head,
        "category": "weapon" if kind == "weapon" else "armor" if is_armor else slug(category or kind),
        "cost": worth * _COINS.get(str(price.get("denomination") or "gp"), 1.0) if worth is not None else None,
        "weight": heavy * _POUNDS.get(str(spec.get("units")), 1.0) if heavy is not None else None,
        "rarity": _RARITIES.get(rarity, slug(rarity) if rarity else ""),
        "requires_attunement": required if magical else None,
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
    }
    other = (
        *_other(system, held, kind, is_armor=is_armor),
        *mechanics(system, *_said(system, kind), elsewhere=" ".join(map(str, fields.values()))),
        *rest(system, _KNOWN),
        *further_texts(one, system),
    )
    return Equipment.model_validate({**fields, "other": other})


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
        "two_handed_damage": versatile(part(system, "damage")),
        "range": number(span.get("value")) or number(span.get("reach")) or None,
        "long_range": number(span.get("long")) or None,
        "properties": [
            *({"name": _PROPERTIES[mark]} for mark in sorted(held) if mark in _PROPERTIES),
            *({"name": mastery.title(), "type": "Mastery"} for mastery in texts(system.get("mastery"))),
        ],
        "is_simple": True if kind.startswith("simple") else False if kind.startswith("martial") else None,
    }


def _formula(base: int | None, category: str, cap: int | None) -> str:
    """``14 + Dex modifier (max 2)``, as armor is printed."""
    if base is None or category == "shield":
        return f"+{base}" if base is not None else ""
    limit = 2 if cap is None and category == "medium" else cap
    adds = category in ("light", "medium") and limit != 0
    most = f" (max {limit})" if limit else ""
    return f"{base} + Dex modifier{most}" if adds else str(base)


def _other(system: Mapping[str, object], held: frozenset[str], kind: str, *, is_armor: bool) -> list[Section]:
    """What no field of a thing is for."""
    armor, type_ = part(system, "armor"), part(system, "type")
    magic = bonus(system.get("magicalBonus", armor.get("magicalBonus")))
    of_weapon = _PROPERTIES if kind == "weapon" else {}
    further = sorted(_OTHER_PROPERTIES.get(mark, _PROPERTIES.get(mark, mark)) for mark in held if mark not in of_weapon)
    price, weight, amount = system.get("price"), system.get("weight"), system.get("quantity")
    told = {
        "Uses": uses(system),
        "Bonus": f"{magic:+d}" if magic else "",
        "Attunement": "optional" if system.get("attunement") == "optional" else "",
        "Properties": ", ".join(filter(None, further)),
        "Kind": " ".join(filter(None, (text(type_, "baseItem"), text(type_, "subtype")))),
        "Quantity": words(amount) if amount not in (0, 1, "1") else "",
        "Price": words(price) if number(part(system, "price").get("value", price)) is None else "",
        "Weight": words(weight) if number(part(system, "weight").get("value", weight)) is None else "",
        "Armor": words(armor) if not is_armor else "",
        "Mastery": words(system.get("mastery")) if kind != "weapon" else "",
    }
    return [Section(name=name, text=text) for name, text in told.items() if text]


def _said(system: Mapping[str, object], kind: str) -> Iterator[str]:
    """The parts of a thing's mechanics that the fields of a weapon have."""
    if kind == "weapon":
        span = part(system, "range")
        if span.get("units") in ("ft", "", None) and not span.get("special"):
            yield "range"
        if len(damages(part(system, "damage"))) <= 1:
            yield "damage"
        if not (part(system, "attack").get("bonus") or system.get("attackBonus")):
            yield "attack"
