"""What the store itself has of a cache's records, whatever this process has in memory."""

from __future__ import annotations

from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus_index import MilvusIndex

SPELLS = RecordFilter.everything(Family.SPELLS)


def in_milvus(cache: Cache) -> MilvusIndex:
    """The store of a cache as a search index that remembers nothing."""
    return MilvusIndex(cache.session.read, MemoryMirror())
