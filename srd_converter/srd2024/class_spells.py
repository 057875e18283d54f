"""The spell list of a class: a table for each level."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from lorekeeper_mcp.models import Feature
from lorekeeper_mcp.models.vocabulary import SCHOOLS
from lorekeeper_mcp.text import slugify
from srd_converter.book2024.pages import Book, Line
from srd_converter.book_prose import table

_CAPTION = re.compile(r"(?:Cantrips \(Level 0|Level \d) \w+ Spells\)?")
_HEAD = ("Spell", "School", "Special")
_ROW = re.compile(rf"(.+) ({'|'.join(school.title() for school in SCHOOLS)}) ([—–]|[CRM](?:, [CRM])*)")


def spell_list(book: Book, lines: Sequence[Line], owner: str) -> Feature:
    """The list with what introduces it; a head that a page or a column repeats is left out."""
    first = next(index for index, line in enumerate(lines) if _CAPTION.fullmatch(line.text))
    caption = ""
    rows_by_caption: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for line in lines[first:]:
        if _CAPTION.fullmatch(line.text):
            caption = line.text
        elif row := _ROW.fullmatch(line.text):
            rows_by_caption[caption].append((row[1], row[2], row[3].replace("–", "—")))
    tables = (f"**{caption}**\n\n{table(_HEAD, rows)}" for caption, rows in rows_by_caption.items())
    name = lines[0].text
    text = "\n\n".join([book.prose(lines[1:first]), *tables])
    return Feature(name=name, text=text, key=f"{owner}_{slugify(name)}", type="CLASS_FEATURE_OPTION_LIST")
