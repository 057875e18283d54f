"""The store as it was opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lorekeeper_mcp.store.lite.integrity import IntegrityFile, IntegrityState
from lorekeeper_mcp.store.milvus import MilvusStore


@dataclass(frozen=True)
class OpenMilvus:
    """An open Milvus and the integrity state of its rows.

    ``notice`` is a sentence for the user if the rows are not those that were stored.
    """

    store: MilvusStore
    state: IntegrityState
    notice: str = ""


@dataclass(frozen=True)
class OpenStore:
    """A store that can be read.

    ``milvus`` is None until a local store is written to. ``state`` is the integrity state that the mirror matches.
    ``integrity_file`` is None for a Milvus server. ``notice`` is a sentence for the user if the store is not the one in
    the settings. ``temporary`` is a folder to delete when the store is closed.
    """

    integrity_file: IntegrityFile | None
    state: IntegrityState
    milvus: OpenMilvus | None
    open_milvus: Callable[[], OpenMilvus]
    notice: str = ""
    temporary: Path | None = None
