"""The rows in the store itself, whatever this process has in memory."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from lorekeeper_mcp.embedding.embedder import PACKAGED
from lorekeeper_mcp.embedding.model_files import encoder_identity
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.cache import Cache, SearchIndex
from lorekeeper_mcp.store.catalog import Catalog
from lorekeeper_mcp.store.lite.milvus_folder import open_milvus
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import OpenStore
from lorekeeper_mcp.store.server.server_store import ServerStore
from lorekeeper_mcp.store.session import StoreSession

T = TypeVar("T")
SPELLS = RecordFilter.everything(Family.SPELLS)


def in_milvus(cache: Cache) -> SearchIndex:
    """Milvus of a local cache, once it is filled, as a search index that remembers nothing."""
    return SearchIndex(MilvusSession(cache))


class MilvusSession(StoreSession):
    """The Milvus of a local cache, which is filled and opened for each read."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def read(self, work: Callable[[OpenStore], T]) -> T:
        return await from_milvus(self._cache, work)


async def from_milvus(cache: Cache, work: Callable[[ServerStore], T]) -> T:
    """What some work reads from the Milvus of a local cache, once it is filled."""
    await cache.fill_milvus()
    folder = cache.session.store.path
    assert folder is not None
    return await asyncio.to_thread(_read_copy, folder, work)


def _read_copy(folder: Path, work: Callable[[ServerStore], T]) -> T:
    """Read a copy: opening Milvus changes its files, whose checksum is to stay.

    The row file, which is open, is not copied: closing the copied file would end this process's locks on it.
    """
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(folder, Path(place) / "x.db", ignore=shutil.ignore_patterns("LOCK", "rows-*"))
        with milvus_store(Path(place) / "x.db") as milvus:
            return work(ServerStore(milvus, Catalog()))


@contextlib.contextmanager
def milvus_store(db: Path) -> Iterator[MilvusStore]:
    """Milvus alone, opened on a folder."""
    with open_milvus(db, encoder_identity(PACKAGED)) as store:
        yield store
