"""Closed vocabularies of the game, as Open5e spells their keys."""

from __future__ import annotations

SCHOOLS = (
    "abjuration",
    "conjuration",
    "divination",
    "enchantment",
    "evocation",
    "illusion",
    "necromancy",
    "transmutation",
    "transformation",  # one spell of Level Up
)
DAMAGE_TYPES = (
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
)
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan", "titanic")
CREATURE_TYPES = (
    "aberration",
    "beast",
    "celestial",
    "construct",
    "dragon",
    "elemental",
    "fey",
    "fiend",
    "giant",
    "humanoid",
    "monstrosity",
    "ooze",
    "plant",
    "undead",
)
RARITIES = ("common", "uncommon", "rare", "very-rare", "legendary", "artifact")
ITEM_CATEGORIES = (
    "adventuring-gear",
    "ammunition",
    "armor",
    "art",
    "equipment-pack",
    "gem",
    "jewelry",
    "land-vehicle",
    "mount",
    "poison",
    "potion",
    "ring",
    "rod",
    "scroll",
    "service",
    "shield",
    "spellcasting-focus",
    "staff",
    "tools",
    "trade-good",
    "wand",
    "waterborne-vehicle",
    "weapon",
    "wondrous-item",
)
ARMOR_CATEGORIES = ("light", "medium", "heavy")
