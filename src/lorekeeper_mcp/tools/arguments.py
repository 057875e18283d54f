"""The arguments that tools share, and signatures generated from the rows of a filter table."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from lorekeeper_mcp.filters import ActiveFilter, Comparison, Filter, FilterValue, Scalar, comparisons
from lorekeeper_mcp.filters.argument_types import TextList, choice, one_or_more
from lorekeeper_mcp.tools.error_messages import CallerError


class DefaultLimit(IntEnum):
    """The limit if the caller sets none. Unlike an explicit 20, it comes with a smaller budget."""

    RESULTS = 20


# Characters of a search text, of which fewer are used. Some clients cannot compile a schema with a larger maximum.
SearchText = Annotated[str, Field(max_length=100_000, json_schema_extra={"maxLength": 2000})]
_EDITION_NAMES = {"5e": "2014", "5.0": "2014", "5.1": "2014", "5.5e": "2024", "5.5": "2024", "5.2": "2024"}
_Limit = Annotated[int, Field(ge=1, le=50)]
_Cursor = Annotated[str, Field(max_length=500), WithJsonSchema({"type": "string"})]
_NOTHING = ("", "null")


def _as_edition(value: object) -> object:
    """Accept the year as a number, and the names 5e and 5.5e."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _EDITION_NAMES.get(value.strip().lower(), value) if isinstance(value, str) else value


def given(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments that have a value: null, "" and "null" mean not given, also in a list; [] is a value."""

    def is_given(value: object) -> bool:
        return value is not None and not (isinstance(value, str) and value.strip().lower() in _NOTHING)

    kept: dict[str, object] = {}
    for name, value in arguments.items():
        values = [member for member in value if is_given(member)] if isinstance(value, list) else value
        if is_given(values) and (values or not isinstance(value, list) or not value):
            kept[name] = values
        elif name == "query":  # the one required argument: without words, everything matches
            kept[name] = ""
    return kept


def optional(annotation: Any, help_: str, examples: list[object] | None = None) -> object:  # types made at run time
    """An argument whose default is None; its schema has the plain type."""
    nothing = Annotated[None, SkipJsonSchema()]
    return Annotated[annotation | nothing, Field(description=help_, examples=examples)]


def parameter(name: str, annotation: object, default: object = None) -> inspect.Parameter:
    """A keyword parameter of a tool."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def search_parameter(examples: Sequence[str]) -> inspect.Parameter:
    """The search argument of the tools for one family."""
    help_ = "A plain-language question, one or more names, a key, or a pattern with *"
    return parameter("search", optional(SearchText, help_, list(examples)))


def sort_parameter(columns: Iterable[str]) -> inspect.Parameter:
    """The argument for the order of results: by relevance, by name or by a column, with a hyphen for descending."""
    names = ["relevance", *(form for name in ("name", *columns) for form in (name, f"-{name}"))]
    lower = BeforeValidator(lambda value: value.strip().lower().replace("_", "-") if isinstance(value, str) else value)
    return parameter(
        "sort",
        Annotated[Literal[tuple(names)], lower, Field(description="Sort order; prefix - for descending")],
        "relevance",
    )


_EDITION = one_or_more(Annotated[choice("2014", "2024", "a5e"), BeforeValidator(_as_edition)])
_COMMON: tuple[inspect.Parameter, ...] = (
    parameter("documents", optional(TextList, "Only these documents: keys such as srd-2014, or names")),
    parameter("edition", optional(_EDITION, "Rules edition")),
    parameter("limit", Annotated[_Limit, Field(description="Results per page")], DefaultLimit.RESULTS),
    parameter("cursor", optional(_Cursor, "next_cursor from the previous page")),
    parameter(
        "detail",
        Annotated[choice("auto", "brief", "full"), Field(description="brief: a list; full: whole records")],
        "auto",
    ),
)


def signature(parameters: Sequence[inspect.Parameter]) -> inspect.Signature:
    """A tool's parameters, followed by those that all tools share."""
    return inspect.Signature([*parameters, *_COMMON])


def filter_parameters(rows: Sequence[Filter]) -> list[inspect.Parameter]:
    """One argument for each row of a filter table."""
    return [
        parameter(
            row.argument, optional(one_or_more(row.annotation) if row.takes_several else row.annotation, row.help)
        )
        for row in rows
    ]


def active_filters(rows: Sequence[Filter], arguments: Mapping[str, object]) -> tuple[ActiveFilter, ...]:
    """The filters of a call. Raises CallerError if two of them exclude each other."""
    filters = tuple(
        ActiveFilter(row, _qualify(_to_value(value), arguments.get(row.qualified_by)))
        for row in rows
        if (value := arguments.get(row.argument)) is not None
    )
    _refuse_contradictions(filters)
    return filters


def _qualify(value: FilterValue, qualifier: object) -> FilterValue:
    """Combine a value with that of another argument: ``60`` and ``fly`` -> ``fly=60``."""
    return f"{','.join(map(str, qualifier))}={value}" if isinstance(qualifier, list) and qualifier else value


def _to_value(value: object) -> FilterValue:
    """Make a value hashable: a list of one becomes its item, ability scores become pairs in a text."""
    if isinstance(value, list):
        values = tuple(dict.fromkeys(map(_to_scalar, value)))
        return values[0] if len(values) == 1 else values
    return _to_scalar(value)


def _to_scalar(value: object) -> Scalar:
    if isinstance(value, dict):
        return ",".join(f"{name}={score}" for name, score in sorted(value.items()))
    if isinstance(value, str | int | float):
        return value
    raise TypeError(f"no filter takes {type(value).__name__}")


def _refuse_contradictions(filters: Sequence[ActiveFilter]) -> None:
    """Raise CallerError if one filter requires more of a column than another allows."""
    lows: dict[str, tuple[float, str]] = {}
    highs: dict[str, tuple[float, str]] = {}
    for active in filters:
        for conditions in map(comparisons, active.clauses()):
            numbers = [(one.comparison, one.value) for one in conditions if isinstance(one.value, int | float)]
            column, argument = conditions[0].column, active.filter.argument
            if len(numbers) < len(conditions) or any(one.column != column for one in conditions):
                continue
            low = min(-math.inf if how is Comparison.AT_MOST else value for how, value in numbers)
            high = max(math.inf if how is Comparison.AT_LEAST else value for how, value in numbers)
            lows[column.name] = max(lows.get(column.name, (low, argument)), (low, argument))
            highs[column.name] = min(highs.get(column.name, (high, argument)), (high, argument))
    for name, (low, low_argument) in lows.items():
        high, high_argument = highs[name]
        if low > high:
            raise CallerError(
                f"{low_argument} ({low:g}) is above {high_argument} ({high:g}), so nothing can match: "
                "swap the two or omit one."
            )
