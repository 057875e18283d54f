"""Finds what a record says in one edition but not in another.

Two editions of a text rarely share a sentence word for word. A sentence counts as shared if a paragraph of the other
page has its numbers and most of its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.render.parts import Part, PartKind, facts_in, parts_of
from lorekeeper_mcp.text import fold

# Facts that sources fill in differently, or that repeat other facts.
_NOT_COMPARED = frozenset({
    "Targets", "Classes", "Subclasses", "Damage", "Healing", "Saving Throw", "Area", "Variants", "Contents", "Image",
    "Image by",
    "Initiative", "Saving Throws", "Proficiency Bonus", "Environments", "Group", "Weapon", "Armor", "Mastery",
})  # fmt: skip
_COMMON = frozenset({
    "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "each", "for", "from", "has", "have", "if", "in",
    "is", "it", "its", "make", "makes", "must", "of", "on", "one", "or", "take", "takes", "target", "targets", "than",
    "that", "the", "their", "then", "they", "this", "to", "when", "which", "while", "with", "within", "you", "your",
})  # fmt: skip
_SHARED = 0.7  # the share of a sentence's words that make it count as shared
_MAX_DIFFERENCE = 4  # times the available space; texts that differ in more have nothing in common
_STEM = 5  # letters: "attacks" and "attacking" are one word
_WORD = re.compile(r"\d+d\d+|\d+|[a-z]+")
_ORDINAL = re.compile(r"(\d)(?:st|nd|rd|th)\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z*_“\"])|\n")
_SCORE = re.compile(r"\d+ \([+−-]\d+\)")
_LEAD = re.compile(r"(?:^|(?<=[.!?])\s+)[^.!?|]*:$")  # a last sentence that introduces something that is not printed
_ITEM = re.compile(r"^\s*[-*•]\s+")
_HEADER = re.compile(r"^\*([^*]+)\*$")
_NAME = re.compile(r"\*{2,3}_?[^*_]+?\.?_?\*{2,3}\.?\s*")
_SLOT = re.compile(r"[Ww]hen you cast this spell (?:using|with) a spell slot of \d\w+ level or higher,?")
_LEVEL = re.compile(r"\b(?:beginning|starting|at|when you reach) (?:at )?\d\w+ level,?", re.IGNORECASE)
_OTHER_NAMES = {"Challenge": "CR"}  # names of facts that differ in one edition
# Lists of slot effects repeat the text; a rule's chapter and notes on corrections are not rules.
_LEFT_OUT = re.compile(r"- (?:Slot|Player) Level |\*Rule in |See also: ")


@dataclass(frozen=True)
class Difference:
    """What one edition says under a heading; ``heading`` is "" if there is none."""

    heading: str
    text: str

    @property
    def markdown(self) -> str:
        """A list item, or a table on its own."""
        if self.text.startswith("|"):
            return f"\n{self.text}\n"
        return f"- **{self.heading.rstrip(':')}:** {self.text}" if self.heading else f"- {self.text}"


def differences(shown: str, other: str) -> tuple[Difference, ...]:
    """What the page ``other`` adds to the ``shown`` page or says differently, in order."""
    shown_parts = parts_of(shown)
    facts: dict[str, str] = {}
    texts: list[str] = []
    tables: list[str] = []
    for part in shown_parts:
        if part.kind is PartKind.FACT:
            facts |= {name.rstrip(":"): value for name, value in facts_in(part)}
        elif part.kind is PartKind.TEXT:
            texts.append(part.markdown)
        else:
            tables.append(part.markdown)
    rows = [row for table in tables for row in table.splitlines()]
    word_sets = [frozenset(_words(text)) for text in (*texts, *facts.values(), *rows)]
    scores = [numbers for table in tables if (numbers := _SCORE.findall(table))]
    by_part = [list(_differences_in(part, facts, word_sets, scores)) for part in parts_of(other)]
    found_differences: list[Difference] = []
    for of_part, of_next_part in zip(by_part, [*by_part[1:], []], strict=True):
        found_differences += of_part if of_next_part else map(_without_lead, of_part)
    return tuple(difference for difference in found_differences if difference.text)


def _differences_in(
    part: Part, facts: dict[str, str], word_sets: list[frozenset[str]], scores: list[list[str]]
) -> Iterator[Difference]:
    if part.kind is PartKind.FACT:
        for label, value in facts_in(part):
            name = label.rstrip(":")
            shown_value = facts.get(_OTHER_NAMES.get(name, name), "")
            if name not in _NOT_COMPARED and _comparable_words(name, value) != _comparable_words(name, shown_value):
                yield Difference(name, value)
    elif part.kind is PartKind.TABLE:
        numbers = _SCORE.findall(part.markdown)
        if numbers and numbers not in scores:
            yield Difference("Abilities", ", ".join(numbers))
        elif not numbers and not all(_is_covered(row, word_sets) for row in part.markdown.splitlines()[2:]):
            yield Difference(part.heading or "table", part.markdown)
    elif not _LEFT_OUT.match(part.markdown):
        new = [sentence for sentence in _sentences(part) if not _is_covered(sentence, word_sets)]
        if new:
            yield Difference(part.heading, " ".join(new))


def _without_lead(difference: Difference) -> Difference:
    """A difference without a last sentence that introduces a list, if nothing of the list follows."""
    return Difference(difference.heading, _LEAD.sub("", difference.text))


def _sentences(part: Part) -> list[str]:
    text = _NAME.sub("", part.markdown, count=1) if part.name else _HEADER.sub(r"\1", part.markdown)
    sentences = (_ITEM.sub("", sentence).strip() for sentence in _SENTENCE.split(text))
    return [sentence for sentence in sentences if sentence]


def _is_covered(sentence: str, word_sets: list[frozenset[str]]) -> bool:
    words = _words(sentence)
    numbers = {word for word in words if word[0].isdigit()}
    return not words or any(
        numbers <= word_set and sum(word in word_set for word in words) >= _SHARED * len(words)
        for word_set in word_sets
    )


def _comparable_words(name: str, value: str) -> list[str]:
    """The words of a fact that matter to the rules: letters and prices of components, numbers of armor and challenge.

    "None" counts as no value.
    """
    words = _words(value.partition(" (")[0] if name in ("CR", "Challenge") else value)
    if words == ["none"]:
        return []
    if name == "Components":
        return [value.partition("(")[0].strip(), *(word for word in words if word[0].isdigit())]
    return words[:1] if name == "Armor Class" else sorted(words)


def _words(text: str) -> list[str]:
    """Significant words, cut to their first letters, and numbers."""
    words = _WORD.findall(_ORDINAL.sub(r"\1", fold(_LEVEL.sub("", _SLOT.sub("", text)))))
    return [word if word[0].isdigit() else word[:_STEM] for word in words if word not in _COMMON]


def difference_text(found_differences: Sequence[Difference], room: int) -> str:
    """Return the differences as a list in page order. Those that exceed ``room`` characters are listed by name."""
    if sum(len(difference.markdown) for difference in found_differences) > _MAX_DIFFERENCE * room:
        return "- It differs throughout."
    printed: set[int] = set()
    names: dict[str, None] = {}
    for index, difference in enumerate(found_differences):
        if len(difference.markdown) <= room:
            printed.add(index)
            room -= len(difference.markdown)
        else:
            names[difference.heading.rpartition(" › ")[2] or "more of its text"] = None
    lines = []
    for index in sorted(printed):
        is_followed = index + 1 in printed or index + 1 == len(found_differences)
        lines.append((found_differences[index] if is_followed else _without_lead(found_differences[index])).markdown)
    return "\n".join([*lines, f"- Also: {', '.join(names)}"] if names else lines)


def text_not_in(shown: str, other: str) -> str:
    """The blocks of the page ``other`` that contain rules and are not on the shown page in the same words."""
    blocks = other.split("\n\n")[1:]
    return "\n\n".join(block for block in blocks if block not in shown and not _LEFT_OUT.match(block))
