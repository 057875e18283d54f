"""The spells on a subclass's own list: in the tables of its text, or as imported files list them."""

from __future__ import annotations

import re

from lorekeeper_mcp.filters.granted_spells import spells_in_tables
from lorekeeper_mcp.models import CharacterClass, Ref
from lorekeeper_mcp.text import slugify

_REMARK = re.compile(r"\([^()]*\)")
_LEVEL = re.compile(r"^[^:]*:")  # "3rd level: Bless", "prepared, 3: Bless"


def spells_on_list(record: CharacterClass) -> list[str]:
    """Slugs on the subclass's list, in order; none for a class, since its spells name the class instead."""
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
