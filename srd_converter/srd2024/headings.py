"""Headings of the rules that the outline of the book leaves out, and the keys that Open5e gives to rules.

Rule sets are parts of chapters, rules are headings in them. Names and keys are facts.
"""

from __future__ import annotations

from collections.abc import Mapping

CHAPTERS = {
    "Playing the Game": (5, 18),
    "Character Creation": (19, 27),
    "Equipment": (89, 103),
    "Spells": (103, 106),
    "Gameplay Toolbox": (192, 203),
    "Magic Items": (204, 208),
    "Monsters": (254, 257),
}
"""Chapters of rules by the pages they stand on, the first and the last."""

ENDS = {"Spell Descriptions", "Magic Items A-Z"}
"""Parts of these chapters that are no rules."""

# What follows a chapter or stands among its rules and is read elsewhere.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "The Six Abilities": ("Ability Scores", "Ability Modifiers"),
    "Proficiency": (
        "The Bonus Doesn't Stack", "Skill Proficiencies", "Saving Throw Proficiencies", "Equipment Proficiencies",
    ),
    "Social Interaction": ("Roleplaying", "Ability Checks"),
    "Exploration": ("Adventuring Equipment",),
    "Multiclassing": (
        "Prerequisites", "Experience Points", "Hit Points and Hit Point Dice", "Proficiencies",
        "Class Features", "Armor Class", "Extra Attack", "Spellcasting",
    ),
}  # fmt: skip
"""Headings by the part they stand in, in the order of the book."""

KEYS = {
    "proficiency_the-bonus-doesnt-stack": "proficiency_bonus-dont-stack",
    "d20-tests_saving-throws": "d20-tests_saving-throw",
    "d20-tests_advantagedisadvantage": "d20-tests_advantage-disadvantage",
    "create-your-character_step-1-choose-class": "create-your-character_choose-class",
    "create-your-character_step-2-character-origin": "create-your-character_character-origin",
    "create-your-character_step-3-ability-scores": "create-your-character_ability-scores",
    "create-your-character_step-4-alignment": "create-your-character_alignment",
    "create-your-character_step-5-character-creation-details": "create-your-character_character-creation-details",
    "multiclassing_prerequisites": "multiclassing_prerequisties",
    "multiclassing_hit-points-and-hit-point-dice": "multiclassing_hit-points",
    "damage-and-healing_dropping-to-0-hit-points": "damage-and-healing_dropping-to-zero-hit-points",
}
"""Keys of Open5e, mistakes included, where the rule that makes the others gives another."""
