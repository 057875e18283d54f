"""Lists the subclasses of each spell in the spell's record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from lorekeeper_mcp.filters.granted_spells import spells_on_list
from lorekeeper_mcp.models import CharacterClass, Record, Ref, Spell
from lorekeeper_mcp.text import slugify


def with_subclass_lists(records: Sequence[Record]) -> list[Record]:
    """The records with each spell naming the subclasses that have it on a list.

    The package of the SRD 5.1 also has this at its spells, but with a circle that the book lacks, and without others.
    """
    subclasses: dict[str, list[Ref]] = defaultdict(list)
    for record in records:
        if isinstance(record, CharacterClass):
            for spell in spells_on_list(record):
                subclasses[spell].append(Ref(name=record.name, key=record.key))
    return [
        record.model_copy(update={"subclasses": tuple(subclasses[slugify(record.name)])})
        if isinstance(record, Spell)
        else record
        for record in records
    ]
