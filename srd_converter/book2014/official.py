"""The official text of spells, magic items and creatures, where the data package differs.

A sentence of the book counts as present if its letters and digits are; only an entry that lacks one is changed.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import TypeVar

from lorekeeper_mcp.models import Action, ActionType, Creature, Equipment, Kind, Record, Section, Spell
from lorekeeper_mcp.text import fold, letters, slugify
from srd_converter.book2014.blocks import markdown
from srd_converter.book2014.pages import Line, read
from srd_converter.book2014.spell_heads import head_fields
from srd_converter.book_prose import split_lead_in
from srd_converter.slips import with_texts

R = TypeVar("R", Action, Section)
Printed = TypeVar("Printed", bound=Record)
_SPELLS, _ITEMS, _CREATURES = (114, 194), (207, 253), (254, 403)
_DURATION = re.compile(r"^Duration: ")
_HIGHER = re.compile(r"\n\n\*\*At Higher Levels\.\*\* ")
_RARITY = r"(?:common|uncommon|rare|very rare|legendary|artifact|rarity varies)(?: \([^)]*\))?"
_TYPE = re.compile(
    r"^(?:Armor|Weapon|Wondrous item|Ring|Rod|Staff|Wand|Potion|Scroll)\b.*?"
    rf"\b{_RARITY}(?:,? (?:or )?{_RARITY})*(?: \([^)]*\))?\s+",
    re.DOTALL,
)
_OF = re.compile(r"^[\w ]+ \([^)]*\)(?=, )")  # Armor (medium or heavy, but not hide)
# The line under a creature's name, which may span two: Medium humanoid (human, shapechanger), chaotic evil.
_KIND = re.compile(
    r"^(?:Tiny|Small|Medium|Large|Huge|Gargantuan) (?P<type>[\w ]+(?:\([^)]*\))?), ?(?P<alignment>[^.]+?) Armor Class\b"
)
_SKILLS = re.compile(r"\bSkills ((?:[A-Z][a-z]+(?: of Hand| Handling)? \+\d+,? ?)+)")
_SKILL = re.compile(r"([A-Z][a-z]+(?: of Hand| Handling)?) (\+\d+)")
_MISREAD = re.compile(r"\d+r\d+")  # a table whose dashes are lost
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"(])")
_NEAR = 0.85  # minimum similarity of the same sentence in both sources; measured on all creatures
_MISPRINTS = {"srd_gynosphinx": ("+9 to hit", "+8 to hit")}  # the package's; page 348 has the other
_FIGURES = re.compile(r"\d+")  # another creature's attack has the same words
_SHORTEST = 25  # letters of a sentence that is compared
_EDGE = 3  # words at either end of a sentence that are equal in both sources
_RETOLD = frozenset(
    {Kind.CONDITION, Kind.DAMAGE_TYPE, Kind.FEAT, Kind.MAGIC_ITEM, Kind.SKILL, Kind.SPECIES, Kind.WEAPON_PROPERTY}
)
_LEGENDARY = re.compile(
    r"The ([a-z ]+?) can take \d legendary actions, choosing from the options below\. .*?"
    r"regains spent legendary actions at the start of its turn\."
)


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


def creature(record: Creature) -> Creature:
    """The creature as in the book: type, alignment, traits, actions, and its number of legendary actions."""
    legendary = record.legendary_text
    if not legendary and any(action.type is ActionType.LEGENDARY_ACTION for action in record.actions):
        legendary = _legendary().get(next((name for name in _legendary() if name in record.name.lower()), ""), "")
    head = _stat_blocks().get(fold(record.name))
    type_text, alignment = head[0].group("type", "alignment") if head else (record.type_text, record.alignment)
    skills = record.skills | (_skills(head[1]) if head else {})
    return record.model_copy(
        update={
            "skills": skills,
            "skills_all": record.skills_all | skills,
            "type_text": type_text,
            "alignment": alignment,
            "text": proofread(record.text) or _introduction(record),
            "traits": tuple(_with_official(one) for one in record.traits),
            "actions": tuple(_with_official(_corrected(one, record.key)) for one in record.actions),
            "legendary_text": legendary,
        }
    )


def as_printed(record: Printed) -> Printed:
    """The record with the book's capitals, and the book's sentences where the package paraphrases them."""
    if record.kind in _RETOLD:
        most = 1 if record.kind is Kind.MAGIC_ITEM else None
        record = with_texts(record, lambda text: proofread(text, most))
    return with_texts(record, in_print)


def in_print(text: str) -> str:
    """The text with each sentence capitalised as in the book, if that has the same words."""
    for sentence in sentences(text):
        printed = _printed().get(_lower(sentence), {sentence})
        if sentence not in printed:
            text = text.replace(sentence, min(printed))
    return text


def _corrected(action: Action, key: str) -> Action:
    wrong, right = _MISPRINTS.get(key, ("", ""))
    return action.model_copy(update={"text": action.text.replace(wrong, right)}) if wrong else action


def _with_official(section: R) -> R:
    return section.model_copy(update={"text": proofread(section.text)})


def lacks(text: str, official: str) -> bool:
    """Whether a sentence of the official text is missing."""
    known = letters(text)
    return any(letters(one) not in known for one in sentences(official))


def is_in_book(text: str) -> bool:
    """Whether every sentence of a text is on some page."""
    return all(letters(one) in _book() for one in sentences(text))


def proofread(text: str, most: int | None = None) -> str:
    """The text with each sentence replaced by the book's, if the book has one that is nearly the same.

    With ``most``, at most that many words may differ, and none may be added or missing. Forms of an item are
    distinguished by words that the book does not need.
    """
    for sentence in sentences(text):
        if letters(sentence) not in _book():
            figures = _FIGURES.findall(sentence)
            candidates = [
                one
                for edge in _edges(sentence)
                for one in _by_edge().get(edge, ())
                if _FIGURES.findall(one) == figures and (most is None or _others(sentence, one) <= most)
            ]
            near = difflib.get_close_matches(sentence, candidates, n=1, cutoff=_NEAR)
            text = text.replace(sentence, near[0]) if near else text
    return text


def _others(sentence: str, other: str) -> int:
    """The number of words that differ, position by position."""
    return sum(one != two for one, two in zip_longest(sentence.split(), other.split()))


def sentences(text: str) -> list[str]:
    """The sentences of a text, without tables and sentences too short to compare."""
    return [
        one
        for paragraph in text.split("\n")
        if not paragraph.startswith("|")
        for one in _SENTENCE.split(paragraph)
        if len(letters(one)) >= _SHORTEST
    ]


def opening(sentence: str) -> str:
    """The first three words."""
    return " ".join(fold(sentence).split()[:3])


@functools.cache
def _lines() -> tuple[Line, ...]:
    return read()


@functools.cache
def _entries(first: int, last: int) -> Mapping[str, Sequence[Line]]:
    """Folded heading -> lines of the entries on these pages."""
    lines = [line for line in _lines() if first <= line.page <= last]
    heads = [n for n, line in enumerate(lines) if line.is_heading]
    return {fold(lines[head].text): lines[head + 1 : stop] for head, stop in pairwise([*heads, len(lines)])}


@functools.cache
def _stat_blocks() -> Mapping[str, tuple[re.Match[str], str]]:
    """Folded name -> type and alignment of each stat block, and its text up to the next one or a heading."""
    first, last = _CREATURES
    lines = [line for line in _lines() if first <= line.page <= last]
    texts = [line.text for line in lines]
    heads = {at: head for at in range(1, len(texts)) if (head := _KIND.match(" ".join(texts[at : at + 3])))}
    found: dict[str, tuple[re.Match[str], str]] = {}
    for at, stop in zip(heads, [*(at - 1 for at in list(heads)[1:]), len(lines)], strict=True):
        end = next((n for n in range(at, stop) if lines[n].is_heading), stop)
        found[fold(texts[at - 1])] = heads[at], " ".join(texts[at:end])
    return found


def _skills(block: str) -> dict[str, int]:
    """The skills of a stat block, of which the package has lost two."""
    line = _SKILLS.search(block)
    return {slugify(name): int(bonus) for name, bonus in _SKILL.findall(line[1])} if line else {}


def _introduction(record: Creature) -> str:
    """The text below a stat block, after the last sentence of its actions."""
    _, block = _stat_blocks().get(fold(record.name), (None, ""))
    ends = [one.text.split(". ")[-1] for one in record.actions if one.text]
    behind = max((block.rfind(end) + len(end) for end in ends if end in block), default=len(block))
    text = block[behind:].strip()
    is_action, _ = split_lead_in(text)  # the package's wording differs so much that it is not found
    return text if not is_action and len(letters(text)) >= _SHORTEST and text.endswith(".") else ""


@functools.cache
def _prose() -> str:
    """The text of the pages of creatures, without paragraph breaks."""
    first, last = _CREATURES
    return _joined(line for line in _lines() if first <= line.page <= last)


def _joined(lines: Iterable[Line]) -> str:
    return re.sub(r"(?<=\w)- (?=\w)", "-", " ".join(line.text for line in lines))


@functools.cache
def _printed() -> Mapping[str, set[str]]:
    """Lower-case sentence -> the sentence as printed, which may vary between pages."""
    found: dict[str, set[str]] = {}
    for sentence in _sentences_of_book():
        found.setdefault(_lower(sentence), set()).add(sentence)
    return found


def _lower(sentence: str) -> str:
    return sentence.replace("’", "'").casefold()


@functools.cache
def _book() -> str:
    return letters(_joined(_lines()))


@functools.cache
def _sentences_of_book() -> Sequence[str]:
    return [one.strip() for one in sentences(_joined(_lines()).replace("•", "\n"))]


@functools.cache
def _by_edge() -> Mapping[tuple[bool, str], Sequence[str]]:
    """First or last words -> the sentences of the book that begin or end with them."""
    found: dict[tuple[bool, str], list[str]] = {}
    for sentence in dict.fromkeys(_sentences_of_book()):
        for edge in _edges(sentence):
            found.setdefault(edge, []).append(sentence)
    return found


def _edges(sentence: str) -> tuple[tuple[bool, str], tuple[bool, str]]:
    words = fold(sentence).split()
    return (True, " ".join(words[:_EDGE])), (False, " ".join(words[-_EDGE:]))


@functools.cache
def _legendary() -> Mapping[str, str]:
    """The short name of a creature -> the introduction of its legendary actions."""
    return {found[1].strip(): found[0] for found in _LEGENDARY.finditer(_prose())}
