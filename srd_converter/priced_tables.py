"""Services and goods that a book only has in a price table, or in a heading with a price, within its rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models import Equipment, Kind
from lorekeeper_mcp.text import fold
from srd_converter.book_prose import SMALL_WORDS, split_lead_in
from srd_converter.documents import Common

_COINS = {"cp": 0.01, "sp": 0.1, "gp": 1.0, "pp": 10.0}
_PRICE = re.compile(r"(?P<amount>[\d,]+) (?P<coin>[csgp]p)(?: per (?P<unit>\w+))?(?P<more>.*)", re.IGNORECASE)
_PRICE_COLUMN = re.compile(r"Cost|Pay|Price\b.*")
_UNIT = re.compile(r"[/ (]\(?per (\w+)\)?$|/(\w+)$", re.IGNORECASE)
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

    ``name`` is a pattern with ``{}`` for the row.
    """

    rows: int
    name: str


@dataclass(frozen=True)
class PricedTable:
    """A price table in a rule. ``name`` is a pattern with ``{}`` for the row, for rows outside ``sections``."""

    rule: str
    caption: str
    category: str
    name: str = "{}"
    sections: Mapping[str, Section] = field(default_factory=dict)


@dataclass(frozen=True)
class Ware:
    """Something for sale: its price as printed, and the facts and text that the book has about it."""

    name: str
    category: str
    price: str
    unit: str = ""
    facts: tuple[str, ...] = ()
    text: str = ""
    weight: float | None = None


def wares(table: PricedTable, text: str) -> Iterator[Ware]:
    """Each row of a table in the text of its rule, with the paragraphs that begin with its name or mention it."""
    known = paragraphs_by_name(text)
    prose = [paragraph for paragraph in text.split("\n\n") if paragraph[:1].isalpha()]
    for row in table_rows(text, table):
        column = next(name for name in row.cells if _PRICE_COLUMN.fullmatch(name))
        section = table.sections.get(row.section)
        name = _titled((section.name if section else table.name).format(row.name))
        unit = _unit(column) or _unit(row.section)
        facts = tuple(
            f"{head}: {cell}" for head, cell in list(row.cells.items())[1:] if head != column and cell not in ("", "—")
        )
        own = known.get(fold(row.name)) or next((one for one in prose if " " in name and fold(name) in fold(one)), "")
        yield Ware(name, table.category, row.cells[column], unit, facts, own)


def table_rows(text: str, table: PricedTable) -> Iterator[Row]:
    """The rows of the Markdown table under a caption; a section of the pattern ends after its number of rows."""
    lines = iter(text.partition(f"**{table.caption}**\n\n")[2].split("\n"))
    head = _cells(next(lines))
    next(lines)
    section, left = "", 0
    for line in lines:
        if not line.startswith("|"):
            return
        cells = _cells(line)
        if bold := _SECTION.fullmatch(cells[0]):
            section = bold[1]
            left = table.sections[section].rows
            continue
        section, left = (section, left - 1) if left else ("", 0)
        yield Row(section, dict(zip(head, cells, strict=True)))


def paragraphs_by_name(text: str) -> dict[str, str]:
    """Folded run-in name of a paragraph, without words in brackets -> the rest of the paragraph."""
    found: dict[str, str] = {}
    for paragraph in text.split("\n\n"):
        name, rest = split_lead_in(paragraph.replace("**", "", 2))
        if name:
            found[fold(re.sub(r" \([^)]*\)$", "", name))] = rest
    return found


def headed(text: str, category: str, name: str = "{}") -> Iterator[Ware]:
    """The wares of bold headings with a price, each with the paragraphs below it."""
    for part in re.split(r"\n\n(?=\*\*[^*]+ \([^)]*\)\*\*)", text):
        heading, _, rest = part.partition("\n\n")
        if found := _HEADING.fullmatch(heading):
            yield Ware(name.format(found["name"]), category, found["price"], text=rest)


def equipment(found: Iterable[Ware], key_of: Callable[[str], str], common: Common) -> list[Equipment]:
    """One record for each ware."""
    return [_record(ware, key_of(ware.name), common) for ware in found]


def _record(ware: Ware, key: str, common: Common) -> Equipment:
    price = _PRICE.fullmatch(ware.price)
    says_more = price["more"] if price else ware.price != "—"
    facts = [*ware.facts, f"Price: {ware.price}"] if says_more else ware.facts
    paragraphs = [f"{'. '.join(facts)}." if facts else "", ware.text]
    return Equipment(
        kind=Kind.SERVICE if ware.category == "service" else Kind.ITEM,
        key=key,
        name=ware.name,
        text="\n\n".join(filter(None, paragraphs)),
        category=ware.category,
        cost=round(int(price["amount"].replace(",", "")) * _COINS[price["coin"].lower()], 2) if price else None,
        cost_unit=((price["unit"] or "") if price else "").lower() or ware.unit,
        weight=ware.weight,
        **common,
    )


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip()[1:-1].split("|")]


def _unit(words: str) -> str:
    found = _UNIT.search(words)
    return (found[1] or found[2]).lower() if found else ""


def _titled(name: str) -> str:
    """The name capitalised, except after a bracket or a comma: ``Coach Cab (Between towns)``."""
    main = _DETAIL.split(name, maxsplit=1)[0]
    words = (word if word in SMALL_WORDS else word[0].upper() + word[1:] for word in main.split())
    return " ".join(words) + name[len(main) :]
