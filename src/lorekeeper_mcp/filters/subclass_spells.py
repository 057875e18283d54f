"""The spells that a subclass has on a list of its own: in the tables of its text, or as imported files state them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lorekeeper_mcp.models import CharacterClass, Ref
from lorekeeper_mcp.text import slugify

_REMARK = re.compile(r"\([^()]*\)")
_RULE = re.compile(r"[\s|:-]+")  # the line below a table's head
_SPELLS = re.compile(r"spells[*_ ]*", re.IGNORECASE)  # the last word above a column of spells
_LEVEL = re.compile(r"^[^:]*:")  # "3rd level: Bless", "prepared, 3: Bless"


def spells_on_list(record: CharacterClass) -> list[str]:
    """Slugs of what stands on the subclass's list, in its order; none for a class, whose spells name it."""
    if not isinstance(record.subclass_of, Ref):
        return []
    texts = (record.text, *(feature.text for feature in record.features))
    names = [name for text in texts for name in _of_tables(text)]
    names += [name for section in record.spells for name in _of_section(section.text)]
    return list(dict.fromkeys(slug for name in names if (slug := slugify(_REMARK.sub("", name)))))


def _of_tables(text: str) -> Iterator[str]:
    """The names in the columns with spells in their head."""
    columns: list[int] | None = None
    for line in text.splitlines():
        row = line.strip()
        if not row.startswith("|"):
            columns = None
        elif not _RULE.fullmatch(row):
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            if columns is None:
                columns = [place for place, cell in enumerate(cells) if _SPELLS.fullmatch(cell.split(" ")[-1])]
            else:
                yield from (name for place in columns if place < len(cells) for name in cells[place].split(","))


def _of_section(text: str) -> Iterator[str]:
    for line in re.split(r"[\n;]", text):
        yield from _LEVEL.sub("", line).split(",")
