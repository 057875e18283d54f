"""The start of each rule set of the SRD 5.1 in the book, and the keys that Open5e gives to its rules.

Pages, names and keys only. A rule set extends to the next one; every heading in it is a rule.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Start:
    """The heading on a page at which a rule set begins; without a slug, the text after it is not a rule.

    ``prefix`` is the first part of its rules' keys if that is not the slug.
    """

    page: int
    heading: str
    slug: str = ""
    name: str = ""
    prefix: str = ""


CLASSES = {
    "Barbarian": 8, "Bard": 11, "Cleric": 15, "Druid": 19, "Fighter": 24, "Monk": 26, "Paladin": 30, "Ranger": 35,
    "Rogue": 39, "Sorcerer": 42, "Warlock": 46, "Wizard": 52,
}  # fmt: skip
CLASS_PREFIX = "class-"
STARTS = (
    Start(3, "Races", "races", "Races", "race"),
    *(Start(page, name, f"{CLASS_PREFIX}{name.lower()}", f"{name} Class Features") for name, page in CLASSES.items()),
    Start(56, "Beyond 1st Level", "leveling-up", "Leveling Up"),
    Start(56, "Multiclassing", "multiclassing", "Multiclassing"),
    Start(58, "Alignment", "alignment", "Alignment"),
    Start(59, "Languages", "languages", "Languages"),
    Start(59, "Inspiration", "inspiration", "Inspiration"),
    Start(60, "Backgrounds", "backgrounds", "Background"),
    Start(62, "Equipment", "coins", "Coins"),
    Start(62, "Selling Treasure", "selling-treasure", "Selling Treasure"),
    Start(62, "Armor", "armor", "Armor"),
    Start(64, "Weapons", "weapons", "Weapons"),
    Start(66, "Adventuring Gear", "adventuring-gear", "Adventuring Gear"),
    Start(70, "Equipment Packs", "equipment-packs", "Equipment Packs"),
    Start(70, "Tools", "tools", "Tools"),
    Start(71, "Mounts and Vehicles", "mounts-and-vehicles", "Mounts and Vehicles"),
    Start(72, "Trade Goods", "trade-goods", "Trade Goods"),
    Start(72, "Expenses", "expenses", "Expenses"),
    Start(75, "Feats", "feats", "Feats"),
    Start(75, "Grappler"),
    Start(76, "Using Ability Scores", "abilities", "Abilities"),
    Start(83, "Saving Throws", "saving-throws", "Saving Throws"),
    Start(84, "Time", "time", "Time"),
    Start(84, "Movement", "movement", "Movement"),
    Start(86, "The Environment", "environment", "Environment"),
    Start(87, "Resting", "resting", "Resting"),
    Start(88, "Between Adventures", "between-adventures", "Between Adventures"),
    Start(90, "The Order of Combat", "combat-sequence", "Combat Sequence"),
    Start(91, "Movement and Position", "movement-and-position", "Movement and Position"),
    Start(93, "Actions in Combat", "actions-in-combat", "Actions in Combat"),
    Start(94, "Making an Attack", "attacking", "Attacking"),
    Start(96, "Cover", "cover", "Cover"),
    Start(96, "Damage and Healing", "damage-and-healing", "Damage and Healing"),
    Start(99, "Mounted Combat", "mounted-combat", "Mounted Combat"),
    Start(99, "Underwater Combat", "underwater-combat", "Underwater Combat"),
    Start(100, "Spellcasting", "spellcasting", "Spellcasting"),
    Start(105, "Spell Lists", "spell-lists", "Spell Lists"),
    Start(114, "Spell Descriptions"),
    Start(195, "Traps", "traps", "Traps"),
    Start(199, "Diseases", "diseases", "Diseases"),
    Start(201, "Madness", "madness", "Madness"),
    Start(203, "Objects", "objects", "Objects"),
    Start(204, "Poisons", "poisons", "Poisons"),
    Start(206, "Magic Items", "magic-items", "Magic Items"),
    Start(207, "Adamantine Armor"),
    Start(251, "Sentient Magic Items", "magic-items", "Magic Items"),
    Start(252, "Orb of Dragonkind"),
    Start(254, "Monsters", "monsters", "Monsters"),
    Start(261, "Monsters (A)"),
    Start(320, "Half-Dragon Template", "monsters", "Monsters"),
    Start(321, "Half-Red Dragon Veteran"),
    Start(358, "Appendix PH-A: Conditions", "conditions", "Conditions"),
    Start(358, "Blinded"),
    Start(360, "Fantasy-Historical Pantheons", "pantheons", "Pantheons"),
    Start(363, "The Planes of Existence", "planes", "Planes"),
    Start(366, "Appendix MM-A: Miscellaneous Creatures", "miscellaneous-creatures", "Miscellaneous Creatures"),
    Start(366, "Ape"),
    Start(378, "Variant: Diseased Giant Rats", "miscellaneous-creatures", "Miscellaneous Creatures"),
    Start(378, "Giant Scorpion"),
    Start(391, "Variant: Insect Swarms", "miscellaneous-creatures", "Miscellaneous Creatures"),
    Start(391, "Tiger"),
    Start(395, "Appendix MM-B: Nonplayer Characters", "nonplayer-characters", "Nonplayer Characters"),
    Start(395, "Acolyte"),
)

TWO_LINES = {
    "Using Ability Scores", "Advantage and Disadvantage", "Damage Resistance and Vulnerability",
    "Vulnerabilities, Resistances, and Immunities", "Appendix PH-A: Conditions", "Fantasy-Historical Pantheons",
    "The Planes of Existence", "Appendix MM-A: Miscellaneous Creatures", "Appendix MM-B: Nonplayer Characters",
}  # fmt: skip
"""Headings that take more than one line."""

WITHIN = {
    *((78, name) for name in ("Strength", "Dexterity", "Intelligence", "Wisdom", "Charisma")),
    *((251, name) for name in ("Abilities", "Communication", "Senses", "Alignment", "Special Purpose")),
    *((page, name) for page in CLASSES.values() for name in ("Hit Points", "Proficiencies", "Equipment")),
}
"""Headings that stay within the rule above: steps of a procedure, lists of skills."""

SPELL_LISTS = range(105, 114)
"""The pages of the classes' spell lists, whose headings of levels stay within the list."""

PROMOTED = {
    (62, "Standard Exchange Rates"), (63, "Armor"), (65, "Weapons"),
    (71, "Mounts and Other Animals"), (72, "Tack, Harness, and Drawn Vehicles"), (72, "Waterborne Vehicles"),
    (203, "Huge and Gargantuan Objects"), (203, "Objects and Damage Types"), (203, "Damage Threshold"),
    (256, "Hit Dice by Size"), (256, "Proficiency Bonus by Challenge Rating"),
    (258, "Experience Points by Challenge Rating"), (201, "Short-Term Madness"), (201, "Long-Term Madness"),
    (202, "Indefinite Madness"), (360, "Celtic Deities"), (361, "Greek Deities"), (361, "Egyptian Deities"),
    (361, "Norse Deities"), (92, "Size Categories"),
}  # fmt: skip
"""Captions of tables and names of paragraphs that are rules of their own."""

RULES_ONLY = {"magic-items"}
"""Rule sets of which Open5e has an introduction of its own; the book's is a rule below it."""

LAST_PARTS = {
    "race_racial-traits": "race_subraces",
    "race_dwarf-traits": "race_hill-dwarf",
    "race_elf-traits": "race_high-elf",
    "race_halfling-traits": "race_lightfoot",
    "race_gnome-traits": "race_rock-gnome",
    "multiclassing_class-features": "multiclassing_spellcasting",
    "backgrounds_acolyte": "backgrounds_acolyte-suggested-characteristics",
    "abilities_ability-checks": "abilities_group-checks",
    "abilities_skills": "abilities_variant-skills-with-different-abilities",
    "abilities_working-together": "abilities_group-checks",
    "abilities_using-each-ability": "abilities_charisma-spellcasting-ability",
    "abilities_strength": "abilities_variant-encumbrance",
    "abilities_lifting-and-carrying": "abilities_variant-encumbrance",
    "abilities_dexterity": "abilities_hiding",
    "abilities_constitution": "abilities_constitution-hit-points",
    "abilities_intelligence": "abilities_intelligence-spellcasting-ability",
    "abilities_wisdom": "abilities_wisdom-spellcasting-ability",
    "abilities_charisma": "abilities_charisma-spellcasting-ability",
    "movement_speed": "movement_difficult-terrain",
    "movement_special-types-of-movement": "movement_jumping",
    "environment_vision-and-light": "environment_truesight",
    "environment_food-and-water": "environment_water",
    "between-adventures_downtime-activities": "between-adventures_training",
    "combat-sequence_your-turn": "combat-sequence_other-activity-on-your-turn",
    "movement-and-position_breaking-up-your-move": "movement-and-position_using-different-speeds",
    "movement-and-position_creature-size": "movement-and-position_squeezing-into-a-smaller-space",
    "attacking_attack-rolls": "attacking_rolling-1-or-20",
    "attacking_ranged-attacks": "attacking_ranged-attacks-in-close-combat",
    "attacking_melee-attacks": "attacking_shoving-a-creature",
    "damage-and-healing_damage-rolls": "damage-and-healing_damage-types",
    "damage-and-healing_dropping-to-0-hit-points": "damage-and-healing_knocking-a-creature-out",
    "spellcasting_what-is-a-spell": "spellcasting_rituals",
    "spellcasting_spell-slots": "spellcasting_casting-a-spell-at-a-higher-level",
    "spellcasting_casting-a-spell": "spellcasting_combining-magical-effects",
    "spellcasting_casting-time": "spellcasting_longer-casting-times",
    "spellcasting_components": "spellcasting_material-m",
    "spellcasting_duration": "spellcasting_concentration",
    "spellcasting_targets": "spellcasting_targeting-yourself",
    "spellcasting_areas-of-effect": "spellcasting_sphere",
    "traps_traps-in-play": "traps_complex-traps",
    "traps_sample-traps": "traps_sphere-of-annihilation",
    "diseases_sample-diseases": "diseases_sight-rot",
    "madness_madness-effects": "madness_indefinite-madness",
    "objects_statistics-for-objects": "objects_damage-threshold",
    "magic-items_wearing-and-wielding-items": "magic-items_paired-items",
    "magic-items_activating-an-item": "magic-items_charges",
    "magic-items_sentient-magic-items": "magic-items_conflict",
    "monsters_type": "monsters_tags",
    "monsters_hit-points": "monsters_hit-dice-by-size",
    "monsters_speed": "monsters_swim",
    "monsters_saving-throws": "monsters_proficiency-bonus-by-challenge-rating",
    "monsters_senses": "monsters_truesight",
    "monsters_languages": "monsters_telepathy",
    "monsters_challenge": "monsters_experience-points-by-challenge-rating",
    "monsters_experience-points": "monsters_experience-points-by-challenge-rating",
    "monsters_special-traits": "monsters_psionics",
    "monsters_actions": "monsters_ammunition",
    "monsters_legendary-creatures": "monsters_regional-effects",
    "monsters_a-legendary-creatures-lair": "monsters_regional-effects",
    "planes_beyond-the-material": "planes_demiplanes",
}
"""A rule with deeper headings below it, and the last one of these."""

BOXES = {"spellcasting_casting-in-armor", "monsters_armor-weapon-and-tool-proficiencies"}
"""Boxed texts that are not part of the rule they are printed in."""

NAMES = {
    "race_hill-dwarf": "Hill Dwarf Traits", "race_high-elf": "High Elf Traits", "race_lightfoot": "Lightfoot Traits",
    "race_rock-gnome": "Rock Gnome Traits", "backgrounds_acolyte": "Acolyte Background",
    "backgrounds_feature-shelter-of-the-faithful": "Shelter of the Faithful",
    "armor_armor": "Armor Table", "weapons_weapons": "Weapons Table",
    "coins_standard-exchange-rates": "Exchange Rates", "class-paladin_oath-spells": "Oath of Devotion Spells",
    **{f"spell-lists_{name.lower()}-spells": f"{name} Spell List" for name in CLASSES},
    "class-paladin_channel-divinity": "Channel Divinity (Oath of Devotion)",
    "class-warlock_eldritch-invocations": "Prerequisites of Eldritch Invocations",
}  # fmt: skip
"""Names where the heading alone would be taken for something else."""

_KEYS = {
    "abilities_variant-skills-with-different-abilities": "abilities_skills-with-different-abilities",
    "armor_armor": "armor_armor-table",
    "armor_getting-into-and-out-of-armor": "armor_donning-and-doffing",
    "attacking_modifiers-to-the-roll": "attacking_attack-modifiers",
    "attacking_shoving-a-creature": "attacking_shoving",
    "coins_standard-exchange-rates": "coins_exchange-rates",
    "combat-sequence_other-activity-on-your-turn": "combat-sequence_other-activities-on-your-turn",
    "damage-and-healing_damage-resistance-and-vulnerability": "damage-and-healing_resistance-and-vulnerability",
    "expenses_food-drink-and-lodging": "expenses_food-drink-lodging",
    "magic-items_multiple-items-of-the-same-kind": "magic-items_multiple-items-of-same-kind",
    "magic-items_wearing-and-wielding-items": "magic-items_wearing-and-wielding",
    "monsters_a-legendary-creatures-lair": "monsters_legendary-creatures-lair",
    "monsters_armor-weapon-and-tool-proficiencies": "monsters_armor-weapon-tool-proficiencies",
    "monsters_grapple-rules-for-monsters": "monsters_grapple-rules",
    "monsters_proficiency-bonus-by-challenge-rating": "monsters_prof-bonus-by-cr",
    "monsters_experience-points-by-challenge-rating": "monsters_experience-points-by-cr",
    "monsters_vulnerabilities-resistances-and-immunities": "monsters_vulnerabilities-resistances-immunities",
    "mounts-and-vehicles_mounts-and-other-animals": "mounts-and-vehicles_mounts",
    "mounts-and-vehicles_tack-harness-and-drawn-vehicles": "mounts-and-vehicles_tack-harness-land-vehicles",
    "movement_climbing-swimming-and-crawling": "movement_climbing-swimming-crawling",
    "multiclassing_prerequisites": "multiclassing_prerequistes",
    "planes_transitive-planes": "planes_transistive-planes",
    "race_ability-score-increase": "race_ability-score-increases",
    "spellcasting_casting-a-spell-at-a-higher-level": "spellcasting_casting-a-spell-at-higher-level",
    "spellcasting_the-schools-of-magic": "spellcasting_schools-of-magic",
    "spellcasting_range": "spellcasting_spell-range",
    "spellcasting_attack-rolls": "spellcasting_spell-attack-rolls",
    "spellcasting_saving-throws": "spellcasting_spell-saving-throws",
    "traps_fire-breathing-statue": "traps_fire-breating-statue",
    "traps_poison-needle": "traps_poison-needles",
    "weapons_weapons": "weapons_weapons-table",
}


def key_of_rule(made: str) -> str:
    """Open5e's key, including its spelling, of a rule by its rule set and heading; our own if Open5e lacks the rule."""
    return f"srd_{_KEYS.get(made, made)}"
