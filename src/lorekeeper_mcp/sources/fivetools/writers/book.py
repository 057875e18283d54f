"""Writes records as a 5etools file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import (
    Background,
    CharacterClass,
    Creature,
    Document,
    Edition,
    Equipment,
    Feat,
    Kind,
    Record,
    Reference,
    Species,
    Spell,
)
from lorekeeper_mcp.sources.fivetools.codes import KINDS
from lorekeeper_mcp.sources.fivetools.context import FEATURE_SECTIONS, feature_identity
from lorekeeper_mcp.sources.fivetools.writers.creatures import creature_fields
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import ItemFields, entries, named_entries, without_blanks
from lorekeeper_mcp.sources.fivetools.writers.equipment import equipment_fields
from lorekeeper_mcp.sources.fivetools.writers.options import FEATURE_TYPES, class_fields, feat_fields, species_fields
from lorekeeper_mcp.sources.fivetools.writers.spells import spell_fields
from lorekeeper_mcp.sources.imported import PRESERVED_FIELD, slug
from lorekeeper_mcp.sources.json_values import listed

_SECTIONS = {kind: section for section, kinds in reversed(KINDS.items()) for kind in kinds}
_SECTIONS |= {Kind.CLASS: "class", Kind.SUBCLASS: "subclass"}


def write(book: Document, records: Sequence[Record], kept: Mapping[str, Mapping[str, object]]) -> bytes:
    """Return a file with one source. ``kept`` has, by record id, fields to keep beside those of the format."""
    source = "".join(word[:4].title() for word in slug(book.name).split("-"))[:24] or "Homebrew"
    about: ItemFields = {
        "json": source,
        "abbreviation": source[:8],
        "full": book.name,
        "version": "1.0.0",
        "authors": [book.author] if book.author else [],
        "url": book.permalink,
        "license": book.license,
        "dateReleased": book.published.isoformat() if book.published else "",
        "edition": "one" if Edition.E2024 in book.editions else "",
    }
    data: dict[str, object] = {"_meta": {"sources": [without_blanks(about)]}}
    lists: dict[str, list[ItemFields]] = {}
    features: dict[tuple[str, ...], ItemFields] = {}
    for record in records:
        for section, fields in _items(record, source):
            item: ItemFields = {"name": record.name, "source": source, **without_blanks(fields)}
            if (kept_fields := kept.get(record.id)) and section == _section(record):
                item[f"_{PRESERVED_FIELD}"] = kept_fields
            if section in FEATURE_SECTIONS:
                # A reference identifies features by name, class and level: those that share these become one.
                first = features.setdefault((section, *feature_identity(item, section)), item)
                if first is not item:
                    first["entries"] = [*listed(first["entries"]), *listed(item["entries"])]
                    continue
            lists.setdefault(section, []).append(item)
    return (json.dumps(data | lists, ensure_ascii=False, indent=1) + "\n").encode()


def item_of(record: Record, source: str) -> dict[str, object]:
    """Return a record as an item of a source, without the features that it refers to."""
    _, fields = _items(record, source)[0]
    return {"name": record.name, "source": source, **without_blanks(fields)}


def _section(record: Record) -> str:
    match record:
        case Species():
            return "subrace" if record.is_subspecies else "race"
        case Feat():
            return "optionalfeature" if record.type in FEATURE_TYPES else "feat"
        case _:
            return _SECTIONS.get(record.kind, "variantrule")


def _items(record: Record, source: str) -> list[tuple[str, ItemFields]]:
    """A record's own item, followed by the features that it refers to."""
    fields: ItemFields = {"entries": entries(record.text)} if record.text else {}
    features: list[tuple[str, ItemFields]] = []
    match record:
        case Spell():
            fields |= spell_fields(record, source)
        case Creature():
            fields |= creature_fields(record)
        case CharacterClass():
            own_fields, features = class_fields(record, source)
            fields |= own_fields
        case Species():
            fields |= species_fields(record, source)
        case Background():
            fields["entries"] = [*entries(record.text), *named_entries(record.benefits)]
        case Feat():
            fields |= feat_fields(record)
        case Equipment():
            fields |= equipment_fields(record)
        case Reference():
            speakers = record.speakers.split(", ") if record.speakers else []
            fields |= {"type": record.type, "script": record.script, "typicalSpeakers": speakers}
        case _:
            pass
    others = {part.name: part.text for part in record.other if part.name and part.name not in fields}
    return [(_section(record), {**fields, **others}), *features]
