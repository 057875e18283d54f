"""Equipment as the fields of a 5etools item."""

from __future__ import annotations

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, WeaponStats
from lorekeeper_mcp.sources.fivetools.codes import DAMAGE, codes_of
from lorekeeper_mcp.sources.fivetools.equipment import ARMORS, CATEGORIES
from lorekeeper_mcp.sources.fivetools.texts.tags import PROPERTIES
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import ItemFields

_TYPES = codes_of(CATEGORIES) | {"adventuring-gear": "G", "tools": "T"}
_ARMORS, _DAMAGE, _PROPERTIES = codes_of(ARMORS), codes_of(DAMAGE), codes_of(PROPERTIES)
_PROFICIENCIES = {True: "simple", False: "martial", None: None}


def equipment_fields(record: Equipment) -> ItemFields:
    """Return the fields of an item; those that the record does not have are empty."""
    return {
        "type": _type(record),
        "armor": record.kind is Kind.ARMOR or None,
        "wondrous": record.category == "wondrous-item" or None,
        "rarity": _rarity(record),
        "reqAttune": record.attunement_text.removeprefix("requires attunement ") or record.requires_attunement or None,
        "value": round(record.cost * 100) if record.cost is not None else None,
        "weight": record.weight,
        **(_weapon_fields(record.weapon, record.kind) if record.weapon else {}),
        **(_armor_fields(record.armor) if record.armor else {}),
    }


def _type(record: Equipment) -> str:
    type_ = _TYPES.get(record.category, "")
    if record.kind is Kind.WEAPON or (record.weapon and record.kind is Kind.MAGIC_ITEM):
        type_ = "R" if record.weapon and _is_ranged(record.weapon) else "M"
    return _ARMORS.get(record.armor.category, type_) if record.armor else type_


def _rarity(record: Equipment) -> str:
    """The rarity as in the file; for a record from elsewhere the format's word."""
    if record.kind is Kind.MAGIC_ITEM and record.rarity in ("", "unknown"):
        return "unknown (magic)"
    return record.rarity.replace("-", " ") or "none"


def _is_ranged(weapon: WeaponStats) -> bool:
    """Whether it is a ranged weapon; the format has no code for one of which that is not known."""
    if weapon.is_ranged is not None:
        return weapon.is_ranged
    return weapon.long_range is not None and all(prop.name != "Thrown" for prop in weapon.properties)


def _weapon_fields(weapon: WeaponStats, kind: Kind) -> ItemFields:
    normal_range = f"{weapon.range:g}" if weapon.range is not None else ""
    return {
        "weaponCategory": None if kind is Kind.ITEM else _PROFICIENCIES[weapon.is_simple],
        "dmg1": weapon.damage_dice,
        "dmg2": weapon.two_handed_damage,
        "dmgType": _DAMAGE.get(weapon.damage_type, weapon.damage_type),
        "property": [_PROPERTIES[prop.name] for prop in weapon.properties if prop.name in _PROPERTIES],
        "range": f"{normal_range}/{weapon.long_range:g}" if weapon.long_range is not None else normal_range,
    }


def _armor_fields(armor: ArmorStats) -> ItemFields:
    return {
        "ac": armor.ac_base,
        "stealth": armor.stealth_disadvantage or None,
        "strength": str(armor.strength_required) if armor.strength_required is not None else None,
    }
