"""Lines of the SRD 5.1 as Markdown: paragraphs, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from srd_converter.book2014.pages import Line
from srd_converter.book_prose import lead_in, split_lead_in, table
from srd_converter.text_repairs import tight_lists

_BULLET = "•"
_ENDS = re.compile(r"[.:!?\")]$")
_OPEN_CELL = re.compile(r"(,|\b(and|or|of|the|a|to|in|from|with|by|per|on|for))$")
_MAX_CELL = 45
_MAX_CAPTION = 50
_MAX_CATEGORY = 35
_SENTENCE = re.compile(r"(?<! \.)[,:.]$")
_DIE = re.compile(r"d\d+$")
_LABELS = (
    r"(?:Hit Dice|Hit Points at [\w ]+|Armor|Weapons|Tools|Saving Throws|Skills"
    r"|Skill Proficiencies|Languages|Equipment): "
)
_STEP = re.compile(rf"\d\. [A-Z][\w ]{{2,30}}\. |{_LABELS}")
_LABEL = re.compile(rf"({_LABELS.rstrip()}) ")
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
    (186, "Familiarity Mishap"): ("Familiarity", "Mishap", "Similar Area", "Off Target", "On Target"),
    (256, "Challenge"): ("Challenge", "Proficiency Bonus") * 2,
}  # fmt: skip
"""Heads of tables that are broken over several lines, by page and caption or first line."""
_BROKEN_ROWS = {
    (84, "Travel Pace"): re.compile(
        r"([A-Z]\w+) (\d+ feet) (\d+ miles?) (\d+ miles?) (—|.*?)(?= ?(?:Normal|Slow) \d|$)"
    ),
    (186, "Familiarity Mishap"): re.compile(r"([A-Z]\w+ \w+|Description)" + r" (—|\d+–\d+)" * 4),
}
"""Rows of tables whose cells are broken over several lines as well, up to the next paragraph."""


@dataclass(frozen=True)
class _Head:
    """The cells of a head, its caption, the index of the first row, and the pattern of rows with broken cells."""

    cells: tuple[str, ...]
    caption: str
    first: int
    broken_row: re.Pattern[str] | None = None


def markdown(lines: Sequence[Line]) -> str:
    """The Markdown of lines without headings, except those that stay within a rule."""
    blocks: list[str] = []
    parts: list[str] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        head = _head(lines, index)
        if head or _begins_block(line) or (_may_end(parts) and split_lead_in(line.text)[0]):
            blocks += _paragraph(parts)
            parts = []
        if head:
            rows, index = _rows(lines, head)
            blocks += [f"**{head.caption}**"] if head.caption else []
            blocks.append(table(head.cells, rows))
            continue
        if line.is_heading:
            blocks.append(f"#### {line.text}")
        else:
            parts.append(line.text)
        index += 1
    return tight_lists("\n\n".join([*blocks, *_paragraph(parts)]))


def _begins_block(line: Line) -> bool:
    """Whether a line begins a paragraph, a list entry, or a formula."""
    return (
        line.is_heading
        or line.opens
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
        return [f"**{label[1]}** {text[label.end() :]}"]
    return [lead_in(text)] if text else []


def is_caption(lines: Sequence[Line], index: int) -> bool:
    """Whether a line names the table that begins in the next line."""
    line = lines[index]
    return bool(
        len(line.cells) == 1
        and not line.opens
        and not line.is_heading
        and len(line.text) < _MAX_CAPTION
        and line.text[0].isupper()
        and not _ENDS.search(line.text.removesuffix(")"))
        and index + 2 < len(lines)
        and _is_head(lines, index + 1)
    )


def _is_row_of(head: tuple[str, ...], line: Line) -> bool:
    """Whether a line is a row below this head, not its last line as printed."""
    return len(line.cells) > 1 and any(map(_is_number, line.cells)) and line.cells[1:] != head[1:]


def _head(lines: Sequence[Line], index: int) -> _Head | None:
    """The head of a table that begins here, with or without a caption; None if there is none."""
    line = lines[index]
    if cells := HEADS.get((line.page, line.text)):
        caption = "" if line.text in " ".join(cells) else line.text.removesuffix(":")
        if broken_row := _BROKEN_ROWS.get((line.page, line.text)):
            return _Head(cells, caption, index + 1, broken_row)
        return _Head(cells, caption, next(n for n in range(index + 1, len(lines)) if _is_row_of(cells, lines[n])))
    if is_caption(lines, index):
        return _Head(lines[index + 1].cells, line.text, index + 2)
    may_begin = index == 0 or lines[index - 1].is_heading or bool(_ENDS.search(lines[index - 1].text))
    return _Head(line.cells, "", index + 1) if may_begin and _is_head(lines, index) else None


def _is_number(cell: str) -> bool:
    return cell[0].isdigit()


def _is_head(lines: Sequence[Line], index: int) -> bool:
    """Whether the cells of a line name columns: they are short, begin with capitals, and rows follow."""
    line = lines[index]
    if len(line.cells) < 2 or line.opens or _is_number(line.cells[0]):
        return False
    if not all(_DIE.match(cell) or _may_name_column(cell) for cell in line.cells):
        return False
    return any(len(row.cells) >= len(line.cells) for row in lines[index + 1 : index + 4])


def _may_name_column(cell: str) -> bool:
    return len(cell) <= _MAX_CELL and not cell[0].islower() and not _SENTENCE.search(cell)


def _rows(lines: Sequence[Line], head: _Head) -> tuple[list[list[str]], int]:
    """The rows under a head, and the index after the last. Wrapped cells are joined, categories become bold rows."""
    width, index = len(head.cells), head.first
    if head.broken_row:
        end = next((n for n in range(index, len(lines)) if lines[n].opens), len(lines))
        return [list(row) for row in head.broken_row.findall(" ".join(line.text for line in lines[index:end]))], end
    is_rolled = bool(_DIE.match(head.cells[0]))
    rows: list[list[str]] = []
    while index < len(lines):
        line = lines[index]
        text = line.text
        if line.opens or line.is_heading:
            break
        if is_rolled and (_DIE.match(line.cells[0]) or is_caption(lines, index)):
            break  # the next table
        if len(line.cells) > 1 and not text[0].islower():
            rows.append(_fitted(line.cells, width))
        elif rows and (is_rolled or text[0].islower() or text[0] in "(+"):
            rows[-1][-1] += text if rows[-1][-1].endswith(("-", "—", "/")) else f" {text}"
        elif rows and len(rows[-1]) == width - 1:
            rows[-1].append(text)
        elif _is_category(lines, index):
            rows.append([f"**{text}**"])
        else:
            break
        index += 1
    return rows, index


def _fitted(cells: Sequence[str], width: int) -> list[str]:
    """Fit a row to the head's number of cells: split before a dash in a neighbor, join cells split by noise."""
    row = list(cells)
    if len(row) < width:
        row = [part for cell in row for part in ((cell[:-1], "—") if cell.endswith("—") and len(cell) > 1 else (cell,))]
    while len(row) > width:
        splits = (n for n in range(len(row) - 1) if row[n + 1][0].islower() or _OPEN_CELL.search(row[n]))
        split = next(splits, width - 1)
        row[split : split + 2] = [f"{row[split]} {row[split + 1]}"]
    return row


def _is_category(lines: Sequence[Line], index: int) -> bool:
    """Whether a line is a category above the rows below it: it is short, and a row with numbers follows."""
    return len(lines[index].text) <= _MAX_CATEGORY and any(map(_is_number, lines[index + 1].cells[1:]))
