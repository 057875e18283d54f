"""Weapons, armor, gear and magic items."""

from __future__ import annotations

from collections.abc import Iterator

from lorekeeper_mcp.models import Equipment, Kind, Record, Section
from lorekeeper_mcp.models.vocabulary import GOLD
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.activity_texts import consumed
from lorekeeper_mcp.sources.foundry.item_values import (
    MODIFIER,
    activities,
    coins,
    cover,
    damages,
    further_texts,
    marks,
    unread_fields,
    uses,
    versatile,
    words,
)
from lorekeeper_mcp.sources.foundry.mechanics import head, mechanics
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import JsonObject, number, part, text, texts, value_at
from lorekeeper_mcp.sources.stat_block import bonus, sections_of, shown

_RARITIES = {"veryRare": "very-rare"}
_PROPERTIES = {
    "amm": "Ammunition", "fin": "Finesse", "fir": "Firearm", "foc": "Focus", "hvy": "Heavy", "lgt": "Light",
    "lod": "Loading", "rch": "Reach", "rel": "Reload", "ret": "Returning", "spc": "Special", "thr": "Thrown",
    "two": "Two-Handed", "ver": "Versatile",
}  # fmt: skip
_OTHER_PROPERTIES = {"ada": "Adamantine", "mgc": "", "sil": "Silvered", "stealthDisadvantage": "",
                     "weightlessContents": "its contents weigh nothing"}  # fmt: skip
_CATEGORY_PATHS = ("type.value", "consumableType", "toolType", "armor.type")  # the first since version 3
_CATEGORIES = {
    "ammo": "ammunition", "art": "artisans-tools", "game": "gaming-set", "music": "musical-instrument",
    "wondrous": "wondrous-item", "wand": "wand", "trinket": "trinket", "improv": "improvised-weapon",
}  # fmt: skip
_WEAPONS = {"natural": "natural weapon", "improv": "improvised weapon", "siege": "siege weapon"}
_FEET = {"m": 10 / 3, "km": 10_000 / 3, "mi": 5280.0}
_POUNDS = {"kg": 2.0, "Mg": 2000.0, "tn": 2000.0}  # converted as in the rules
_KNOWN = frozenset(
    "rarity attunement type price weight strength stealth weaponType mastery magicalBonus armor rarities ammunition"
    " capacity currency hp crew speed cover unidentified consume toolType consumableType bonus".split()
)


def equipment(one: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a weapon, armor, another item, or a magic item."""
    rarities = texts(system.get("rarities"))
    rarity = str(system.get("rarity") or next(iter(rarities), ""))
    held, armor, kind = marks(system), part(system, "armor"), str(one["type"])
    required = system.get("attunement") in (1, 2, "required")
    magical = bool(rarity and rarity != "common") or "mgc" in held or required
    category = next(filter(None, (text(system, path) for path in _CATEGORY_PATHS)), "")
    is_worn = category in ("light", "medium", "heavy", "shield", "")
    is_armor = kind == "equipment" and bonus(armor.get("value")) is not None and is_worn
    made = Kind.MAGIC_ITEM if magical else Kind.WEAPON if kind == "weapon" else Kind.ARMOR if is_armor else Kind.ITEM
    common = head(one, system, book, "items", made)
    price, weight = part(system, "price"), part(system, "weight")
    worth = number(price.get("value", system.get("price")))
    heavy = number(weight.get("value", system.get("weight")))
    own = "weapon" if kind == "weapon" else "armor" if is_armor else _CATEGORIES.get(category, slug(category or kind))
    fields = {
        **common,
        "category": own,
        "category_text": _WEAPONS.get(category, "") if kind == "weapon" else "",
        "cost": worth * GOLD.get(str(price.get("denomination") or "gp"), 1.0) if worth is not None else None,
        "weight": heavy * _POUNDS.get(str(weight.get("units")), 1.0) if heavy is not None else None,
        "rarity": _RARITIES.get(rarity, slug(rarity) if rarity else ""),
        "rarity_text": names.either([names.readable(one) for one in rarities]) if len(rarities) > 1 else "",
        "requires_attunement": required if magical else None,
        "weapon": _weapon(one, system, common, held, category) if kind == "weapon" else None,
        "armor": _armor(system, common, held, category) if is_armor else None,
    }
    in_fields, elsewhere = tuple(_parts_in_fields(system, kind)), " ".join(map(str, fields.values()))
    other = (
        *_other(system, held, kind, is_armor=is_armor),
        *mechanics(system, *in_fields, rolls_in_fields=_rolled(system, kind), elsewhere=elsewhere),
        *unread_fields(system, _KNOWN),
        *further_texts(one, system),
    )
    return Equipment.model_validate({**fields, "other": other})


def _armor(system: JsonObject, common: CommonFields, held: frozenset[str], category: str) -> dict[str, object]:
    base, cap = bonus(value_at(system, "armor.value")), bonus(value_at(system, "armor.dex"))
    return {
        "name": common["name"],
        "key": common["key"],
        "category": category,
        "ac_text": _formula(base, category, cap),
        "ac_base": base,
        "adds_dexterity": category in ("light", "medium") and cap != 0,
        "dexterity_cap": cap,
        "strength_required": bonus(system.get("strength")),
        "stealth_disadvantage": _hinders_stealth(system, held),
    }


def _hinders_stealth(system: JsonObject, held: frozenset[str]) -> bool:
    return system.get("stealth") is True or "stealthDisadvantage" in held


def _weapon(
    one: JsonObject, system: JsonObject, common: CommonFields, held: frozenset[str], category: str
) -> dict[str, object]:
    kind, span = category or str(system.get("weaponType") or ""), part(system, "range")
    dice, damage = next(iter(damages(part(system, "damage"))), ("", ""))
    return {
        "name": text(one, "name"),
        "key": common["key"],
        "damage_dice": dice.replace(MODIFIER, "").replace(" ", ""),
        "damage_type": damage.partition(" or ")[0].partition(",")[0],
        "two_handed_damage": versatile(part(system, "damage")),
        "range": _feet(span, "value") or _feet(span, "reach") or None,
        "long_range": _feet(span, "long") or None,
        "properties": [
            *({"name": _PROPERTIES[mark]} for mark in sorted(held) if mark in _PROPERTIES),
            *({"name": mastery.title(), "type": "Mastery"} for mastery in texts(system.get("mastery"))),
        ],
        "is_simple": True if kind.startswith("simple") else False if kind.startswith("martial") else None,
        "is_ranged": {"simpleR": True, "martialR": True, "simpleM": False, "martialM": False}.get(kind),
    }


def _feet(span: JsonObject, name: str) -> float | None:
    """A weapon's range in feet, converted as in the rules."""
    value, times = number(span.get(name)), _FEET.get(str(span.get("units")), 1.0)
    return round(value * times, 1) if value is not None else None


def _formula(base: int | None, category: str, cap: int | None) -> str:
    """``14 + Dex modifier (max 2)``, as printed for armor."""
    if base is None or category == "shield":
        return f"+{base}" if base is not None else ""
    limit = 2 if cap is None and category == "medium" else cap
    adds = category in ("light", "medium") and limit != 0
    most = f" (max {limit})" if limit else ""
    return f"{base} + Dex modifier{most}" if adds else str(base)


def _other(system: JsonObject, held: frozenset[str], kind: str, *, is_armor: bool) -> list[Section]:
    """The values without a field of their own."""
    armor = part(system, "armor")
    magic = bonus(system.get("magicalBonus", armor.get("magicalBonus")))
    of_weapon = _PROPERTIES if kind == "weapon" else {}
    further = sorted(_OTHER_PROPERTIES.get(mark, _PROPERTIES.get(mark, mark)) for mark in held if mark not in of_weapon)
    price, weight, amount = system.get("price"), system.get("weight"), system.get("quantity")
    base, hidden = text(system, "type.baseItem"), part(system, "unidentified")
    facts = {
        "Uses": uses(system),
        "Cost": consumed(part(system, "consume")),
        "Bonus": f"{magic:+d}" if magic else shown(system.get("magicalBonus")) if not number(magic) else "",
        "Check bonus": shown(system.get("bonus")),
        "Attunement": "optional" if system.get("attunement") == "optional" else "",
        "Properties": names.joined(*further),
        "Base item": names.tool(base) if slug(base or "x") != slug(text(system, "identifier") or "y") else "",
        "Kind": names.readable(text(system, "type.subtype")),
        "Ammunition": names.readable(text(system, "ammunition.type")),
        "Replaces": "the damage of the weapon" if value_at(system, "damage.replace") is True else "",
        "Quantity": words(amount) if amount not in (0, 1, "1") else "",
        "Price": words(price) if number(part(system, "price").get("value", price)) is None else "",
        "Weight": words(weight) if number(part(system, "weight").get("value", weight)) is None else "",
        "Armor": _armor_class(armor) if not is_armor else "",
        "Strength": names.phrase("{} required", not is_armor and bonus(system.get("strength"))),
        "Stealth": "disadvantage" if not is_armor and _hinders_stealth(system, held) else "",
        "Mastery": words(system.get("mastery")) if kind != "weapon" else "",
        "Capacity": _capacity(part(system, "capacity")),
        "Contents": coins(part(system, "currency")),
        "Hit points": _health(part(system, "hp")),
        "Speed": names.joined(words(value_at(system, "speed.value")), words(value_at(system, "speed.conditions"))),
        "Crew": names.phrase("up to {}", words(value_at(system, "crew.max"))),
        "Cover": cover(system),
        "Unidentified": names.joined(words(hidden.get("name")), words(hidden.get("description")), by=": "),
    }
    return [*sections_of(facts), *unread_fields(hidden, frozenset({"name", "description"}))]


def _armor_class(armor: JsonObject) -> str:
    stats = {name: value for name, value in armor.items() if name not in ("magicalBonus", "type")}
    return words(stats) if set(stats) - {"value"} else f"AC {value}" if (value := words(stats.get("value"))) else ""


def _capacity(spec: JsonObject) -> str:
    """``12 items, 3 cubic feet, 30 lb.``; only one of them before version 4."""
    old = {"weight": "{} lb.", "items": "{} items"}.get(text(spec, "type"), "{}")
    further = (words(value) for name, value in spec.items() if name not in ("count", "value", "type", "weightless"))
    return names.joined(
        names.phrase("{} items", words(spec.get("count"))),
        names.phrase(old, words(spec.get("value"))),
        *further,
        "its contents weigh nothing" if spec.get("weightless") is True else "",
    )


def _health(spec: JsonObject) -> str:
    more = unread_fields(spec, frozenset({"value", "max", "dt", "conditions", "temp", "tempmax"}))
    threshold = names.phrase("damage threshold {}", words(spec.get("dt")))
    facts = (words(spec.get("max")), threshold, words(spec.get("conditions")))
    return names.joined(*facts, *(f"{one.name} {one.text}" for one in more))


def _rolled(system: JsonObject, kind: str) -> tuple[str, ...]:
    """The parts of a weapon's activities that its fields already have: its ordinary attack."""
    attacks = [part(one, "attack") for one in activities(system)]
    odd = any(one.get("bonus") or value_at(one, "critical.threshold") or one.get("ability") for one in attacks)
    return ("attack",) if kind == "weapon" and not odd else ()


def _parts_in_fields(system: JsonObject, kind: str) -> Iterator[str]:
    """The parts of an item's mechanics that the fields of a weapon have."""
    if kind == "weapon":
        if not value_at(system, "range.special"):
            yield "range"
        harm = damages(part(system, "damage"))
        if len(harm) <= 1 and not any(" or " in kind for _, kind in harm):
            yield "damage"
        if not (value_at(system, "attack.bonus") or system.get("attackBonus")):
            yield "attack"
