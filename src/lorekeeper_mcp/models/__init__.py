"""Typed records of every kind, used by all layers and independent of them."""

from lorekeeper_mcp.models.base import (
    NEWEST_FIRST,
    Change,
    Correction,
    Edition,
    EditionText,
    Kind,
    Record,
    Ref,
    Section,
    Source,
    Value,
)
from lorekeeper_mcp.models.creature import Abilities, Action, ActionType, Creature, Defenses, Senses
from lorekeeper_mcp.models.equipment import ArmorStats, Equipment, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.families import FAMILIES, Family, family_of, model_of
from lorekeeper_mcp.models.options import (
    FEATURES_COLUMN,
    Background,
    CharacterClass,
    CharacterFeature,
    Feat,
    Feature,
    FeatureType,
    Species,
    TableColumn,
)
from lorekeeper_mcp.models.rules import Document, Reference, Rule
from lorekeeper_mcp.models.spell import CastingOption, Spell

__all__ = [
    "FAMILIES",
    "FEATURES_COLUMN",
    "NEWEST_FIRST",
    "Abilities",
    "Action",
    "ActionType",
    "ArmorStats",
    "Background",
    "CastingOption",
    "Change",
    "CharacterClass",
    "CharacterFeature",
    "Correction",
    "Creature",
    "Defenses",
    "Document",
    "Edition",
    "EditionText",
    "Equipment",
    "Family",
    "Feat",
    "Feature",
    "FeatureType",
    "Kind",
    "Record",
    "Ref",
    "Reference",
    "Rule",
    "Section",
    "Senses",
    "Source",
    "Species",
    "Spell",
    "TableColumn",
    "Value",
    "WeaponProperty",
    "WeaponStats",
    "family_of",
    "model_of",
]
