"""Tables and pages for a terminal, in one style. Words are never cut while there is space for them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType
from rich.markdown import Heading, Markdown, TableElement
from rich.table import Table
from rich.text import Text

from lorekeeper_mcp.sources.field_reader import objects

_WIDEST = 110  # columns; longer lines of text are hard to read
_PIPE = 500  # columns if the output is not a terminal: nothing wraps
_GAP = 2  # columns between two columns
_LABEL = 9  # columns of a label
_NO_VALUE = frozenset({"", "—", "-"})  # cells
_LICENSES = {"Open Game License 1.0a": "OGL", "CC-BY-4.0": "CC BY", "CC0-1.0": "CC0", "; ": ", "}
_CALL = re.compile(r'search_(?P<kind>creature|spell)\((?P<argument>\w+)="(?P<value>[\w-]+)"\)')
_CURSOR = re.compile(r"call again with cursor=(\S+)")


def console(*, of_text: bool = False) -> Console:
    """Return a console for stdout; with ``of_text``, no wider than is easy to read."""
    screen = Console(width=None if sys.stdout.isatty() else _PIPE)
    if of_text:
        screen.width = min(screen.width, _WIDEST)
    return screen


@dataclass(frozen=True)
class Column:
    """A column's head and style; numbers are right-aligned. ``most`` is its largest width, 0 for unlimited."""

    head: str
    style: str = ""
    is_number: bool = False
    most: int = 0


@dataclass
class Rows:
    """A table under construction. ``total`` is its last row, below a line."""

    columns: Sequence[Column]
    cells: list[Sequence[str | Text]] = field(default_factory=list)
    total: Sequence[str] | None = None

    def add(self, *cells: str | Text) -> None:
        """Add a row with one cell per column."""
        self.cells.append(cells)

    def fits(self, width: int) -> bool:
        """Whether the table fits in some columns of the terminal without cutting a word."""
        return sum(map(_longest_word, self._texts())) + _GAP * (len(self.columns) - 1) <= width

    def _texts(self) -> list[list[str]]:
        """The texts of each column."""
        rows = [*self.cells, *([self.total] if self.total else [])]
        return [[column.head, *(str(row[place]) for row in rows)] for place, column in enumerate(self.columns)]

    def fit(self, width: int) -> Table:
        """Build the table at a width, wrapping texts between words."""
        texts = self._texts()
        widths = _widths(texts, [column.most for column in self.columns], width - _GAP * (len(texts) - 1))
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        for column, column_width in zip(self.columns, widths, strict=True):
            justify: JustifyMethod = "right" if column.is_number else "left"
            table.add_column(column.head, style=column.style, width=column_width, justify=justify, overflow="fold")
        for row in self.cells:
            table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))  # names are not markup
        if self.total:
            table.add_section()
            table.add_row(*map(Text, self.total))
        return table


def _widths(texts: Sequence[Sequence[str]], most: Sequence[int], room: int) -> list[int]:
    """The width of each column: that of its lines, or of its longest word plus a fair share of the remaining space."""
    least = [_longest_word(column) for column in texts]
    natural = [max(len(line) for text in column for line in (text.splitlines() or [""])) for column in texts]
    natural = [max(low, min(high, limit or high)) for low, high, limit in zip(least, natural, most, strict=True)]
    if sum(natural) <= room:
        return natural
    widths, spare = list(least), max(0, room - sum(least))
    least_need_first = sorted(range(len(texts)), key=lambda place: natural[place] - least[place])
    for number, place in enumerate(least_need_first):
        extra = min(natural[place] - least[place], spare // (len(texts) - number))
        widths[place] += extra
        spare -= extra
    widest = widths.index(max(widths))
    widths[widest] = max(8, widths[widest] + room - sum(widths))  # cuts the longest words if need be
    return widths


def _longest_word(texts: Sequence[str]) -> int:
    return max((len(word) for text in texts for word in text.split()), default=1)


def labeled(pairs: Sequence[tuple[str, str | Text]], style: str = "bold") -> Table:
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
        table = Rows([Column(head) for head in heads])
        for row in self.body.rows if self.body else ():
            table.add(*(cell.content for cell in row.cells))
        yield Text("")
        if table.fits(options.max_width):
            yield table.fit(options.max_width)
            return
        for first, *others in table.cells:
            pairs = zip(heads[1:], others, strict=False)
            facts = [f"{head} {cell}" for head, cell in pairs if str(cell) not in _NO_VALUE]
            yield Text.assemble((str(first), "bold"), f"  {' · '.join(facts)}")


class _Page(Markdown):
    elements = {**Markdown.elements, "heading_open": _Left, "table_open": _Table}  # noqa: RUF012 - as rich declares it


def print_page(text: str) -> None:
    """Print the text of an answer: the terminal shows what an assistant reads."""
    console(of_text=True).print(page(text))


def page(text: str) -> RenderableType:
    """Return the text of an answer, which is Markdown, as it is printed."""
    return _Page(_as_commands(text).replace("\n", "  \n"))  # Markdown would join the lines


def print_documents(answer: Mapping[str, object]) -> None:
    """Print a list of documents: key, name, edition, license, number of entries."""
    plain = map(Column, ("name", "rules", "license"))
    table, screen = Rows([Column("key", "bold cyan"), *plain, Column("count", is_number=True)]), console()
    for document in objects(answer.get("documents")):
        cells = [str(document.get(name) or "") for name in ("document_key", "document_name", "edition", "license")]
        for long, short in _LICENSES.items():  # a row of the table has 80 columns
            cells[3] = cells[3].replace(long, short)
        table.add(*cells, str(document.get("entity_count") or ""))
    screen.print(table.fit(screen.width) if table.cells else "There are none.", highlight=False)


def _as_commands(text: str) -> str:
    """Replace the tool calls in a page by the commands that do the same."""

    def command(call: re.Match[str]) -> str:
        option = call["argument"].replace("_", "-")
        return f"`lorekeeper-mcp search --type {call['kind']} --{option} {call['value']}`"

    return _CURSOR.sub(r"add --cursor \1", _CALL.sub(command, text))
