"""What every server does with homebrew when it opens the cache."""

from __future__ import annotations

import logging

from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.homebrew.reconciler import reconcile
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError

log = logging.getLogger(__name__)


async def reconcile_on_open(cache: Cache, settings: Settings) -> None:
    """Finish imports that were cut short and give a rebuilt cache its homebrew back.

    A shelf that cannot be read is told of in the log and keeps no server from answering.
    """
    try:
        await reconcile(cache, HomebrewLibrary.of(settings))
    except (OSError, StoreError) as error:
        log.warning("The imported homebrew cannot be brought in: %s", error)
