"""How far the items of a file may grow: copies, replacements and references can make much of little.

Whatever makes a value larger calls ``grow`` before it does, so that memory stays bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from lorekeeper_mcp.sources.imported import ItemError

MAX_ITEM = 2_000_000  # characters; the largest creatures and classes have about 200,000
MAX_FILE = 100_000_000
_left: ContextVar[dict[str, int] | None] = ContextVar("growth", default=None)


@contextmanager
def limited_file() -> Iterator[None]:
    """Limit what all items that are read inside grow by together."""
    token = _left.set({"item": MAX_ITEM, "file": MAX_FILE})
    try:
        yield
    finally:
        _left.reset(token)


def begin_item() -> None:
    """Begin an item, which may grow by itself."""
    if left := _left.get():
        left["item"] = MAX_ITEM


def grow(size: int) -> None:
    """Count characters that are about to be added. Raises ItemError beyond the limit of the item or the file."""
    left = _left.get()
    if left is None or size <= 0:
        return
    for what, limit in (("item", MAX_ITEM), ("file", MAX_FILE)):
        left[what] -= size
        if left[what] < 0:
            raise ItemError(f"its copies and references make the {what} grow by more than {limit:,} characters")


def size_of(value: object) -> int:
    """Return the size of a value in characters."""
    return len(json.dumps(value, default=str, ensure_ascii=False))
