"""The filters of ``search_character_option``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from lorekeeper_mcp.filters.argument_types import CLASS_KEY, choice, class_key, level
from lorekeeper_mcp.filters.filter_row import (
    FLAG,
    INTEGER,
    LIST,
    TEXT,
    Column,
    Comparison,
    Condition,
    Filter,
    compare,
    field_column,
)
from lorekeeper_mcp.filters.granted_spells import spells_granted
from lorekeeper_mcp.filters.words import CLASS_NAMES, NEEDS, WHOLE, Extremes, Measure, Words, flag
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
_HIT_DIE = re.compile(r"d(\d+)")
_INCREASE = re.compile(r"\b(?:increase|ability score|\+\d)", re.IGNORECASE)
_OF_CHOICE = re.compile(
    r"\b(?:any|another|one|one other|two|two (?:other|different)|three|the chosen) (?:different )?ability scores?\b"
    r"|\babilit(?:y scores?|y|ies) of your choice|\b(?:one|two) other abilit(?:y|ies)\b",
    re.IGNORECASE,
)
_OF_CLASSES = (FeatureType.CLASS, FeatureType.OPTION)
_MAX_OF_FEATURE = 20  # slugs that a feature may grant; more are a list of options, which are features themselves


def _class_keys(record: Record) -> list[str]:
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


# The texts of an option that say which skills it gives or offers, which abilities it raises or (a class) needs, and
# which spells it grants. A class's spell list is stored with its spells.
_TextsOf: TypeAlias = Mapping[type[Record], Callable[[Any], Iterable[str]]]  # each reads its own model
_SKILL_TEXTS: _TextsOf = {
    Background: lambda record: (benefit.text for benefit in record.benefits if "skill" in benefit.name.lower()),
    Species: lambda record: (trait.text for trait in record.traits if "proficien" in trait.text),
    CharacterClass: lambda record: (
        record.proficiencies,
        *(part.text for part in record.features if "roficienc" in part.name or part.name.startswith("Core ")),
    ),
    Feat: lambda record: (text for text in (record.text, *record.benefits) if "proficien" in text),
}
_ABILITY_TEXTS: _TextsOf = {
    Background: lambda record: (benefit.text for benefit in record.benefits if "ability" in benefit.name.lower()),
    Species: lambda record: (trait.text for trait in record.traits if "ability" in trait.name.lower()),
    CharacterClass: lambda record: record.primary_abilities,
    Feat: lambda record: (
        *(field.text for field in record.other if "ability" in field.name.lower()),
        *(text for text in (record.text, *record.benefits) if _INCREASE.search(text)),
    ),
}
_SPELL_TEXTS: _TextsOf = {
    Background: lambda record: (benefit.text for benefit in record.benefits),
    Species: lambda record: (trait.text for trait in record.traits),
    CharacterClass: lambda record: (
        *(part.text for part in record.features),
        *(f"{part.name}\n{part.text}" for part in record.spells),
    ),
    Feat: lambda record: (record.text, *record.benefits),
}


def _texts(record: Record, texts_of: _TextsOf) -> list[str]:
    read = texts_of.get(type(record))
    return list(read(record)) if read else []


def _skills(record: Record) -> list[str]:
    return [slugify(skill) for text in _texts(record, _SKILL_TEXTS) for skill in _SKILL.findall(text)]


def _abilities(record: Record) -> list[str]:
    raised = _texts(record, _ABILITY_TEXTS)
    if not isinstance(record, CharacterClass) and any(map(_OF_CHOICE.search, raised)):
        return list(ABILITIES)
    return [name.lower() for text in raised for name in _ABILITY.findall(text)]


def _casts(record: Record) -> list[str]:
    """Slugs of the spells that a subclass, species, background, feat or feature grants."""
    if isinstance(record, CharacterFeature):
        slugs = spells_granted(record.text, has_lists=False) if record.type in _OF_CLASSES else []
        return slugs if len(slugs) <= _MAX_OF_FEATURE else []
    if isinstance(record, CharacterClass) and not record.subclass_of:
        return []
    return list(dict.fromkeys(slug for text in _texts(record, _SPELL_TEXTS) for slug in spells_granted(text)))


def _has_prerequisite(record: Record) -> bool | None:
    return bool(record.prerequisite) if isinstance(record, Feat) else None


def _hit_die(record: Record) -> int | None:
    """The sides of a class's hit die."""
    die = _HIT_DIE.search(record.hit_dice) if isinstance(record, CharacterClass) and not record.subclass_of else None
    return int(die[1]) if die else None


_LEVELS = field_column("levels", LIST)
IS_SUBSPECIES = compare("is_subspecies", bool, FLAG, "Lineages of a species", is_argument=False)
FEATURE_OF = Column("feature_of", TEXT, _feature_of)

OPTION_FILTERS: tuple[Filter, ...] = (
    compare(
        "class_key",
        CLASS_KEY,
        Column("subclass_of", LIST, _class_keys),
        "Subclasses and features of this class: wizard (any edition) or a key such as srd_wizard",
        kinds=lambda _: frozenset({Kind.SUBCLASS, Kind.FEATURE}),
    ).said(
        Words(
            r"(?:gets?|gains?|learns?|features?|subclass(?:es)?|archetypes?)(?: (?!that\b)\w+){0,5}? "
            r"(?:as|for|of|does|do)(?: an?| the)?",
            r"(?:(?:class )?features?|subclass(?:es)?|archetypes?|domains?|oaths?|circles?|paths?"
            r"|gets?|gains?|receives?|learns?)",
            values=CLASS_NAMES,
        )
    ),
    Filter(
        "level",
        level(1, 20),
        "Features gained at this level of a class or subclass",
        (_LEVELS,),
        lambda value: (Condition(_LEVELS, Comparison.HAS, str(value)),),
        kinds=lambda _: frozenset({Kind.FEATURE}),
        takes_several=True,
        words=(
            Measure("level", steps=WHOLE[:21], context=r"\b(?:features?|gets?|gains?|receives?|learns?)"),
            Extremes(lowest=r"(?:at each|at every|by|for each|per) level"),
        ),
    ),
    compare(
        "feat_type",
        choice(*FEAT_TYPES),
        Column("feat_type", TEXT, lambda record: slugify(record.type) if isinstance(record, Feat) else ""),
        "Feat type",
        kinds=Kind.FEAT,
    ).said(Words(after="feats?(?: list)?")),
    compare("skill", choice(*SKILLS), Column("skills", LIST, _skills), "Grants or offers this skill").said(
        Words(
            r"proficien\w+ (?:in|with)|grants?|gives?|teach(?:es)?"
            r"|(?:backgrounds?|feats?|species|races?|class(?:es)?) with",
            r"(?:skill )?proficiency",
        )
    ),
    compare(
        "ability",
        choice(*ABILITIES),
        Column("abilities", LIST, _abilities),
        "Increases this ability; for classes, has it as primary ability",
    ).said(
        Words(
            r"(?:increase|raise|boost|improve)s?(?: your| the| to)?"
            r"|(?:backgrounds?|class(?:es)?|feats?|races?|species) (?:based on|for|(?:that )?uses?|with)(?: high)?"
        )
    ),
    # Not arguments: the tool's type="subrace" sets the first, and the columns of the next two are used elsewhere.
    IS_SUBSPECIES,
    compare("feature_of", str, FEATURE_OF, "Kind and name of what a feature belongs to", is_argument=False),
    compare("casts", str, Column("casts", LIST, _casts), "Gives this spell", is_argument=False),
    compare(
        "has_prerequisite",
        bool,
        Column("has_prerequisite", FLAG, _has_prerequisite),
        "Feats that have a prerequisite",
        is_argument=False,
    ).said(Words(NEEDS, values=flag("prerequisite|prerequisites|prereqs"))),
    compare("hit_die", int, Column("hit_die", INTEGER, _hit_die), "Classes with this hit die", is_argument=False).said(
        Words(after="(?:an? |the )?hit (?:die|dice)", values=r"d\d+", read=lambda text: int(text[1:])),
        Extremes(r"hit (?:dic?e|points)|hp"),
    ),
)
