"""Creatures: monsters, animals and people with a stat block."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from lorekeeper_mcp.models.base import Record, Ref, Section, Value


class ActionType(StrEnum):
    """When an action may be used."""

    ACTION = "action"
    BONUS_ACTION = "bonus-action"
    REACTION = "reaction"
    LEGENDARY_ACTION = "legendary-action"
    MYTHIC_ACTION = "mythic-action"
    LAIR_ACTION = "lair-action"


class Action(Value):
    """An action of a stat block, in the order of the book within its type."""

    name: str  # empty for the paragraph before the mythic actions
    text: str = ""
    type: ActionType = ActionType.ACTION
    legendary_cost: int | None = None
    limited_to_form: str = ""
    uses: str = ""  # "Recharge 5-6", "3/Day", "Recharges after a Short or Long Rest"


class Abilities(Value):
    """Ability scores or their bonuses; None if the source has none."""

    strength: int | None = None
    dexterity: int | None = None
    constitution: int | None = None
    intelligence: int | None = None
    wisdom: int | None = None
    charisma: int | None = None


class Senses(Value):
    """Ranges in feet; None if the creature lacks the sense."""

    darkvision: float | None = None
    blindsight: float | None = None
    tremorsense: float | None = None
    truesight: float | None = None
    normal_sight: float | None = None
    passive_perception: int | None = None
    text: str = ""


class Defenses(Value):
    """Resistances and immunities: as printed, and as lists of keys."""

    damage_immunities_text: str = ""
    damage_immunities: tuple[str, ...] = ()
    damage_resistances_text: str = ""
    damage_resistances: tuple[str, ...] = ()
    damage_vulnerabilities_text: str = ""
    damage_vulnerabilities: tuple[str, ...] = ()
    condition_immunities_text: str = ""
    condition_immunities: tuple[str, ...] = ()


class Creature(Record):
    """A stat block. Speeds and senses are in feet, ``challenge_rating`` is decimal (1/4 is 0.25)."""

    type: str = ""  # key: undead
    type_text: str = ""  # as printed: swarm of Tiny beasts, humanoid (elf)
    size: str = ""  # key: large
    size_text: str = ""  # as printed, if there are several: Medium or Small
    category: str = ""
    subcategory: str = ""
    alignment: str = ""
    challenge_rating: float | None = None
    experience_points: int | None = None
    proficiency_bonus: int | None = None
    armor_class: int | None = None
    armor_text: str = ""
    hit_points: int | None = None
    hit_dice: str = ""
    speed: dict[str, float] = Field(default_factory=dict)  # walk, fly, swim, climb, burrow, crawl
    hover: bool = False
    abilities: Abilities = Abilities()
    ability_modifiers: Abilities = Abilities()
    saving_throws: dict[str, int] = Field(default_factory=dict)  # those that the book lists
    skills: dict[str, int] = Field(default_factory=dict)  # those that the book lists: {"sleight-of-hand": 4}
    initiative_bonus: int | None = None
    senses: Senses = Senses()
    languages: str = ""
    language_keys: tuple[str, ...] = ()
    defenses: Defenses = Defenses()
    traits: tuple[Section, ...] = ()
    actions: tuple[Action, ...] = ()
    legendary_text: str = ""
    environments: tuple[Ref, ...] = ()
    creature_sets: tuple[str, ...] = ()
    image: str = ""
    forms: tuple[str, ...] = ()
