"""Stored records as the items that copies modify.

An item has the fields that a modification may change in part. Whatever else the record has, the copy inherits from the
record itself (``sources/originals.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from lorekeeper_mcp.models import Action, Background, Creature, Equipment, Kind, Record, Section, Species, Spell
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
    scores, defenses, abilities = record.abilities.model_dump(), record.defenses.model_dump(), ABILITY_BY_ABBREVIATION
    ranges = record.senses.model_dump(exclude_none=True, exclude={"text", "passive_perception", "normal_sight"})
    senses = record.senses.text or ", ".join(f"{name} {feet:g} ft." for name, feet in ranges.items())
    return {
        "size": [code for code, name in SIZES.items() if name in (record.size_text or record.size).lower().split()],
        "hp": {"average": record.hit_points, "formula": record.hit_dice} if record.hit_points is not None else {},
        "speed": {**record.speed, **({"canHover": True} if record.hover else {})},
        **{code: scores[ability] for code, ability in abilities.items()},
        "save": {_code(abilities, name): f"{bonus:+d}" for name, bonus in record.saving_throws.items()},
        "skill": {name.replace("-", " "): f"{bonus:+d}" for name, bonus in record.skills.items()},
        "senses": list(filter(None, senses.split(", "))),
        "languages": list(filter(None, record.languages.split(", "))),
        **{field: _defenses(defenses[name], defenses[f"{name}_text"]) for name, field in DEFENSES.items()},
        "cr": str(Fraction(record.challenge_rating)) if record.challenge_rating is not None else None,
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


def _code(codes: Mapping[str, str], name: str) -> str:
    """The first code of a name; the name itself if it has none."""
    return next((code for code, known in codes.items() if known == name), name)


def _equipment_fields(record: Equipment) -> Item:
    """The fields from which the kind follows, and the numbers, of which a copy has all if it changes one."""
    weapon, armor = record.weapon, record.armor
    fields: Item = {
        "type": _code(CATEGORIES, record.category),
        "armor": record.kind is Kind.ARMOR or None,
        "rarity": record.rarity.replace("-", " ") or ("unknown (magic)" if record.kind is Kind.MAGIC_ITEM else "none"),
        "value": round(record.cost * 100) if record.cost is not None else None,
        "weight": record.weight,
    }
    if armor:
        fields |= {
            "type": _code(ARMORS, armor.category),
            "ac": armor.ac_base,
            "stealth": armor.stealth_disadvantage or None,
            "strength": armor.strength_required,
        }
    elif weapon or record.kind is Kind.WEAPON:
        fields["type"] = "R" if weapon and weapon.is_ranged else "M"
    if weapon:
        training = "" if weapon.is_simple is None else "simple" if weapon.is_simple else "martial"
        ranges = [f"{feet:g}" for feet in (weapon.range, weapon.long_range) if feet is not None]
        fields |= {
            "weaponCategory": "" if record.kind is Kind.ITEM else training,
            "dmg1": weapon.damage_dice,
            "dmg2": weapon.two_handed_damage,
            "dmgType": _code(DAMAGE, weapon.damage_type),
            "property": [_code(PROPERTIES, prop.name) for prop in weapon.properties],
            "range": "/".join(ranges),
        }
    return fields
