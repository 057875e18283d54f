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
_BATCH = 500  # rows


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
                _follow(family, store, mirror)
                self._marks[family] = mark
        before, self._ledger = self._ledger, ledger
        return before != ledger


def _follow(family: Family, store: MilvusStore, mirror: MemoryMirror) -> None:
    """Bring a family in line with the server. Reads only the rows that differ."""
    there = store.versions(family)
    here = {id_: (entry.updated_at, entry.has_vector) for id_, entry in mirror.catalog.of(family).items()}
    changed = [id_ for id_, version in there.items() if version != here.get(id_)]
    words = ["words"] if mirror.holds_words(family) else []
    batches = (changed[start : start + _BATCH] for start in range(0, len(changed), _BATCH))
    rows = [row for batch in batches for row in store.catalog(family, batch, *words)]
    mirror.put_with_words(family, rows, here.keys() - there.keys())
