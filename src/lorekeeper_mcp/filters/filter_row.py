"""A filter: one row that says how a tool, the cache and the upstreams express the same restriction.

The row determines the argument in the tool's schema, the cache column with its comparison, and the parameter of each
Open5e endpoint that really applies it. An endpoint without a parameter is queried without the filter, and the cache
applies it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from itertools import chain
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record

Scalar: TypeAlias = str | int | float | bool
Params: TypeAlias = Mapping[str, str]
Send: TypeAlias = Callable[[Scalar], Params]


class ColumnType(Enum):
    """How a column is stored. Absent values have a sentinel, since stores differ in the meaning of null."""

    TEXT = "text"  # absent: ""
    LIST = "list"  # "|wizard|srd_wizard|", absent: "|"; array columns are a hundred times slower
    INTEGER = "integer"  # absent: -1
    NUMBER = "number"  # absent: -1.0
    FLAG = "flag"  # 1, 0, absent: -1


@dataclass(frozen=True)
class Column:
    """A scalar column of a family's collection, and how its value is read from a record."""

    name: str
    type: ColumnType
    read: Callable[[Record], object]


class Comparison(StrEnum):
    """How a column is compared with a value. An absent value never matches."""

    EQUALS = "equals"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    HAS = "has"  # the packed list contains the value


@dataclass(frozen=True)
class Condition:
    """One comparison that every match satisfies."""

    column: Column
    comparison: Comparison
    value: Scalar


@dataclass(frozen=True)
class AnyOf:
    """Comparisons of which every match satisfies at least one."""

    conditions: tuple[Condition, ...]


Clause: TypeAlias = Condition | AnyOf
Given: TypeAlias = Scalar | tuple[Scalar, ...]


@dataclass(frozen=True)
class Filter:
    """One argument of a kind tool.

    ``annotation`` is the argument's type with its limits and lenient validators; validated values are canonical
    (``"1/4"`` has become 0.25). ``upstream`` maps an endpoint such as ``v2/spells`` to the parameters that apply the
    filter there. ``kinds`` are those that can match at all. A filter that ``takes_several`` values matches any of them;
    its conditions then have one per value. ``qualified_by`` names another argument whose values precede this one's:
    ``speed_min`` 60 with ``speed`` fly is ``fly=60``.
    """

    argument: str
    annotation: object
    help: str
    columns: tuple[Column, ...]
    conditions: Callable[[Scalar], tuple[Clause, ...]]
    upstream: Mapping[str, Send] = field(default_factory=dict)
    kinds: Callable[[Scalar], frozenset[Kind] | None] = lambda _: None
    takes_several: bool = False
    qualified_by: str = ""


ID = Column("id", ColumnType.TEXT, lambda record: record.id)  # in every family


@dataclass(frozen=True)
class Applied:
    """A filter with the value or values that it was given.

    ``ids`` are further matching records, such as the spells of a subclass, whose list is in the subclass's text.
    """

    filter: Filter
    value: Given
    ids: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[Scalar, ...]:
        """The values that it was given."""
        return self.value if isinstance(self.value, tuple) else (self.value,)

    def clauses(self) -> tuple[Clause, ...]:
        """The clauses that every match satisfies."""
        if not isinstance(self.value, tuple) and not self.ids:
            return self.filter.conditions(self.value)
        clauses = chain.from_iterable(map(self.filter.conditions, self.values))
        named = (Condition(ID, Comparison.EQUALS, id_) for id_ in self.ids)
        return (AnyOf((*chain.from_iterable(map(comparisons, clauses)), *named)),)

    def kinds(self) -> frozenset[Kind] | None:
        """The kinds that can match at all; None for every kind."""
        found = [self.filter.kinds(value) for value in self.values]
        known = [kinds for kinds in found if kinds is not None]
        return frozenset().union(*known) if len(known) == len(found) else None

    def params(self, endpoint: str) -> Params:
        """The parameters that apply it at an endpoint; empty if the endpoint cannot, or accepts one value only."""
        send = self.filter.upstream.get(endpoint)
        return send(self.value) if send and not isinstance(self.value, tuple) else {}


def comparisons(clause: Clause) -> tuple[Condition, ...]:
    """The comparisons of a clause."""
    return clause.conditions if isinstance(clause, AnyOf) else (clause,)


def compare(
    argument: str,
    annotation: object,
    column: Column,
    comparison: Comparison,
    help: str,  # noqa: A002 - the word for it
    upstream: Mapping[str, Send] | None = None,
    kinds: Callable[[Scalar], frozenset[Kind] | None] = lambda _: None,
) -> Filter:
    """A filter that is one comparison on one column. Equality comparisons accept several values."""
    several = comparison in (Comparison.EQUALS, Comparison.HAS) and column.type is not ColumnType.FLAG
    return Filter(
        argument,
        annotation,
        help,
        (column,),
        lambda value: (Condition(column, comparison, int(value) if isinstance(value, bool) else value),),
        upstream or {},
        kinds,
        several,
    )


def send(*names: str, encode: Callable[[Scalar], str] = str) -> Send:
    """Send the value under each of the names (two if releases of Open5e differ)."""
    return lambda value: dict.fromkeys(names, encode(value))


def send_flag(name: str) -> Send:
    """Send a boolean as ``true`` or ``false``; Open5e ignores anything else."""
    return lambda value: {name: "true" if value else "false"}


def send_true(name: str) -> Send:
    """Send only ``true``: Open5e treats ``is_finesse=false`` as ``is_finesse=true``."""
    return lambda value: {name: "true"} if value else {}
