"""The summary of an index line: the sentence that matches a question, or what sets the record apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lorekeeper_mcp.models import (
    NEWEST_FIRST,
    Action,
    Background,
    CharacterClass,
    Creature,
    Feat,
    Record,
    Section,
    Species,
)
from lorekeeper_mcp.render.format import cut_at_word, sentences
from lorekeeper_mcp.text import fold

_SUMMARY = 140  # characters of the summary
_BENEFIT = re.compile(r"\*\*\*?(.+?)\.?\*\*")
_STEM = 5  # letters: "attacking" and "attacks" are one word
_MIN_LETTERS = 4  # letters of a significant word
# A sentence that only introduces the next one says nothing on its own.
_INTRODUCES = re.compile(r"(?:following|these|below)\b[^.]*\.?$|:$", re.IGNORECASE)
_EVERY_SPECIES = frozenset(
    ["ability score increase", "age", "alignment", "size", "speed", "languages", "creature type", "type", "subrace"]
)
_EVERY_CREATURE = frozenset(["gear", "multiattack", "languages", "equipment", "treasure"])
_USES = re.compile(r"\s*\([^()]*\)$")


def best_sentence(question: str, passages: Sequence[str]) -> str:
    """The sentence of the passages that shares the most words with a question; "" if none shares any.

    ``passages`` are ordered best first. On a tie, the sentence of the better passage is returned.
    """
    stems = {word[:_STEM] for word in fold(question).split() if len(word) >= _MIN_LETTERS}
    best, most_shared = "", 0
    for passage in passages:
        for sentence in sentences(passage):
            shared = len(stems & {word[:_STEM] for word in fold(sentence).split()})
            if shared > most_shared and not sentence.startswith("|"):
                best, most_shared = sentence, shared
    return cut_at_word(best, _SUMMARY)


def gist(record: Record) -> str:
    """What sets a record apart: the names of its features or abilities, otherwise its first significant sentence."""
    if names := dict.fromkeys(_notable_names(record)):
        return cut_at_word(f"{', '.join(names)}.", _SUMMARY)
    first_sentences = list(_first_sentences(record))
    significant = [sentence for sentence in first_sentences if not _INTRODUCES.search(sentence)]
    return cut_at_word((significant or first_sentences or [""])[0], _SUMMARY)


def _first_sentences(record: Record) -> Iterator[str]:
    """The first sentences of a record's text, or of the fields that it has instead."""
    match record:
        case Species(text="") if record.traits:
            text = record.traits[0].text
        case Background(text="") if record.benefits:
            text = record.benefits[0].text
        case Feat() if record.benefits and (not record.text or "following benefits" in record.text[:_SUMMARY]):
            text = record.benefits[0]
        case _:
            texts = [text.text for edition in NEWEST_FIRST for text in record.texts if text.edition == edition]
            text = texts[0] if texts else record.text
    yield from sentences(text[: 20 * _SUMMARY])


def _notable_names(record: Record) -> list[str]:
    """The names of what a class, species or feat grants, or a creature can do, since their texts all begin alike."""
    match record:
        case Creature():
            parts: list[Section | Action] = [*record.traits, *record.actions]
            return [_USES.sub("", part.name) for part in parts if part.text and fold(part.name) not in _EVERY_CREATURE]
        case CharacterClass(text=""):
            return [feature.name for feature in record.features if feature.levels]
        case Species(subspecies_of=None):
            return [trait.name for trait in record.traits if fold(trait.name) not in _EVERY_SPECIES]
        case Feat():
            names = [match[1] for match in map(_BENEFIT.match, record.benefits) if match]
            return names if len(names) > 1 else []
        case _:
            return []
