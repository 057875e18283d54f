"""Shapes of the tables of the SRD 5.2.1, whose columns the text of the pages has lost, by their captions.

Heads are the names of the columns; a pattern has a group for each. Only shapes of cells, no text of the book.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_ABILITY = r"(Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma|Varies)"
_RANGE = r"(\d+(?: ?–\s?\d+)?)"
_PERCENT = r"(\d\d–\d\d)"
_NUMBER = r"(—|[\d,]+)"
_LINE = r"([^\n]+)"
_NAME = r"([A-Z][^\n]*?)"
_SPELL = r"([A-Z][^\n(\d.]*?(?: \([^)]*\))?)"
_COST = r"((?:[\d,]+ [CSGP]P|Varies|Free)(?: per \w+)?)"
_WEIGHT = r"(—|Varies|[\d,½/]+ lb\.(?: \(full\))?)"
_CLASS = r"(Barbarian|Bard|Cleric|Druid|Fighter|Monk|Paladin|Ranger|Rogue|Sorcerer|Warlock|Wizard)"
_HIT_POINTS = (r"([A-Z][\w, \n]+?)", r"(\d+ \+ Con\. modifier)")
_SCHOOL = r"(Abjuration|Conjuration|Divination|Enchantment|Evocation|Illusion|Necromancy|Transmutation)"
_RARITY = r"(Common|Uncommon|Rare|Very Rare|Legendary|Artifact)"
_RARITY_LONGEST = r"(Common|Uncommon|Very\s+Rare|Rare|Legendary|Artifact)"
_DRAGON = r"(Black|Blue|Brass|Bronze|Copper|Gold|Green|Red|Silver|White)"
_DRAGON_DAMAGE = r"(Acid|Cold|Fire|Lightning|Poison)"
_ACTION = r"(Attack|Dash|Disengage|Dodge|Help|Hide|Influence|Magic|Ready|Search|Study|Utilize)"
_ROLLED = r"(\d+ \(\d+d\d+\))"
_SIZE = r"(Tiny|Small|Medium|Large|Huge|Gargantuan)"


@dataclass(frozen=True)
class Shape:
    """The names of the columns and the pattern of a row."""

    head: tuple[str, ...]
    row: re.Pattern[str]


def shape(head: str, *cells: str) -> Shape:
    """The shape of a table: its head, parted by bars, and a pattern with a group for each cell."""
    return Shape(tuple(head.split(" | ")), re.compile(r"\s+".join(cells) + r"(?=\s|$)"))


SHAPES: Mapping[str, Shape] = {
    "Ability Descriptions": shape("Ability | Score Measures", _ABILITY, _LINE),
    "Ability Scores": shape("Score | Meaning", _RANGE, r"(This [^\n]+)"),
    "Ability Modifiers": shape("Score | Modifier", _RANGE, r"([−+]\d+)"),
    "Ability Scores and Modifiers": shape("Score | Modifier", _RANGE, r"([−+]\d+)"),
    "Ability Check Examples": shape("Ability | Make a Check To", _ABILITY, _LINE),
    "Typical Difficulty Classes": shape("Task Difficulty | DC", r"([A-Z][a-z ]+?)", r"(\d+)"),
    "Saving Throw Examples": shape("Ability | Make a Save To", _ABILITY, _LINE),
    "Attack Roll Abilities": shape("Ability | Attack Type", _ABILITY, _LINE),
    "Proficiency Bonus": shape("Level or CR | Bonus", r"(Up to 4|\d+–\d+)", r"(\+\d)"),
    "Skills": shape("Skill | Ability | Example Uses", r"([A-Z][A-Za-z ]+?)", _ABILITY, r"([A-Z][^.]+\.)"),
    "Travel Pace": shape("Pace | Minute | Hour | Day", r"(Fast|Normal|Slow)", r"(\d+ feet)", *[r"(\d+ miles?)"] * 2),
    **dict.fromkeys(
        ("Actions", "Action Summary"),
        shape("Action | Summary", _ACTION, rf"([A-Z][^\n]+?\.)(?=\s+(?:{_ACTION[1:]} [A-Z]|\s*\n|\s*\Z)"),
    ),
    "Creature Size and Space": shape("Size | Space (Feet) | Space (Squares)", _SIZE, r"([\d½]+ by [\d½]+ feet)", _LINE),
    "Cover": shape(
        "Degree | Benefit to Target | Offered By",
        r"(Half|Three-Quarters|Total)",
        r"(\+\d bonus to AC and Dexterity\s+saving throws|Can't be targeted\s+directly)",
        r"((?:Another|An) (?:.|\s)+?target)",
    ),
    "Class Overview": shape(
        "Class | Likes | Primary Ability | Complexity",
        _CLASS,
        r"([A-Z][a-z]+(?: [a-z]+)?)",
        r"([A-Z]\w+(?: (?:and|or) [A-Z]\w+)?)",
        r"(Low|Average|High)",
    ),
    "Ability Scores and Backgrounds": shape("Ability | Background", _ABILITY, r"([A-Z]\w+(?:, \w+)*)"),
    "Standard Languages": shape("1d12 | Language", r"(—|\d+(?: ?–\d+)?)", _LINE),
    "Ability Score Point Costs": shape("Score | Cost", r"(\d+)", r"(\d+)"),
    "Standard Array by Class": shape("Class | Str. | Dex. | Con. | Int. | Wis. | Cha.", _CLASS, *[r"(\d+)"] * 6),
    "Level 1 Hit Points by Class": shape("Class | Hit Point Maximum", *_HIT_POINTS),
    "Fixed Hit Points by Class": shape("Class | Hit Points per Level", *_HIT_POINTS),
    "Character Advancement": shape("Level | Experience Points | Proficiency Bonus", r"(\d+)", _NUMBER, r"(\+\d)"),
    "Starting Equipment at Higher Levels": shape(
        "Starting Level | Equipment and Money | Magic Items",
        r"(\d+–\d+)",
        r"((?:Normal|[\d,]+ (?:GP|gp) plus (?:.|\s)+? normal)\s+starting\s+equipment)",
        r"(\d [A-Z][^\n]+)",
    ),
    "Materials": shape("Material | Duration", _NAME, r"(\d+ (?:hours?|minutes?))"),
    "Multiclass Spellcaster: Spell Slots per Spell Level": shape(
        "Level | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9", r"(\d+)", *[r"(—|\d)"] * 9
    ),
    "Coin Values": shape("Coin | Value in GP", r"(\w+ Piece \([A-Z]P\))", r"([\d/]+)"),
    "Weapons": shape(
        "Name | Damage | Properties | Mastery | Weight | Cost",
        r"([A-Z][\w ,]+?)",
        r"((?:\d+d\d+|1) (?:Bludgeoning|Piercing|Slashing))",
        r"(—|[A-Z](?:.|\s)+?)",
        r"(Cleave|Graze|Nick|Push|Sap|Slow|Topple|Vex)",
        _WEIGHT,
        _COST,
    ),
    "Ammunition": shape("Type | Amount | Storage | Weight | Cost", _NAME, r"(\d+)", r"([A-Z]\w+)", _WEIGHT, _COST),
    "Tack, Harness, and Drawn Vehicles": shape("Item | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Airborne and Waterborne Vehicles": shape(
        "Ship | Speed | Crew | Passengers | Cargo (Tons) | AC | HP | Damage Threshold | Cost",
        r"([A-Z][A-Za-z ]+?)",
        r"([\d½]+ mph)",
        *[r"(—|[\d,/]+)"] * 6,
        _COST,
    ),
    "Armor": shape(
        "Armor | Armor Class (AC) | Strength | Stealth | Weight | Cost",
        r"((?:Padded|(?:Studded )?Leather|Hide|Ring|Chain|Scale|Half|Splint|Plate|Breastplate|Shield)"
        r"(?: (?:Armor|Mail|Shirt|Plate))*)",
        r"(\+?\d+(?: \+ Dex modifier)?(?: \(max 2\))?)",
        r"(—|Str \d+)",
        r"(—|Disadvantage)",
        _WEIGHT,
        _COST,
    ),
    "Adventuring Gear": shape("Item | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Arcane Focuses": shape("Focus | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Druidic Focuses": shape("Focus | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Holy Symbols": shape("Symbol | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Mounts and Other Animals": shape("Item | Carrying Capacity | Cost", _NAME, r"([\d,]+ lb\.)", _COST),
    "Food, Drink, and Lodging": shape("Item | Cost", _NAME, _COST),
    "Hirelings": shape("Service | Cost", _NAME, r"([\d,]+ [CSGP]P(?: per \w+)?)"),
    "Spellcasting Services": shape(
        "Spell Level | Availability | Cost", r"(Cantrip|\d(?:–\d)?)", r"([A-Z][a-z, ]+?)", _COST
    ),
    "Spell Scroll Costs": shape("Spell Level | Time | Cost", r"(Cantrip|\d)", r"(\d+ days?)", _COST),
    "Spell Preparation by Class": shape(
        "Class | Change When You | Number of Spells", _CLASS, r"(Gain a level|Finish a Long Rest)", r"(One|Any)"
    ),
    "Schools of Magic": shape("School | Typical Effects", _SCHOOL, r"([A-Z][a-z][^\n]+(?:\n[a-z][^\n]+)*)"),
    "Travel Terrain": shape(
        "Terrain | Maximum Pace | Encounter Distance | Foraging DC | Navigation DC | Search DC",
        r"([A-Z]\w+)",
        r"((?:Fast|Normal|Slow|Special)[*†]?)",
        r"(\d+d\d+ × 10 feet)",
        *[r"(\d+)"] * 3,
    ),
    "Sample Fear DCs": shape("Example | Save DC", r"((?:When|A) [^\n]+?\.)", r"(\d\d)"),
    "Sample Mental Stress Effects": shape(
        "Example | Save DC | Psychic Damage", r"(A [^\n]+\.)", r"(\d+)", r"(\d+d\d+)"
    ),
    "XP Budget per Character": shape("Party's Level | Low | Moderate | High", r"(\d+)", *[_NUMBER] * 3),
    "Magic Item Categories": shape(
        "Category | Examples", r"(Armor|Potions|Rings|Rods|Scrolls|Staffs|Wands|Weapons|Wondrous Items)", _LINE
    ),
    "Magic Item Rarities and Values": shape(
        "Rarity | Value* | Rarity | Value*", *[_RARITY, r"([\d,]+ GP|Priceless)"] * 2
    ),
    "Magic Item Tools": shape(
        "Item Category | Required Tool", r"(Armor|Potion|Ring|Rod|Scroll|Staff|Wand|Weapon|Wondrous Item)", _LINE
    ),
    "Magic Item Crafting Time and Cost": shape("Item Rarity | Time* | Cost*", _RARITY, r"(\d+ days)", _COST),
    "Hit Dice by Size": shape("Monster Size | Hit Die | Average HP per Die", _SIZE, r"(d\d+)", r"(\d+½)"),
    "Experience Points by Challenge Rating": shape(
        "CR | XP | CR | XP", r"(\d+(?:/\d)?)", r"(0 or 10|[\d,]+)", r"(\d+)", r"([\d,]+)"
    ),
    "Proficiency Bonus by Challenge Rating": shape("CR | PB | CR | PB", *[_RANGE, r"(\+\d)"] * 2),
    "Omens": shape("Omen | For Results That Will Be …", r"(Weal and woe|Weal|Woe|Indifference)", _LINE),
    "Precipitation": shape("Stage | Condition", r"(\d)", _LINE),
    "Temperature": shape("Stage | Condition", r"(\d)", _LINE),
    "Wind": shape("Stage | Condition", r"(\d)", _LINE),
    "Your Knowledge of the Target Is … Save Modifier": shape(
        "Your Knowledge of the Target Is … | Save Modifier", _NAME, r"([+−]\d+)"
    ),
    "You Have the Target's … Save Modifier": shape("You Have the Target's … | Save Modifier", _NAME, r"([+−]\d+)"),
    "Teleportation Outcome": shape(
        "Familiarity | Mishap | Similar Area | Off Target | On Target",
        r"([A-Z][a-z]+(?:\s+[a-z]+){1,3})",
        *[r"(—|\d\d–\d\d)"] * 4,
    ),
    "Belt Str. Rarity": shape(
        "Belt | Str. | Rarity", r"(Belt of Giant Strength\s+\([a-z ]+\))", r"(\d+)", _RARITY_LONGEST
    ),
    "Potion Str. Rarity": shape(
        "Potion | Str. | Rarity", r"(Potion of Giant Strength\s+\([a-z ]+\))", r"(\d+)", _RARITY_LONGEST
    ),
    "Potion HP Regained Rarity": shape(
        "Potion | HP Regained | Rarity", r"(Potion of Healing(?:\s+\([a-z ]+\))?)", r"(\d+d4 \+ \d+)", _RARITY_LONGEST
    ),
    "Cube of Force Faces": shape("Spell | Charge Cost", _SPELL, r"(\d)"),
    **dict.fromkeys(
        ("Spell Charge Cost", "Spell"), shape("Spell | Charge Cost", _SPELL, r"(\d(?: charge per [^\n]+)?)")
    ),
    "Plane Spells (Charges)": shape(
        "Plane | Spells (Charges)",
        r"(Air|Earth|Fire|Water)",
        r"([A-Z](?:.|\s)+?\(\d charges?\))(?=\s+(?:Air|Earth|Fire|Water) |\s*\Z)",
    ),
    "Feather Tokens": shape("1d100 | Token | Rarity", _PERCENT, r"([A-Z][a-z]+(?: boat)?)", _RARITY),
    "1d100 Size Capacity Fly Speed": shape(
        "1d100 | Size | Capacity | Fly Speed", _PERCENT, r"(\d+ ft\. × \d+ ft\.)", r"(\d+ lb\.)", r"(\d+ feet)"
    ),
    "1d100 Horn Type Spirits Requirement": shape(
        "1d100 | Horn Type | Spirits | Requirement", _PERCENT, r"(Silver|Brass|Bronze|Iron)", r"(\d)", _LINE
    ),
    "1d20 Golem Time Cost": shape("1d20 | Golem | Time | Cost", _RANGE, r"(\w+ Golem)", r"(\d+ days)", _COST),
    "1d20 Bead Spell": shape("1d20 | Bead | Spell", _RANGE, r"(Bead of (?:Wind Walking|\w+))", _LINE),
    "1d10 Damage Type Gemstone": shape("1d10 | Damage Type | Gemstone", r"(\d+)", r"(\w+)", r"(\w+)"),
    "Apparatus of the Crab Levers": shape("Lever | Up | Down", r"(\d+)", *[r"([A-Z](?:.|\s)+?(?<!ft)\.)"] * 2),
    "Prismatic Layers": shape("Order | Effects", r"(\d)", r"([A-Z]\w+\. [^\n]+)"),
    "Dragon Resistance Dragon Resistance": shape(
        "Dragon | Resistance | Dragon | Resistance", *[_DRAGON, _DRAGON_DAMAGE] * 2
    ),
    "Draconic Ancestors": shape("Dragon | Damage Type | Dragon | Damage Type", *[_DRAGON, _DRAGON_DAMAGE] * 2),
    "Gem Summoned Elemental": shape("Gem | Summoned Elemental", r"([A-Z]\w+(?: \w+)?)", r"(\w+ Elemental)"),
    "Number of Spheres": shape("Number of Spheres | Lightning Damage", r"(\d)", r"(\dd\d+)"),
    "Spell Level Rarity Save DC Attack Bonus": shape(
        "Spell Level | Rarity | Save DC | Attack Bonus", r"(Cantrip|\d)", _RARITY_LONGEST, r"(\d+)", r"(\+\d+)"
    ),
    "Life Domain Spells": shape("Cleric Level | Prepared Spells", r"(\d)", _LINE),
    "Oath of Devotion Spells": shape("Paladin Level | Spells", r"(\d+)", _LINE),
    "Draconic Spells": shape("Sorcerer Level | Spells", r"(\d)", _LINE),
    "Fiend Spells": shape("Warlock Level | Spells", r"(\d)", _LINE),
    **dict.fromkeys(
        ("Arid Land", "Polar Land", "Temperate Land", "Tropical Land"),
        shape("Druid Level | Circle Spells", r"(\d)", _LINE),
    ),
    "Beast Shapes": shape(
        "Druid Level | Known Forms | Max CR | Fly Speed", r"(\d)", r"(\d)", r"(\d(?:/\d)?)", r"(Yes|No)"
    ),
    "Nature's Ward": shape("Land Type | Resistance", r"(Arid|Polar|Temperate|Tropical)", r"([A-Z]\w+)"),
    "Creating Spell Slots": shape(
        "Spell Slot Level | Sorcery Point Cost | Min. Sorcerer Level", r"(\d)", r"(\d)", r"(\d)"
    ),
    "Elven Lineages": shape(
        "Lineage | Level 1 | Level 3 | Level 5",
        r"(Drow|High Elf|Wood Elf)",
        r"([A-Z](?:.|\s)+?\.)",
        r"(Faerie Fire|Detect Magic|Longstrider)",
        r"(Darkness|Misty Step|Pass without Trace)",
    ),
    "Fiendish Legacies": shape(
        "Legacy | Level 1 | Level 3 | Level 5",
        r"(Abyssal|Chthonic|Infernal)",
        r"([A-Z](?:.|\s)+? cantrip\.)",
        r"(Ray of Sickness|False Life|Hellish Rebuke)",
        r"(Hold Person|Ray of Enfeeblement|Darkness)",
    ),
    "Levels Fire Damage Area of Effect": shape(
        "Levels | Fire Damage | Area of Effect", _RANGE, _ROLLED, r"(\d+-foot \w+)"
    ),
    "Levels Bludgeoning Damage Save DC": shape("Levels | Bludgeoning Damage | Save DC", _RANGE, _ROLLED, r"(\d+)"),
    "Levels Poison Damage Save DC": shape("Levels | Poison Damage | Save DC", _RANGE, _ROLLED, r"(\d+)"),
    "Levels Pit Depth Bludgeoning Damage": shape(
        "Levels | Pit Depth | Bludgeoning Damage", _RANGE, r"(\d+ feet)", _ROLLED
    ),
    "Levels Pit Depth Damage": shape(
        "Levels | Pit Depth | Damage", _RANGE, r"(\d+ feet)", r"(\d+ \(\d+d\d+\) \w+ plus \d+\s+\(\d+d\d+\)\s+Piercing)"
    ),
    "Mysterious Deck": shape(
        "1d100 (13-Card Deck) | 1d100 (22-Card Deck) | Card", *[r"(—|\d\d–\d\d)"] * 2, r"([A-Z]\w+)"
    ),
    "Object Armor Class": shape("AC | Substance", r"(\d\d)", r"([A-Z][a-z]+(?:, [a-z]+)*)"),
    "Object Hit Points": shape("Size | Fragile | Resilient", r"([A-Z][a-z]+ \([^)]+\))", *[r"(\d+ \(\d+d\d+\))"] * 2),
    "Carrying Capacity": shape(
        "Creature Size | Carry | Drag/Lift/Push", r"([A-Z][a-z]+(?:/[A-Z][a-z]+)?)", *[r"(Str\. × [\d½.,]+ lb\.)"] * 2
    ),
    "Damage Types": shape("Type | Examples", r"([A-Z][a-z]+)", r"([A-Z][a-z][^\n]+)"),
    "Water Needs per Day": shape("Size | Water", _SIZE, r"([\d/]+ gallons?)"),
    "Food Needs per Day": shape("Size | Food", _SIZE, r"([\d/]+ pounds?)"),
    "Influence Checks": shape("Ability Check | Interaction", r"((?:Charisma|Wisdom) \([A-Z][A-Za-z ]+\))", _LINE),
    "Search": shape("Skill | Thing to Detect", r"(Insight|Medicine|Perception|Survival)", _LINE),
    "Areas of Knowledge": shape(
        "Skill | Areas", r"(Arcana|History|Investigation|Nature|Religion)", r"([A-Z][^\n]+(?:\n[a-z][^\n]+)*)"
    ),
    "Rare Languages": shape(
        "Language", r"(Abyssal|Celestial|Deep Speech|Druidic|Infernal|Primordial\*?|Sylvan|Thieves' Cant|Undercommon)"
    ),
}

SPELL_LIST = shape("Spell | School | Special", _NAME, _SCHOOL, r"(—|[CRM](?:, [CRM])*)")
"""The lists of spells of a class by level, each under the name of its level."""
