"""The spells on a subclass's own list, from the tables in its text or the lists of imported files."""

from __future__ import annotations

import re

from lorekeeper_mcp.filters.granted_spells import spells_in_tables
from lorekeeper_mcp.models import CharacterClass, Ref
from lorekeeper_mcp.text import slugify

_REMARK = re.compile(r"\([^()]*\)")
_LEVEL = re.compile(r"^[^:]*:")  # "3rd level: Bless", "prepared, 3: Bless"


def spells_on_list(record: CharacterClass) -> list[str]:
    """The slugs on the subclass's list, in order; none for a class, which is named by its spells instead."""
    if not isinstance(record.subclass_of, Ref):
        return []
    names: list[str] = []
    for text in (record.text, *(feature.text for feature in record.features)):
        names += spells_in_tables(text)
    for section in record.spells:
        for line in re.split(r"[\n;]", section.text):
            names += _LEVEL.sub("", line).split(",")
    slugs = (slugify(_REMARK.sub("", name)) for name in names)
    return [slug for slug in dict.fromkeys(slugs) if slug]
