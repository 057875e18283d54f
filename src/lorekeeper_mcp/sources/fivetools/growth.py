"""How far the items of a file may grow: copies, replacements and references can make much of little.

Whatever makes a value larger calls ``grow`` before it does, so that memory stays bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from lorekeeper_mcp.sources.imported import ItemError

_LIMITS = {"item": 2_000_000, "file": 100_000_000}  # characters; the largest creatures and classes have about 200,000
_left: ContextVar[dict[str, int] | None] = ContextVar("growth", default=None)


@contextmanager
def limited_file() -> Iterator[None]:
    """Limit what all items that are read inside grow by together."""
    token = _left.set(dict(_LIMITS))
    try:
        yield
    finally:
        _left.reset(token)


def begin_item() -> None:
    """Begin an item, which may grow by itself."""
    if left := _left.get():
        left["item"] = _LIMITS["item"]


def grow(size: int) -> None:
    """Count characters that are about to be added. Raises ItemError beyond the limit of the item or the file."""
    left = _left.get() or {}
    for what in left:
        left[what] -= max(size, 0)
        if left[what] < 0:
            raise ItemError(f"its copies and references make the {what} grow by more than {_LIMITS[what]:,} characters")


def size_of(value: object) -> int:
    """Return the size of a value in characters."""
    return len(json.dumps(value, default=str, ensure_ascii=False))
