"""Equipment of the forks that have it, and entries for the rules: languages, encounters, unknown sections."""

from __future__ import annotations

import re
from collections.abc import Callable

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Ref, Reference, Rule, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import GOLD, RARITIES, WEAPON_PROPERTIES
from lorekeeper_mcp.sources.common_fields import CommonFields, armor_stats
from lorekeeper_mcp.sources.imported import book_key, slug
from lorekeeper_mcp.sources.json_values import decimal
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.fields import Fields, Keys
from lorekeeper_mcp.sources.orcbrew.markup import scalar, short_text, titled
from lorekeeper_mcp.sources.phrases import joined

_COST = re.compile(r"\s*([\d,]{1,12}(?:\.\d{1,4})?)\s*(cp|sp|ep|gp|pp)?\s*", re.I)
_WEIGHT = re.compile(r"\s*(\d{1,6}(?:\.\d{1,4})?)\s*(?:lbs?\.?|pounds?)?\s*", re.I)
_ARMORS = ("light", "medium", "heavy", "shield")
_CATEGORIES = {"other-magic-item": "wondrous-item", "wondrous": "wondrous-item", "wondrous-items": "wondrous-item"}


def equipment(common: CommonFields, fields: Fields, _book_classes: Keys) -> Equipment:
    """Return an item, a weapon, an armor or a magic item; the fields may say more than the section."""
    kind = common["kind"] = _kind(common["kind"], fields)
    default = {Kind.WEAPON: "weapon", Kind.ARMOR: "armor"}.get(kind, "")
    # The type of a weapon is simple or martial, that of an armor light to heavy.
    category_text = fields.text("category", "item-type", *([] if default else ["type"]))
    category = slug(category_text) if category_text else ""
    rarity_text = fields.text("rarity")
    rarity = slug(rarity_text) if rarity_text else ""
    attunement, attunement_text = _attunement(fields)
    is_weapon = kind is Kind.WEAPON or category == "weapon" or fields.has("damage-die")
    weapon = _weapon(fields, common) if is_weapon else None
    armor = _armor(fields, common) if kind is Kind.ARMOR or category in ("armor", "shield") else None
    return Equipment(
        **common,
        category=default or _CATEGORIES.get(category, category),
        category_text=titled(category_text) if default and category != default else "",
        cost=_cost(fields),
        weight=_weight(fields),
        weapon=weapon,
        armor=armor,
        rarity=rarity if rarity in RARITIES else "",
        rarity_text="" if rarity in RARITIES else rarity_text,
        requires_attunement=False if attunement is None and kind is Kind.MAGIC_ITEM else attunement,
        attunement_text=attunement_text,
        other=fields.other(),
    )


def _kind(kind: Kind, fields: Fields) -> Kind:
    """A magic item if it has a rarity or attunement; an item may be a weapon or an armor by its type."""
    if kind is Kind.MAGIC_ITEM or fields.has("rarity", "attunement", "magical?", "requires-attunement"):
        return Kind.MAGIC_ITEM
    type_ = scalar(fields.peek("type"))
    by_type = {"weapon": Kind.WEAPON, "armor": Kind.ARMOR}.get(slug(type_) if type_ else "")
    return by_type if by_type and kind is not Kind.WEAPON else kind


def _attunement(fields: Fields) -> tuple[bool | None, str]:
    """Whether it needs attunement, and by which classes: #{:any}, #{:wizard}, true, or a text."""
    required = fields.flag("requires-attunement", "attunement", "attunement?")
    if required is not None:
        return required, ""
    keys = fields.names("attunement", "requires-attunement")
    classes = [titled(key) for key in keys if key.lower() != "any"]
    return bool(keys) or None, f"requires attunement by a {' or '.join(classes)}" if classes else ""


def _cost(fields: Fields) -> float | None:
    """Gold pieces from 15, "15 gp" or {:num 15 :type :gp}."""
    name = "cost" if fields.has("cost") else "value"
    value: Plain = fields.peek(name)
    if isinstance(value, dict) and set(value) <= {"num", "type"}:
        amount, coin = decimal(value.get("num")), scalar(value.get("type")).lower()
    else:
        match = _COST.fullmatch(short_text(value))
        amount, coin = (float(match[1].replace(",", "") or 0), (match[2] or "gp").lower()) if match else (None, "")
    if amount is None or coin not in GOLD:
        return None
    fields.drop(name)
    return round(amount * GOLD[coin], 4)


def _weight(fields: Fields) -> float | None:
    match = _WEIGHT.fullmatch(short_text(fields.peek("weight")))
    if not match:
        return None
    fields.drop("weight")
    return float(match[1])


def _weapon(fields: Fields, common: CommonFields) -> WeaponStats:
    """Dice and properties, from {:damage-die 8 :damage-die-count 1} or "1d8"; ranges from {:min 20 :max 60}."""
    dice = _damage_dice(fields) or fields.text("damage")
    two_handed = _damage_dice(fields.part("versatile"))
    ranges = fields.part("range")
    properties = [titled(name) for name in fields.names("properties")]
    properties += [titled(name) for name in WEAPON_PROPERTIES if fields.flag(name, f"{name}?")]
    if two_handed and "Versatile" not in properties:
        properties.append("Versatile")
    names = ["type"] if fields.peek("type") in ("simple", "martial") else ["weapon-type", "proficiency"]
    proficiency = fields.text(*names).lower()
    ranged, melee = fields.flag("ranged?", "ranged"), fields.flag("melee?", "melee")
    return WeaponStats(
        name=common["name"],
        key=common["key"],
        damage_dice=dice.lower().replace(" ", ""),
        damage_type=slug(kind) if (kind := fields.text("damage-type")) else "",
        two_handed_damage=two_handed,
        range=ranges.number("min", "normal"),
        long_range=ranges.number("max", "long"),
        properties=tuple(WeaponProperty(name=name) for name in dict.fromkeys(properties)),
        is_simple={"simple": True, "martial": False}.get(proficiency),
        is_ranged=ranged if melee is None else not melee,
    )


def _damage_dice(fields: Fields) -> str:
    die, count = fields.integer("damage-die"), fields.integer("damage-die-count")
    return f"{count or 1}d{die}" if die else ""


def _armor(fields: Fields, common: CommonFields) -> ArmorStats:
    names = [name for name in ("armor-type", "subtype", "type") if scalar(fields.peek(name)).lower() in _ARMORS]
    category = fields.text(*names[:1]).lower()
    base, cap = fields.integer("base-ac", "armor-class", "ac"), fields.integer("max-dex-mod")
    strength = fields.integer("min-str", "strength")
    hinders_stealth = fields.flag("stealth-disadvantage?", "stealth-disadvantage") or False
    return armor_stats(common, category, base, cap, strength, hinders_stealth=hinders_stealth)


def reference(common: CommonFields, fields: Fields, _book_classes: Keys) -> Reference:
    """Return a language, or a condition from an export of another format."""
    script, speakers = fields.text("script"), fields.text("speakers", "typical-speakers")
    return Reference(**common, script=slug(script) if script else "", speakers=speakers, other=fields.other())


def encounter(common: CommonFields, fields: Fields, book_classes: Keys) -> Rule:
    """Return an encounter: its creatures with their numbers, as an entry of the chapter Encounters."""
    lines = []
    for entry in fields.entry_fields("creatures", "monster"):
        part = entry.part("creature")
        count, name = part.integer("num"), part.text("monster", "character", "name") or entry.text("monster", "name")
        kind = entry.peek("type")
        if kind == "monster" or (kind == "character" and name):
            entry.drop("type")
            name = name if kind == "monster" else f"character {name}"
        others = [f"{key}: {scalar(value) or value}" for key, value in entry.unread().items()]
        lines.append("- " + joined(str(count or ""), titled(name), *others, sep=" "))
    common["text"] = joined(common["text"], "\n".join(lines), sep="\n\n")
    return rule_of("encounters")(common, fields, book_classes)


def rule_of(section: str) -> Callable[[CommonFields, Fields, Keys], Rule]:
    """Return a function for items of an unknown section: kept whole, in a chapter with the section's name."""

    def rule(common: CommonFields, fields: Fields, _book_classes: Keys) -> Rule:
        chapter = Ref(name=titled(section), key=f"orcbrew_{book_key(common['document_name'])}_{slug(section)}")
        return Rule(**common, section=chapter, other=fields.other())

    return rule
