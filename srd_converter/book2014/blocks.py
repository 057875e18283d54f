"""Lines of the SRD 5.1 as Markdown: paragraphs, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from srd_converter.book2014.pages import Line
from srd_converter.book_prose import lead_in, split_lead_in, table

_BULLET = "•"
_ENDS = re.compile(r"[.:!?\")]$")
_OPEN_CELL = re.compile(r"(,|\b(and|or|of|the|a|to|in|from|with|by|per|on|for))$")
_LONGEST_CELL = 45
_LONGEST_CAPTION = 50
_SENTENCE = re.compile(r"(?<! \.)[,:.]$")
_DIE = re.compile(r"d\d+$")
_LABELS = (
    r"(?:Hit Dice|Hit Points at [\w ]+|Armor|Weapons|Tools|Saving Throws|Skills"
    r"|Skill Proficiencies|Languages|Equipment): "
)
_STEP = re.compile(rf"\d\. [A-Z]|{_LABELS}")
_LABEL = re.compile(rf"({_LABELS})")
_FORMULA = re.compile(r"(?:Spell|Ki) save DC =|Spell attack modifier =")
_PACKS = ("Burglar", "Diplomat", "Dungeoneer", "Entertainer", "Explorer", "Priest", "Scholar")
_OPENING = {
    (8, "If you are able to cast spells"), (70, "Artisan's Tools."),
    *((70, f"{owner}'s Pack (") for owner in _PACKS),
}  # fmt: skip
"""Lines that begin a paragraph without being indented, by page."""
HEADS = {
    (17, "Destroy Undead"): ("Cleric Level", "Destroys Undead of CR"),
    (20, "Beast Shapes"): ("Level", "Max. CR", "Limitations", "Example"),
    (33, "Oath of Devotion Spells"): ("Paladin Level", "Spells"),
    (43, "Creating Spell Slots"): ("Spell Slot Level", "Sorcery Point Cost"),
    (58, "Multiclass Spellcaster:"): (
        "Multiclass Spellcaster Level", "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th",
    ),
    (71, "Item Cost Speed"): ("Item", "Cost", "Speed", "Carrying Capacity"),
    (84, "Travel Pace"): ("Pace", "Minute", "Hour", "Day", "Effect"),
    (256, "Challenge"): ("Challenge", "Proficiency Bonus") * 2,
}  # fmt: skip
"""Heads of tables that are broken over several lines, by page and caption or first line."""
_BROKEN_ROWS = {
    (84, "Travel Pace"): re.compile(
        r"([A-Z]\w+) (\d+ feet) (\d+ miles?) (\d+ miles?) (—|.*?)(?= ?(?:Normal|Slow) \d|$)"
    )
}
"""Rows of tables whose cells are broken over several lines as well."""


@dataclass(frozen=True)
class _Head:
    """The cells of a head, its caption, and the index of the first row."""

    cells: tuple[str, ...]
    caption: str
    first: int


def markdown(lines: Sequence[Line]) -> str:
    """The Markdown of lines without headings, except those that stay within a rule."""
    blocks: list[str] = []
    parts: list[str] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        head = _head(lines, place)
        if head is not None:
            blocks += _paragraph(parts)
            parts = []
            rows, place = _rows(lines, head)
            blocks += [f"**{head.caption}**"] if head.caption else []
            blocks.append(table(head.cells, rows))
            continue
        if _begins(line) or (_may_end(parts) and split_lead_in(line.text)[0]):
            blocks += _paragraph(parts)
            parts = []
        if line.is_heading:
            blocks.append(f"#### {line.text}")
        else:
            parts.append(line.text)
        place += 1
    return "\n".join(_spaced([*blocks, *_paragraph(parts)])).strip()


def _begins(line: Line) -> bool:
    """Whether a line begins a paragraph, a list entry, or a formula."""
    return (
        line.is_heading
        or (line.opens and not line.text[0].islower())
        or line.text.startswith(_BULLET)
        or any(line.page == page and line.text.startswith(text) for page, text in _OPENING)
        or bool(_STEP.match(line.text) or _FORMULA.match(line.text))
    )


def _may_end(parts: Sequence[str]) -> bool:
    """Whether a paragraph may end here: after a sentence, or after a footnote, which has no full stop."""
    return bool(parts) and bool(_ENDS.search(parts[-1]) or parts[0].startswith("*"))


def _paragraph(parts: Sequence[str]) -> list[str]:
    text = ""
    for part in parts:
        text += part if not text or text.endswith(("-", "—")) or part.startswith(")") else f" {part}"
    if text.startswith(_BULLET):
        return [f"- {text.removeprefix(_BULLET).strip()}"]
    if label := _LABEL.match(text):
        return [f"**{label[1].strip()}** {text[label.end() :]}"]
    return [lead_in(text)] if text else []


def _spaced(blocks: Sequence[str]) -> Iterator[str]:
    """Insert blank lines between blocks, but not within a list."""
    for place, block in enumerate(blocks):
        if place and not (block.startswith("- ") and blocks[place - 1].startswith("- ")):
            yield ""
        yield block


def is_caption(lines: Sequence[Line], place: int) -> bool:
    """Whether a line names the table that begins in the next line."""
    line = lines[place]
    return bool(
        len(line.cells) == 1
        and not line.opens
        and not line.is_heading
        and len(line.text) < _LONGEST_CAPTION
        and line.text[0].isupper()
        and not _ENDS.search(line.text.removesuffix(")"))
        and ((line.page, line.text) in HEADS or (place + 2 < len(lines) and _is_head(lines, place + 1)))
    )


def _is_row_of(head: tuple[str, ...], line: Line) -> bool:
    """Whether a line is a row below this head, not its last line as printed."""
    return (_is_row(line) or _is_counted(line)) and tuple(line.cells[1:]) != head[1:]


def _head(lines: Sequence[Line], place: int) -> _Head | None:
    """The head of a table that begins here, with or without a caption; None if there is none."""
    known = HEADS.get((lines[place].page, lines[place].text))
    if known and not lines[place].opens and not lines[place].is_heading:
        caption = "" if lines[place].text in " ".join(known) else lines[place].text.removesuffix(":")
        after = range(place + 1, len(lines))
        return next((_Head(known, caption, n) for n in after if _is_row_of(known, lines[n])), None)
    if is_caption(lines, place):
        return _Head(lines[place + 1].cells, lines[place].text, place + 2)
    before = lines[place - 1] if place else None
    begins = before is None or before.is_heading or bool(_ENDS.search(before.text))
    return _Head(lines[place].cells, "", place + 1) if begins and _is_head(lines, place) else None


def _is_row(line: Line) -> bool:
    return len(line.cells) > 1 and any(map(_is_number, line.cells[1:]))


def _is_counted(line: Line) -> bool:
    return len(line.cells) > 1 and _is_number(line.cells[0])


def _is_number(cell: str) -> bool:
    return cell[0].isdigit() or cell[0] in "+−—"


def _is_head(lines: Sequence[Line], place: int) -> bool:
    """Whether the cells of a line name columns: they are short, begin with capitals, and rows follow."""
    line = lines[place]
    if len(line.cells) < 2 or line.opens or line.is_heading:
        return False
    if any(len(c) > _LONGEST_CELL or c[0].islower() or _SENTENCE.search(c) for c in line.cells if not _DIE.match(c)):
        return False
    if _is_number(line.cells[0]) or all(_is_number(cell) for cell in line.cells[1:]):
        return False
    return any(len(one.cells) >= len(line.cells) and not one.opens for one in lines[place + 1 : place + 4])


def _rows(lines: Sequence[Line], head: _Head) -> tuple[list[list[str]], int]:
    """The rows under a head, and the index after the last. Wrapped cells are joined, categories become bold rows."""
    width, place = len(head.cells), head.first
    if broken := _BROKEN_ROWS.get((lines[place].page, head.caption)):
        stop = next((n for n in range(place, len(lines)) if lines[n].opens or lines[n].is_heading), len(lines))
        return [list(row) for row in broken.findall(" ".join(one.text for one in lines[place:stop]))], stop
    rolled = bool(_DIE.match(head.cells[0]))
    rows: list[list[str]] = []
    while place < len(lines):
        line = lines[place]
        text = line.text
        if line.opens or line.is_heading or text.startswith(_BULLET):
            break
        if rolled and (
            _DIE.match(line.cells[0]) or (is_caption(lines, place) and _DIE.match(lines[place + 1].cells[0]))
        ):
            break  # the next table
        is_data = len(line.cells) > 1 and not line.cells[0][0].islower()
        if is_data and (_is_number(line.cells[0]) or not rolled):
            rows.append(_fitted(line.cells, width))
        elif rows and (rolled or text[0].islower() or text[0] in "(+" or _OPEN_CELL.search(rows[-1][-1])):
            rows[-1][-1] += text if rows[-1][-1].endswith(("-", "—", "/")) else f" {text}"
        elif rows and len(rows[-1]) == width - 1 and len(text) < _LONGEST_CELL:
            rows[-1].append(text)
        elif _is_category(lines, place):
            rows.append([f"**{text}**"])
        else:
            break
        place += 1
    return rows, place


def _fitted(cells: Sequence[str], width: int) -> list[str]:
    """Fit a row to the head's number of cells: split before a dash in a neighbor, join cells split by noise."""
    row = list(cells)
    if len(row) < width:
        row = [part for cell in row for part in ((cell[:-1], "—") if cell.endswith("—") and len(cell) > 1 else (cell,))]
    while len(row) > width:
        joint = next(
            (n for n in range(len(row) - 1) if row[n + 1][0].islower() or _OPEN_CELL.search(row[n])), width - 1
        )
        row[joint : joint + 2] = [f"{row[joint]} {row[joint + 1]}"]
    return row


def _is_category(lines: Sequence[Line], place: int) -> bool:
    """Whether a line is a category above the rows below it: it is short, and rows of numbers follow."""
    line, following = lines[place], lines[place + 1 : place + 2]
    if len(line.text) > 35 or _ENDS.search(line.text.removesuffix(")")):
        return False
    return any(map(_is_row, following))
