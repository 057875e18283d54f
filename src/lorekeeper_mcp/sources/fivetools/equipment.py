"""Items and base items."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, WeaponProperty, WeaponStats
from lorekeeper_mcp.sources.common_fields import CommonFields, armor_stats
from lorekeeper_mcp.sources.field_reader import Fields, listed, mapping, number, sections_of
from lorekeeper_mcp.sources.fivetools.context import Context, code
from lorekeeper_mcp.sources.fivetools.entries import SPELL_LIST_FIELDS, fill_item_values, spell_list_text
from lorekeeper_mcp.sources.fivetools.tags import PROPERTIES, plain_text, referenced_name, text_in
from lorekeeper_mcp.sources.fivetools.values import grants, plain_texts, print_value
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.phrases import joined

CATEGORIES = {
    "A": "ammunition", "AF": "ammunition", "AIR": "airborne-vehicle", "AT": "tools", "EXP": "adventuring-gear",
    "FD": "food", "G": "adventuring-gear", "GS": "tools", "HA": "armor", "INS": "tools", "LA": "armor", "M": "weapon",
    "MA": "armor", "MNT": "mount", "P": "potion", "R": "weapon", "RD": "rod", "RG": "ring", "S": "shield",
    "SC": "scroll", "SCF": "spellcasting-focus", "SHP": "waterborne-vehicle", "ST": "staff", "T": "tools",
    "TAH": "adventuring-gear", "TG": "trade-good", "VEH": "land-vehicle", "WD": "wand",
}  # fmt: skip
ARMORS = {"LA": "light", "MA": "medium", "HA": "heavy", "S": "shield"}
DAMAGE = {
    "A": "acid", "B": "bludgeoning", "C": "cold", "F": "fire", "I": "poison", "L": "lightning", "N": "necrotic",
    "O": "force", "P": "piercing", "R": "radiant", "S": "slashing", "T": "thunder", "Y": "psychic",
}  # fmt: skip
_BONUSES = {
    "bonusAc": "AC", "bonusWeapon": "attack and damage rolls", "bonusWeaponAttack": "attack rolls",
    "bonusWeaponDamage": "damage rolls", "bonusWeaponCritDamage": "damage of critical hits",
    "bonusSpellAttack": "spell attack rolls", "bonusSpellDamage": "spell damage rolls",
    "bonusSpellSaveDc": "spell save DC",
    "bonusSavingThrow": "saving throws", "bonusAbilityCheck": "ability checks",
    "bonusProficiencyBonus": "proficiency bonus",
    "bonusSavingThrowConcentration": "saving throws for concentration",
}  # fmt: skip
FLAGS = ("armor", "weapon", "sword", "axe", "bow", "crossbow", "mace", "spear", "hammer", "club", "dagger", "firearm",
         "net", "polearm", "staff", "arrow", "bolt", "bulletSling", "bulletFirearm", "needleBlowgun", "cellEnergy",
         "age", "poison", "wondrous", "tattoo", "barding", "shield", "rod", "wand")  # fmt: skip
# Types without a category of their own.
_TYPE_NAMES = {
    "$": "treasure", "$A": "art object", "$C": "coinage", "$G": "gemstone", "EXP": "explosive", "GV": "generic variant",
    "IDG": "illegal drug", "OTH": "other", "SPC": "space vehicle", "TB": "trade bar",
}  # fmt: skip
_NONMAGICAL = frozenset({"", "none", "unknown"})
_KIND_FLAGS = ("weapon", "armor", "staff", "rod", "wand", "shield", "wondrous")


def equipment(head: CommonFields, fields: Fields, context: Context) -> Equipment:
    """Return an item of any kind; the kind is in its head."""
    type_uid = fields.take("type")
    type_, other_type = code(type_uid), code(fields.take("typeAlt"))
    category = _category(fields, type_)
    rarity = str(fields.take("rarity") or "").lower()
    first_rarity, _, rarity_note = rarity.partition(" (")
    attunement = fields.take("reqAttune")
    value = fields.number("value")
    type_name = context.item_type(type_uid) or _TYPE_NAMES.get(type_, "")
    weapon = _weapon(head, fields, type_, context)
    flags = [name for name in FLAGS if fields.flag(name) and name not in _KIND_FLAGS]
    category_text = joined(type_name, *flags)
    is_category = slug(type_) == category and not category_text and head["kind"] in (Kind.ITEM, Kind.MAGIC_ITEM)
    notes = {
        "Type": "" if type_ in CATEGORIES or type_name or is_category else type_,
        "Also": CATEGORIES.get(other_type, other_type),
        **_notes(fields, context, is_weapon=weapon is not None),
    }
    return Equipment(
        **head,
        category=category,
        category_text=category_text,
        cost=value / 100 if value is not None else None,
        weight=fields.number("weight"),
        weapon=weapon,
        armor=_armor(head, fields, type_),
        rarity="" if rarity in _NONMAGICAL else slug(first_rarity),
        rarity_text=rarity if first_rarity and rarity_note else "",
        requires_attunement=None if attunement is None and head["kind"] is not Kind.MAGIC_ITEM else bool(attunement),
        attunement_text=_attunement_text(attunement),
        other=(*sections_of(notes), *fields.also()),
    )


def _notes(fields: Fields, context: Context, *, is_weapon: bool) -> dict[str, str]:
    """What our models have no place for; the properties of an item that is not a weapon by name only."""
    bonuses = ((print_value(fields.take(field)), target) for field, target in _BONUSES.items())
    notes = {
        "Bonus": "; ".join(f"{bonus} to {target}" for bonus, target in bonuses if bonus),
        "Spells": _spells(fields.take("attachedSpells")),
        "Ability Scores": grants(fields.take("ability")),
    }
    if not is_weapon:
        damage = code(fields.take("dmgType"))
        parts = [_property(uid, "", fields, context, name_only=True) for uid in listed(fields.take("property"))]
        notes["Properties"] = ", ".join(f"{part.name} ({part.detail})" if part.detail else part.name for part in parts)
        notes["Damage Type"] = DAMAGE.get(damage, damage)
    return notes


def kind_of(fields: Fields) -> Kind:
    """Return the kind: a magic item if it has a rarity, requires attunement or is wondrous; else by its type."""
    rarity = str(fields.peek("rarity") or "").lower()
    if rarity not in _NONMAGICAL or fields.peek("reqAttune") or fields.peek("wondrous") is True:
        return Kind.MAGIC_ITEM
    type_ = code(fields.peek("type"))
    if type_ in ARMORS or fields.peek("armor") is True:
        return Kind.ARMOR
    return Kind.WEAPON if type_ in ("M", "R") or _is_weapon(fields) else Kind.ITEM


def _is_weapon(fields: Fields) -> bool:
    return bool(fields.peek("weaponCategory")) or fields.peek("weapon") is True


def _category(fields: Fields, type_: str) -> str:
    flags = {name: fields.peek(name) is True for name in ("staff", "rod", "wand", "shield", "wondrous", "armor")}
    for name in ("staff", "rod", "wand", "shield"):
        if flags[name]:
            return name
    if type_ in CATEGORIES:
        return CATEGORIES[type_]
    if flags["wondrous"]:
        return "wondrous-item"
    return "weapon" if _is_weapon(fields) else "armor" if flags["armor"] else slug(type_) if type_ else ""


def _attunement_text(value: object) -> str:
    text = plain_text(value) if isinstance(value, str) else ""
    if text.startswith("by "):
        return f"requires attunement {text}"
    return "" if text == "optional" else text


def _weapon(head: CommonFields, fields: Fields, type_: str, context: Context) -> WeaponStats | None:
    proficiency = str(fields.peek("weaponCategory") or "").lower()
    if proficiency in ("simple", "martial", ""):
        fields.drop("weaponCategory")
    if type_ not in ("M", "R") and not proficiency and fields.peek("dmg1") is None:
        return None
    two_handed_damage = str(fields.take("dmg2") or "")
    near, _, far = str(fields.peek("range") or "").partition("/")
    normal_range, long_range = number(near), number(far)
    if normal_range is not None and (long_range is not None or not far):
        fields.drop("range")
    damage = code(fields.take("dmgType"))
    properties = [_property(value, two_handed_damage, fields, context) for value in listed(fields.take("property"))]
    properties += [_mastery(value) for value in listed(fields.take("mastery")) if value]
    return WeaponStats(
        name=head["name"],
        key=head["key"],
        damage_dice=str(fields.take("dmg1") or "").replace(" ", ""),
        damage_type=DAMAGE.get(damage, slug(damage) if damage else ""),
        two_handed_damage=two_handed_damage,
        range=normal_range if normal_range is not None else fields.number("reach"),
        long_range=long_range,
        properties=tuple(properties),
        is_simple={"simple": True, "martial": False}.get(proficiency),
        is_ranged={"R": True, "M": False}.get(type_),
    )


def _property(
    value: object, two_handed_damage: str, fields: Fields, context: Context, *, name_only: bool = False
) -> WeaponProperty:
    spec = mapping(value)
    uid = spec.get("uid") if spec else value
    name, text = context.property_of(uid, name_only=name_only) or (PROPERTIES.get(code(uid), code(uid)), "")
    detail = text_in(spec, "note") or (two_handed_damage if name == "Versatile" else "")
    return WeaponProperty(name=name, detail=detail, text=str(fill_item_values(text, fields.peek)))


def _mastery(value: object) -> WeaponProperty:
    spec = mapping(value)
    name = referenced_name(str(spec.get("uid", "") if spec else value))
    return WeaponProperty(name=name, detail=text_in(spec, "note"), type="Mastery")


def _armor(head: CommonFields, fields: Fields, type_: str) -> ArmorStats | None:
    base = fields.integer("ac")
    if type_ not in ARMORS and base is None:
        return None
    cap, strength, hinders_stealth = fields.integer("dexterityMax"), fields.integer("strength"), fields.flag("stealth")
    return armor_stats(head, ARMORS.get(type_, ""), base, cap, strength, hinders_stealth=hinders_stealth is True)


def _spells(value: object) -> str:
    """The spells of an item, by how they are cast."""
    if not isinstance(value, Mapping):
        return ", ".join(map(referenced_name, plain_texts(value)))
    lines = [line.removeprefix("- ") for line in spell_list_text(value).splitlines() if line]
    others = {name: part for name, part in value.items() if name not in SPELL_LIST_FIELDS}
    return "; ".join(filter(None, (*lines, print_value(others))))
