"""What every server does with homebrew when it opens the cache."""

from __future__ import annotations

import logging

from lorekeeper_mcp.cache.cache import Cache
from lorekeeper_mcp.cache.faults import StoreError
from lorekeeper_mcp.homebrew.bringing import bring_in_line
from lorekeeper_mcp.homebrew.shelf import Shelf
from lorekeeper_mcp.settings import Settings

log = logging.getLogger(__name__)


async def bring_homebrew_in_line(cache: Cache, settings: Settings) -> None:
    """Finish imports that were cut short and give a rebuilt cache its homebrew back.

    A shelf that cannot be read is told of in the log and keeps no server from answering.
    """
    try:
        await bring_in_line(cache, Shelf.of(settings))
    except (OSError, StoreError) as error:
        log.warning("The imported homebrew cannot be brought in: %s", error)
