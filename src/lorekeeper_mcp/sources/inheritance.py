"""Copies of records: what a copy does not change is as the record has it, also where its format has no words for it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping

from lorekeeper_mcp.models import ArmorStats, Record, WeaponStats
from lorekeeper_mcp.sources.imported import NOT_KEPT

RECORD = "_record"
"""The field of an original with the record that it was made of, and what the format has of that."""

# What belongs to the record's own book, or names things that are no copies.
_OWN = NOT_KEPT | {"name", "url", "editions", "texts", "see_also", "other", "corrections", "variants", "lineages"}
# Values that follow from each other: where a copy changes one, the others are what the copy says.
_TOGETHER = (
    {
        "challenge_rating", "experience_points", "proficiency_bonus", "abilities", "ability_modifiers",
        "saving_throws", "saving_throws_all", "skills", "skills_all", "initiative_bonus",
    },
    {"speed", "speed_all", "hover"},
    {"size", "size_text"},
    {"type", "type_text", "category", "subcategory"},
    {"armor_class", "armor_text"},
    {"hit_points", "hit_dice"},
    {"languages", "language_keys"},
    {"text", "higher_level", "casting_options", "damage_roll", "damage_types", "forms"},
    {"range", "range_unit", "range_text", "shape_type", "shape_size", "shape_unit"},
    {"casting_time", "casting_time_text", "reaction_condition"},
    {"cost", "cost_unit"},
    {"rarity", "rarity_text"},
    {"category", "category_text"},
)  # fmt: skip


def with_record(item: dict[str, object], record: Record) -> dict[str, object]:
    """Return an item that a format makes of a record, with the record."""
    told = record.model_dump(mode="json", exclude_defaults=True, exclude=set(_OWN))
    return {**item, RECORD: {"item": copy.deepcopy(item), "record": told}}


def with_inheritance(made: Record, note: object, read: Callable[[Mapping[str, object]], Record]) -> Record:
    """Return the record of a copy with what it has of its original unchanged.

    ``note`` is what the field ``RECORD`` says, and ``read`` makes a record of an item, as ``made`` was made. Raises
    ValidationError where the note has no record.
    """
    item, told = (note.get(part) if isinstance(note, Mapping) else None for part in ("item", "record"))
    if not isinstance(item, Mapping) or not isinstance(told, Mapping):
        return made
    plain = read(item)
    if type(made) is not type(plain):
        return made
    names = type(made).model_fields.keys() - _OWN
    head = {name: getattr(plain, name) for name in _OWN & type(made).model_fields.keys()}
    original = type(made).model_validate({**told, **head})
    changed = {name for name in names if getattr(made, name) != getattr(plain, name)}
    for group in _TOGETHER:
        changed |= group if group & changed else set()
    return made.model_copy(update={name: _named(getattr(original, name), made) for name in names - changed})


def _named(value: object, made: Record) -> object:
    """A value; numbers of a weapon or an armor go by the name of what has them."""
    if isinstance(value, WeaponStats | ArmorStats):
        return value.model_copy(update={"name": made.name, "key": made.key})
    return value
