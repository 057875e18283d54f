"""Spells."""

from __future__ import annotations

from lorekeeper_mcp.models.base import Record, Ref, Value


class CastingOption(Value):
    """What changes when a spell is cast with a higher slot, at a higher character level or as a ritual.

    ``type`` is Open5e's: ``slot_level_4``, ``player_level_11``, ``ritual``; only changed values are set.
    """

    type: str
    damage_roll: str = ""
    target_count: int | None = None
    duration: str = ""
    range: str = ""
    concentration: bool | None = None
    shape_size: float | None = None
    text: str = ""


class Spell(Record):
    """A spell. Distances are in feet unless ``range_unit`` says otherwise."""

    level: int
    school: str = ""  # key: evocation
    casting_time: str = ""  # key: action, bonus-action, reaction, 1minute, 10minutes, 1hour ...
    casting_time_text: str = ""  # as the book prints it: 1 bonus action
    reaction_condition: str = ""
    range: float | None = None
    range_unit: str = ""
    range_text: str = ""
    verbal: bool = False
    somatic: bool = False
    material: bool = False
    material_text: str = ""
    material_cost: float | None = None  # gp
    material_consumed: bool = False
    duration: str = ""
    concentration: bool = False
    ritual: bool = False
    classes: tuple[Ref, ...] = ()
    subclasses: tuple[Ref, ...] = ()
    damage_types: tuple[str, ...] = ()  # keys
    damage_roll: str = ""
    saving_throw: str = ""  # ability in full: dexterity
    attack_roll: bool = False
    target_type: str = ""
    target_count: int | None = None
    shape_type: str = ""
    shape_size: float | None = None
    shape_unit: str = ""
    higher_level: str = ""
    casting_options: tuple[CastingOption, ...] = ()
