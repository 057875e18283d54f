"""What a record says in one edition and not in another.

Two editions of a text rarely share a sentence word for word. A sentence counts as shared if one paragraph of the other
page has its numbers and nearly all of its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.render.parts import Part, PartKind, facts_in, parts_of
from lorekeeper_mcp.text import fold

# Facts that sources fill in differently, or that repeat others.
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
_THROUGHOUT = 4  # times the available space; texts that differ in more are different texts
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
_LEFT_OUT = re.compile(r"- (?:Slot|Player) Level |\*Rule in |\*Corrected: |See also: ")


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
    """What the page ``other`` says differently from the ``shown`` page, or in addition to it, in order."""
    mine = parts_of(shown)
    facts = {name.rstrip(":"): value for part in mine if part.kind is PartKind.FACT for name, value in facts_in(part)}
    word_sets = [frozenset(_words(part.markdown)) for part in mine if part.kind is PartKind.TEXT]
    word_sets += [frozenset(_words(value)) for value in facts.values()]
    tables = [part.markdown for part in mine if part.kind is PartKind.TABLE]
    word_sets += [frozenset(_words(row)) for table in tables for row in table.splitlines()]
    scores = [found for table in tables if (found := _SCORE.findall(table))]
    of_parts = [tuple(_differing(part, facts, word_sets, scores)) for part in parts_of(other)]
    return tuple(
        one
        for here, behind in zip(of_parts, [*of_parts[1:], ()], strict=True)
        for found in here
        if (one := found if behind else _without_lead(found)).text
    )


def _differing(
    part: Part, facts: dict[str, str], word_sets: list[frozenset[str]], scores: list[list[str]]
) -> Iterator[Difference]:
    if part.kind is PartKind.FACT:
        for label, value in facts_in(part):
            name = label.rstrip(":")
            own = facts.get(_OTHER_NAMES.get(name, name), "")
            if name not in _NOT_COMPARED and _compared(name, value) != _compared(name, own):
                yield Difference(name, value)
    elif part.kind is PartKind.TABLE:
        if (found := _SCORE.findall(part.markdown)) and found not in scores:
            yield Difference("Abilities", ", ".join(found))
        elif not found and (table := _new_table(part, word_sets)):
            yield Difference(part.heading or "table", table)
    elif not _LEFT_OUT.match(part.markdown):
        new = [sentence for sentence in _sentences(part) if not _is_covered(sentence, word_sets)]
        if new:
            yield Difference(part.heading, " ".join(new))


def _without_lead(found: Difference) -> Difference:
    """A difference without a last sentence that introduces a list, if nothing of the list follows."""
    return Difference(found.heading, _LEAD.sub("", found.text))


def _sentences(part: Part) -> list[str]:
    text = _NAME.sub("", part.markdown, count=1) if part.name else _HEADER.sub(r"\1", part.markdown)
    return [stripped for sentence in _SENTENCE.split(text) if (stripped := _ITEM.sub("", sentence).strip())]


def _is_covered(sentence: str, word_sets: list[frozenset[str]]) -> bool:
    words = _words(sentence)
    numbers = {word for word in words if word[0].isdigit()}
    return not words or any(
        numbers <= word_set and sum(word in word_set for word in words) >= _SHARED * len(words)
        for word_set in word_sets
    )


def _compared(name: str, value: str) -> list[str]:
    """The parts of a fact that matter to the rules: letters and prices of components, numbers of armor and challenge.

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
    found = _WORD.findall(_ORDINAL.sub(r"\1", fold(_LEVEL.sub("", _SLOT.sub("", text)))))
    return [word if word[0].isdigit() else word[:_STEM] for word in found if word not in _COMMON]


def _new_table(part: Part, word_sets: list[frozenset[str]]) -> str:
    """A table if one of its rows is new; otherwise ""."""
    rows = part.markdown.splitlines()[2:]
    return "" if all(_is_covered(row, word_sets) for row in rows) else part.markdown


def difference_text(found: Sequence[Difference], room: int) -> str:
    """Return the differences as a list in page order; those beyond ``room`` characters by name only."""
    if sum(len(one.markdown) for one in found) > _THROUGHOUT * room:
        return "- It differs throughout."
    printed: list[int] = []
    for place, one in enumerate(found):
        if sum(len(found[other].markdown) for other in printed) + len(one.markdown) <= room:
            printed.append(place)
    named = [
        one.heading.rpartition(" › ")[2] or "more of its text"
        for place, one in enumerate(found)
        if place not in printed
    ]
    lines = [
        (found[place] if place + 1 in (*printed, len(found)) else _without_lead(found[place])).markdown
        for place in printed
    ]
    names = ", ".join(dict.fromkeys(named))
    return "\n".join([*lines, f"- Also: {names}"] if names else lines)


def text_beside(shown: str, other: str) -> str:
    """The full text of the page ``other``, without what the shown page says in the same words and what is no rule."""
    blocks = other.split("\n\n")[1:]
    return "\n\n".join(block for block in blocks if block not in shown and not _LEFT_OUT.match(block))
