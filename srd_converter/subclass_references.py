"""Lists the subclasses of each spell in the spell's record."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.filters.subclass_spells import spells_on_list
from lorekeeper_mcp.models import CharacterClass, Record, Ref, Spell
from lorekeeper_mcp.text import slugify


def with_subclass_lists(records: Iterable[Record]) -> list[Record]:
    """The records with each spell naming the subclasses that have it on a list.

    The package of the SRD 5.1 also has this at its spells, but with a circle that the book lacks, and without others.
    """
    found = list(records)
    owners: dict[str, list[Ref]] = {}
    for record in found:
        if isinstance(record, CharacterClass):
            for slug in spells_on_list(record):
                owners.setdefault(slug, []).append(Ref(name=record.name, key=record.key))
    return [
        record.model_copy(update={"subclasses": tuple(owners.get(slugify(record.name), ()))})
        if isinstance(record, Spell)
        else record
        for record in found
    ]
