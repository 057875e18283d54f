"""Weapons, armor, gear and magic items."""

from __future__ import annotations

from collections.abc import Iterator

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Record, Section
from lorekeeper_mcp.models.vocabulary import GOLD
from lorekeeper_mcp.sources.common_fields import CommonFields, armor_stats
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.activity_texts import consumed
from lorekeeper_mcp.sources.foundry.item_values import (
    MODIFIER,
    activities,
    coins,
    cover,
    damage_parts,
    further_texts,
    phrases,
    property_codes,
    two_handed_damage,
    unread_fields,
    uses_text,
    words,
)
from lorekeeper_mcp.sources.foundry.mechanics import head, mechanics
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import JsonObject, decimal, part, text, texts, value_at
from lorekeeper_mcp.sources.phrases import either, joined, phrase
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
_READ_FIELDS = frozenset(
    "rarity attunement type price weight strength stealth weaponType mastery magicalBonus armor rarities ammunition"
    " capacity currency hp crew speed cover unidentified consume toolType consumableType bonus".split()
)


def equipment(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a weapon, armor, another item, or a magic item."""
    rarities = texts(system.get("rarities"))
    rarity = str(system.get("rarity") or next(iter(rarities), ""))
    properties, armor, type_ = property_codes(system), part(system, "armor"), str(document["type"])
    needs_attunement = system.get("attunement") in (1, 2, "required")
    is_magic = rarity not in ("", "common") or "mgc" in properties or needs_attunement
    category = next(filter(None, (text(system, path) for path in _CATEGORY_PATHS)), "")
    is_worn = category in ("light", "medium", "heavy", "shield", "")
    is_weapon, is_armor = type_ == "weapon", type_ == "equipment" and bonus(armor.get("value")) is not None and is_worn
    plain_kind = Kind.WEAPON if is_weapon else Kind.ARMOR if is_armor else Kind.ITEM
    common = head(document, system, book, "items", Kind.MAGIC_ITEM if is_magic else plain_kind)
    cost, coin = _measure(system, "price"), value_at(system, "price.denomination")
    weight, weight_unit = _measure(system, "weight"), value_at(system, "weight.units")
    category_key = _CATEGORIES.get(category, slug(category or type_))
    fields = {
        **common,
        "category": "weapon" if is_weapon else "armor" if is_armor else category_key,
        "category_text": _WEAPONS.get(category, "") if is_weapon else "",
        "cost": cost * GOLD.get(str(coin or "gp"), 1.0) if cost is not None else None,
        "weight": weight * _POUNDS.get(str(weight_unit), 1.0) if weight is not None else None,
        "rarity": _RARITIES.get(rarity, slug(rarity) if rarity else ""),
        "rarity_text": either(map(names.readable, rarities)) if len(rarities) > 1 else "",
        "requires_attunement": needs_attunement if is_magic else None,
        "weapon": _weapon(document, system, common, category) if is_weapon else None,
        "armor": _armor(system, common, category) if is_armor else None,
    }
    mechanics_sections = mechanics(
        system,
        omit=set(_parts_in_fields(system)) if is_weapon else (),
        omit_in_activities=("attack",) if is_weapon and _has_ordinary_attacks(system) else (),
        record_text=" ".join(map(str, fields.values())),
    )
    other = (
        *_facts(system, type_, is_armor=is_armor),
        *mechanics_sections,
        *unread_fields(system, _READ_FIELDS),
        *further_texts(document, system),
    )
    return Equipment.model_validate({**fields, "other": other})


def _armor(system: JsonObject, common: CommonFields, category: str) -> ArmorStats:
    base, cap = bonus(value_at(system, "armor.value")), bonus(value_at(system, "armor.dex"))
    if cap and category in ("heavy", "shield"):  # left over from another type: the application ignores it
        cap = 0
    strength = bonus(system.get("strength"))
    return armor_stats(common, category, base, cap, strength, hinders_stealth=_hinders_stealth(system))


def _hinders_stealth(system: JsonObject) -> bool:
    return system.get("stealth") is True or "stealthDisadvantage" in property_codes(system)


def _weapon(document: JsonObject, system: JsonObject, common: CommonFields, category: str) -> dict[str, object]:
    kind, reach = category or str(system.get("weaponType") or ""), part(system, "range")
    dice, damage_kinds = next(iter(damage_parts(part(system, "damage"))), ("", ""))
    properties = sorted(property_codes(system) & _PROPERTIES.keys())
    return {
        "name": text(document, "name"),
        "key": common["key"],
        "damage_dice": dice.replace(MODIFIER, "").replace(" ", ""),
        "damage_type": damage_kinds.partition(" or ")[0].partition(",")[0],
        "two_handed_damage": two_handed_damage(part(system, "damage")),
        "range": _feet(reach, "value") or _feet(reach, "reach") or None,
        "long_range": _feet(reach, "long") or None,
        "properties": [
            *({"name": _PROPERTIES[code]} for code in properties),
            *({"name": mastery.title(), "type": "Mastery"} for mastery in texts(system.get("mastery"))),
        ],
        "is_simple": True if kind.startswith("simple") else False if kind.startswith("martial") else None,
        "is_ranged": {"simpleR": True, "martialR": True, "simpleM": False, "martialM": False}.get(kind),
    }


def _feet(reach: JsonObject, name: str) -> float | None:
    """A weapon's range in feet, converted as in the rules."""
    value, factor = decimal(reach.get(name)), _FEET.get(str(reach.get("units")), 1.0)
    return round(value * factor, 1) if value is not None else None


def _facts(system: JsonObject, type_: str, *, is_armor: bool) -> tuple[Section, ...]:
    """The values without a field of their own."""
    armor, hidden = part(system, "armor"), part(system, "unidentified")
    magic = bonus(system.get("magicalBonus", armor.get("magicalBonus")))
    properties = property_codes(system) - (_PROPERTIES.keys() if type_ == "weapon" else set())
    base_item, quantity = text(system, "type.baseItem"), system.get("quantity")
    facts = {
        "Uses": uses_text(system),
        "Cost": consumed(part(system, "consume")),
        "Bonus": f"{magic:+d}" if magic else shown(system.get("magicalBonus")),
        "Check bonus": shown(system.get("bonus")),
        "Attunement": "optional" if system.get("attunement") == "optional" else "",
        "Properties": joined(*sorted(map(_property_name, properties))),
        "Base item": names.tool(base_item) if slug(base_item) != slug(text(system, "identifier")) else "",
        "Kind": names.readable(text(system, "type.subtype")),
        "Ammunition": names.readable(text(system, "ammunition.type")),
        "Replaces": "the damage of the weapon" if value_at(system, "damage.replace") is True else "",
        "Quantity": words(quantity) if quantity not in (0, 1, "1") else "",
        "Price": words(system.get("price")) if _measure(system, "price") is None else "",
        "Weight": words(system.get("weight")) if _measure(system, "weight") is None else "",
        "Armor": _armor_class(armor) if not is_armor else "",
        "Strength": phrase("{} required", not is_armor and bonus(system.get("strength"))),
        "Stealth": "disadvantage" if not is_armor and _hinders_stealth(system) else "",
        "Mastery": words(system.get("mastery")) if type_ != "weapon" else "",
        "Capacity": _capacity(part(system, "capacity")),
        "Contents": coins(part(system, "currency")),
        "Hit points": _health(part(system, "hp")),
        "Speed": phrases(system, {"speed.value": "{}", "speed.conditions": "{}"}),
        "Crew": phrases(system, {"crew.max": "up to {}"}),
        "Cover": cover(system),
        "Unidentified": joined(words(hidden.get("name")), words(hidden.get("description")), sep=": "),
    }
    return (*sections_of(facts), *unread_fields(hidden, frozenset({"name", "description"})))


def _measure(system: JsonObject, name: str) -> float | None:
    """A price or a weight: a number before version 3, an object with a unit since."""
    return decimal(part(system, name).get("value", system.get(name)))


def _property_name(code: str) -> str:
    return _OTHER_PROPERTIES.get(code, _PROPERTIES.get(code, code))


def _armor_class(armor: JsonObject) -> str:
    stats = {name: value for name, value in armor.items() if name not in ("magicalBonus", "type")}
    return words(stats) if stats.keys() - {"value"} else phrase("AC {}", words(stats.get("value")))


def _capacity(capacity: JsonObject) -> str:
    """``12 items, 3 cubic feet, 30 lb.``; only one of them before version 4."""
    template = {"weight": "{} lb.", "items": "{} items"}.get(text(capacity, "type"), "{}")
    read = ("count", "value", "type", "weightless")
    return joined(
        phrase("{} items", words(capacity.get("count"))),
        phrase(template, words(capacity.get("value"))),
        *(words(value) for name, value in capacity.items() if name not in read),
        "its contents weigh nothing" if capacity.get("weightless") is True else "",
    )


def _health(hit_points: JsonObject) -> str:
    unread = unread_fields(hit_points, frozenset({"value", "max", "dt", "conditions", "temp", "tempmax"}))
    facts = phrases(hit_points, {"max": "{}", "dt": "damage threshold {}", "conditions": "{}"})
    return joined(facts, *(f"{field.name} {field.text}" for field in unread))


def _has_ordinary_attacks(system: JsonObject) -> bool:
    """Whether the fields of a weapon have all of its activities' attacks."""
    attacks = [part(activity, "attack") for activity in activities(system)]
    return not any(
        attack.get("bonus") or value_at(attack, "critical.threshold") or attack.get("ability") for attack in attacks
    )


def _parts_in_fields(system: JsonObject) -> Iterator[str]:
    """The parts of a weapon's mechanics that its fields have."""
    if not value_at(system, "range.special"):
        yield "range"
    damages = damage_parts(part(system, "damage"))
    if len(damages) <= 1 and not any(" or " in kinds for _, kinds in damages):
        yield "damage"
    if not (value_at(system, "attack.bonus") or system.get("attackBonus")):
        yield "attack"
