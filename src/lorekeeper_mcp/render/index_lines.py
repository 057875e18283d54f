"""Renders a record as one line: its most important facts, and a summary of what sets it apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

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
from lorekeeper_mcp.models.printed_values import words
from lorekeeper_mcp.passages.facts import FactValue, facts_of
from lorekeeper_mcp.passages.sentences import cut_at_word, sentences
from lorekeeper_mcp.text import fold

Facts: TypeAlias = dict[str, FactValue]
_PHRASES = {
    "armor_class": "AC {}",
    "hit_points": "{} HP",
    "cr": "CR {}",
    "value": "worth {}",
    "subclass_of": "subclass of {}",
    "option_of": "option of {}",
    "feature_of": "feature of {}",
    "also_at_levels": "also at {}",
    "hit_dice": "hit die {}",
    "primary_abilities": "primary {}",
    "saving_throws": "saving throws {}",
    "prerequisite": "requires {}",
    "section": "in {}",
    "subspecies_of": "lineage of {}",
    "classes": "for {}",
    "skills": "skills: {}",
    "feat": "feat: {}",
    "script": "{} script",
    "members": "of {}",
    "given_by": "given by {}",
}
_NAMES = frozenset({"classes", "members", "given_by"})
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


def facts(record: Record, question: str = "", passages: Sequence[str] = ()) -> Facts:
    """The facts of a record by name, without empty ones. Costs and weights are texts with units.

    ``summary`` is the sentence of the ``passages`` that best matches a question; if none matches, the gist of the
    record.
    """
    present: Facts = {
        fact.name: fact.value
        for fact in facts_of(record)
        if fact.name and fact.value is not None and fact.value not in ("", [])
    }
    summary = best_sentence(question, passages) or gist(record)
    name = fold(record.name)
    if summary and fold(summary) not in (name, f"a {name}", f"an {name}"):  # Open5e describes an axe as "An axe"
        present["summary"] = summary
    return present


def index_line(record: Record, facts: Facts) -> str:
    """The record as an index entry: its name, kind, facts and summary."""
    summary = str(facts.get("summary", ""))
    details = " · ".join(part for part in (*phrases(facts), summary) if part not in ("", words(record.kind)))
    return f"**{record.name}** ({words(record.kind)}){f' — {details}' if details else ''}"


def phrases(facts: Mapping[str, FactValue]) -> list[str]:
    """The facts as short phrases, without the summary."""
    return [phrase for name, value in facts.items() if name != "summary" and (phrase := _phrase(name, value))]


def _phrase(name: str, value: FactValue) -> str:
    """A fact as a phrase of the line. Every fact needs one, since some clients show nothing but the text."""
    if name == "challenge_rating":  # ``cr`` has it as printed
        return ""
    if name == "level":
        return f"level {value}" if value else "cantrip"
    if isinstance(value, bool):
        return name.removeprefix("requires_") if value else ""
    text = str(value)
    if isinstance(value, list):
        text = (" or " if name == "size" else ", ").join(value)
        text = text if name in _NAMES else text.lower()
    return _PHRASES.get(name, "{}").format(text)


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
