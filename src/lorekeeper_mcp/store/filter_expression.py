"""Filters as Milvus expressions, and the same choices among values in memory.

A condition on a text becomes a choice among the texts that its column has: a list is stored as one text, inside which
older servers cannot search. So both select the same, and every literal is a stored value. Uses only the part of the
grammar that Milvus Lite and every server share (lower-case operators, no chained comparisons, nulls or arrays).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from lorekeeper_mcp.filters import Clause, Column, ColumnType, Comparison, Condition, Scalar, comparisons
from lorekeeper_mcp.filters.record_filter import RecordFilter

NOTHING = 'id == ""'
TextsOf = Callable[[str], Iterable[str]]  # the distinct texts of a column


def literal(value: Scalar) -> str:
    """Encode a value such that Milvus, which has no parameters, reads it back unchanged."""
    if not isinstance(value, str):
        return repr(int(value) if isinstance(value, bool) else value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def one_of(column: str, values: Iterable[str]) -> str:
    """Match if the column equals one of the values."""
    listed = ", ".join(map(literal, sorted(values)))
    return f"{column} in [{listed}]" if listed else NOTHING


def all_of(parts: Iterable[str]) -> str:
    """Match if all parts do; empty ones match everything."""
    return " and ".join(f"({part})" for part in parts if part)


def expression_of(where: RecordFilter, texts_of: TextsOf) -> str:
    """Return the expression of a filter; "" if it selects the whole family."""
    excluded = f"not ({one_of('id', where.excluded)})" if where.excluded else ""
    return all_of([*(_of_clause(clause, texts_of) for clause in where.conjuncts()), excluded])


def _of_clause(clause: Clause, texts_of: TextsOf) -> str:
    texts, numbers = alternatives(clause, texts_of)
    parts = [one_of(column, chosen) for column, chosen in texts.items()]
    for condition in numbers:
        name, value = condition.column.name, literal(condition.value)
        operator = {Comparison.AT_LEAST: ">=", Comparison.AT_MOST: "<="}.get(condition.comparison, "==")
        parts.append(f"{name} {operator} {value} and {name} >= 0")
    return " or ".join(f"({part})" for part in parts) or NOTHING


def alternatives(clause: Clause, texts_of: TextsOf) -> tuple[dict[str, set[str]], list[Condition]]:
    """What satisfies a clause: one of the stored texts that are returned by column, or one of the number conditions."""
    texts: dict[str, set[str]] = {}
    numbers: list[Condition] = []
    for condition in comparisons(clause):
        name, value = condition.column.name, condition.value
        if not isinstance(value, str):
            if math.isfinite(value):
                numbers.append(condition)
        elif condition.comparison is Comparison.HAS:
            member = escape_member(value)
            is_whole = len(member) == len(value) > 0  # no list has the characters that packing drops
            found = (text for text in texts_of(name) if is_whole and f"|{member}|" in text)
            texts.setdefault(name, set()).update(found)
        else:  # "" is the sentinel of absent texts
            texts.setdefault(name, set()).update({value}.intersection(texts_of(name)) - {""})
    return texts, numbers


def satisfies(condition: Condition, number: float) -> bool:
    """Whether a number satisfies a condition, which an absent one (the sentinel -1) never does."""
    operand = float(condition.value)
    match condition.comparison:
        case Comparison.AT_LEAST:
            return number >= max(operand, 0)
        case Comparison.AT_MOST:
            return 0 <= number <= operand
        case _:
            return number == operand >= 0


def escape_member(value: str) -> str:
    """A member as stored in a packed list: without the separator, and as older versions stored it."""
    return value.replace("_", "~").replace("|", "").replace("%", "").replace("\x00", "")


def pack(values: Iterable[str]) -> str:
    """Encode a list as one text: ``|bard|wizard|``; the empty list is ``|``."""
    return "|" + "".join(f"{packed}|" for value in dict.fromkeys(values) if (packed := escape_member(value)))


def to_column_value(column: Column, value: object) -> str | int | float:
    """Return the column's value for a value of a record; a sentinel if it is absent."""
    match column.type:
        case ColumnType.TEXT:
            return str(value or "")
        case ColumnType.LIST:
            return pack(map(str, value)) if isinstance(value, list | tuple) else "|"
        case ColumnType.INTEGER:
            return int(value) if isinstance(value, int | float) else -1
        case ColumnType.NUMBER:
            return float(value) if isinstance(value, int | float) else -1.0
        case ColumnType.FLAG:
            return -1 if value is None else int(bool(value))
