"""A store that has just been opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lorekeeper_mcp.store.lite.integrity import IntegrityFile, IntegrityState
from lorekeeper_mcp.store.milvus import MilvusStore


@dataclass(frozen=True)
class OpenMilvus:
    """Milvus, the account that its rows agree with, and a sentence for the user where they are not what was stored."""

    store: MilvusStore
    state: IntegrityState
    notice: str = ""


@dataclass(frozen=True)
class OpenStore:
    """A store that can be read, and a sentence for the user where it is not just as the settings name it.

    ``milvus`` is None until a local store is written to. ``state`` is the account that the mirror agrees with; there is
    no ``account`` of a Milvus server. ``temporary`` is a folder to be removed in the end.
    """

    account: IntegrityFile | None
    state: IntegrityState
    milvus: OpenMilvus | None
    open_milvus: Callable[[], OpenMilvus]
    notice: str = ""
    temporary: Path | None = None
