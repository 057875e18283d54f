"""The official text of spells and magic items, where the data package lacks a sentence of it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import Equipment, Spell
from lorekeeper_mcp.text import fold
from srd_converter.book2014.blocks import markdown
from srd_converter.book2014.pages import Line, read
from srd_converter.book2014.proofreading import lacks
from srd_converter.book2014.spell_heads import head_fields
from srd_converter.sections import split_at

_SPELLS, _ITEMS = (114, 194), (207, 253)
_HIGHER = re.compile(r"\n\n\*\*At Higher Levels\.\*\* ")
_RARITY = r"(?:common|uncommon|rare|very rare|legendary|artifact|rarity varies)(?: \([^)]*\))?"
_TYPE = re.compile(
    r"^(?:Armor|Weapon|Wondrous item|Ring|Rod|Staff|Wand|Potion|Scroll)\b.*?"
    rf"\b{_RARITY}(?:,? (?:or )?{_RARITY})*(?: \([^)]*\))?\s+",
    re.DOTALL,
)
_OF = re.compile(r"^[\w ]+ \([^)]*\)(?=, )")  # Armor (medium or heavy, but not hide)
_MISREAD = re.compile(r"\d+r\d+")  # a table whose dashes are lost


def with_printed_spell(record: Spell) -> Spell:
    """The spell with the book's head, and the book's text if a sentence is missing or changed."""
    lines = _entries(*_SPELLS)[fold(record.name)]
    after = 1 + next(index for index, line in enumerate(lines) if line.text.startswith("Duration:"))
    text, *higher = _HIGHER.split(markdown(lines[after:]))
    changes = head_fields(" ".join(line.text for line in lines[:after]))
    if lacks(record.text, text):
        changes["text"] = text
    if higher and lacks(record.higher_level, higher[0]):
        changes["higher_level"] = higher[0]
    return record.model_copy(update=changes)


def with_printed_item(record: Equipment) -> Equipment:
    """The magic item with the book's kind, and the book's text if a sentence is missing or changed."""
    printed = markdown(_entries(*_ITEMS).get(fold(record.name), ()))
    type_line = _TYPE.match(printed)
    if not type_line:
        return record
    text = printed[type_line.end() :]
    category = _OF.match(type_line[0])
    changes = {"category_text": category[0]} if category else {}
    if not _MISREAD.search(printed) and lacks(record.text, text):
        changes["text"] = text
    return record.model_copy(update=changes)


@functools.cache
def _entries(first: int, last: int) -> Mapping[str, Sequence[Line]]:
    """Folded heading -> lines of the entries on these pages."""
    lines = [line for line in read() if first <= line.page <= last]
    heads = [index for index, line in enumerate(lines) if line.is_heading]
    return {fold(head.text): text for head, *text in split_at(lines, heads)}
