"""Renders the full page of a record as Markdown, in the order of a rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lorekeeper_mcp.models import (
    Background,
    CharacterClass,
    CharacterFeature,
    Creature,
    Document,
    Edition,
    Equipment,
    Feat,
    Record,
    Source,
    Species,
    Spell,
)
from lorekeeper_mcp.models.printed_values import words
from lorekeeper_mcp.render.creatures import creature
from lorekeeper_mcp.render.equipment import equipment
from lorekeeper_mcp.render.markdown import entry, page
from lorekeeper_mcp.render.options import background, character_class, feat, feature, species
from lorekeeper_mcp.render.references import document, reference
from lorekeeper_mcp.render.spells import spell
from lorekeeper_mcp.text import label

_LONGEST_VALUE = 200  # characters of a field in the list of values
_UPSTREAMS = {Source.OPEN5E_V2: "Open5e", Source.OPEN5E_V1: "Open5e", Source.SRD: "the package"}
# Any, since each function takes the type of its key.
_PAGES: Mapping[type[Record], Callable[[Any], str]] = {
    Spell: spell,
    Creature: creature,
    Equipment: equipment,
    CharacterClass: character_class,
    Species: species,
    Background: background,
    Feat: feat,
    CharacterFeature: feature,
    Document: document,
}


def record_page(record: Record, edition: Edition | None = None) -> str:
    """The page of a record without its source, since an answer lists each book once.

    If a record has texts of several editions, as a condition has, ``edition`` selects one of them.
    """
    render = _PAGES.get(type(record))
    content = render(record) if render else reference(record, edition)
    return page(f"# {record.name}", content, *_also(record), _see_also(record), _corrections(record))


def _also(record: Record) -> list[str]:
    """The fields that only this source has, under its own names: texts as paragraphs, then values as a list."""
    fields = [entry(label(field.name), field.text) for field in record.other if field.text]
    values = [field for field in fields if len(field) <= _LONGEST_VALUE and "\n" not in field]
    paragraphs = [field for field in fields if field not in values]
    return [*paragraphs, "\n".join(["**Also**", "", *(f"- {value}" for value in values)]) if values else ""]


def _see_also(record: Record) -> str:
    names = dict.fromkeys(ref.name for ref in record.see_also if ref.name)
    return f"See also: {', '.join(names)}" if names else ""


def _corrections(record: Record) -> str:
    """How the record differs from the upstream data, so that nobody takes our values for upstream's."""
    upstream = _UPSTREAMS.get(record.document_source, "the source")
    texts = {(note.was, note.source) for note in record.corrections if note.field == "text"}
    notes = [
        f"{_field(note.field)} ({upstream} says: {note.was}; here as in {note.source})"
        for note in record.corrections
        if not (note.field.startswith("texts.") and (note.was, note.source) in texts)  # the same text as another note
    ]
    return f"*Corrected: {'; '.join(notes)}*" if notes else ""


def _field(path: str) -> str:
    """A path in words: ``defenses.damage_resistances_text`` -> ``damage resistances``."""
    return words(path.removesuffix(".text").partition("_text")[0].replace("defenses.", "")).replace(".", " ")


def source(record: Record, edition: Edition | None = None) -> str:
    """The document and its license; ``edition`` selects the document of one of several texts."""
    keys = [text.document_key for text in record.texts if edition is not None and text.edition == edition]
    editions = " and ".join(record.editions)
    parts = [
        f"{record.document_name} ({record.document_key})",
        f"text of {', '.join(keys)}" if keys and keys != [record.document_key] else "",
        record.publisher if record.publisher != record.document_name else "",
        f"{editions} edition{'s' if len(record.editions) > 1 else ''}" if editions else "",
        f"license {record.license}" if record.license else "",
    ]
    return f"*Source: {', '.join(filter(None, parts))}*"
