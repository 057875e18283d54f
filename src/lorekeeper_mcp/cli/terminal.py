"""Tables and pages for a terminal, in one style. Words are never cut while there is space for them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.markdown import Heading, Markdown, TableElement
from rich.table import Table
from rich.text import Text

_WIDEST = 110  # columns; longer lines of text are hard to read
_PIPE = 500  # columns if the output is not a terminal: nothing wraps
_GAP = 2  # columns between two columns
_LABEL = 9  # columns of a label
_NO_VALUE = frozenset({"", "—", "-"})  # cells
_CALL = re.compile(r'search_(?P<kind>creature|spell)\((?P<argument>\w+)="(?P<value>[\w-]+)"\)')
_CURSOR = re.compile(r"call again with cursor=(\S+)")


def console() -> Console:
    """Return a console for stdout."""
    return Console(width=None if sys.stdout.isatty() else _PIPE)


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str | Text]], width: int, total: Sequence[str] = ()
) -> Table | None:
    """A table that wraps between words; None if not even its longest words fit. ``total`` is a last row below a line.

    Columns of numbers are right-aligned.
    """
    rows = list(rows)
    columns = [[head, *(str(row[place]) for row in rows)] for place, head in enumerate(heads)]
    widths = _widths(columns, width - _GAP * (len(heads) - 1))
    if not widths:
        return None
    built = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for (head, *texts), column_width in zip(columns, widths, strict=True):
        is_number = all(text.isdecimal() for text in texts if text)
        built.add_column(head, width=column_width, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        built.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))  # names are not markup
    if total:
        built.add_section()
        built.add_row(*map(Text, total))
    return built


def _widths(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """The width of each column: the widest lose characters until all fit, but no word is cut. Empty if one must be."""
    widths = [max(len(line) for text in column for line in text.splitlines() or [""]) for column in columns]
    least = [max((len(word) for text in column for word in text.split()), default=1) for column in columns]
    if sum(least) > room:
        return []
    while sum(widths) > room:
        wide = [place for place, low in enumerate(least) if widths[place] > low]
        widths[max(wide, key=lambda place: widths[place])] -= 1
    return widths


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]], total: Sequence[str] = ()) -> None:
    """Print a table, or its rows as lines of facts where the terminal is too narrow for it."""
    screen, rows = console(), list(rows)
    built = table(heads, rows, screen.width, total)
    screen.print(built or Group(*_as_lines(heads, [*rows, *([total] if total else [])])), highlight=False)


def _as_lines(heads: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> Iterator[Text]:
    for first, *others in rows:
        facts = [f"{head} {cell}" for head, cell in zip(heads[1:], others, strict=False) if str(cell) not in _NO_VALUE]
        yield Text.assemble((str(first), "bold"), f"  {' · '.join(facts)}")


def labeled(pairs: Iterable[tuple[str, str | Text]], style: str = "bold") -> Table:
    """Labeled texts, one below the other, each wrapped beside its label."""
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(style=style, justify="right", no_wrap=True, min_width=_LABEL)
    grid.add_column(overflow="fold")
    for label, text in pairs:
        grid.add_row(Text(label), Text(text) if isinstance(text, str) else text)
    return grid


class _Left(Heading):
    """Markdown with left-aligned headings instead of a centered box."""

    def __rich_console__(self, *_: object) -> list[Text]:
        """Yield the heading with a blank line before it."""
        self.text.justify = "left"
        return [Text(""), Text.assemble((self.text.plain, "bold underline" if self.tag in {"h1", "h2"} else "bold"))]


class _Table(TableElement):
    """A page's table in the same style, or row by row if the terminal is too narrow for its words."""

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the table with a blank line before it."""
        heads = [cell.content.plain for cell in self.header.row.cells] if self.header and self.header.row else []
        rows = [[cell.content for cell in row.cells] for row in self.body.rows] if self.body else []
        yield Text("")
        if built := table(heads, rows, options.max_width):
            yield built
        else:
            yield from _as_lines(heads, rows)


class _Page(Markdown):
    elements = {**Markdown.elements, "heading_open": _Left, "table_open": _Table}  # noqa: RUF012 - as rich declares it


def print_page(text: str) -> None:
    """Print the text of an answer: the terminal shows what an assistant reads."""
    screen = console()
    screen.print(page(text), width=min(screen.width, _WIDEST))


def page(text: str) -> RenderableType:
    """Return the text of an answer, which is Markdown, as it is printed."""
    return _Page(_as_commands(text).replace("\n", "  \n"))  # Markdown would join the lines


def _as_commands(text: str) -> str:
    """Replace the tool calls in a page by the commands that do the same."""

    def command(call: re.Match[str]) -> str:
        option = call["argument"].replace("_", "-")
        return f"`lorekeeper-mcp search --type {call['kind']} --{option} {call['value']}`"

    return _CURSOR.sub(r"add --cursor \1", _CALL.sub(command, text))
