"""Originals of copies: where they are found, and what a copy of a record inherits.

A field that the copy does not change keeps the original's value, even if the copy's format has no such field.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lorekeeper_mcp.models import ArmorStats, Kind, Record, Source, WeaponStats
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.text import fold

Item: TypeAlias = "dict[str, object]"
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
NOT_INHERITED = {
    "kind", "key", "document_key", "document_name", "document_source", "documents", "license", "publisher",
    "file", "name", "page", "url", "editions", "texts", "see_also", "other", "corrections", "variants", "lineages",
}  # fmt: skip
# Values that depend on each other: if a copy changes one, the others are taken from the copy, too.
DEPENDENT_FIELDS = (
    {
        "challenge_rating", "experience_points", "proficiency_bonus", "abilities", "ability_modifiers",
        "saving_throws", "skills", "initiative_bonus",
    },
    {"speed", "hover"},
    {"size", "size_text"},
    {"type", "type_text", "category", "subcategory"},
    {"armor_class", "armor_text"},
    {"hit_points", "hit_dice"},
    {"languages", "language_keys"},
    {"text", "higher_level", "casting_options", "damage_roll", "damage_types", "forms"},
    {"range", "range_unit", "range_text", "shape_type", "shape_size", "shape_unit"},
    {"casting_time", "casting_time_text", "reaction_condition"},
    {"verbal", "somatic", "material", "material_text", "material_cost", "material_consumed"},
    {"duration", "concentration"},
    {"cost", "cost_unit"},
    {"rarity", "rarity_text"},
    {"category", "category_text"},
)  # fmt: skip


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


def with_record(item: dict[str, object], record: Record) -> dict[str, object]:
    """Return the item that a format writes for a record, with the record attached."""
    values = record.model_dump(mode="json", exclude_defaults=True, exclude=set(NOT_INHERITED))
    return {**item, RECORD: {"item": copy.deepcopy(item), "record": values}}


def with_inheritance(record: Record, note: object, read: Callable[[Mapping[str, object]], Record]) -> Record:
    """Return the record of a copy with the original's values for all that the copy does not change.

    ``note`` is the value of the field ``RECORD``; ``read`` makes a record from an item, as it made ``record``. Raises
    ValidationError if the note has no record.
    """
    item, values = (note.get("item"), note.get("record")) if isinstance(note, Mapping) else (None, None)
    if not isinstance(item, Mapping) or not isinstance(values, Mapping):
        return record
    unchanged = read(item)
    if type(record) is not type(unchanged):
        return record
    fields = type(record).model_fields.keys()
    head = {name: getattr(unchanged, name) for name in fields & NOT_INHERITED}
    original = type(record).model_validate({**values, **head})
    changed = {name for name in fields - NOT_INHERITED if getattr(record, name) != getattr(unchanged, name)}
    for group in DEPENDENT_FIELDS:
        if group & changed:
            changed |= group
    inherited = fields - NOT_INHERITED - changed
    return record.model_copy(update={name: _renamed(getattr(original, name), record) for name in inherited})


def _renamed(value: object, record: Record) -> object:
    """Return the value; the numbers of a weapon or an armor get the name and key of the copy."""
    if isinstance(value, WeaponStats | ArmorStats):
        return value.model_copy(update={"name": record.name, "key": record.key})
    return value
