"""Warms up a server: opens the store and loads what queries need, between replies."""

from __future__ import annotations

import logging

from lorekeeper_mcp.repository.idle_tracker import PAUSE_SECONDS
from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.store.errors import StoreError

log = logging.getLogger(__name__)
_PATIENCE_SECONDS = 2.0  # if calls never pause, the next step runs after this time and delays one


async def warm_up(lazy: LazyRepository) -> None:
    """Load what the first searches need, each step while no answer is in progress: a call waits for at most one.

    If the store cannot be opened, the first call that needs it reports the error.
    """
    try:
        repository = await lazy.get()
        for step in (repository.cache.open_milvus, repository.engine.load_model):
            await lazy.activity.wait_until_idle(PAUSE_SECONDS, _PATIENCE_SECONDS)
            await step()
    except StoreError as error:
        log.info("Warm-up could not open the cache: %s", error)
    except Exception as error:  # noqa: BLE001 - the download of Open5e follows, whatever happens here
        log.error("Warm-up failed: %r", error)  # noqa: TRY400 - one line
