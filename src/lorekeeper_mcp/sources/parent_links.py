"""Links from parents to children: sources name only the class of a subclass, books also list a class's subclasses."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.models import CharacterClass, Record, Ref, Species


def with_children(records: Iterable[Record]) -> list[Record]:
    """Return the records, with each class's subclasses and each species' lineages listed by name."""
    records = list(records)
    children: dict[str, list[Ref]] = {}
    for record in records:
        parent = record.subclass_of if isinstance(record, CharacterClass) else None
        parent = record.subspecies_of if isinstance(record, Species) else parent
        if parent is not None:
            children.setdefault(parent.key, []).append(Ref(name=record.name, key=record.key))
    return [_with_children(record, children.get(record.key, ())) for record in records]


def _with_children(record: Record, children: Iterable[Ref]) -> Record:
    refs = tuple(sorted(children, key=lambda ref: ref.name))
    if refs and isinstance(record, CharacterClass):
        return record.model_copy(update={"subclasses": refs})
    if refs and isinstance(record, Species):
        return record.model_copy(update={"lineages": refs})
    return record
