"""A store that has just been opened, and what a process already knew of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.lite.integrity import IntegrityFile, IntegrityState
from lorekeeper_mcp.store.memory.catalog import Entry, entry_from_row
from lorekeeper_mcp.store.milvus import MilvusStore

Catalogs = Mapping[Family, list[Entry]]


@dataclass(frozen=True)
class KnownState:
    """What a process knew of the store before its owner went: versions of the families, and their entries."""

    versions: Mapping[str, int] = field(default_factory=dict)
    catalogs: Catalogs = field(default_factory=dict)


@dataclass(frozen=True)
class OpenStore:
    """A store with what it holds in brief, and a sentence for the user where it is not just as the settings name it.

    ``state`` is the account that the catalogs agree with, None for a Milvus server; ``temporary`` is a folder to
    be removed in the end.
    """

    store: MilvusStore
    account: IntegrityFile | None
    state: IntegrityState
    catalogs: Catalogs
    notice: str = ""
    temporary: Path | None = None


def read_catalogs(store: MilvusStore, known: KnownState | None = None, state: IntegrityState | None = None) -> Catalogs:
    """The entries of all rows; those that are remembered where nobody has changed the family since."""
    catalogs: dict[Family, list[Entry]] = {}
    for family in Family:
        if known and state and _unchanged(store, family, known, state):
            catalogs[family] = known.catalogs[family]
        else:
            catalogs[family] = [entry_from_row(row) for row in store.catalog(family)]
    return catalogs


def _unchanged(store: MilvusStore, family: Family, known: KnownState, state: IntegrityState) -> bool:
    version = state.versions.get(family)
    return (
        version is not None and version == known.versions.get(family) and store.collection(family) not in state.unsure
    )
