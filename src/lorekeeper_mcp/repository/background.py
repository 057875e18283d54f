"""Work between answers: load what queries need, download all of Open5e, embed its records.

Commands download and embed in the foreground.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from lorekeeper_mcp.homebrew.importer import CHECK_SECONDS, WatchedFolder
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.repository.lazy_repository import PAUSE_SECONDS, QUIET_SECONDS, LazyRepository
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS, endpoints_of
from lorekeeper_mcp.sources.open5e.requests import list_request
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.sync.fetch_ledger import FetchState, FetchStatus

if TYPE_CHECKING:  # it takes long to import
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)
EVERYTHING = frozenset(kind for kinds in FAMILIES.values() for kind in kinds)
_PATIENCE_SECONDS = 2.0  # if calls never pause, the next step runs after this time and delays one
_RETRY_SECONDS = 60.0  # before failed requests are retried
_IDLE_SECONDS = 900.0  # between two checks for stale records


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


async def fetch_lists(repository: Repository, kinds: frozenset[Kind] = EVERYTHING) -> list[FetchStatus]:
    """Fetch the missing and stale lists of some kinds, most needed first."""
    return [await repository.fetcher.fetch_now(list_request(endpoint.path)) for endpoint in endpoints_of(kinds)]


async def embed_missing(repository: Repository, on_progress: Callable[[], object] = lambda: None) -> None:
    """Embed the records without an embedding."""
    for family in Family:
        await repository.engine.embedding.embed(family, on_progress)


def needs_sync(repository: Repository) -> bool:
    """Whether a list that may be fetched now is missing or stale."""
    statuses = [repository.fetcher.status(list_request(endpoint.path)) for endpoint in ENDPOINTS]
    return any(status.is_arriving or (status.state is FetchState.STALE and not status.reason) for status in statuses)


async def run_background_sync(lazy: LazyRepository) -> None:
    """Keep the cache filled while the server runs, between answers."""
    watched: WatchedFolder | None = None
    while True:
        await lazy.activity.wait_until_idle(QUIET_SECONDS)
        try:
            repository = await lazy.get()
            if folder := repository.settings.homebrew_dir:
                watched = watched or WatchedFolder(folder.expanduser())
                await _import_homebrew(repository, watched)
            pause = min(await _sync_once(repository), CHECK_SECONDS if watched else math.inf)
        except StoreError as error:
            log.warning("The cache could not be filled: %s", error)
            pause = _RETRY_SECONDS
        except Exception as error:  # noqa: BLE001 - an unforeseen error must not end the sync for good
            log.error("The cache could not be filled: %r", error)  # noqa: TRY400 - one line
            pause = _RETRY_SECONDS
        await asyncio.sleep(pause)


async def _import_homebrew(repository: Repository, watched: WatchedFolder) -> None:
    if repository.cache.temporary:  # a copy that is deleted with this process
        return
    try:
        await watched.import_changes(repository.cache, HomebrewLibrary.of(repository.settings))
    except OSError as error:
        log.warning("The homebrew folder could not be imported: %s", error)


async def _sync_once(repository: Repository) -> float:
    """Fetch what is due, and return the seconds until the next check."""
    await repository.load()
    if not needs_sync(repository) and not repository.cache.without_vector():
        return _IDLE_SECONDS
    statuses = await fetch_lists(repository)
    await embed_missing(repository)
    return _RETRY_SECONDS if incomplete(statuses) else _IDLE_SECONDS


def incomplete(statuses: Iterable[FetchStatus]) -> list[FetchStatus]:
    """The requests whose answers are missing or stale."""
    return [status for status in statuses if status.state is not FetchState.FRESH]
