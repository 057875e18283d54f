"""Workaround for Milvus servers before 2.4, which reject patterns that begin with ``%``: lists in filters.

Such a pattern searches for a member of a packed list (``store.filter_expression.list_contains``). Here it is replaced
by the texts in the column that contain the member, which selects the same rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from lorekeeper_mcp.store.filter_expression import one_of

_FIRST_WITH_INFIX = (2, 4)
_INFIX = re.compile(r'(\w+) like ("%(?:[^"\\]|\\.)*%")')


def knows_infix(version: str) -> bool:
    """Whether a server of a version such as ``v2.3.5-lite`` supports them. An unreadable version counts as new."""
    numbers = re.match(r"v?(\d+)\.(\d+)", version)
    return numbers is None or (int(numbers[1]), int(numbers[2])) >= _FIRST_WITH_INFIX


def spelled_out(expression: str, values_of: Callable[[str], Iterable[str]]) -> str:
    """Return the expression without such patterns. ``values_of`` returns the texts in a column."""

    def listed(hit: re.Match[str]) -> str:
        column, member = hit[1], str(json.loads(hit[2], strict=False)).strip("%")
        return one_of(column, {text for text in values_of(column) if member in text})

    return _INFIX.sub(listed, expression)
