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
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.lite.milvus_tasks import open_milvus
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.search_index import MilvusIndex
from lorekeeper_mcp.store.server.server_writer import ServerWriter

T = TypeVar("T")
SPELLS = RecordFilter.everything(Family.SPELLS)


def in_milvus(cache: Cache) -> MilvusIndex:
    """Milvus of a local cache, once it is filled, as a search index that remembers nothing."""

    async def read(work: Callable[[ServerWriter], T]) -> T:
        return await from_milvus(cache, work)

    return MilvusIndex(read, MemoryMirror())


async def from_milvus(cache: Cache, work: Callable[[ServerWriter], T]) -> T:
    """What some work reads from the Milvus of a local cache, once it is filled."""
    await cache.fill_milvus()
    folder = cache.session.writer.path
    assert folder is not None
    return await asyncio.to_thread(_read_copy, folder, work)


def _read_copy(folder: Path, work: Callable[[ServerWriter], T]) -> T:
    """Read a copy: opening Milvus changes its files, whose checksum is to stay."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(folder, Path(place) / "x.db", ignore=shutil.ignore_patterns("LOCK"))
        with milvus_store(Path(place) / "x.db") as store:
            return work(ServerWriter(store, MemoryMirror()))


@contextlib.contextmanager
def milvus_store(db: Path) -> Iterator[MilvusStore]:
    """Milvus alone, opened on a folder."""
    with open_milvus(db, encoder_identity(PACKAGED)) as store:
        store.prepare()
        yield store
