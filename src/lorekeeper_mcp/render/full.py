"""A whole record in Markdown, in the order of a rulebook."""

from __future__ import annotations

from lorekeeper_mcp.models import (
    Background,
    CharacterClass,
    Creature,
    Document,
    Edition,
    Equipment,
    Feat,
    Record,
    Species,
    Spell,
)
from lorekeeper_mcp.render.creatures import creature
from lorekeeper_mcp.render.equipment import equipment
from lorekeeper_mcp.render.options import background, character_class, feat, species
from lorekeeper_mcp.render.page import entry, page
from lorekeeper_mcp.render.references import document, reference
from lorekeeper_mcp.render.spells import spell


def markdown(record: Record, edition: Edition | None = None) -> str:
    """The record from its name to its source and licence.

    Of what carries the texts of several editions, such as a condition, only that of ``edition`` if given.
    """
    return page(f"# {record.name}", _content(record, edition), _other(record), _see_also(record), source(record))


def _content(record: Record, edition: Edition | None) -> str:
    match record:
        case Spell():
            content = spell(record)
        case Creature():
            content = creature(record)
        case Equipment():
            content = equipment(record)
        case CharacterClass():
            content = character_class(record)
        case Species():
            content = species(record)
        case Background():
            content = background(record)
        case Feat():
            content = feat(record)
        case Document():
            content = document(record)
        case _:
            content = reference(record, edition)
    return content


def _other(record: Record) -> str:
    """What the source has beside the rules' own fields, under the names that it gives."""
    return page(*(entry(field.name, field.text) for field in record.other))


def _see_also(record: Record) -> str:
    names = dict.fromkeys(ref.name for ref in record.see_also if ref.name)
    return f"See also: {', '.join(names)}" if names else ""


def source(record: Record) -> str:
    """Where it stands and under which licence."""
    editions = " and ".join(record.editions)
    parts = [
        f"{record.document_name} ({record.document_key})",
        record.publisher if record.publisher != record.document_name else "",
        f"{editions} edition{'s' if len(record.editions) > 1 else ''}" if editions else "",
        f"licence {record.license}" if record.license else "",
    ]
    return f"*Source: {', '.join(part for part in parts if part)}*"
