"""Milvus filter expressions. Every value passes through one literal encoder, since Milvus Lite has no parameters.

Uses only the part of the grammar that Milvus Lite and every server from 2.4 on share (lower-case operators, no chained
comparisons, no nulls, no arrays).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from lorekeeper_mcp.filters import Clause, Column, ColumnType, Comparison, Condition, Scalar, comparisons
from lorekeeper_mcp.filters.record_filter import RecordFilter

NOTHING = 'id == ""'


class UnencodableError(ValueError):
    """The value fits in no expression and no column, so nothing equals it."""


def literal(value: Scalar) -> str:
    """Encode a value such that Milvus reads it back unchanged. Raises UnencodableError for NUL, infinity and NaN."""
    if not _is_encodable(value):
        raise UnencodableError(repr(value))
    if not isinstance(value, str):
        return repr(int(value) if isinstance(value, bool) else value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def one_of(column: str, values: Iterable[str]) -> str:
    """Match if the column equals one of the values."""
    listed = ", ".join(literal(value) for value in sorted(values))
    return f"{column} in [{listed}]" if listed else NOTHING


def none_of(column: str, values: Iterable[str]) -> str:
    """Match if the column equals none of the values; "" without values, as everything does."""
    listed = ", ".join(literal(value) for value in sorted(values))
    return f"{column} not in [{listed}]" if listed else ""


def escape_member(value: str) -> str:
    """A member as stored in a packed list: without characters that are special to ``like`` or to packing."""
    return value.replace("_", "~").replace("|", "").replace("%", "").replace("\x00", "")


def pack(values: Iterable[str]) -> str:
    """Encode a list as one text: ``|bard|wizard|``; the empty list is ``|``."""
    return "|" + "".join(f"{packed}|" for value in dict.fromkeys(values) if (packed := escape_member(value)))


def list_contains(column: str, value: str) -> str:
    """Match if the packed list in the column contains the value."""
    packed = escape_member(value)
    is_whole = packed != "" and len(packed) == len(value)  # no list has the characters that packing drops
    return f"{column} like {literal(f'%|{packed}|%')}" if is_whole else NOTHING


def all_of(parts: Iterable[str]) -> str:
    """Match if all parts do. Without parts, everything matches."""
    return _joined(" and ", [part for part in parts if part])


def any_of(parts: Iterable[str]) -> str:
    """Match if any part does. Without parts, nothing matches."""
    return _joined(" or ", list(parts)) or NOTHING


def _joined(operator: str, parts: Sequence[str]) -> str:
    return operator.join(f"({part})" for part in parts) if len(parts) > 1 else "".join(parts)


def expression_of(where: RecordFilter) -> str:
    """Return the expression of a filter; "" if it selects the whole family."""
    return all_of([*map(_of_clause, where.conjuncts()), none_of("id", where.excluded)])


def _of_clause(clause: Clause) -> str:
    """The expression of one clause: any of its comparisons matches."""
    conditions = comparisons(clause)
    texts = [one for one in conditions if one.comparison is Comparison.EQUALS and one.column.type is ColumnType.TEXT]
    names = {condition.column.name for condition in texts}
    if len(conditions) == len(texts) > 1 and len(names) == 1:
        values = (str(condition.value) for condition in texts)
        return one_of(names.pop(), (value for value in values if value and _is_encodable(value)))
    return any_of(map(compare, conditions))


def compare(condition: Condition) -> str:
    """Return the expression of one condition, which absent values (the sentinels) never satisfy."""
    name, value = condition.column.name, condition.value
    if value == "" or not _is_encodable(value):  # "" is the sentinel of absent texts
        return NOTHING
    match condition.comparison:
        case Comparison.EQUALS:
            return f"{name} == {literal(value)}"
        case Comparison.AT_LEAST:
            return all_of([f"{name} >= {literal(value)}", f"{name} >= 0"])
        case Comparison.AT_MOST:
            return all_of([f"{name} <= {literal(value)}", f"{name} >= 0"])
        case _:
            return list_contains(name, str(value))


def matches(condition: Condition, value: Scalar) -> bool:
    """Whether a value in memory satisfies a condition, by the same rules as ``compare``."""
    operand = condition.value
    if operand == "" or not _is_encodable(operand):
        return False
    if isinstance(value, str) or isinstance(operand, str):
        if condition.comparison is Comparison.HAS:
            packed = escape_member(str(operand))
            return packed != "" and len(packed) == len(str(operand)) and f"|{packed}|" in str(value)
        return condition.comparison is Comparison.EQUALS and value == operand
    match condition.comparison:
        case Comparison.AT_LEAST:
            return value >= max(operand, 0)
        case Comparison.AT_MOST:
            return 0 <= value <= operand
        case _:
            return value == operand


def _is_encodable(value: Scalar) -> bool:
    return "\x00" not in value if isinstance(value, str) else math.isfinite(value)


def to_column_value(column: Column, value: object) -> str | int | float:
    """Return the column's value for a value of a record; a sentinel if it is absent."""
    match column.type:
        case ColumnType.TEXT:
            return str(value or "")
        case ColumnType.LIST:
            return pack(str(item) for item in value) if isinstance(value, list | tuple) else "|"
        case ColumnType.INTEGER:
            return int(value) if isinstance(value, int | float) else -1
        case ColumnType.NUMBER:
            return float(value) if isinstance(value, int | float) else -1.0
        case ColumnType.FLAG:
            return -1 if value is None else int(bool(value))
