"""Services and goods that a book only has in a price table, or in a heading with a price, within its rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models import Equipment, Kind
from lorekeeper_mcp.models.vocabulary import GOLD
from lorekeeper_mcp.text import fold
from srd_converter.book_prose import SMALL_WORDS, split_lead_in
from srd_converter.documents import Common

_PRICE = re.compile(r"(?P<amount>[\d,]+) (?P<coin>[csgp]p)(?: per (?P<unit>\w+))?(?P<more>.*)", re.IGNORECASE)
_PRICE_COLUMN = re.compile(r"Cost|Pay|Price\b.*")
_UNIT = re.compile(r"(?:[/ (]\(?per |/)(\w+)\)?$", re.IGNORECASE)
_DETAIL = re.compile(r"(?: \(|,).*")
_SECTION = re.compile(r"\*\*(.+)\*\*")
_HEADING = re.compile(r"\*\*(?P<name>[^*(]+) \((?P<price>[^)]*)\)\*\*")


@dataclass(frozen=True)
class Row:
    """A row of a table: the cells by column name, and the bold row above it, if any."""

    section: str
    cells: Mapping[str, str]

    @property
    def name(self) -> str:
        """The first cell."""
        return next(iter(self.cells.values()))


@dataclass(frozen=True)
class Section:
    """The number of rows below a bold row, whose indents in the book are lost, and the pattern of their names.

    ``name`` is a pattern with ``{}`` for the row. ``unit`` is what is sold at the price.
    """

    rows: int
    name: str
    unit: str = ""


@dataclass(frozen=True)
class PricedTable:
    """A price table in a rule. ``name`` is a pattern with ``{}`` for the row, for rows outside ``sections``."""

    rule: str
    caption: str
    category: str
    name: str = "{}"
    sections: Mapping[str, Section] = field(default_factory=dict)


@dataclass(frozen=True)
class PricedGood:
    """Something for sale: its price as printed, and the facts and text that the book has about it."""

    name: str
    category: str
    price: str
    unit: str = ""
    facts: tuple[str, ...] = ()
    text: str = ""
    weight: float | None = None


def priced_goods(table: PricedTable, text: str) -> Iterator[PricedGood]:
    """Each row of a table in the text of its rule, with the paragraphs that begin with its name or mention it."""
    paragraphs = paragraphs_by_name(text)
    prose = [paragraph for paragraph in text.split("\n\n") if paragraph[:1].isalpha()]
    for row in table_rows(text, table):
        price_column = next(column for column in row.cells if _PRICE_COLUMN.fullmatch(column))
        section = table.sections.get(row.section)
        name = _titled((section.name if section else table.name).format(row.name))
        unit = _unit(price_column) or (section.unit if section else "") or _unit(row.section)
        facts = tuple(
            f"{column}: {cell}"
            for column, cell in list(row.cells.items())[1:]
            if column != price_column and cell not in ("", "—")
        )
        description = paragraphs.get(fold(row.name), "")
        if not description and " " in name:
            description = next((paragraph for paragraph in prose if fold(name) in fold(paragraph)), "")
        yield PricedGood(name, table.category, row.cells[price_column], unit, facts, description)


def table_rows(text: str, table: PricedTable) -> Iterator[Row]:
    """The rows of the Markdown table under a caption; a section of the pattern ends after its number of rows."""
    lines = iter(text.partition(f"**{table.caption}**\n\n")[2].split("\n"))
    head = _cells(next(lines))
    next(lines)
    section, rows_left = "", 0
    for line in lines:
        if not line.startswith("|"):
            return
        cells = _cells(line)
        if bold := _SECTION.fullmatch(cells[0]):
            section = bold[1]
            rows_left = table.sections[section].rows
            continue
        section, rows_left = (section, rows_left - 1) if rows_left else ("", 0)
        yield Row(section, dict(zip(head, cells, strict=True)))


def paragraphs_by_name(text: str) -> dict[str, str]:
    """Folded run-in name of a paragraph, without words in brackets -> the rest of the paragraph."""
    paragraphs = (split_lead_in(paragraph.replace("**", "", 2)) for paragraph in text.split("\n\n"))
    return {fold(re.sub(r" \([^)]*\)$", "", name)): rest for name, rest in paragraphs if name}


def headed(text: str, category: str, name: str = "{}") -> Iterator[PricedGood]:
    """The goods of bold headings with a price, each with the paragraphs below it."""
    for part in re.split(r"\n\n(?=\*\*[^*]+ \([^)]*\)\*\*)", text):
        first_line, _, rest = part.partition("\n\n")
        if heading := _HEADING.fullmatch(first_line):
            yield PricedGood(name.format(heading["name"]), category, heading["price"], text=rest)


def equipment(goods: Iterable[PricedGood], key_of: Callable[[str], str], common: Common) -> list[Equipment]:
    """One record for each good."""
    return [_record(good, key_of(good.name), common) for good in goods]


def _record(good: PricedGood, key: str, common: Common) -> Equipment:
    price = _PRICE.fullmatch(good.price)
    facts, cost, unit = list(good.facts), None, good.unit
    if good.price == "Free":
        cost = 0.0
    if price:
        cost = round(int(price["amount"].replace(",", "")) * GOLD[price["coin"].lower()], 2)
        unit = (price["unit"] or good.unit).lower()
    if price["more"] if price else good.price != "—":
        facts.append(f"Price: {good.price}")
    paragraphs = [f"{'. '.join(facts)}." if facts else "", good.text]
    return Equipment(
        kind=Kind.SERVICE if good.category == "service" else Kind.ITEM,
        key=key,
        name=good.name,
        text="\n\n".join(filter(None, paragraphs)),
        category=good.category,
        cost=cost,
        cost_unit=unit,
        weight=good.weight,
        **common,
    )


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line[1:-1].split("|")]


def _unit(words: str) -> str:
    unit = _UNIT.search(words)
    return unit[1].lower() if unit else ""


def _titled(name: str) -> str:
    """The name capitalised, except after a bracket or a comma: ``Coach Cab (Between towns)``."""
    main = _DETAIL.split(name, maxsplit=1)[0]
    words = (word if word in SMALL_WORDS else word[0].upper() + word[1:] for word in main.split())
    return " ".join(words) + name[len(main) :]
