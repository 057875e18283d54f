"""Traits and actions in the order of version 1, which is the book's; version 2 sorts traits by name.

A paragraph that version 2 serves as an entry of its own is joined to the wrong entry if they are sorted. Version 1 has
it after its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

from lorekeeper_mcp.models import Action, Section
from lorekeeper_mcp.sources.open5e.stat_blocks.action_limits import plain_name
from lorekeeper_mcp.text import fold

P = TypeVar("P", Action, Section)


def arranged(parts: Sequence[P], printed: Sequence[P]) -> tuple[P, ...]:
    """Return the parts in the order of those printed; one that is not among them stays after the one before it."""
    places: dict[Hashable, int] = {}
    for place, part in enumerate(printed):
        places.setdefault(_key(part), place)
    types = list(dict.fromkeys(map(_type, (*printed, *parts))))
    last, placed = -1, list[tuple[int, int, P]]()
    for part in _with_paragraphs(parts, printed):
        last = places.get(_key(part), last)
        placed.append((types.index(_type(part)), last, part))
    return tuple(part for *_, part in sorted(placed, key=lambda entry: entry[:2]))


def _with_paragraphs(parts: Sequence[P], printed: Sequence[P]) -> list[P]:
    """The parts, with each paragraph that one has too many at the end of the one that has it in print."""
    own, right = _paragraphs(parts), _paragraphs(printed)
    added = {text: key for key in own for text in own[key] if text not in right.get(key, own[key])}
    lost = {text: key for key in right for text in right[key] if text not in own.get(key, right[key])}
    moved = added.keys() & lost.keys()
    texts = {text: paragraph for key in own for text, paragraph in own[key].items()}
    rearranged: list[P] = []
    for part in parts:
        key = _key(part)
        gone = {text for text in moved if added[text] == key}
        kept: list[str] = [paragraph for text, paragraph in own.get(key, {}).items() if text not in gone]
        gained: list[str] = [texts[text] for text in right.get(key, {}) if text in moved and lost[text] == key]
        changes = {"text": "\n\n".join([*kept, *gained])} if gone or gained else {}
        rearranged.append(part.model_copy(update=changes))
    return rearranged


def _paragraphs(parts: Sequence[P]) -> dict[Hashable, dict[str, str]]:
    """The paragraphs of each part whose name no other part has, by their folded text."""
    names = Counter(map(_key, parts))
    return {
        key: {fold(paragraph): paragraph for paragraph in part.text.split("\n\n")}
        for part in parts
        if names[key := _key(part)] == 1
    }


def _key(part: Action | Section) -> Hashable:
    return _type(part), plain_name(part.name)


def _type(part: Action | Section) -> str:
    return part.type if isinstance(part, Action) else ""
