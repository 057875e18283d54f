"""How processes on one Milvus server hear of each other: who writes leaves a mark, who answers looks for new ones.

The marks stand in the ledger, one for each family, each a random text that differs after every change.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore

_PREFIX = "changed:"


class ServerChanges:
    """What this process has taken over of a server."""

    def __init__(self) -> None:
        self._marks: dict[Family, Mapping[str, object] | None] = {}
        self._ledger: Mapping[str, Mapping[str, object]] = {}

    def mark(self, store: MilvusStore, family: Family) -> None:
        """Tell the others that rows of a family have changed, once they have been stored."""
        store.note({f"{_PREFIX}{family}": {"change": uuid.uuid4().hex}})

    def follow(self, store: MilvusStore, mirror: MemoryMirror) -> bool:
        """Bring the mirror in line with the families that have changed; whether the rest of the ledger has too."""
        ledger = store.ledger()
        for family in Family:
            mark = ledger.pop(f"{_PREFIX}{family}", None)
            if mark != self._marks.get(family):
                mirror.follow(store, family)
                self._marks[family] = mark
        before, self._ledger = self._ledger, ledger
        return before != ledger
