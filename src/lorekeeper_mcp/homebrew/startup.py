"""Reconciles homebrew when a repository is opened."""

from __future__ import annotations

import asyncio
import logging
import shutil
import uuid
from pathlib import Path

from lorekeeper_mcp.homebrew.library import HomebrewLibrary, shared_folder
from lorekeeper_mcp.homebrew.reconciler import reconcile
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.ledger import BookNote, decode

log = logging.getLogger(__name__)


async def reconcile_on_open(cache: Cache, settings: Settings) -> None:
    """Finish interrupted imports, and import homebrew into a rebuilt cache.

    An unreadable library is logged; it never blocks startup.
    """
    try:
        await reconcile(cache, await open_library(cache, settings))
    except (OSError, StoreError) as error:
        log.warning("The imported homebrew could not be loaded: %s", error)


async def open_library(cache: Cache, settings: Settings) -> HomebrewLibrary:
    """Return the cache's library; copy it first if older versions kept it in the folder's shared one.

    Copied if the cache has imported books from there, or no other cache lies beside it. Raises OSError.
    """
    library, shared = HomebrewLibrary.of(settings), HomebrewLibrary(shared_folder(settings.milvus_db_path))
    if library.folder != shared.folder and not library.id and shared.id:
        known = any(note.shelf == shared.id for note in decode(await cache.ledger(), BookNote).values())
        if known or not await asyncio.to_thread(_neighbours, settings.milvus_db_path):
            await asyncio.to_thread(_copy, shared.folder, library.folder)
    return library


def _neighbours(db_path: Path) -> list[Path]:
    return [path for path in db_path.parent.glob("*.db") if path != db_path]


def _copy(folder: Path, to: Path) -> None:
    """Copy a folder atomically."""
    draft = to.with_name(f".{to.name}.{uuid.uuid4().hex[:8]}")
    try:
        shutil.copytree(folder, draft)
        draft.rename(to)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
