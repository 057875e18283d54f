"""The official text of spells and magic items, where the data package lacks a sentence of it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from lorekeeper_mcp.models import Equipment, Spell
from lorekeeper_mcp.text import fold
from srd_converter.book2014.blocks import markdown
from srd_converter.book2014.pages import Line, read
from srd_converter.book2014.proofreading import lacks
from srd_converter.book2014.spell_heads import head_fields

_SPELLS, _ITEMS = (114, 194), (207, 253)
_DURATION = re.compile(r"^Duration: ")
_HIGHER = re.compile(r"\n\n\*\*At Higher Levels\.\*\* ")
_RARITY = r"(?:common|uncommon|rare|very rare|legendary|artifact|rarity varies)(?: \([^)]*\))?"
_TYPE = re.compile(
    r"^(?:Armor|Weapon|Wondrous item|Ring|Rod|Staff|Wand|Potion|Scroll)\b.*?"
    rf"\b{_RARITY}(?:,? (?:or )?{_RARITY})*(?: \([^)]*\))?\s+",
    re.DOTALL,
)
_OF = re.compile(r"^[\w ]+ \([^)]*\)(?=, )")  # Armor (medium or heavy, but not hide)
_MISREAD = re.compile(r"\d+r\d+")  # a table whose dashes are lost


def spell(record: Spell) -> Spell:
    """The spell with the book's head, and the book's text if a sentence is missing or changed."""
    lines = _entries(*_SPELLS).get(fold(record.name), ())
    starts = [n for n, line in enumerate(lines) if _DURATION.match(line.text)]
    if not starts:
        return record
    after = starts[0] + 1
    while after < len(lines) and lines[after].text[0].islower():  # a duration that spans two lines
        after += 1
    own, *higher = _HIGHER.split(markdown(lines[after:]))
    changes = head_fields(" ".join(line.text for line in lines[:after]))
    if lacks(record.text, own):
        changes["text"] = own
    if higher and lacks(record.higher_level, higher[0]):
        changes["higher_level"] = higher[0]
    return record.model_copy(update=changes)


def magic_item(record: Equipment) -> Equipment:
    """The magic item with the book's kind, and the book's text if a sentence is missing or changed."""
    own = markdown(_entries(*_ITEMS).get(fold(record.name), ()))
    typed = _TYPE.match(own)
    if not typed:
        return record
    kind = _OF.match(typed[0])
    changes = {"category_text": kind[0]} if kind else {}
    if not _MISREAD.search(own) and lacks(record.text, own[typed.end() :]):
        changes["text"] = own[typed.end() :]
    return record.model_copy(update=changes)


@functools.cache
def _entries(first: int, last: int) -> Mapping[str, Sequence[Line]]:
    """Folded heading -> lines of the entries on these pages."""
    lines = [line for line in read() if first <= line.page <= last]
    heads = [n for n, line in enumerate(lines) if line.is_heading]
    return {fold(lines[head].text): lines[head + 1 : stop] for head, stop in pairwise([*heads, len(lines)])}
