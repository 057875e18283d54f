"""Writes records as an OrcBrew file, with the fields that the application reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from lorekeeper_mcp.models import (
    ActionType,
    Background,
    CharacterClass,
    Creature,
    Document,
    Equipment,
    Feat,
    Feature,
    Kind,
    Record,
    Reference,
    Rule,
    Section,
    Species,
    Spell,
)
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.imported import PRESERVED_FIELD, free_key, slug
from lorekeeper_mcp.sources.orcbrew.creatures import DEFENSES
from lorekeeper_mcp.sources.orcbrew.edn import Keyword
from lorekeeper_mcp.sources.orcbrew.records import SECTIONS
from lorekeeper_mcp.sources.phrases import joined

Fields: TypeAlias = dict[str, object]
_ABBREVIATIONS = {name: short for short, name in ABILITY_BY_ABBREVIATION.items()}
_DICE = re.compile(r"(\d+)d(\d+)([+-]\d+)?")
_FACTORS = {"full": 1, "half": 2, "third": 3}
_SECTIONS: dict[Kind, str] = {kind: section for section, (kind, _) in SECTIONS.items() if kind is not Kind.RULE}
_FEATS = {"Eldritch Invocation": "invocations", "Pact Boon": "boons", "Selection": "selections"}
_TIME = re.compile(r"(\d*)([a-z-]+)")


def write(book: Document, records: Sequence[Record], kept: Mapping[str, Mapping[str, object]]) -> bytes:
    """Return a file with one book. ``kept`` has, by record id, fields to keep beside those of the format."""
    sections: dict[str, dict[str, Fields]] = {}
    for record in records:
        fields: Fields = {**_fields(record), "option-pack": book.name}
        if preserved := kept.get(record.id):
            fields[PRESERVED_FIELD] = preserved
        items = sections.setdefault(_section(record), {})
        items[free_key(record.key.rpartition("_")[2], record.key, items)] = fields
    written = []
    for section, items in sections.items():
        lines = "\n  ".join(f":{key} {_edn(fields)}" for key, fields in items.items())
        written.append(f":orcpub.dnd.e5/{section}\n {{{lines}}}")
    content = "\n ".join(written)
    return f"{{{_edn(book.name)}\n{{{content}}}}}\n".encode()


def _section(record: Record) -> str:
    match record:
        case Species():
            return "subraces" if record.is_subspecies else "races"
        case Feat():
            return _FEATS.get(record.type, "feats")
        case Rule() if record.section is not None:
            return slug(record.section.name)
        case _:
            return _SECTIONS.get(record.kind, "rules")


def _fields(record: Record) -> Fields:
    """The fields of an item, without empty ones."""
    of_kind = _FIELDS_OF_KIND[type(record)](record) if type(record) in _FIELDS_OF_KIND else {}
    fields: Fields = {"name": record.name, "description": record.text, **of_kind}
    for field in record.other:
        if field.name:
            fields.setdefault(field.name, field.text)
    return {name: value for name, value in fields.items() if value not in (None, "", [], {}, ())}


def _spell(record: Spell) -> Fields:
    higher = f"\n\nAt Higher Levels. {record.higher_level}" if record.higher_level else ""
    time = record.casting_time_text or _time(record.casting_time)
    components: Fields = {"verbal": record.verbal, "somatic": record.somatic, "material": record.material}
    if record.material_text:
        components["material-component"] = record.material_text
    return {
        "level": record.level,
        "school": record.school,
        "casting-time": f"{time or '1 reaction'}, {record.reaction_condition}" if record.reaction_condition else time,
        "range": record.range_text,
        "duration": f"{'Concentration, ' if record.concentration else ''}{record.duration}",
        "components": components,
        "spell-lists": {slug(ref.name): True for ref in record.classes},
        "ritual": record.ritual or None,
        "attack-roll?": record.attack_roll or None,
        "description": f"{record.text}{higher}",
    }


def _time(key: str) -> str:
    """``10minutes`` is 10 minutes."""
    match = _TIME.fullmatch(key)
    return f"{match[1] or 1} {match[2].replace('-', ' ')}" if match else key


def _creature(record: Creature) -> Fields:
    scores = record.abilities.model_dump()
    type_, _, tags = record.type_text.removesuffix(")").partition("(")
    senses = record.senses
    passive = f"passive Perception {senses.passive_perception}" if senses.passive_perception is not None else ""
    dice = _DICE.fullmatch(record.hit_dice)
    points: object = record.hit_points
    if dice:
        points = {"die-count": int(dice[1]), "die": int(dice[2]), **({"modifier": int(dice[3])} if dice[3] else {})}
    speeds = [f"{mode if mode != 'walk' else ''} {feet:g} ft.".strip() for mode, feet in record.speed.items()]
    props = {field: getattr(record.defenses, name) for name, (field, _) in DEFENSES.items()}
    props["language"] = record.language_keys
    armor = f"{record.armor_class} ({record.armor_text})" if record.armor_text else record.armor_class
    return {
        "type": _key(type_.strip() or record.type),
        "subtypes": [_key(tag) for tag in tags.split(", ")] if tags else None,
        "size": _key(record.size),
        "alignment": record.alignment,
        "challenge": record.challenge_rating,
        "armor-class": armor,
        "hit-points": points,
        "speed": ", ".join(speeds) + (" (hover)" if record.hover else ""),
        **{short: scores[name] for short, name in ABILITY_BY_ABBREVIATION.items()},
        "saving-throws": {_ABBREVIATIONS.get(name, name): bonus for name, bonus in record.saving_throws.items()},
        "skills": dict(record.skills),
        "senses": joined(senses.text, passive),
        "props": {name: dict.fromkeys(keys, True) for name, keys in props.items() if keys},
        "traits": [
            *({"name": trait.name, "description": trait.text} for trait in record.traits),
            *(
                {"name": action.name, "type": _key(action.type), "description": action.text}
                for action in record.actions
            ),
        ],
        "legendary-actions": {"description": record.legendary_text} if record.legendary_text else None,
    }


def _class(record: CharacterClass) -> Fields:
    die = record.hit_dice.removeprefix("d")
    factor = _FACTORS.get(record.caster_type)
    saves = {_ABBREVIATIONS.get(name.lower(), name.lower()): True for name in record.saving_throws}
    return {
        "class": _key(slug(record.subclass_of.name)) if record.subclass_of else None,
        "hit-die": int(die) if die.isdigit() else None,
        "profs": {"save": saves} if saves else None,
        "spellcasting": {"level-factor": factor} if factor else None,
        "traits": [_trait(feature, feature.levels) for feature in record.features],
    }


def _species(record: Species) -> Fields:
    feet = re.fullmatch(r"(\d+) (?:feet|ft\.)", record.speed)
    return {
        "race": _key(slug(record.subspecies_of.name)) if record.subspecies_of else None,
        "size": _key(slug(record.size)) if record.size else None,
        "speed": int(feet[1]) if feet else record.speed,
        "traits": [_trait(trait) for trait in record.traits],
    }


def _trait(part: Section | Feature, levels: Sequence[int] = ()) -> Fields:
    fields: Fields = {"name": part.name, "description": part.text}
    if levels:
        fields["level"] = levels[0]
    if part.type in tuple(ActionType):
        fields["type"] = _key(part.type)
    return fields


def _feat(record: Feat) -> Fields:
    fields: Fields = {"prerequisite": record.prerequisite}
    if record.type == "Selection":
        options = (benefit.partition(". ") for benefit in record.benefits)
        fields["options"] = [{"name": name, "description": text} for name, _, text in options]
    return fields


def _equipment(record: Equipment) -> Fields:
    fields: Fields = {
        "cost": {"num": record.cost, "type": _key("gp")} if record.cost is not None else None,
        "weight": record.weight,
        "rarity": _key(record.rarity),
        "attunement": [_key("any")] if record.requires_attunement else None,
    }
    if record.kind in (Kind.ITEM, Kind.MAGIC_ITEM):
        fields["type"] = _key(record.category)
    if (weapon := record.weapon) is not None:
        dice = _DICE.fullmatch(weapon.damage_dice)
        simple = {True: _key("simple"), False: _key("martial"), None: None}[weapon.is_simple]
        fields |= {
            "damage-die": int(dice[2]) if dice else None,
            "damage-die-count": int(dice[1]) if dice else None,
            "damage-type": _key(weapon.damage_type),
            "weapon-type" if record.kind is not Kind.WEAPON else "type": simple,
            "ranged?": weapon.is_ranged or None,
            "melee?": weapon.is_ranged is False or None,
            "properties": [prop.name for prop in weapon.properties],
            "range": {"min": weapon.range, "max": weapon.long_range} if weapon.long_range is not None else None,
        }
    if (armor := record.armor) is not None:
        fields |= {
            "armor-type" if record.kind is not Kind.ARMOR else "type": _key(armor.category),
            "base-ac": armor.ac_base,
            "max-dex-mod": armor.dexterity_cap,
            "min-str": armor.strength_required,
            "stealth-disadvantage?": armor.stealth_disadvantage or None,
        }
    return fields


# Any, since each takes the type under which it stands.
_FIELDS_OF_KIND: Mapping[type[Record], Callable[[Any], Fields]] = {
    Spell: _spell,
    Creature: _creature,
    CharacterClass: _class,
    Species: _species,
    Background: lambda record: {"traits": [_trait(benefit) for benefit in record.benefits]},
    Feat: _feat,
    Equipment: _equipment,
    Reference: lambda record: {"script": record.script, "speakers": record.speakers},
}


def _key(text: str) -> Keyword | None:
    return Keyword(slug(text)) if text else None


def _edn(value: object) -> str:
    """A value as EDN. Keys that are not valid keywords are written as texts."""
    match value:
        case bool():
            text = "true" if value else "false"
        case int() | float():
            text = str(value)
        case Keyword():
            text = f":{value}"
        case str():
            text = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case Mapping():
            text = "{" + " ".join(f"{_edn_key(key)} {_edn(member)}" for key, member in value.items()) + "}"
        case Sequence():
            text = "[" + " ".join(map(_edn, value)) + "]"
        case _:
            text = "nil"
    return text


def _edn_key(key: object) -> str:
    return f":{key}" if re.fullmatch(r"[a-z][\w?-]*", str(key), re.ASCII) else _edn(str(key))
