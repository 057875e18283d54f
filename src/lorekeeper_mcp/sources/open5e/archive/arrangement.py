"""Traits and actions in the order of version 1, which is the book's; version 2 sorts traits by name.

A paragraph that version 2 serves as an entry of its own is joined to the wrong entry if they are sorted. Version 1 has
it after its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from lorekeeper_mcp.models import Action, Section
from lorekeeper_mcp.text import fold

P = TypeVar("P", Action, Section)


def arranged(parts: Sequence[P], printed: Sequence[P]) -> tuple[P, ...]:
    """Return the parts in the order of those printed; one that is not among them stays after the one before it."""
    places: dict[Hashable, int] = {}
    for place, part in enumerate(printed):
        places.setdefault(_key(part), place)
    types = list(dict.fromkeys(map(_type, (*printed, *parts))))
    last, found = -1, list[tuple[int, int, P]]()
    for part in _with_paragraphs(parts, printed):
        last = places.get(_key(part), last)
        found.append((types.index(_type(part)), last, part))
    return tuple(part for *_, part in sorted(found, key=lambda one: one[:2]))


def _with_paragraphs(parts: Sequence[P], printed: Sequence[P]) -> Sequence[P]:
    """The parts, with each paragraph in the entry that has it in print, if the same paragraphs are in other entries."""
    own, right = _paragraphs(parts), _paragraphs(printed)
    moved = [key for key in own if key in right and _folded(own[key]) != _folded(right[key])]
    texts = {fold(text): text for key in moved for text in own[key]}
    if Counter(fold(text) for key in moved for text in right[key]) != Counter(map(fold, _all(own, moved))):
        return parts
    whole = {key: "\n\n".join(texts[fold(text)] for text in right[key]) for key in moved}
    return [part.model_copy(update={"text": whole[key]}) if (key := _key(part)) in whole else part for part in parts]


def _paragraphs(parts: Sequence[P]) -> dict[Hashable, list[str]]:
    """The paragraphs of each part whose name no other part has."""
    names = Counter(map(_key, parts))
    return {key: part.text.split("\n\n") for part in parts if names[key := _key(part)] == 1}


def _all(texts: Mapping[Hashable, list[str]], keys: Sequence[Hashable]) -> list[str]:
    return [text for key in keys for text in texts[key]]


def _folded(texts: Sequence[str]) -> list[str]:
    return [fold(text) for text in texts]


def _key(part: Action | Section) -> Hashable:
    return _type(part), plain_name(part.name)


def _type(part: Action | Section) -> str:
    return part.type if isinstance(part, Action) else ""


def plain_name(name: str) -> str:
    """Return the name without its limits of use, folded: bite for ``Bite (Recharge 5-6)``."""
    return fold(name.partition("(")[0])
