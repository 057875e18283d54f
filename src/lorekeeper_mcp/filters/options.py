"""The filters of ``search_character_option``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lorekeeper_mcp.filters.argument_types import CLASS_KEY, choice, class_key, level
from lorekeeper_mcp.filters.filter_row import Column, ColumnType, Comparison, Condition, Filter, Scalar, compare
from lorekeeper_mcp.filters.granted_spells import spells_compared_to, spells_granted
from lorekeeper_mcp.models import (
    Background,
    CharacterClass,
    CharacterFeature,
    Feat,
    FeatureType,
    Kind,
    Record,
    Ref,
    Species,
)
from lorekeeper_mcp.models.vocabulary import ABILITIES, FEAT_TYPES, SKILLS
from lorekeeper_mcp.text import fold, slugify

_SKILL = re.compile(r"\b(" + "|".join(skill.replace("-", " ") for skill in SKILLS) + r")\b", re.IGNORECASE)
_ABILITY = re.compile(r"\b(" + "|".join(ABILITIES) + r")\b", re.IGNORECASE)
_INCREASE = re.compile(r"\b(?:increase|ability score|\+\d)", re.IGNORECASE)
_MOST_OF_FEATURE = 20  # slugs that a feature may grant; more are a list of options, which are features themselves
_FEATURE_ONLY = frozenset({Kind.FEATURE})


def _of_class(record: Record) -> list[str]:
    """The class of a subclass; the class of a feature, and its subclass if it has one."""
    match record:
        case CharacterClass():
            refs = [record.subclass_of]
        case CharacterFeature(character_class=Ref()):
            refs = [record.character_class, record.parent]
        case _:
            refs = []
    names = [name for ref in refs if ref for name in (ref.key, class_key(ref.key.rpartition("_")[2] or ref.name))]
    return list(dict.fromkeys(names))


def _feature_of(record: Record) -> str:
    return f"{record.parent_kind} {fold(record.parent.name)}" if isinstance(record, CharacterFeature) else ""


def _levels(record: Record) -> list[str]:
    return [str(level) for level in record.levels] if isinstance(record, CharacterFeature) else []


def _at_level(value: Scalar) -> tuple[Condition, ...]:
    return (Condition(LEVELS, Comparison.HAS, str(value)),)


def _feat_type(record: Record) -> str:
    return slugify(record.type) if isinstance(record, Feat) else ""


def _skills(record: Record) -> list[str]:
    """The skills that a background, a species or a class gives or offers."""
    match record:
        case Background():
            texts: Iterable[str] = (one.text for one in record.benefits if "skill" in one.name.lower())
        case Species():
            texts = (trait.text for trait in record.traits if "proficien" in trait.text)
        case CharacterClass():
            own = (one.text for one in record.features if "roficienc" in one.name or one.name.startswith("Core "))
            texts = (record.proficiencies, *own)
        case Feat():
            texts = (text for text in (record.text, *record.benefits) if "proficien" in text)
        case _:
            texts = ()
    return [slugify(found) for text in texts for found in _SKILL.findall(text)]


def _abilities(record: Record) -> list[str]:
    """The abilities that an option raises, or the primary ones of a class."""
    match record:
        case CharacterClass():
            texts: Iterable[str] = record.primary_abilities
        case Background():
            texts = (one.text for one in record.benefits if "ability" in one.name.lower())
        case Species():
            texts = (trait.text for trait in record.traits if "ability" in trait.name.lower())
        case Feat():
            own = (one.text for one in record.other if "ability" in one.name.lower())  # in imported files
            texts = (*own, *(text for text in (record.text, *record.benefits) if _INCREASE.search(text)))
        case _:
            texts = ()
    return [found.lower() for text in texts for found in _ABILITY.findall(text)]


def _casts(record: Record) -> list[str]:
    """Slugs of the spells that a subclass, species, background, feat or feature grants.

    A class's list is stored with its spells, and the spells of its features with these.
    """
    match record:
        case CharacterClass(subclass_of=Ref()):
            parts = [(part.name, part.text) for part in record.features] + [(p.name, p.text) for p in record.spells]
            texts: Iterable[str] = (f"{name}\n{text}" for name, text in parts)
        case Species():
            texts = (trait.text for trait in record.traits)
        case Background():
            texts = (one.text for one in record.benefits)
        case Feat():
            texts = (record.text, *record.benefits)
        case CharacterFeature(type=FeatureType.CLASS | FeatureType.OPTION):
            found = spells_granted(record.text, has_lists=False)
            return found if len(found) <= _MOST_OF_FEATURE else []
        case _:
            texts = ()
    return list(dict.fromkeys(slug for text in texts for slug in (*spells_granted(text), *spells_compared_to(text))))


CLASS = Column("subclass_of", ColumnType.LIST, _of_class)
LEVELS = Column("levels", ColumnType.LIST, _levels)
SUBSPECIES = Column("is_subspecies", ColumnType.FLAG, lambda r: r.is_subspecies if isinstance(r, Species) else None)
FEATURE_OF = Column("feature_of", ColumnType.TEXT, _feature_of)
CASTS = Column("casts", ColumnType.LIST, _casts)
FEAT_TYPE = Column("feat_type", ColumnType.TEXT, _feat_type)
SKILL = Column("skills", ColumnType.LIST, _skills)
ABILITY = Column("abilities", ColumnType.LIST, _abilities)

OPTION_FILTERS: tuple[Filter, ...] = (
    compare(
        "class_key",
        CLASS_KEY,
        CLASS,
        Comparison.HAS,
        "Subclasses and features of this class: wizard (any edition) or a key such as srd_wizard",
        kinds=lambda _: frozenset({Kind.SUBCLASS, Kind.FEATURE}),
    ),
    Filter(
        "level",
        level(1, 20),
        "Features gained at this level of a class or subclass",
        (LEVELS,),
        _at_level,
        kinds=lambda _: _FEATURE_ONLY,
        takes_several=True,
    ),
    compare(
        "feat_type",
        choice(*FEAT_TYPES),
        FEAT_TYPE,
        Comparison.EQUALS,
        "Kind of feat",
        kinds=lambda _: frozenset({Kind.FEAT}),
    ),
    compare("skill", choice(*SKILLS), SKILL, Comparison.HAS, "Gives or offers this skill"),
    compare("ability", choice(*ABILITIES), ABILITY, Comparison.HAS, "Raises this ability, or a class's primary one"),
)

# Not arguments: the tool's type="subrace" sets the first; the others say whose feature it is, and what grants a spell.
IS_SUBSPECIES = compare("is_subspecies", bool, SUBSPECIES, Comparison.EQUALS, "Lineages of a species")
PART_OF = compare("feature_of", str, FEATURE_OF, Comparison.EQUALS, "Kind and name of what a feature belongs to")
GIVES_SPELL = compare("casts", str, CASTS, Comparison.HAS, "Gives this spell")
