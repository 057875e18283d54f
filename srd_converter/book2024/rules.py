"""Rules and rule sets: the chapters of rules split at the headings of the book's outline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lorekeeper_mcp.models import Ref, Rule
from lorekeeper_mcp.text import fold, slugify
from srd_converter.book2024.headings import BOXES, CHAPTERS, FIRST, HEADINGS, KEYS, MOVED, SKIPPED, Headings
from srd_converter.book2024.pages import Book, Line
from srd_converter.book2024.table_places import with_tables_in_place
from srd_converter.rule_sets import BOXED, RuleText, rule_set
from srd_converter.srd2024.document import COMMON, KEY

_SET_DEPTH = 2  # of the headings that open a rule set


def rules(book: Book) -> list[Rule]:
    """Every rule set of the chapters of rules, each followed by its rules in the order of the book."""
    return [rule for chapter, pages in CHAPTERS.items() for rule in _chapter(book, chapter, book.between(*pages))]


def headings(book: Book, chapter: str) -> Iterator[tuple[int, str]]:
    """Yield depth and title of a chapter's headings: 1 is its own, 2 opens a rule set, 3 and more are rules."""
    titles = iter(book.outline)
    next(depth_title for depth_title in titles if depth_title == (1, chapter))
    yield from ((3, heading) for heading in FIRST.get(chapter, ()))
    if chapter not in FIRST.get(chapter, ()):
        yield 1, chapter
    for depth, title in titles:
        if depth == 1:
            return
        yield depth, title
        yield from _nested(HEADINGS.get(title, ()), depth + 1)


def _nested(titles: Headings, depth: int) -> Iterator[tuple[int, str]]:
    for heading in titles:
        if isinstance(heading, str):
            yield depth, heading
        else:
            yield from _nested(heading, depth + 1)


def _chapter(book: Book, chapter: str, lines: tuple[Line, ...]) -> Iterator[Rule]:
    sets: dict[str, list[tuple[str, str]]] = {}
    moved: list[tuple[str, str]] = []
    depths: dict[tuple[str, str], int] = {}
    part = ""
    for depth, title, text in _texts(book, chapter, lines):
        if depth == _SET_DEPTH:
            part = title
            sets[part] = [(title, text)]
        elif title in MOVED:
            moved.append((title, text))
        else:
            sets[part].append((title, text))
            depths[part, title] = BOXED if title in BOXES else depth - _SET_DEPTH
    for title, text in moved:
        sets[MOVED[title]].append((title, text))
    for part, ((_, introduction), *below) in with_tables_in_place(sets).items():
        with_depths = [(title, text, depths.get((part, title), BOXED)) for title, text in below]
        yield from _set(chapter, part, introduction, with_depths)


def _texts(book: Book, chapter: str, lines: Sequence[Line]) -> Iterator[tuple[int, str, str]]:
    """Yield depth, title and text of each heading. Raises ValueError if a heading is not in the chapter."""
    headed: list[tuple[range, int, str]] = []
    end = 0
    for depth, title in headings(book, chapter):
        if heading := _find(lines, end, title):
            headed.append((heading, depth, title))
            end = heading.stop
        elif title not in {*SKIPPED, *(earlier for _, _, earlier in headed)}:
            raise ValueError(f"There is no heading {title} in the chapter {chapter} of the SRD 5.2.1.")
    ends = [heading.start for heading, _, _ in headed[1:]] + [len(lines)]
    for (heading, depth, title), end in zip(headed, ends, strict=True):
        if depth > 1 and title not in SKIPPED:
            yield depth, title, book.prose(lines[heading.stop : end])


def _find(lines: Sequence[Line], first: int, title: str) -> range | None:
    """The one or two lines of a heading, searched from an index on. A line that ends a sentence is none."""
    folded_title = fold(title)
    for start in range(first, len(lines)):
        for stop in (start + 1, start + 2):
            text = " ".join(line.text for line in lines[start:stop])
            if fold(text) == folded_title and not text.rstrip('"”').endswith("."):
                return range(start, stop)
    return None


def _set(chapter: str, title: str, introduction: str, below: Sequence[tuple[str, str, int]]) -> list[Rule]:
    """The rule set with the text above its first rule, then its rules: heading, text and depth below the set."""
    name = title.strip('"')
    # Two chapters have a part of this name.
    slug = slugify(name if chapter != "Equipment" or name != "Magic Items" else f"{name} equipment")
    texts = [RuleText(_key(f"{slug}_{slugify(heading)}"), heading, text, depth) for heading, text, depth in below]
    return rule_set(Ref(name=name, key=f"{KEY}_{slug}"), introduction, texts, COMMON)


def _key(made: str) -> str:
    return f"{KEY}_{KEYS.get(made, made)}"
