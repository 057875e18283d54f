"""Writes records as a 5etools file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from lorekeeper_mcp.models import (
    Background,
    CharacterClass,
    Creature,
    Document,
    Edition,
    Equipment,
    Feat,
    Kind,
    Record,
    Ref,
    Reference,
    Species,
    Spell,
    WeaponStats,
)
from lorekeeper_mcp.sources.fivetools.codes import DAMAGE, KINDS, SIZES, codes_of
from lorekeeper_mcp.sources.fivetools.context import FEATURE_SECTIONS, feature_identity
from lorekeeper_mcp.sources.fivetools.equipment import ARMORS, CATEGORIES
from lorekeeper_mcp.sources.fivetools.options import FEATURES
from lorekeeper_mcp.sources.fivetools.spells import SCHOOLS
from lorekeeper_mcp.sources.fivetools.texts.requirements import FEATS
from lorekeeper_mcp.sources.fivetools.texts.tags import PROPERTIES
from lorekeeper_mcp.sources.fivetools.writers.classes import class_fields
from lorekeeper_mcp.sources.fivetools.writers.creatures import creature_fields
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import entries, named_entries
from lorekeeper_mcp.sources.imported import PRESERVED_FIELD, slug
from lorekeeper_mcp.sources.json_values import listed

Fields: TypeAlias = "dict[str, object]"
_SECTIONS = {kind: section for section, kinds in reversed(KINDS.items()) for kind in kinds}
_SECTIONS |= {Kind.CLASS: "class", Kind.SUBCLASS: "subclass"}
_OPTIONS = codes_of(FEATURES)
_PROFICIENCIES = {True: "simple", False: "martial", None: None}
_TIME = re.compile(r"(\d+)? ?(bonus[ -]action|[a-z]+?)s?\b")
_LASTING = re.compile(r"(?:up to )?(\d+) (round|minute|hour|day|week|month|year)s?", re.IGNORECASE)


def write(book: Document, records: Sequence[Record], kept: Mapping[str, Mapping[str, object]]) -> bytes:
    """Return a file with one source. ``kept`` has, by record id, fields to keep beside those of the format."""
    source = "".join(word[:4].title() for word in slug(book.name).split("-"))[:24] or "Homebrew"
    about: Fields = {
        "json": source,
        "abbreviation": source[:8],
        "full": book.name,
        "version": "1.0.0",
        "authors": [book.author] if book.author else [],
        "url": book.permalink,
        "license": book.license,
        "dateReleased": book.published.isoformat() if book.published else "",
        "edition": "one" if Edition.E2024 in book.editions else "",
    }
    data: dict[str, object] = {"_meta": {"sources": [_without_blanks(about)]}}
    lists: dict[str, list[Fields]] = {}
    features: dict[tuple[str, ...], Fields] = {}
    for record in records:
        for section, fields in _items(record, source):
            item: Fields = {"name": record.name, "source": source, **_without_blanks(fields)}
            if (kept_fields := kept.get(record.id)) and section == _section(record):
                item[f"_{PRESERVED_FIELD}"] = kept_fields
            if section in FEATURE_SECTIONS:
                # A reference identifies features by name, class and level: those that share these become one.
                first = features.setdefault((section, *feature_identity(item, section)), item)
                if first is not item:
                    first["entries"] = [*listed(first["entries"]), *listed(item["entries"])]
                    continue
            lists.setdefault(section, []).append(item)
    return (json.dumps(data | lists, ensure_ascii=False, indent=1) + "\n").encode()


def item_of(record: Record, source: str) -> dict[str, object]:
    """Return a record as an item of a source, without the features that it refers to."""
    _, fields = _items(record, source)[0]
    return {"name": record.name, "source": source, **_without_blanks(fields)}


def _without_blanks(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if value not in (None, "", [], {}, ())}


def _section(record: Record) -> str:
    match record:
        case Species():
            return "subrace" if record.is_subspecies else "race"
        case Feat():
            return "optionalfeature" if record.type in _OPTIONS else "feat"
        case _:
            return _SECTIONS.get(record.kind, "variantrule")


def _items(record: Record, source: str) -> list[tuple[str, Fields]]:
    """A record's own item, followed by the features that it refers to."""
    made: Fields = {"entries": entries(record.text)} if record.text else {}
    further: list[tuple[str, Fields]] = []
    match record:
        case Spell():
            made |= _spell(record, source)
        case Creature():
            made |= creature_fields(record)
        case CharacterClass():
            fields, further = class_fields(record, source)
            made |= fields
        case Species():
            made |= _species(record, source)
        case Background():
            made["entries"] = [*entries(record.text), *named_entries([(one.name, one.text) for one in record.benefits])]
        case Feat():
            made |= _feat(record)
        case Equipment():
            made |= _equipment(record)
        case Reference():
            made |= {"type": record.type, "script": record.script}
            made["typicalSpeakers"] = record.speakers.split(", ") if record.speakers else []
        case _:
            pass
    others = {part.name: part.text for part in record.other if part.name and part.name not in made}
    return [(_section(record), {**made, **others}), *further]


def _spell(record: Spell, source: str) -> Fields:
    components: Fields = {"v": record.verbal or None, "s": record.somatic or None}
    if record.material:
        cost = round(record.material_cost * 100) if record.material_cost is not None else None
        more = _without_blanks({"cost": cost, "consume": record.material_consumed or None})
        components["m"] = {"text": record.material_text, **more} if more else record.material_text or True
    higher = {"type": "entries", "name": "At Higher Levels", "entries": entries(record.higher_level)}
    classes = [{"name": one.name, "source": _source_of(one, source)} for one in record.classes]
    lasting = _LASTING.fullmatch(record.duration)
    duration: Fields = {"type": "special"}
    if record.duration.lower().startswith("instant"):
        duration = {"type": "instant"}
    elif lasting:
        duration = {"type": "timed", "duration": {"type": lasting[2].lower(), "amount": int(lasting[1])}}
        if record.concentration:
            duration["concentration"] = True
    return {
        "level": record.level,
        "school": codes_of(SCHOOLS).get(record.school, record.school),
        "time": [_without_blanks(_time(record))],
        "range": _range(record),
        "components": _without_blanks(components),
        "duration": [duration] if record.duration else [],
        "meta": {"ritual": True} if record.ritual else None,
        "classes": {"fromClassList": classes} if classes else None,
        "damageInflict": list(record.damage_types),
        "savingThrow": [record.saving_throw] if record.saving_throw else None,
        "spellAttack": ["R"] if record.attack_roll else None,
        "entriesHigherLevel": [higher] if record.higher_level else None,
    }


def _source_of(parent: Ref, source: str) -> str:
    """The source of a class or a race: that of the file for its own ones."""
    return source if parent.key.startswith("orcbrew_") else "PHB"


def _time(record: Spell) -> Fields:
    found = _TIME.match(record.casting_time_text.lower() or record.casting_time)
    if not found:
        return {}
    unit = "bonus" if found[2].startswith("bonus") else found[2]
    return {"number": int(found[1] or 1), "unit": unit, "condition": record.reaction_condition}


def _range(record: Spell) -> Fields:
    if record.range:
        amount = int(record.range) if record.range == int(record.range) else record.range
        return {"type": "point", "distance": {"type": record.range_unit or "feet", "amount": amount}}
    word = record.range_text.lower()
    if record.shape_type and record.shape_size is not None:
        return {"type": record.shape_type, "distance": {"type": "feet", "amount": int(record.shape_size)}}
    kind = next((kind for kind in ("self", "touch", "sight", "unlimited") if word.startswith(kind)), "")
    return {"type": "point", "distance": {"type": kind}} if kind else {"type": "special"}


def _species(record: Species, source: str) -> Fields:
    codes = codes_of(SIZES)
    sizes = [codes.get(part.lower(), part) for part in record.size.split(" or ") if part]
    feet = re.fullmatch(r"(\d+) (?:ft\.|feet)", record.speed)
    parent = record.subspecies_of
    of_parent: Fields = {}
    if parent is not None:
        own = re.fullmatch(rf"{re.escape(parent.name)} \((.*)\)", record.name)
        name = own[1] if own else record.name
        of_parent = {"name": name, "raceName": parent.name, "raceSource": _source_of(parent, source)}
    return {
        **of_parent,
        "size": sizes,
        "speed": int(feet[1]) if feet else record.speed,
        "entries": [*entries(record.text), *named_entries([(one.name, one.text) for one in record.traits])],
    }


def _feat(record: Feat) -> Fields:
    required = {"prerequisite": [{"other": record.prerequisite}] if record.prerequisite else None}
    if record.type in _OPTIONS:
        return {**required, "featureType": [_OPTIONS[record.type]]}
    return {**required, "category": codes_of(FEATS).get(record.type, record.type)}


def _rarity(record: Equipment) -> str:
    """The rarity as in the file; for a record from elsewhere the format's word."""
    is_magic = record.kind is Kind.MAGIC_ITEM
    if record.rarity == "unknown" and is_magic:
        return "unknown (magic)"
    return record.rarity.replace("-", " ") or ("unknown (magic)" if is_magic else "none")


def _is_ranged(weapon: WeaponStats) -> bool:
    """Whether it is a ranged weapon; the format has no code for one of which that is not known."""
    if weapon.is_ranged is not None:
        return weapon.is_ranged
    return weapon.long_range is not None and all(one.name != "Thrown" for one in weapon.properties)


def _equipment(record: Equipment) -> Fields:
    weapon, armor = record.weapon, record.armor
    code = (codes_of(CATEGORIES) | {"adventuring-gear": "G", "tools": "T"}).get(record.category, "")
    if record.kind is Kind.WEAPON or (weapon is not None and record.kind is Kind.MAGIC_ITEM):
        code = "R" if weapon is not None and _is_ranged(weapon) else "M"
    if armor is not None:
        code = codes_of(ARMORS).get(armor.category, code)
    made: Fields = {
        "type": code,
        "armor": record.kind is Kind.ARMOR or None,
        "wondrous": record.category == "wondrous-item" or None,
        "rarity": _rarity(record),
        "reqAttune": record.attunement_text.removeprefix("requires attunement ") or record.requires_attunement or None,
        "value": round(record.cost * 100) if record.cost is not None else None,
        "weight": record.weight,
    }
    if weapon is not None:
        properties = codes_of(PROPERTIES)
        reach = f"{weapon.range:g}" if weapon.range is not None else ""
        made |= {
            "weaponCategory": None if record.kind is Kind.ITEM else _PROFICIENCIES[weapon.is_simple],
            "dmg1": weapon.damage_dice,
            "dmg2": weapon.two_handed_damage,
            "dmgType": codes_of(DAMAGE).get(weapon.damage_type, weapon.damage_type),
            "property": [properties[one.name] for one in weapon.properties if one.name in properties],
            "range": f"{reach}/{weapon.long_range:g}" if weapon.long_range is not None else reach,
        }
    if armor is not None:
        made |= {"ac": armor.ac_base, "stealth": armor.stealth_disadvantage or None}
        made["strength"] = str(armor.strength_required) if armor.strength_required is not None else None
    return made
