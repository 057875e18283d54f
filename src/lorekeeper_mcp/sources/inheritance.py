"""Copies of records: an unchanged field keeps the original's value, even if the copy's format has no field for it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping

from lorekeeper_mcp.models import ArmorStats, Record, WeaponStats
from lorekeeper_mcp.sources.imported import NOT_PRESERVED

RECORD = "_record"
"""The field of an original with the record that it was made from, and the format's version of that."""

# Fields that belong to the record's own book, or that refer to things that are not copied.
_OWN = NOT_PRESERVED | {"name", "url", "editions", "texts", "see_also", "other", "corrections", "variants", "lineages"}
# Values that depend on each other: if a copy changes one, the others are taken from the copy, too.
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
    """Return the item that a format writes for a record, with the record attached."""
    told = record.model_dump(mode="json", exclude_defaults=True, exclude=set(_OWN))
    return {**item, RECORD: {"item": copy.deepcopy(item), "record": told}}


def with_inheritance(made: Record, note: object, read: Callable[[Mapping[str, object]], Record]) -> Record:
    """Return the record of a copy with the original's values for all that the copy does not change.

    ``note`` is the value of the field ``RECORD``; ``read`` makes a record from an item, as it made ``made``. Raises
    ValidationError if the note has no record.
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
    """Return the value; the numbers of a weapon or an armor get the name and key of the copy."""
    if isinstance(value, WeaponStats | ArmorStats):
        return value.model_copy(update={"name": made.name, "key": made.key})
    return value
