"""Links from parents to children: sources name only the class of a subclass, books also list a class's subclasses."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.models import CharacterClass, Record, Ref, Species


def with_children(records: Iterable[Record]) -> list[Record]:
    """Return the records, with each class's subclasses and each species' lineages listed by name."""
    known = list(records)
    children: dict[str, list[Ref]] = {}
    for record in known:
        parent = record.subclass_of if isinstance(record, CharacterClass) else None
        parent = record.subspecies_of if isinstance(record, Species) else parent
        if parent is not None:
            children.setdefault(parent.key, []).append(Ref(name=record.name, key=record.key))
    return [_with(record, sorted(children.get(record.key, ()), key=lambda ref: ref.name)) for record in known]


def _with(record: Record, children: list[Ref]) -> Record:
    if children and isinstance(record, CharacterClass):
        return record.model_copy(update={"subclasses": tuple(children)})
    if children and isinstance(record, Species):
        return record.model_copy(update={"lineages": tuple(children)})
    return record
