"""The spells on a subclass's own list: in the tables of its text, or as imported files list them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lorekeeper_mcp.filters.granted_spells import spells_in_tables
from lorekeeper_mcp.models import CharacterClass, Ref
from lorekeeper_mcp.text import slugify

_REMARK = re.compile(r"\([^()]*\)")
_LEVEL = re.compile(r"^[^:]*:")  # "3rd level: Bless", "prepared, 3: Bless"


def spells_on_list(record: CharacterClass) -> list[str]:
    """Slugs on the subclass's list, in order; none for a class, since its spells name the class instead."""
    if not isinstance(record.subclass_of, Ref):
        return []
    texts = (record.text, *(feature.text for feature in record.features))
    names = [name for text in texts for name in spells_in_tables(text)]
    names += [name for section in record.spells for name in _of_section(section.text)]
    return list(dict.fromkeys(slug for name in names if (slug := slugify(_REMARK.sub("", name)))))


def _of_section(text: str) -> Iterator[str]:
    for line in re.split(r"[\n;]", text):
        yield from _LEVEL.sub("", line).split(",")
