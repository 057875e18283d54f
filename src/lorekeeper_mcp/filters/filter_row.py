"""A filter: one row that says how a tool, the cache and Open5e express the same restriction.

The row defines the argument in the tool's schema, the cache column with its comparison, and the parameter of each
Open5e endpoint that really applies it. An endpoint without a parameter is queried without the filter, which the cache
then applies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Any, TypeAlias

from lorekeeper_mcp.filters.words import FilterValue, Scalar, Speech
from lorekeeper_mcp.models import Kind, Record

Params: TypeAlias = Mapping[str, str]
ToParams: TypeAlias = Callable[[Scalar], Params]


class ColumnType(Enum):
    """How a column is stored. A missing value is a sentinel, since stores treat null differently."""

    TEXT = "text"  # absent: ""
    LIST = "list"  # "|wizard|srd_wizard|", absent: "|"; array columns are a hundred times slower
    INTEGER = "integer"  # absent: -1
    NUMBER = "number"  # absent: -1.0
    FLAG = "flag"  # 1, 0, absent: -1


TEXT, LIST, INTEGER, NUMBER, FLAG = ColumnType


class Comparison(StrEnum):
    """How a column is compared with a value. A missing value never matches."""

    EQUALS = "equals"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    HAS = "has"  # the packed list contains the value


@dataclass(frozen=True)
class Column:
    """A scalar column of a family's collection, and how its value is read from a record."""

    name: str
    type: ColumnType
    read: Callable[[Any], object]  # Any, since each reads the model of its family

    @property
    def equality(self) -> Comparison:
        """The comparison with one value, or with one member of a list."""
        return Comparison.HAS if self.type is ColumnType.LIST else Comparison.EQUALS


def field_column(name: str, type_: ColumnType, path: str = "") -> Column:
    """A column with the value of a field, by default of the same name; missing for records without the field."""

    def read(record: Record) -> object:
        value: object = record
        for field_name in (path or name).split("."):
            value = getattr(value, field_name, None)
        return value

    return Column(name, type_, read)


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


@dataclass(frozen=True)
class Filter:
    """One argument of a kind tool.

    ``annotation`` is the argument's type with its limits and lenient validators; validated values are canonical
    (``"1/4"`` has become 0.25). ``upstream`` maps an endpoint such as ``v2/spells`` to the parameters that apply the
    filter there. ``kinds`` returns the kinds that can match at all. If it ``takes_several`` values, it matches any of
    them. ``qualified_by`` names another argument whose values are put before this one's: ``speed_min`` 60 with
    ``speed`` fly is ``fly=60``. ``words`` are those that say it in a question. A row that ``is_argument`` of no tool is
    only for questions, or for other code.
    """

    argument: str
    annotation: object
    help: str
    columns: tuple[Column, ...]
    conditions: Callable[[Scalar], tuple[Clause, ...]]
    upstream: Mapping[str, ToParams] = field(default_factory=dict)
    kinds: Callable[[Scalar], frozenset[Kind] | None] = lambda _: None
    takes_several: bool = False
    qualified_by: str = ""
    words: tuple[Speech, ...] = ()
    is_argument: bool = True

    def said(self, *words: Speech) -> Filter:
        """Return the row with its words."""
        return replace(self, words=words)


ID = field_column("id", TEXT)  # in every family


@dataclass(frozen=True)
class ActiveFilter:
    """A filter with the value or values of a call.

    ``ids`` are other records that match, such as the spells of a subclass, whose list is in the subclass's text.
    """

    filter: Filter
    value: FilterValue
    ids: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[Scalar, ...]:
        """The values of the call."""
        return self.value if isinstance(self.value, tuple) else (self.value,)

    def clauses(self) -> tuple[Clause, ...]:
        """The clauses that every match satisfies."""
        clauses = [clause for value in self.values for clause in self.filter.conditions(value)]
        if not isinstance(self.value, tuple) and not self.ids:
            return tuple(clauses)
        alternatives = [condition for clause in clauses for condition in comparisons(clause)]
        alternatives += [Condition(ID, Comparison.EQUALS, id_) for id_ in self.ids]
        return (AnyOf(tuple(alternatives)),)

    def kinds(self) -> frozenset[Kind] | None:
        """The kinds that can match at all; None for every kind."""
        matching: set[Kind] = set()
        for value in self.values:
            kinds = self.filter.kinds(value)
            if kinds is None:
                return None
            matching |= kinds
        return frozenset(matching)

    def params(self, endpoint: str) -> Params:
        """The parameters that apply it at an endpoint; empty if the endpoint cannot apply it, or not several values."""
        send = self.filter.upstream.get(endpoint)
        return send(self.value) if send and not isinstance(self.value, tuple) else {}


def comparisons(clause: Clause) -> tuple[Condition, ...]:
    """The comparisons of a clause."""
    return clause.conditions if isinstance(clause, AnyOf) else (clause,)


def compare(
    argument: str,
    annotation: object,
    column: Column | ColumnType,
    help: str,  # noqa: A002 - the word for it
    *,
    upstream: Mapping[str, ToParams] | None = None,
    kinds: Callable[[Scalar], frozenset[Kind] | None] | Kind = lambda _: None,
    comparison: Comparison | None = None,
    is_argument: bool = True,
) -> Filter:
    """A filter with one comparison on one column, by default equality with any of several values.

    For a field with the name of the argument, ``column`` is its type. ``kinds`` may be the only kind that can match.
    """
    if isinstance(column, ColumnType):
        column = field_column(argument, column)
    compared = comparison or column.equality
    only = frozenset({kinds}) if isinstance(kinds, Kind) else None

    def conditions(value: Scalar) -> tuple[Condition, ...]:
        return (Condition(column, compared, int(value) if isinstance(value, bool) else value),)

    return Filter(
        argument,
        annotation,
        help,
        (column,),
        conditions,
        upstream or {},
        kinds if not isinstance(kinds, Kind) else lambda _: only,
        takes_several=comparison is None and column.type is not ColumnType.FLAG,
        is_argument=is_argument,
    )


def bounds(
    name: str,
    annotation: object,
    column: Column,
    noun: str,
    *words: Speech,
    upstream: tuple[str, ...] = (),
    arguments: str = "min max",
    words_of_most: tuple[Speech, ...] = (),
) -> tuple[Filter, ...]:
    """Filters by the least and the most of a measure: ``cr_min`` and ``cr_max``.

    ``noun`` completes "Minimum …". ``upstream`` is an endpoint with its parameters, such as ``cr`` for ``cr__gte`` and
    ``cr__lte``. A bound that is not among the ``arguments`` is read from questions only.
    """
    endpoint, *params = upstream or ("",)
    kinds = {"min": ("Minimum", Comparison.AT_LEAST, "gte"), "max": ("Maximum", Comparison.AT_MOST, "lte")}
    return tuple(
        compare(
            f"{name}_{end}",
            annotation,
            column,
            f"{word} {noun}",
            upstream=send(endpoint, *(f"{param}__{lookup}" for param in params)) if params else None,
            comparison=comparison,
            is_argument=end in arguments,
        ).said(*(words if end == "min" else words_of_most))
        for end, (word, comparison, lookup) in kinds.items()
    )


def send(endpoint: str, *names: str) -> Mapping[str, ToParams]:
    """Send the value to an endpoint, under each of the names (two if releases of Open5e differ).

    A boolean is sent as ``true`` or ``false``; Open5e ignores anything else.
    """
    return {endpoint: lambda value: dict.fromkeys(names, str(value).lower() if isinstance(value, bool) else str(value))}
