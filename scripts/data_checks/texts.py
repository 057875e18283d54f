"""Checks that texts end at the end of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.data_checks.prose import prose

from lorekeeper_mcp.models import CharacterClass, Creature, Equipment, Feat, Kind, Record, Species, Spell

# A sentence may end inside brackets, emphasis or a table; lists and headings may end anyhow.
_ENDED = re.compile(r"[.!?:;…][\"'”’*_)\]]*$|\|$|\)$")
# List items, and spell lists by how often the spells can be cast.
_LIST = re.compile(r"^\W*(?:[-*•#|>]|\d+[.)]|(?:\d+/day|at will|cantrips|\d(?:st|nd|rd|th)[ -]level)\b)", re.IGNORECASE)
_SPELLS = re.compile(r"(?:\d/day(?: each)?|at will)\W*:[^.]*$", re.IGNORECASE)
_HEADING_LAST = re.compile(r"^#{1,6}\s")
_ANNOUNCED = re.compile(r":\s*\Z|\bone of the following\b[^.:\[\n]*\.\s*\Z")
_PROSE = 60  # characters; shorter texts are often names or numbers
_KINDS = frozenset(
    {
        Kind.SPELL, Kind.CREATURE, Kind.MAGIC_ITEM, Kind.FEAT, Kind.RULE, Kind.CONDITION, Kind.SPECIES,
        Kind.BACKGROUND, Kind.CLASS, Kind.SUBCLASS, Kind.IMAGE,
    }
)  # fmt: skip


def check_texts_end(record: Record) -> Iterator[str]:
    """Required texts that are absent, and texts that stop in the middle of a sentence."""
    if record.kind not in _KINDS:
        return
    if record.kind in (Kind.SPELL, Kind.MAGIC_ITEM, Kind.RULE) and not record.text.strip() and not record.texts:
        yield "no text"
    for name, text in _texts(record):
        if finding := _fault(text):
            yield f"{name} {finding}" if name else finding


def check_brackets(record: Record) -> Iterator[str]:
    """A text in which a bracket lacks its pair has lost words. Rules have lists with letters before a bracket."""
    for field, text in prose(record) if isinstance(record, Creature | Spell | Equipment) else ():
        if text.count("(") != text.count(")"):
            yield f"{field} has a bracket without its pair: {text[:40]!r}"


def check_lists(record: Record) -> Iterator[str]:
    """A text that announces a list is followed by one, within it or as the next entries of a creature."""
    lasts = {"": record.text}
    if isinstance(record, Creature):
        lasts = {action.type: action.text for action in record.actions}
        lasts |= {"trait": record.traits[-1].text} if record.traits else {}
    if isinstance(record, Creature | Spell | Equipment):
        yield from (f"ends with {text[-30:]!r}" for text in lasts.values() if _ANNOUNCED.search(text))


def _texts(record: Record) -> Iterator[tuple[str, str]]:
    yield "", record.text
    match record:
        case Spell():
            yield "at higher levels", record.higher_level
        case Creature():
            yield from ((trait.name, trait.text) for trait in record.traits)
            yield from ((action.name, action.text) for action in record.actions)
        case Species():
            yield from ((trait.name, trait.text) for trait in record.traits)
        case CharacterClass():
            yield from ((feature.name, feature.text) for feature in record.features)
        case Feat():
            yield from (("", benefit) for benefit in record.benefits)


def _fault(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return ""
    last = lines[-1].strip()
    if _HEADING_LAST.match(last) or re.search(r"\s#{2,6} \S+", last):
        return f"ends with the heading {last[-30:]!r}"
    ended = _ENDED.search(last) or _LIST.match(last) or _SPELLS.search(last) or (len(lines) > 1 and "|" in last)
    if len(text) < _PROSE or ended:
        return ""
    return f"ends with {last[-30:]!r}"
