"""Changes of other processes on one Milvus server: writers leave marks, and each answer checks for new ones.

The marks are in the ledger, one per family, each a random text that differs after every change.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore

_PREFIX = "changed:"


class ServerChanges:
    """The marks of a server that this process has seen."""

    def __init__(self) -> None:
        self._marks: dict[Family, Mapping[str, object] | None] = {}
        self._ledger: Mapping[str, Mapping[str, object]] = {}

    def mark(self, store: MilvusStore, family: Family) -> None:
        """Leave a mark that stored rows of a family have changed."""
        store.note({f"{_PREFIX}{family}": {"change": uuid.uuid4().hex}})

    def follow(self, store: MilvusStore, mirror: MemoryMirror) -> bool:
        """Load the families that others have changed, and return whether the rest of the ledger has changed."""
        ledger = store.ledger()
        for family in Family:
            mark = ledger.pop(f"{_PREFIX}{family}", None)
            if mark != self._marks.get(family):
                mirror.follow(store, family)
                self._marks[family] = mark
        before, self._ledger = self._ledger, ledger
        return before != ledger
