"""Filters as Milvus expressions, and the same conditions on values in memory.

Every value passes through one literal encoder, since Milvus Lite has no parameters. Lists are packed as text, and a
member is searched for by the texts that contain it: ``like "%..."`` is unknown to older servers. Uses only the part of
the grammar that Milvus Lite and every server share (lower-case operators, no chained comparisons, nulls or arrays).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from lorekeeper_mcp.filters import Clause, Column, ColumnType, Comparison, Condition, Scalar, comparisons
from lorekeeper_mcp.filters.record_filter import RecordFilter

NOTHING = 'id == ""'
TextsOf = Callable[[str], Iterable[str]]  # the distinct texts of a column that packs lists


def literal(value: Scalar) -> str:
    """Encode a value such that Milvus reads it back unchanged."""
    if not isinstance(value, str):
        return repr(int(value) if isinstance(value, bool) else value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def one_of(column: str, values: Iterable[str]) -> str:
    """Match if the column equals one of the values; nothing equals one that cannot be encoded."""
    listed = ", ".join(literal(value) for value in sorted(values) if _is_encodable(value))
    return f"{column} in [{listed}]" if listed else NOTHING


def escape_member(value: str) -> str:
    """A member as stored in a packed list: without the separator, and as older versions stored it."""
    return value.replace("_", "~").replace("|", "").replace("%", "").replace("\x00", "")


def pack(values: Iterable[str]) -> str:
    """Encode a list as one text: ``|bard|wizard|``; the empty list is ``|``."""
    return "|" + "".join(f"{packed}|" for value in dict.fromkeys(values) if (packed := escape_member(value)))


def all_of(parts: Iterable[str]) -> str:
    """Match if all parts do. Without parts, everything matches."""
    return _joined(" and ", [part for part in parts if part])


def _joined(operator: str, parts: Sequence[str]) -> str:
    return operator.join(f"({part})" for part in parts) if len(parts) > 1 else "".join(parts)


def expression_of(where: RecordFilter, texts_of: TextsOf) -> str:
    """Return the expression of a filter; "" if it selects the whole family."""
    excluded = f"not ({one_of('id', where.excluded)})" if where.excluded else ""
    return all_of([*(_of_clause(clause, texts_of) for clause in where.conjuncts()), excluded])


def _of_clause(clause: Clause, texts_of: TextsOf) -> str:
    """The expression of one clause: any of its comparisons matches."""
    texts: dict[str, set[str]] = {}
    numbers: list[str] = []
    for condition in comparisons(clause):
        name, value = condition.column.name, condition.value
        if not isinstance(value, str):
            numbers.append(compare(condition))
        elif condition.comparison is Comparison.HAS:
            texts.setdefault(name, set()).update(text for text in texts_of(name) if matches(condition, text))
        elif value:  # "" is the sentinel of absent texts
            texts.setdefault(name, set()).add(value)
    return _joined(" or ", [*(one_of(name, values) for name, values in texts.items()), *numbers]) or NOTHING


def compare(condition: Condition) -> str:
    """Return the expression of a condition on a number, which absent values (the sentinel -1) never satisfy."""
    name, value = condition.column.name, condition.value
    if not _is_encodable(value):
        return NOTHING
    match condition.comparison:
        case Comparison.AT_LEAST:
            return f"{name} >= {literal(value)} and {name} >= 0"
        case Comparison.AT_MOST:
            return f"{name} <= {literal(value)} and {name} >= 0"
        case _:
            return f"{name} == {literal(value)}"


def matches(condition: Condition, value: Scalar) -> bool:
    """Whether a value in memory satisfies a condition, by the same rules as the expression."""
    operand = condition.value
    if operand == "" or not _is_encodable(operand):
        return False
    if isinstance(value, str) or isinstance(operand, str):
        if condition.comparison is Comparison.HAS:
            packed = escape_member(str(operand))
            # No list has the characters that packing drops.
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
