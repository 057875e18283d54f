"""Typesetting errors in the packages' texts: spaces within dashes and words, lost full stops, loose lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from lorekeeper_mcp.models import Record

R = TypeVar("R", bound=Record)
_REPAIRS = (
    (re.compile(r"(?<=\w)— (?=[a-z])"), "—"),
    (re.compile(r"(?<=\S)[ \xa0]{2,}(?=\S)"), " "),
    (re.compile(r"(?<=[\w)]) +(?=[.,;](?:\s|$))"), ""),
    (re.compile(r"(?<=\d) \+(?=\d+\)|[a-z])"), " + "),
    (re.compile(r"(?<=\w) \)(?=[\s,.])"), ")"),
    (re.compile(r"\A(Mechanical|Magic) trap (?=[A-Z])"), r"*\1 trap*\n\n"),
    # A paragraph's run-in name in italics is joined to the sentence after it, and the paragraph to the one before.
    (re.compile(r"(?:\A|(?<=\n)|(?<=[.!?]) )([A-Z][a-z]+(?: [A-Z][a-z]+)?)\.(?=[A-Z][a-z'’]+ )"), r"\n\n**\1.** "),
    (re.compile(r"(?<=\d\))(?=[a-z]{3})"), " "),
    (re.compile(r"(?<=\(see )chapter \d+, (?=\")"), ""),
    (re.compile(r"\n{3,}"), "\n\n"),
    (re.compile(r"\bd (?=100\b)"), "d"),
    (re.compile(r'(?<=\s)" (?=[A-Z][\w ]*:")'), '"'),
    (re.compile(r"\b3: Take Tur ns\b"), "3: Take Turns"),
    (re.compile(r"\bMeta magic\b"), "Metamagic"),
    (re.compile(r"\b(carryin|takin|attac|ha|require|o) (?=[gksr]\b)"), r"\1"),
    (re.compile(r"(?<=\([a-d]\))(?=[a-z])"), " "),
    (re.compile(r"\b(sun|non|motion|spell) (?=light\b|magical\b|less\b|casting ability\b|casters\b)"), r"\1"),
    (re.compile(r"\b(\d+d?) (?=(?:(?<=d )|d)\d+\b)"), r"\1"),
    (re.compile(r"(?m)^[ \t]*• *"), "- "),
    (re.compile(r"(?m)^As a (?:Level 1|Multiclass) Character$"), r"**\g<0>**"),
    (re.compile(r",\n+(?=[a-z])"), ", "),
    (re.compile(r"(?<=manipulating a simple tool),\Z"), " [the book's text ends here]."),
    (re.compile(r"\bbeast t level\b"), "beast for each slot level"),
    (re.compile(r"([.!?] [A-Z][^\n|.!?:=]{20,}[a-z])(?=\n\n[A-Z][a-z]+ [a-z])"), r"\1."),
    # The book's paragraph on ammunition ends here, not after the sentence before.
    (re.compile(r"(?<=a one-handed weapon\)\.)\n\n(At the end of the battle, [^\n.]*\.) (?=If you use)"), r" \1\n\n"),
    # A table that continues in the next column, below its head.
    (re.compile(r"(?m)^(\|[^\n]*\|\n\|(?: --- \|)+\n)((?:\|[^\n]*\n)+)\n\1"), r"\1\2"),
)
_ABILITY = re.compile(
    r"\b(strength|dexterity|constitution|intelligence|wisdom|charisma)(?= (?:saving throw|check|score|modifier))"
)
# A stat block within the text of an item, set as running prose: the avatar of the Deck of Many Things.
_BLOCK = re.compile(
    r" ([A-Z][a-z]+(?: (?:of )?[A-Z][a-z]+)*) "
    r"((?:Tiny|Small|Medium|Large|Huge|Gargantuan) [a-z]+, [a-z ]+) (?=Armor Class \d+ Hit Points )"
)
_LABEL = re.compile(
    r" ?\*{0,2}\b(Armor Class|Hit Points|Speed|Damage Immunities|Condition Immunities|Senses|Languages|Challenge)"
    r" (?=[a-z\d—])"
)
_LEAD_IN = re.compile(r"(?: Actions |(?<=[.)]) )([A-Z][a-z]+(?: [A-Z][a-z]+)?)\. ?(?=[A-Z])")
_LOOSE_ITEM = re.compile(r"(?m)^(- .*)\n\n(?=- )")
_SMALL_DIE = re.compile(r"(?m)^\|\s*\d?d(?:4|6|8|10|12|20)\s*\|")
_PADDED = re.compile(r"(?m)^(\|\s*)0(?=[1-9]\s*\|)")
_TABLE_ROW = re.compile(r"(?m)^\|.*\|$")
_SENTENCE_WITHOUT_STOP = re.compile(r"(?:^|\n)(?![|#>*-])[A-Z][^\n|]{40,}[a-z]$")
SPELL_LIST = "spells"  # type of the sections that are names, not prose
_PROSE = ("text", "higher_level", "benefits", "spellcasting")
_RANGE = re.compile(r"(\d+)[-–](\d+)")
_GLUED_ROW = re.compile(r"(?<=\S) ((\d+)[-–]\d+) (?=[A-Z\d])")


def with_repaired_texts(record: R) -> R:
    """The record with these errors corrected in every text."""
    return with_texts(record, _repaired)


def tight_lists(text: str) -> str:
    """The text without blank lines between the items of a list."""
    return _LOOSE_ITEM.sub(r"\1\n", text)


def with_texts(record: R, change: Callable[[str], str]) -> R:
    """The record with a change applied to every text that is prose."""
    values = record.model_dump()
    changed = _changed(values, change)
    return type(record).model_validate(changed) if changed != values else record


def _changed(value: object, change: Callable[[str], str], name: str = "") -> object:
    match value:
        case Mapping() if value.get("type") != SPELL_LIST:
            return {key: _changed(field, change, str(key)) for key, field in value.items()}
        case list() | tuple():
            return tuple(_changed(element, change, name) for element in value)
        case str() if name in _PROSE:
            return change(value)
        case _:
            return value


def _repaired(text: str) -> str:
    if block := _BLOCK.search(text):
        text = f"{text[: block.start()]}\n\n**{block[1]}**\n\n*{block[2]}*{_stat_block(text[block.end() :])}"
    for pattern, replacement in _REPAIRS:
        text = pattern.sub(replacement, text)
    text = _plain_rolls(_TABLE_ROW.sub(lambda row: "\n".join(single_rows(row[0])), text))
    text = tight_lists(text)
    text = _ABILITY.sub(lambda ability: ability[1].capitalize(), text)
    return f"{text}." if _SENTENCE_WITHOUT_STOP.search(text) else text


def _stat_block(text: str) -> str:
    """The text from the armor class on, with each label and each named part in a paragraph of its own."""
    text = _LABEL.sub(r"\n\n**\1** ", f" {text}")
    text = _LEAD_IN.sub(r"\n\n**\1.** ", text)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"(?<=\))\*\*(?=\n)", "", text))


def _plain_rolls(text: str) -> str:
    """The text with 1 for the 01 of a table whose die has fewer than a hundred sides."""
    return _PADDED.sub(r"\1", text) if "d100" not in text and _SMALL_DIE.search(text) else text


def single_rows(row: str) -> list[str]:
    """Return the row with dashes in place of hyphens, and rows glued to it as rows: ``1–4 A lamp 5–6 A moth``."""
    cells = ["—" if cell == "-" else cell for cell in _cells(row)]
    if all(cell == "—" for cell in cells):  # the rule below a head
        return [row]
    if rolled := _RANGE.fullmatch(cells[0]):
        cells[0] = f"{rolled[1]}–{rolled[2]}"
        for found in _GLUED_ROW.finditer(cells[-1]):
            if int(found[2]) == int(rolled[2]) + 1:
                own, following = cells[-1][: found.start()], cells[-1][found.end() :]
                blank = [""] * (len(cells) - 2)
                return [_row([*cells[:-1], own.rstrip()]), *single_rows(_row([found[1], *blank, following]))]
    return [_row(cells)] if cells != _cells(row) else [row]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
