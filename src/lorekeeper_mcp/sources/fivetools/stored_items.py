"""Stored records as the items that copies modify.

An item has the fields that a modification may change in part. Whatever else the record has, the copy inherits from the
record itself (``sources/originals.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from lorekeeper_mcp.models import (
    Action,
    ArmorStats,
    Background,
    Creature,
    Equipment,
    Kind,
    Record,
    Section,
    Species,
    Spell,
    WeaponStats,
)
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.fivetools.adapters import ACTIONS, ARMORS, CATEGORIES, DAMAGE, DEFENSES, SIZES
from lorekeeper_mcp.sources.fivetools.context import Item
from lorekeeper_mcp.sources.fivetools.entries import markdown
from lorekeeper_mcp.sources.fivetools.tags import PROPERTIES
from lorekeeper_mcp.sources.stat_block import printed_name

_TAGS = (
    (re.compile(r"\+(\d{1,2})(?= to hit)"), r"{@hit \1}"),
    (re.compile(r"(?<=Attack Roll: )\+(\d{1,2})"), r"{@hit \1}"),
    (re.compile(r"\bDC (\d{1,2})\b"), r"{@dc \1}"),
)


def item_of(record: Record, source: str) -> Item:
    """Return a record as an item of a source."""
    fields: Item = {part.name: part.text for part in record.other if part.name}
    fields |= {"name": record.name, "source": source, "entries": _entries(record.text)}
    match record:
        case Creature():
            fields |= _creature_fields(record)
        case Equipment():
            fields |= _equipment_fields(record)
        case Spell():
            fields |= {"level": record.level, "entriesHigherLevel": _entries(record.higher_level)}
        case Species():
            fields["entries"] = [*_entries(record.text), *_named(record.traits)]
        case Background():
            fields["entries"] = [*_entries(record.text), *_named(record.benefits)]
        case _:
            pass
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _entries(text: str) -> list[object]:
    """The paragraphs of a text, with tags for the numbers that a modification may change."""
    paragraphs = [paragraph for paragraph in text.split("\n\n") if paragraph]
    for pattern, tag in _TAGS:
        paragraphs = [pattern.sub(tag, paragraph) for paragraph in paragraphs]
    return [*(paragraphs if markdown(paragraphs) == text.strip() else [text] if text else [])]


def _named(parts: Iterable[Section | Action]) -> list[object]:
    """Named entries; the paragraphs of a part without a name."""
    named: list[object] = []
    for part in parts:
        name = printed_name(part) if isinstance(part, Action) else part.name
        entries = _entries(part.text)
        named += [{"type": "entries", "name": name, "entries": entries}] if name else entries
    return named


def _creature_fields(record: Creature) -> Item:
    scores, defenses, senses = record.abilities.model_dump(), record.defenses.model_dump(), record.senses
    ranges = senses.model_dump(include={"darkvision", "blindsight", "tremorsense", "truesight"}, exclude_none=True)
    senses_text = senses.text or ", ".join(f"{name} {feet:g} ft." for name, feet in ranges.items())
    armor = {"ac": record.armor_class, "from": [record.armor_text] if record.armor_text else []}
    abilities = {name: code for code, name in ABILITY_BY_ABBREVIATION.items()}
    return {
        "size": [code for code, name in SIZES.items() if name in (record.size_text or record.size).lower().split()],
        "ac": [armor] if record.armor_class is not None else [],
        "hp": {"average": record.hit_points, "formula": record.hit_dice} if record.hit_points is not None else {},
        "speed": {**record.speed, **({"canHover": True} if record.hover else {})},
        **{code: scores[ability] for code, ability in ABILITY_BY_ABBREVIATION.items()},
        "save": {abilities.get(name, name): f"{bonus:+d}" for name, bonus in record.saving_throws.items()},
        "skill": {name.replace("-", " "): f"{bonus:+d}" for name, bonus in record.skills.items()},
        "senses": list(filter(None, senses_text.split(", "))),
        "passive": senses.passive_perception,
        "languages": list(filter(None, record.languages.split(", "))),
        **{field: _defenses(defenses[name], defenses[f"{name}_text"]) for name, field in DEFENSES.items()},
        "cr": str(Fraction(record.challenge_rating)) if record.challenge_rating is not None else None,
        "environment": [environment.name.lower() for environment in record.environments],
        "trait": _named(record.traits),
        **{field: _named(a for a in record.actions if a.type is kind) for field, kind in ACTIONS.items()},
    }


def _defenses(keys: tuple[str, ...], text: str) -> list[object]:
    """Damage types or conditions; a clause with a condition as printed."""
    defenses: list[object] = []
    for clause in filter(None, map(str.strip, text.split(";"))):
        parts = [part.strip().lower() for part in clause.split(",")]
        defenses += [{"special": clause}] if any(" " in part for part in parts) else parts
    return defenses or list(keys)


def _code(codes: dict[str, str], name: str) -> str:
    """The first code of a name; the name itself if it has none."""
    return next((code for code, known in codes.items() if known == name), name)


def _equipment_fields(record: Equipment) -> Item:
    """The fields from which the kind follows, and the numbers."""
    weapon, armor = record.weapon, record.armor
    type_ = _code(CATEGORIES, record.category)
    if armor:
        type_ = _code(ARMORS, armor.category)
    elif weapon or record.kind is Kind.WEAPON:
        is_ranged = weapon.is_ranged if weapon else None
        type_ = "R" if is_ranged else "M"
    fallback = "unknown (magic)" if record.kind is Kind.MAGIC_ITEM else "none"
    return {
        "type": type_,
        "armor": record.kind is Kind.ARMOR or None,
        "rarity": record.rarity.replace("-", " ") or fallback,
        "value": round(record.cost * 100) if record.cost is not None else None,
        "weight": record.weight,
        **(_weapon_fields(weapon, record.kind) if weapon else {}),
        **(_armor_fields(armor) if armor else {}),
    }


def _weapon_fields(weapon: WeaponStats, kind: Kind) -> Item:
    normal_range = f"{weapon.range:g}" if weapon.range is not None else ""
    category = "" if weapon.is_simple is None or kind is Kind.ITEM else "simple" if weapon.is_simple else "martial"
    return {
        "weaponCategory": category,
        "dmg1": weapon.damage_dice,
        "dmg2": weapon.two_handed_damage,
        "dmgType": _code(DAMAGE, weapon.damage_type),
        "property": [_code(PROPERTIES, prop.name) for prop in weapon.properties],
        "range": f"{normal_range}/{weapon.long_range:g}" if weapon.long_range is not None else normal_range,
    }


def _armor_fields(armor: ArmorStats) -> Item:
    return {
        "ac": armor.ac_base,
        "stealth": armor.stealth_disadvantage or None,
        "strength": str(armor.strength_required) if armor.strength_required is not None else None,
    }
