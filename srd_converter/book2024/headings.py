"""Headings of the rules that the outline of the book leaves out, and the keys that Open5e gives to rules.

Rule sets are parts of chapters, rules are headings in them. Names and keys are facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Headings = Sequence["str | Headings"]
"""Headings in the order of the book; those in brackets are below the one before them."""

CHAPTERS = {
    "Playing the Game": (5, 18),
    "Character Creation": (19, 27),
    "Character Origins": (83, 84),
    "Feats": (87, 87),
    "Equipment": (89, 103),
    "Spells": (103, 107),
    "Gameplay Toolbox": (192, 203),
    "Magic Items": (204, 209),
    "Monsters": (254, 257),
}
"""Chapters of rules by the pages they stand on, the first and the last."""

SKIPPED = {
    "Acid Arrow", "Adamantine Armor", "Acolyte", "Criminal", "Sage", "Soldier", "Dragonborn", "Dwarf", "Elf", "Gnome",
    "Goliath", "Halfling", "Human", "Orc", "Tiefling", "Origin Feats", "General Feats", "Fighting Style Feats",
    "Epic Boon Feats", "Background Descriptions", "Species Descriptions", "Spell Descriptions",
}  # fmt: skip
"""Headings of entries of other kinds, which end the rule above them."""

FIRST: Mapping[str, tuple[str, ...]] = {
    "Playing the Game": ("Exceptions Supersede General Rules", "Round Down"),
    "Equipment": ("Selling Equipment",),
    "Magic Items": ("Magic Items",),
    "Spells": ("Casting in Armor",),
}
"""Headings of a chapter that come before its first part."""

HEADINGS: Mapping[str, Headings] = {
    "The Six Abilities": ("Ability Scores", "Ability Modifiers"),
    "Attack Rolls": ("Rolling 20 or 1",),
    "Advantage/Disadvantage": ("Roll Two D20s", "Interactions with Rerolls", "Heroic Inspiration"),
    "Proficiency": (
        "The Bonus Doesn't Stack", "Skill Proficiencies", ("Skill List", "Determining Skills"),
        "Saving Throw Proficiencies", "Equipment Proficiencies",
    ),
    "Actions": ("One Thing at a Time",),
    "Social Interaction": ("Roleplaying", "Ability Checks"),
    "Exploration": ("Adventuring Equipment",),
    "Vision and Light": ("Obscured Areas", "Light", "Special Senses"),
    "Interacting with Objects": (
        "What Is an Object?", "Marching Order", "Time-Limited Object Interactions",
        "Finding Hidden Objects", "Carrying Objects", "Breaking Objects",
    ),
    "Travel": ("Travel Pace", "Vehicles", "Playing on a Grid"),
    "The Order of Combat": (
        "Combat Step by Step", "Initiative", "Your Turn", "Unseen Attackers and Targets", "Ending Combat",
    ),
    "Movement and Position": (
        "Difficult Terrain", "Breaking Up Your Move", "Dropping Prone", "Creature Size",
        "Moving around Other Creatures",
    ),
    "Ranged Attacks": ("Range", "Ranged Attacks in Close Combat"),
    "Melee Attacks": ("Reach", "Opportunity Attacks"),
    "Mounted Combat": ("Mounting and Dismounting", "Resting", "Controlling a Mount", "Falling Off"),
    "Underwater Combat": ("Impeded Weapons", "Fire Resistance"),
    "Saving Throws and Damage": ("Damage against Multiple Targets", "Half Damage"),
    "Damage Types": ("Knocking Out a Creature",),
    "Resistance and Vulnerability": ("No Stacking", "Order of Application"),
    "Dropping to 0 Hit Points": (
        "Instant Death", "Character Demise", "Falling Unconscious", "Death Saving Throws", "Stabilizing a Character",
    ),
    "Temporary Hit Points": (
        "Lose Temporary Hit Points First", "Duration", "They're Not Hit Points or Healing",
    ),
    "Step 1: Choose Class": ("Write Your Level", "Note Armor Training"),
    "Step 2: Character Origin": (
        "Choose a Background", "Choose Starting Equipment", "Choose a Species", "Imagine Your Past and Present",
        "Choose Languages",
    ),
    "Step 3: Ability Scores": ("Generate Your Scores", "Adjust Ability Scores", "Determine Ability Modifiers"),
    "Step 4: Alignment": ("The Nine Alignments", "Unaligned Creatures"),
    "Step 5: Character Creation Details": ("Record Class Features", "Fill In Numbers"),
    "Level Advancement": ("Gaining a Level", "Tiers of Play", "Bonus Feats at Level 20"),
    "Starting at Higher Levels": ("Creating Your Character", "Starting Equipment"),
    "Multiclassing": (
        "Prerequisites", "Experience Points", "Hit Points and Hit Point Dice", "Proficiency Bonus", "Proficiencies",
        "Class Features", ("Armor Class", "Extra Attack", "Spellcasting"),
    ),
    "Character Backgrounds": (
        "Parts of a Background",
        ("Ability Scores", "Feat", "Skill Proficiencies", "Tool Proficiency", "Equipment"),
        "Background Descriptions",
    ),
    "Character Species": (
        "Parts of a Species", ("Creature Type", "Size", "Speed", "Special Traits"), "Species Descriptions",
    ),
    "Feat Descriptions": ("Parts of a Feat",),
    "Weapons": ("Weapon Proficiency",),
    "Properties": (
        "Ammunition", "Finesse", "Heavy", "Light", "Improvised Weapons", "Loading", "Range", "Reach", "Thrown",
        "Two-Handed", "Versatile",
    ),
    "Mastery Properties": ("Cleave", "Graze", "Nick", "Push", "Sap", "Slow", "Topple", "Vex"),
    "Armor": ("Armor Training", ("Light, Medium, or Heavy Armor", "Shield", "One at a Time")),
    "Tools": ("Tool Proficiency",),
    "Mounts and Vehicles": (
        "Mounts and Cargo", "Barding", "Saddles", "Large Vehicles",
        ("Speed", "Crew", "Passengers", "Damage Threshold", "Ship Repair"),
    ),
    "Magic Items": (
        "Identifying a Magic Item",
        "Attunement", ("Attune during a Short Rest", "No More Than Three Items", "Ending Attunement"),
        "Wearing and Wielding Items", ("Multiple Items of the Same Kind", "Paired Items"),
    ),
    "Crafting Nonmagical Items": ("Tools", "Raw Materials", "Time"),
    "Scribing Spell Scrolls": ("Time and Cost", "Prerequisites for the Scribe", "Cantrips"),
    "Gaining Spells": ("Preparing Spells", "Always-Prepared Spells"),
    "Casting Spells": (
        "Spell Level", "Spell Slots", ("Casting without Slots", "Using a Higher-Level Spell Slot"), "School of Magic",
        "Class Spell Lists", "Casting Time",
        ("One Spell with a Spell Slot per Turn", "Reaction and Bonus Action Triggers", "Longer Casting Times"),
        "Range", "Components", "Identifying an Ongoing Spell", "Duration", "Effects",
        ("Targets", "Saving Throws", "Attack Rolls", "Combining Spell Effects"),
    ),
    "Travel Pace": ("Good Roads", "Slower Travelers", "Extended Travel", "Special Movement", "Vehicles"),
    "Curses": ("Bestow Curse", "Cursed Creatures", "Cursed Magic Items", "Narrative Curses", "Environmental Curses"),
    "Magical Contagions": (
        "Rest and Recuperation", "Example Contagions", ("Cackle Fever", "Sewer Plague", "Sight Rot"),
    ),
    "Environmental Effects": (
        "Deep Water", "Extreme Cold", "Extreme Heat", "Frigid Water", "Heavy Precipitation", "High Altitude",
        "Slippery Ice", "Strong Wind", "Thin Ice",
    ),
    "Mental Stress Effects": ("Prolonged Effects",),
    "Poison": (
        "Purchasing Poison", "Harvesting Poison", "Sample Poisons",
        (
            "Assassin's Blood (150 GP)", "Burnt Othur Fumes (500 GP)", "Crawler Mucus (200 GP)",
            "Essence of Ether (300 GP)", "Malice (250 GP)", "Midnight Tears (1,500 GP)", "Oil of Taggit (400 GP)",
            "Pale Tincture (250 GP)", "Purple Worm Poison (2,000 GP)", "Serpent Venom (200 GP)",
            "Spider's Sting (200 GP)", "Torpor (600 GP)", "Truth Serum (150 GP)", "Wyvern Poison (1,200 GP)",
        ),
    ),
    "Traps": (
        "Parts of a Trap", "Example Traps",
        (
            "Collapsing Roof", "Falling Net", "Fire-Casting Statue", "Hidden Pit", "Poisoned Darts", "Poisoned Needle",
            "Rolling Stone", "Spiked Pit",
        ),
    ),
    "Combat Encounters": (
        "Combat Encounter Difficulty",
        ("Step 1: Choose a Difficulty", "Step 2: Determine Your XP Budget", "Step 3: Spend Your Budget"),
        "Troubleshooting",
        (
            "Many Creatures", "Adjustments", "CR 0 Creatures", "Number of Stat Blocks", "Powerful Creatures",
            "Unusual Features",
        ),
    ),
    "Magic Item Categories": (
        "Armor", "Potions", "Rings", "Rods", "Magic Item Rules", "Scrolls", "Staffs", "Wands", "Weapons",
        "Wondrous Items",
    ),
    "Magic Items A–Z": ("Adamantine Armor",),
    "Spell Descriptions": ("Acid Arrow",),
    "Magic Item Rarity": ("Magic Item Values by Rarity",),
    "Activating a Magic Item": ("Command Word", "Consumable Items", "Spells Cast from Items", "Charges"),
    "Crafting Magic Items": ("Arcana Proficiency", "Tools", "Spells", "Time and Cost"),
    "Sentient Magic Items": ("Sentient Magic Item Traits", "Conflict"),
    "Parts of a Stat Block": (
        "Size", "Creature Type", ("Descriptive Tags",), "Alignment", "Armor Class", "Initiative", "Running a Monster",
        "Hit Points", "Speed", "Ability Scores", "Skills", "Resistances and Vulnerabilities", "Immunities", "Gear",
        ("Ammunition and Ranged Attacks", "Equipping a Monster with Other Items"), "Senses", "Languages",
        ("Telepathy",), "Challenge Rating", ("Experience Points", "Proficiency Bonus"), "Traits", "Actions",
        ("Attack Notation", "Saving Throw Effect Notation", "Damage Notation", "Multiattack", "Spellcasting"),
        "Bonus Action", "Reactions", "Legendary Actions", "Limited Usage",
    ),
}  # fmt: skip
"""Headings by the heading they follow, in the order of the book."""

BOXES = {
    "Heroic Inspiration", "Identifying an Ongoing Spell", "Improvised Weapons", "Knocking Out a Creature",
    "Marching Order", "Running a Monster", "Unseen Attackers and Targets",
}  # fmt: skip
"""Boxed texts of a rule set that are not part of the rule they are printed in."""

MOVED = {
    "Exceptions Supersede General Rules": "Rhythm of Play", "Round Down": "Rhythm of Play",
    "Playing on a Grid": "Combat", "Resting": "Damage and Healing", "Selling Equipment": "Coins",
    "Magic Items": "Magic Item Categories", "Casting in Armor": "Gaining Spells",
}  # fmt: skip
"""Boxed texts by the rule set they belong to, where they are printed in another."""

KEYS = {
    "proficiency_the-bonus-doesnt-stack": "proficiency_bonus-dont-stack",
    "d20-tests_saving-throws": "d20-tests_saving-throw",
    "d20-tests_advantagedisadvantage": "d20-tests_advantage-disadvantage",
    "create-your-character_step-1-choose-class": "create-your-character_choose-class",
    "create-your-character_step-2-character-origin": "create-your-character_character-origin",
    "create-your-character_step-3-ability-scores": "create-your-character_ability-scores",
    "create-your-character_step-4-alignment": "create-your-character_alignment",
    "create-your-character_step-5-character-creation-details": "create-your-character_character-creation-details",
    "level-advancement_gaining-a-level": "create-your-character_gaining-a-level",
    "multiclassing_prerequisites": "multiclassing_prerequisties",
    "multiclassing_hit-points-and-hit-point-dice": "multiclassing_hit-points",
    "combat_unseen-attackers-and-targets": "combat_unseen-attackers-and-target",
    "damage-and-healing_dropping-to-0-hit-points": "damage-and-healing_dropping-to-zero-hit-points",
}
"""Keys of Open5e, mistakes included, where the rule that makes the others gives another."""
