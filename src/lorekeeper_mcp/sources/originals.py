"""Originals of copies: where they are found, and what a copy of a record inherits.

A field that the copy does not change keeps the original's value, even if the copy's format has no such field.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from pydantic import BaseModel

from lorekeeper_mcp.models import ArmorStats, Kind, Record, Source, WeaponStats
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.field_reader import mapping
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.text import fold

Item: TypeAlias = "dict[str, object]"
R = TypeVar("R", bound=Record)
M = TypeVar("M", bound=BaseModel)
Lookup: TypeAlias = Callable[[Collection[Kind], str, str], "Record | None"]
"""Finds a record by its kinds, its name and a file's name for its source, which is empty if any will do."""

# The embedded SRDs that replace a core book, or an unnamed book.
_SRD_PREFIXES = {
    "PHB": ("srd",), "MM": ("srd",), "DMG": ("srd",), "XPHB": ("srd-2024",), "XMM": ("srd-2024",),
    "XDMG": ("srd-2024",), "": ("srd", "srd-2024"),
}  # fmt: skip

RECORD = "_record"
"""The field of an original with the record that it was made from, and the format's version of that."""

# Fields that belong to the record's own book, or that refer to things that are not copied.
_OWN = frozenset(
    "kind key document_key document_name document_source documents license publisher file name page url editions texts"
    " see_also other corrections variants lineages".split()
)
# Values that depend on each other: if a copy changes one, the others are taken from the copy, too.
_DEPENDENT = (
    {"challenge_rating", "experience_points", "proficiency_bonus"},
    {"abilities", "ability_modifiers"},
    {"speed", "hover"},
    {"size", "size_text"},
    {"type", "type_text", "category", "subcategory"},
    {"armor_class", "armor_text"},
    {"hit_points", "hit_dice"},
    {"languages", "language_keys"},
    {"damage_vulnerabilities", "damage_vulnerabilities_text"},
    {"damage_resistances", "damage_resistances_text"},
    {"damage_immunities", "damage_immunities_text"},
    {"condition_immunities", "condition_immunities_text"},
    {"text", "higher_level", "casting_options", "damage_roll", "damage_types", "forms"},
    {"range", "range_unit", "range_text", "shape_type", "shape_size", "shape_unit"},
    {"casting_time", "casting_time_text", "reaction_condition"},
    {"verbal", "somatic", "material", "material_text", "material_cost", "material_consumed"},
    {"duration", "concentration"},
    {"cost", "cost_unit"},
    {"rarity", "rarity_text"},
    {"ac_text", "ac_base", "adds_dexterity", "dexterity_cap"},
)


def srd_record(kinds: Collection[Kind], name: str, source: str) -> Record | None:
    """Return a record of the embedded SRD that matches the source."""
    with contextlib.suppress(srd.RecordsFileError):
        for prefix in _SRD_PREFIXES.get(source.upper(), ()):
            for kind in kinds:
                if record := srd.record_of(f"{kind}:{prefix}_{slug(name)}"):
                    return record
    return None


@dataclass(frozen=True)
class Originals:
    """Originals outside the file being read.

    ``files`` returns further parsed files, and is called if an original is not in the file itself; ``record`` finds
    one among records. ``used`` has the originals found outside the SRDs, as lists of items: stored with the file and
    passed back as ``kept``, they give the same result on every later read. ``missing`` are the names of those not
    found.
    """

    files: Callable[[], Iterable[object]] = tuple
    record: Lookup = srd_record
    kept: Mapping[str, Sequence[Item]] = field(default_factory=dict)
    used: dict[str, list[Item]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def find(
        self, section: str, kinds: Collection[Kind], name: str, source: str, written: Callable[[Record], Item]
    ) -> Item | None:
        """Return a record of that name as an item of the section; None if there is none."""
        record = self.record(kinds, name, source)
        if record is None:
            self.missing.append(name)
            return None
        item = written(record)
        if record.document_source is not Source.SRD:
            self.use(section, item)
        return item

    def use(self, section: str, item: Item) -> None:
        """Note an item of another file that was copied."""
        if item not in self.used.setdefault(section, []):
            self.used[section].append(item)


def is_called(source: str, documents: Iterable[tuple[str, str]]) -> bool:
    """Whether a source is one of some documents: by key, by title, or by the initials of the title."""
    if not source:
        return True
    for key, title in documents:
        initials = "".join(word if word.isdigit() else word[:1] for word in fold(title).split())
        if slug(source) in (slug(key), slug(title), initials):
            return True
    return False


def record_among(records: Iterable[Record]) -> Lookup:
    """Return a function that finds a record among some."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        by_name.setdefault(fold(record.name), []).append(record)

    def find(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        for record in by_name.get(fold(name), ()):
            if record.kind in kinds and is_called(source, [(record.document_key, record.document_name)]):
                return record
        return None

    return find


def with_record(item: Item, record: Record) -> Item:
    """Return the item that a format writes for a record, with the record attached."""
    values = record.model_dump(mode="json", exclude_defaults=True, exclude=set(_OWN - {"kind", "other"}))
    return {**item, RECORD: {"item": copy.deepcopy(item), "record": values}}


def with_inheritance(record: R, note: object, read: Callable[[Item], R]) -> R:
    """Return the record of a copy with the original's values for all that the copy does not change.

    ``note`` is the value of the field ``RECORD``; ``read`` makes a record from an item, as it made ``record``. Raises
    ValidationError if the note has no record.
    """
    item, values = mapping(mapping(note).get("item")), mapping(mapping(note).get("record"))
    if not item or not values:
        return record
    unchanged = read(dict(item))
    head = {name: getattr(record, name) for name in type(record).model_fields.keys() & _OWN}
    original = type(record).model_validate({**head, **values})
    names = {part.name for part in record.other}
    other = (*(part for part in original.other if part.name not in names), *record.other)
    kind = original.kind if record.kind == unchanged.kind else record.kind
    return _inheriting(record, unchanged, original).model_copy(update={"kind": kind, "other": other})


def _inheriting(copied: M, unchanged: M, original: M) -> M:
    """The copied value with the original's fields where it equals the unchanged one, also inside of its fields."""
    names = type(copied).model_fields.keys() - _OWN
    changed = {name for name in names if getattr(copied, name) != getattr(unchanged, name)}
    changed |= {name for group in _DEPENDENT if group & changed for name in group & names}
    values: dict[str, object] = {}
    for name in names:
        own, value = getattr(copied, name), getattr(original, name)
        if name in changed and isinstance(own, BaseModel) and isinstance(value, type(own)):
            values[name] = _inheriting(own, getattr(unchanged, name) or type(own)(), value)
        elif name not in changed and isinstance(value, WeaponStats | ArmorStats) and isinstance(copied, Record):
            values[name] = value.model_copy(update={"name": copied.name, "key": copied.key})
        elif name not in changed:
            values[name] = value
    return copied.model_copy(update=values)
