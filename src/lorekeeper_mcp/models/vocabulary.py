"""The vocabulary of the game: closed lists of keys in Open5e's spelling, and tables that both SRDs share."""

from __future__ import annotations

# Transformation is the school of one spell of Level Up.
SCHOOLS = tuple(
    "abjuration conjuration divination enchantment evocation illusion necromancy transmutation transformation".split()
)
DAMAGE_TYPES = tuple(
    "acid bludgeoning cold fire force lightning necrotic piercing poison psychic radiant slashing thunder".split()
)
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan", "titanic")
CREATURE_TYPES = tuple(
    "aberration beast celestial construct dragon elemental fey fiend giant humanoid monstrosity"
    " ooze plant undead".split()
)
CREATURE_SUBTYPES = tuple(
    "angel demon devil dinosaur dwarf elf genie gnoll gnome goblinoid golem human kobold lizardfolk lycanthrope"
    " merfolk orc sahuagin shapechanger titan".split()
)
CONDITIONS = tuple(
    "blinded charmed deafened exhaustion frightened grappled incapacitated invisible paralyzed petrified poisoned"
    " prone restrained stunned unconscious".split()
)
ABILITY_BY_SKILL = {
    "acrobatics": "dexterity", "animal-handling": "wisdom", "arcana": "intelligence", "athletics": "strength",
    "deception": "charisma", "history": "intelligence", "insight": "wisdom", "intimidation": "charisma",
    "investigation": "intelligence", "medicine": "wisdom", "nature": "intelligence", "perception": "wisdom",
    "performance": "charisma", "persuasion": "charisma", "religion": "intelligence",
    "sleight-of-hand": "dexterity", "stealth": "dexterity", "survival": "wisdom",
}  # fmt: skip
SKILLS = tuple(ABILITY_BY_SKILL)
FEAT_TYPES = ("origin", "general", "fighting-style", "epic-boon")
RARITIES = ("common", "uncommon", "rare", "very-rare", "legendary", "artifact")
ITEM_CATEGORIES = tuple(
    "adventuring-gear ammunition armor equipment-pack land-vehicle mount poison potion ring rod scroll service"
    " shield spellcasting-focus staff tools trade-good wand waterborne-vehicle weapon wondrous-item".split()
)
ARMOR_CATEGORIES = ("light", "medium", "heavy")
WEAPON_PROPERTIES = tuple("finesse light heavy reach thrown versatile two-handed ammunition loading special".split())
MASTERIES = ("cleave", "graze", "nick", "push", "sap", "slow", "topple", "vex")
GOLD = {"cp": 0.01, "sp": 0.1, "ep": 0.5, "gp": 1.0, "pp": 10.0}  # the gp value of each coin
SRD_CLASSES = tuple("barbarian bard cleric druid fighter monk paladin ranger rogue sorcerer warlock wizard".split())
SRD_RACES = ("dragonborn", "dwarf", "elf", "gnome", "half-elf", "half-orc", "halfling", "human", "tiefling")  # of 2014
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
ABILITY_BY_ABBREVIATION = {name[:3]: name for name in ABILITIES}
SRD_ORDER = {"srd-2024": 0, "srd-2014": 1}  # if several books have the same entry, the newer SRD comes first
# Experience points by challenge rating; a rating of 0 is worth 0 or 10. Both SRDs have the same table.
EXPERIENCE = {
    0: 10, 0.125: 25, 0.25: 50, 0.5: 100, 1: 200, 2: 450, 3: 700, 4: 1100, 5: 1800, 6: 2300, 7: 2900, 8: 3900,
    9: 5000, 10: 5900, 11: 7200, 12: 8400, 13: 10000, 14: 11500, 15: 13000, 16: 15000, 17: 18000, 18: 20000,
    19: 22000, 20: 25000, 21: 33000, 22: 41000, 23: 50000, 24: 62000, 25: 75000, 26: 90000, 27: 105000,
    28: 120000, 29: 135000, 30: 155000,
}  # fmt: skip
# The value of a magic item in gp (SRD 5.2, "Magic Item Rarities and Values"); the SRD 5.1 has no such table.
VALUE_BY_RARITY = {"common": 100.0, "uncommon": 400.0, "rare": 4000.0, "very-rare": 40_000.0, "legendary": 200_000.0}
