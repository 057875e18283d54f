"""Warm-up of a server: open the store and load what queries need, between replies."""

from __future__ import annotations

import logging

from lorekeeper_mcp.repository.idle_tracker import PAUSE_SECONDS
from lorekeeper_mcp.repository.lazy import LazyRepository
from lorekeeper_mcp.store.errors import StoreError

log = logging.getLogger(__name__)
_PATIENCE_SECONDS = 2.0  # where calls never pause, all of them gain from a piece that delays one


async def warm_up(lazy: LazyRepository) -> None:
    """Piece by piece, each when nothing is being answered. A call meanwhile waits for the piece that it needs alone.

    A store that cannot be opened is left to the call that needs it, which says so.
    """
    try:
        repository = await lazy.get()
        for piece in repository.maintenance.warm_up_steps():
            await lazy.activity.wait_until_idle(PAUSE_SECONDS, _PATIENCE_SECONDS)
            await piece()
    except StoreError as error:
        log.info("The cache could not be opened beforehand: %s", error)
