"""Entries renamed between the editions, from a table with pages: Thug and Tough are one creature."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.reviewed_table import TablePart, read_table
from lorekeeper_mcp.text import fold

_DOCUMENTS = frozenset({"srd-2014", "srd-2024"})  # other books may have separate entries under both names


class NameChange(TablePart):
    """One renamed entry. ``same`` is false if the new name covers more or less than the old one."""

    kind: Kind
    old: str
    new: str
    page: int
    same: bool


class _Table(TablePart):
    source: str
    renamed: tuple[NameChange, ...]


@functools.cache
def rows() -> tuple[NameChange, ...]:
    """Every renamed entry."""
    return read_table("name_changes", _Table).renamed


@functools.cache
def _other_names() -> Mapping[tuple[Kind, str], tuple[str, ...]]:
    others: dict[tuple[Kind, str], tuple[str, ...]] = {}
    for row in rows():
        for name, other in ((row.old, row.new), (row.new, row.old)):
            others[row.kind, fold(name)] = (*others.get((row.kind, fold(name)), ()), fold(other))
    return others


@functools.cache
def _new_names() -> Mapping[tuple[Kind, str], str]:
    return {(row.kind, fold(row.old)): fold(row.new) for row in rows() if row.same}


def other_names(kind: Kind, folded: str, document: str) -> tuple[str, ...]:
    """The folded names of an SRD's entry in the other edition; rule sets are looked up as rules."""
    kind = Kind.RULE if kind is Kind.RULE_SET else kind
    return _other_names().get((kind, folded), ()) if document in _DOCUMENTS else ()


def new_name(kind: Kind, folded: str) -> str:
    """The newest folded name of an entity; the given name if it has not changed."""
    return _new_names().get((kind, folded), folded)
