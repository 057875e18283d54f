"""Equipment of the forks that have it, and entries for the rules: languages, encounters, unknown sections."""

from __future__ import annotations

import re
from collections.abc import Callable

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Ref, Reference, Rule, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import GOLD, RARITIES, WEAPON_PROPERTIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import book_key, slug
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.fields import Fields, Keys, decimal, whole
from lorekeeper_mcp.sources.orcbrew.markup import brief, scalar, titled

_COST = re.compile(r"\s*([\d,]{1,12}(?:\.\d{1,4})?)\s*(cp|sp|ep|gp|pp)?\s*", re.I)
_WEIGHT = re.compile(r"\s*(\d{1,6}(?:\.\d{1,4})?)\s*(?:lbs?\.?|pounds?)?\s*", re.I)
_ARMORS = ("light", "medium", "heavy", "shield")
_CATEGORIES = {"other-magic-item": "wondrous-item", "wondrous": "wondrous-item", "wondrous-items": "wondrous-item"}


def equipment_kind(section: str, fields: Fields) -> Kind:
    """Return the kind: a magic item if it has a rarity or attunement; else by the section and the type."""
    magic = fields.has("rarity", "attunement", "magical?", "requires-attunement")
    kind = slug(scalar(fields.peek("type")) or "x")
    if magic or section == "magic-items":
        return Kind.MAGIC_ITEM
    if section == "weapons" or kind == "weapon":
        return Kind.WEAPON
    return Kind.ARMOR if section in ("armor", "armors") or kind == "armor" else Kind.ITEM


def equipment(head: CommonFields, fields: Fields, _own: Keys) -> Equipment:
    """Return an item, a weapon, an armor or a magic item, by the kind in its head."""
    made = head["kind"]
    default = {Kind.WEAPON: "weapon", Kind.ARMOR: "armor"}.get(made, "")
    # The type of a weapon is simple or martial, that of an armor light to heavy.
    category = fields.text("category", "item-type", *([] if default else ["type"]))
    kind = slug(category) if category else ""
    rarity_text = fields.text("rarity")
    rarity = slug(rarity_text) if rarity_text else ""
    attunement, attunement_text = _attunement(fields)
    is_weapon = made is Kind.WEAPON or kind == "weapon" or fields.has("damage-die")
    weapon = _weapon(fields, head) if is_weapon else None
    armor = _armor(fields, head) if made is Kind.ARMOR or kind in ("armor", "shield") else None
    return Equipment(
        **head,
        category=default or _CATEGORIES.get(kind, kind),
        category_text="" if not default or kind in (default, "") else titled(category),
        cost=_cost(fields),
        weight=_weight(fields),
        weapon=weapon,
        armor=armor,
        rarity=rarity if rarity in RARITIES else "",
        rarity_text="" if rarity in RARITIES else rarity_text,
        requires_attunement=False if attunement is None and made is Kind.MAGIC_ITEM else attunement,
        attunement_text=attunement_text,
        other=fields.other(),
    )


def _attunement(fields: Fields) -> tuple[bool | None, str]:
    """Whether it needs attunement, and by which classes: #{:any}, #{:wizard}, true, or a text."""
    required = fields.flag("requires-attunement", "attunement", "attunement?")
    if required is not None:
        return required, ""
    who = fields.names("attunement", "requires-attunement")
    if not who:
        return None, ""
    by = [titled(name) for name in who if name.lower() != "any"]
    return True, f"requires attunement by a {' or '.join(by)}" if by else ""


def _cost(fields: Fields) -> float | None:
    """Gold pieces from 15, "15 gp" or {:num 15 :type :gp}."""
    name = "cost" if fields.has("cost") else "value"
    value: Plain = fields.peek(name)
    if isinstance(value, dict) and set(value) <= {"num", "type"}:
        amount, coin = decimal(value.get("num")), scalar(value.get("type")).lower()
    else:
        found = _COST.fullmatch(brief(value))
        amount, coin = (float(found[1].replace(",", "") or 0), (found[2] or "gp").lower()) if found else (None, "")
    if amount is None or coin not in GOLD:
        return None
    fields.drop(name)
    return round(amount * GOLD[coin], 4)


def _weight(fields: Fields) -> float | None:
    found = _WEIGHT.fullmatch(brief(fields.peek("weight")))
    if not found:
        return None
    fields.drop("weight")
    return float(found[1])


def _weapon(fields: Fields, head: CommonFields) -> WeaponStats:
    """Dice and properties, from {:damage-die 8 :damage-die-count 1} or "1d8"; ranges from {:min 20 :max 60}."""
    die, count = fields.integer("damage-die"), fields.integer("damage-die-count")
    dice = f"{count or 1}d{die}" if die else fields.text("damage")
    versatile = fields.part("versatile")
    two_die, two_count = versatile.integer("damage-die"), versatile.integer("damage-die-count")
    reach = fields.part("range")
    named = [titled(name) for name in fields.names("properties")]
    flagged = [titled(name) for name in WEAPON_PROPERTIES if fields.flag(name, f"{name}?")]
    properties = dict.fromkeys([*named, *flagged, *(["Versatile"] if two_die else [])])
    names = ["type"] if fields.peek("type") in ("simple", "martial") else ["weapon-type", "proficiency"]
    proficiency = fields.text(*names).lower()
    ranged, melee = fields.flag("ranged?", "ranged"), fields.flag("melee?", "melee")
    return WeaponStats(
        name=head["name"],
        key=head["key"],
        damage_dice=dice.lower().replace(" ", ""),
        damage_type=slug(kind) if (kind := fields.text("damage-type")) else "",
        two_handed_damage=f"{two_count or 1}d{two_die}" if two_die else "",
        range=reach.number("min", "normal"),
        long_range=reach.number("max", "long"),
        properties=tuple(WeaponProperty(name=name) for name in properties),
        is_simple={"simple": True, "martial": False}.get(proficiency),
        is_ranged=ranged if melee is None else not melee,
    )


def _armor(fields: Fields, head: CommonFields) -> ArmorStats:
    named = [name for name in ("armor-type", "subtype", "type") if scalar(fields.peek(name)).lower() in _ARMORS]
    kind = fields.text(*named[:1]).lower()
    base, cap = fields.integer("base-ac", "armor-class", "ac"), fields.integer("max-dex-mod")
    adds = cap != 0 and (kind in ("light", "medium") or cap is not None)
    limit = cap if cap is not None else 2 if kind == "medium" else None
    dexterity = f" + Dex modifier{f' (max {limit})' if limit is not None else ''}" if adds else ""
    return ArmorStats(
        name=head["name"],
        key=head["key"],
        category=kind,
        ac_text=f"{base}{dexterity}" if base is not None else "",
        ac_base=base,
        adds_dexterity=adds,
        dexterity_cap=limit,
        strength_required=fields.integer("min-str", "strength"),
        stealth_disadvantage=fields.flag("stealth-disadvantage?", "stealth-disadvantage") or False,
    )


def reference(head: CommonFields, fields: Fields, _own: Keys) -> Reference:
    """Return a language, or a condition from an export of another format."""
    script, speakers = fields.text("script"), fields.text("speakers", "typical-speakers")
    return Reference(**head, script=slug(script) if script else "", speakers=speakers, other=fields.other())


def encounter(head: CommonFields, fields: Fields, own: Keys) -> Rule:
    """Return an encounter: its creatures with their numbers, as an entry of the chapter Encounters."""
    lines = []
    for entry in fields.entries("creatures"):
        one = Fields(entry) if isinstance(entry, dict) else Fields({"monster": entry})
        part = one.part("creature")
        count, name = part.integer("num"), part.text("monster", "character", "name") or one.text("monster", "name")
        if (kind := one.peek("type")) == "monster" or (kind == "character" and name):
            one.drop("type")
            name = name if kind == "monster" else f"character {name}"
        rest = [f"{key}: {scalar(value) or value}" for key, value in one.unread().items()]
        lines.append("- " + " ".join(p for p in (str(whole(count) or ""), titled(name), *rest) if p))
    head["text"] = "\n\n".join(part for part in (head["text"], "\n".join(lines)) if part)
    return rule_of("encounters")(head, fields, own)


def rule_of(section: str) -> Callable[[CommonFields, Fields, Keys], Rule]:
    """Return a function for items of an unknown section: kept whole, in a chapter with the section's name."""

    def rule(head: CommonFields, fields: Fields, _own: Keys) -> Rule:
        chapter = Ref(name=titled(section), key=f"orcbrew_{book_key(head['document_name'])}_{slug(section)}")
        return Rule(**head, section=chapter, other=fields.other())

    return rule
