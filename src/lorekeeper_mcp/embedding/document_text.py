"""The text that is embedded for a record: a phrase that says what it is, then its prose.

The model reads only about the first 256 word pieces, so the most distinctive parts come first, such as the names of a
creature's traits or a class's features. Numbers are left to the filters.
"""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.embedding.paraphrases import paraphrases_of
from lorekeeper_mcp.models import (
    Action,
    Background,
    CharacterClass,
    CharacterFeature,
    Creature,
    Equipment,
    Feat,
    Kind,
    Record,
    Rule,
    Section,
    Species,
    Spell,
)
from lorekeeper_mcp.passages import passages_of
from lorekeeper_mcp.passages.passage_words import passage_words, without_markdown

# Features that every class has do not distinguish them.
_EVERY_CLASS = frozenset({"Ability Score Improvement", "Equipment", "Hit Points", "Proficiencies"})
SEPARATOR = "\x1e"  # a control character that no text has
MAX_CHARACTERS = 2000  # characters; 256 word pieces are about 1,100


def embedding_text(record: Record) -> str:
    """Return plain text of at most 2,000 characters, always the same for the same record."""
    parts = [f"{record.name}.", f"{_kind_phrase(record)}.", *_prose(record), *(field.text for field in record.other)]
    return without_markdown(" ".join(filter(None, parts)))[:MAX_CHARACTERS]


def searchable_words(record: Record) -> str:
    """Return what a record is, the text of all its passages and what players call it, each after a ``SEPARATOR``."""
    return SEPARATOR.join([_kind_phrase(record), *map(passage_words, passages_of(record)), *paraphrases_of(record)])


def _words(key: str) -> str:
    return key.replace("-", " ")


def _kind_phrase(record: Record) -> str:
    """A phrase for the record: "level 3 evocation spell", "large undead creature", "rare ring, magic item"."""
    match record:
        case Spell(level=level, school=school):
            level_and_school = f"level {level} {school} spell" if level else f"{school} cantrip"
            return f"{level_and_school}, ritual" if record.ritual else level_and_school
        case Creature():
            return " ".join(filter(None, (record.size, (record.type_text or record.type).lower(), "creature")))
        case Equipment():
            return _equipment(record)
        case Rule() if record.section and record.section.name:
            return f"rule about {record.section.name}"
        case _:
            return _option(record) or _words(record.kind)


def _option(record: Record) -> str:
    match record:
        case CharacterClass(subclass_of=parent):
            return f"subclass of {parent.name or parent.key}" if parent else "character class"
        case CharacterFeature():
            class_name = record.character_class.name if record.character_class else "species"
            feature = f"{' '.join(dict.fromkeys([record.parent.name, class_name]))} feature"
            return f"{record.option_of} option, {feature}" if record.option_of else feature
        case Species():
            return f"lineage of {record.subspecies_of.name}" if record.subspecies_of else "species, race"
        case _:
            return ""


def _equipment(record: Equipment) -> str:
    category = _words(record.category)
    parts = [
        " ".join(filter(None, (_words(record.rarity), category))),
        "magic item" if record.kind is Kind.MAGIC_ITEM else "",
        "weapon" if record.weapon and category != "weapon" else "",
        *(prop.name.lower() for prop in (record.weapon.properties if record.weapon else ())),
        f"{record.armor.category} armor" if record.armor and record.armor.category else "",
    ]
    return ", ".join(filter(None, parts)) or _words(record.kind)


def _creature(creature: Creature) -> Iterable[str]:
    entries: list[Section | Action] = [*creature.traits, *creature.actions]
    names = ", ".join(entry.name for entry in entries)
    return (f"{names[:350]}.", creature.text, *(entry.text for entry in entries))


def _prose(record: Record) -> Iterable[str]:
    """The texts, most distinctive first."""
    match record:
        case Creature():
            return _creature(record)
        case CharacterClass():
            features = [feature for feature in record.features if feature.name not in _EVERY_CLASS]
            names = ", ".join(dict.fromkeys(feature.name for feature in features))
            return (record.text, f"Features: {names[:400]}.", *(feature.text for feature in features))
        case Species():
            names = ", ".join(trait.name for trait in record.traits)
            return (record.text, f"Traits: {names}.", *(trait.text for trait in record.traits))
        case Background():
            return (record.text, *(f"{benefit.name}: {benefit.text}" for benefit in record.benefits))
        case Feat():
            return (record.text, *record.benefits)
        case _:
            higher_level = record.higher_level if isinstance(record, Spell) else ""
            return (record.text, higher_level, *(text.text for text in record.texts if text.text != record.text))
