"""Items, base items and generic variants of magic items."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Section, WeaponProperty, WeaponStats
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.codes import DAMAGE, code
from lorekeeper_mcp.sources.fivetools.context import Context
from lorekeeper_mcp.sources.fivetools.fields import Fields, decimal, texts
from lorekeeper_mcp.sources.fivetools.texts import cast_spells
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.leaf_entries import filled
from lorekeeper_mcp.sources.fivetools.texts.tags import PROPERTIES, plain_text, reference, text_in
from lorekeeper_mcp.sources.fivetools.texts.values import choice_text, value_text
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import listed, mapping
from lorekeeper_mcp.sources.stat_block import sections_of

CATEGORIES = {
    "A": "ammunition", "AF": "ammunition", "AIR": "airborne-vehicle", "AT": "tools", "EXP": "adventuring-gear",
    "FD": "food", "G": "adventuring-gear", "GS": "tools", "HA": "armor", "INS": "tools", "LA": "armor", "M": "weapon",
    "MA": "armor", "MNT": "mount", "P": "potion", "R": "weapon", "RD": "rod", "RG": "ring", "S": "shield",
    "SC": "scroll", "SCF": "spellcasting-focus", "SHP": "waterborne-vehicle", "ST": "staff", "T": "tools",
    "TAH": "adventuring-gear", "TG": "trade-good", "VEH": "land-vehicle", "WD": "wand",
}  # fmt: skip
ARMORS = {"LA": "light", "MA": "medium", "HA": "heavy", "S": "shield"}
_BONUSES = {
    "bonusAc": "AC", "bonusWeapon": "attack and damage rolls", "bonusWeaponAttack": "attack rolls",
    "bonusWeaponDamage": "damage rolls", "bonusWeaponCritDamage": "damage of critical hits",
    "bonusSpellAttack": "spell attack rolls", "bonusSpellDamage": "spell damage rolls",
    "bonusSpellSaveDc": "spell save DC",
    "bonusSavingThrow": "saving throws", "bonusAbilityCheck": "ability checks",
    "bonusProficiencyBonus": "proficiency bonus",
    "bonusSavingThrowConcentration": "saving throws for concentration",
}  # fmt: skip
_FLAGS = ("armor", "weapon", "sword", "axe", "bow", "crossbow", "mace", "spear", "hammer", "club", "dagger", "firearm",
          "net", "polearm", "staff", "arrow", "bolt", "bulletSling", "bulletFirearm", "needleBlowgun", "cellEnergy",
          "age", "poison", "wondrous", "tattoo", "barding", "shield", "rod", "wand")  # fmt: skip
_RECHARGES = {
    "round": "each round", "restShort": "after a short or long rest", "restLong": "after a long rest",
    "week": "each week", "month": "each month", "year": "each year", "decade": "each decade",
    "century": "each century", "special": "as its text says",
}  # fmt: skip
# Types without a category of their own.
_TYPES = {
    "$": "treasure", "$A": "art object", "$C": "coinage", "$G": "gemstone", "EXP": "explosive", "GV": "generic variant",
    "IDG": "illegal drug", "OTH": "other", "SPC": "space vehicle", "TB": "trade bar",
}  # fmt: skip
_UNMAGICAL = frozenset({"", "none", "unknown"})


def equipment(head: CommonFields, fields: Fields, context: Context) -> Equipment:
    """Return an item of any kind; the kind is in its head."""
    type_ = code(fields.take("type"))
    other_type = code(fields.take("typeAlt"))
    category = _category(fields, type_)
    rarity = str(fields.take("rarity") or "").lower()
    attunement = fields.take("reqAttune")
    by = plain_text(attunement) if isinstance(attunement, str) else ""
    value, weight = fields.decimal("value"), fields.decimal("weight")
    named = context.item_types.get(type_, _TYPES.get(type_, ""))
    bonuses = "; ".join(f"{bonus} to {what}" for name, what in _BONUSES.items() if (bonus := fields.line(name)))
    weapon = _weapon(head, fields, type_, context)
    armor = _armor(head, fields, type_)
    flags = [name for name in _FLAGS if fields.flag(name)]
    grade, noted, more = rarity.partition(" (")
    shown = [name for name in flags if name not in ("weapon", "armor", "staff", "rod", "wand", "shield")]
    category_text = ", ".join(filter(None, [named, *(name for name in shown if name != "wondrous")]))
    is_shown = slug(type_) == category and not category_text and head["kind"] in (Kind.ITEM, Kind.MAGIC_ITEM)
    odd = "" if type_ in CATEGORIES or named or is_shown else type_
    return Equipment(
        **head,
        category=category,
        category_text=category_text,
        cost=value / 100 if value is not None else None,
        weight=weight,
        weapon=weapon,
        armor=armor,
        rarity="" if rarity in _UNMAGICAL else slug(grade),
        rarity_text=rarity if noted and more else "",
        requires_attunement=None if attunement is None and head["kind"] is not Kind.MAGIC_ITEM else bool(attunement),
        attunement_text=f"requires attunement {by}" if by.startswith("by ") else "" if by == "optional" else by,
        other=(
            *sections_of({"Type": odd, "Also": CATEGORIES.get(other_type, other_type), "Bonus": bonuses}),
            *_charges(fields),
            *([] if weapon else _codes(fields, context)),
            *sections_of({"Ability Scores": choice_text(fields.take("ability"))}),
            *fields.other(),
        ),
    )


def kind_of(fields: Fields) -> Kind:
    """Return the kind: a magic item if it has a rarity, requires attunement or is wondrous; else by its type."""
    rarity = str(fields.peek("rarity") or "").lower()
    if rarity not in _UNMAGICAL or fields.peek("reqAttune") or fields.peek("wondrous") is True:
        return Kind.MAGIC_ITEM
    type_ = code(fields.peek("type"))
    if type_ in ARMORS or fields.peek("armor") is True:
        return Kind.ARMOR
    weapon = type_ in ("M", "R") or fields.peek("weaponCategory") or fields.peek("weapon") is True
    return Kind.WEAPON if weapon else Kind.ITEM


def _category(fields: Fields, type_: str) -> str:
    for name in ("staff", "rod", "wand", "shield"):
        if fields.peek(name) is True:
            return name
    found = CATEGORIES.get(type_, "")
    if not found and fields.peek("wondrous") is True:
        return "wondrous-item"
    if not found and (fields.peek("weaponCategory") or fields.peek("weapon") is True):
        return "weapon"
    return found or ("armor" if fields.peek("armor") is True else slug(type_) if type_ else "")


def _weapon(head: CommonFields, fields: Fields, type_: str, context: Context) -> WeaponStats | None:
    proficiency = str(fields.peek("weaponCategory") or "").lower()
    if proficiency in ("simple", "martial", ""):
        fields.drop("weaponCategory")
    if type_ not in ("M", "R") and not proficiency and fields.peek("dmg1") is None:
        return None
    two_handed = str(fields.take("dmg2") or "")
    near, _, far = str(fields.peek("range") or "").partition("/")
    distance, most = decimal(near), decimal(far)
    if distance is not None and (most is not None or not far):
        fields.drop("range")
    damage = code(fields.take("dmgType"))
    reach = fields.decimal("reach") if distance is None else None
    properties = [_property(one, two_handed, fields, context) for one in fields.entries("property")]
    properties += [_mastery(one) for one in fields.entries("mastery") if one]
    return WeaponStats(
        name=head["name"],
        key=head["key"],
        damage_dice=str(fields.take("dmg1") or "").replace(" ", ""),
        damage_type=DAMAGE.get(damage, slug(damage) if damage else ""),
        two_handed_damage=two_handed,
        range=distance if distance is not None else reach,
        long_range=most,
        properties=tuple(properties),
        is_simple={"simple": True, "martial": False}.get(proficiency),
        is_ranged={"R": True, "M": False}.get(type_),
    )


def _property(one: object, two_handed: str, fields: Fields, context: Context) -> WeaponProperty:
    spec = mapping(one)
    short = code(spec.get("uid") if spec else one)
    name, text = context.property_of(short) or (PROPERTIES.get(short, short), "")
    detail = text_in(spec, "note") or (two_handed if name == "Versatile" else "")
    return WeaponProperty(name=name, detail=detail, text=fields.filled(text))


def _mastery(one: object) -> WeaponProperty:
    spec = mapping(one)
    named = reference(str(spec.get("uid", "") if spec else one))
    return WeaponProperty(name=named, detail=text_in(spec, "note"), type="Mastery")


def _codes(fields: Fields, context: Context) -> Iterator[Section]:
    """The names of the properties and the damage type of an item that is not a weapon."""
    for name, title in (("property", "Properties"), ("propertyAdd", "Adds"), ("propertyRemove", "Takes Away")):
        named = [_property(one, "", fields, context) for one in fields.entries(name)]
        details = (f"{one.name} ({one.detail})" if one.detail else one.name for one in named)
        yield from sections_of({title: ", ".join(details)})
    damage = code(fields.take("dmgType"))
    yield from sections_of({"Damage Type": DAMAGE.get(damage, damage)})


def _armor(head: CommonFields, fields: Fields, type_: str) -> ArmorStats | None:
    base = fields.whole("ac")
    if type_ not in ARMORS and base is None:
        return None
    category = ARMORS.get(type_, "")
    given = fields.peek("dexterityMax")
    cap = fields.whole("dexterityMax")
    if given is None and category == "medium":
        cap = 2
    adds = cap != 0 and (category in ("light", "medium") or cap is not None)
    dexterity = f" + Dex modifier{f' (max {cap})' if cap is not None else ''}" if adds else ""
    return ArmorStats(
        name=head["name"],
        key=head["key"],
        category=category,
        ac_text=f"{'+' if category == 'shield' else ''}{base}{dexterity}" if base is not None else "",
        ac_base=base,
        adds_dexterity=adds,
        dexterity_cap=cap,
        strength_required=fields.whole("strength"),
        stealth_disadvantage=fields.flag("stealth"),
    )


def _charges(fields: Fields) -> tuple[Section, ...]:
    charges, recharge = fields.line("charges"), fields.line("recharge")
    amount = fields.line("rechargeAmount")
    when = _RECHARGES.get(recharge, f"at {recharge}") if recharge else ""
    back = " ".join(filter(None, (f"regains {amount}" if amount else "", when)))
    spells = fields.take("attachedSpells")
    names = ", ".join(reference(text) for text in texts(listed(spells)))
    if isinstance(spells, Mapping):
        rest = value_text({name: one for name, one in spells.items() if name not in cast_spells.CAST})
        lines = (*cast_spells.text(spells, markdown).splitlines(), rest)
        names = "; ".join(filter(None, (line.removeprefix("- ") for line in lines)))
    return sections_of({"Charges": "; ".join(filter(None, (charges, back))), "Spells": names})


def expanded(variant: Mapping[str, object], bases: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Return a generic variant as an item, and one item for each base item of the file that it applies to."""
    inherits = mapping(variant.get("inherits"))
    requires = [mapping(one) for one in listed(variant.get("requires"))]
    generic: dict[str, object] = {
        **{name: value for name, value in inherits.items() if not name.startswith("name")},
        **{name: value for name, value in variant.items() if name not in ("inherits", "requires", "excludes", "type")},
        **{name: True for spec in requires for name, on in spec.items() if name in _FLAGS and on is True},
    }
    own, inherited = listed(variant.get("entries")), listed(inherits.get("entries"))
    generic["entries"] = [*own, *(one for one in inherited if one not in own)]
    if made_of := " or ".join(filter(None, map(_demanded, requires))):
        generic["made of"] = made_of
    excludes = mapping(variant.get("excludes"))
    if not_of := _demanded(excludes):
        generic["not made of"] = not_of
    generic["rarity"] = inherits.get("rarity", variant.get("rarity", "varies"))
    generic["source"] = variant.get("source", inherits.get("source"))
    generic["entries"] = filled(generic.get("entries"), {"baseName": "item", **generic})
    fitting = [
        base
        for base in bases
        if any(spec and all(_matches(base.get(name), wanted) for name, wanted in spec.items()) for spec in requires)
        and not any(name in base and _matches(base[name], wanted) for name, wanted in excludes.items())
    ]
    return [generic, *(_made_of(base, inherits, generic) for base in fitting)]


def _demanded(spec: Mapping[str, object]) -> str:
    """The requirements of a base item, if more than a named kind: ``armor, type HA``."""
    values = {
        name: ", ".join(value_text(one) if isinstance(one, Mapping) else code(one) for one in listed(value))
        for name, value in spec.items()
        if name != "page"
    }
    values["type"] = CATEGORIES.get(values.get("type", ""), values.get("type", ""))
    plain = all(name in _FLAGS and value is True for name, value in spec.items())
    named = (name if spec.get(name) is True else f"{name} {one}" for name, one in values.items() if one)
    return "" if plain else ", ".join(named)


def _matches(own: object, wanted: object) -> bool:
    return any(code(value) == code(one) for value in listed(own) or [None] for one in listed(wanted))


def _made_of(
    base: Mapping[str, object], inherits: Mapping[str, object], generic: Mapping[str, object]
) -> dict[str, object]:
    name = str(base.get("name", ""))
    removed = str(inherits.get("nameRemove") or "")
    made: dict[str, object] = copy.deepcopy(dict(base))
    made |= {
        key: value for key, value in inherits.items() if not key.startswith(("name", "value", "weight", "entries"))
    }
    plain = name.replace(removed, "") if removed else name
    made["name"] = f"{inherits.get('namePrefix', '')}{plain}{inherits.get('nameSuffix', '')}"
    made["rarity"], made["source"] = generic["rarity"], generic["source"]
    for field in ("value", "weight"):
        own, by = decimal(base.get(field)), decimal(inherits.get(f"{field}Mult"))
        if field == "value" and by is None:
            made.pop("value", None)  # the price of the mundane item does not apply to the magic one
        elif own is not None and by is not None:
            made[field] = own * by
    made["entries"] = filled(
        [*listed(base.get("entries")), *listed(inherits.get("entries"))], {"baseName": name, **inherits, **made}
    )
    properties = [*listed(made.get("property")), *listed(made.pop("propertyAdd", None))]
    removed_properties = {code(one) for one in listed(made.pop("propertyRemove", None))}
    if properties:
        made["property"] = [one for one in properties if code(one) not in removed_properties]
    return made
