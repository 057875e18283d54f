"""The rows in the store itself, whatever this process has in memory."""

from __future__ import annotations

from pathlib import Path

from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.milvus_index import MilvusIndex
from lorekeeper_mcp.store.open_store import OpenMilvus
from lorekeeper_mcp.store.opener import open_store

SPELLS = RecordFilter.everything(Family.SPELLS)


def in_milvus(cache: Cache) -> MilvusIndex:
    """The store of a cache as a search index without a mirror."""
    return MilvusIndex(cache.session.read, MemoryMirror())


def milvus_of(db: Path) -> OpenMilvus:
    """Milvus alone, opened on a store's folder."""
    mirror = MemoryMirror()
    opened = open_store(load_settings(milvus_db_path=db), mirror)
    milvus = opened.milvus or opened.open_milvus()
    mirror.close()
    return OpenMilvus(milvus.store, milvus.state, opened.notice)


def milvus_store(db: Path) -> MilvusStore:
    """The store of ``milvus_of``."""
    return milvus_of(db).store
