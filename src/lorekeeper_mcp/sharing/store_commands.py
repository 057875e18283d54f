"""The commands for the whole store: status, sync with Open5e."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from typing import TYPE_CHECKING

from pydantic import BaseModel

from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.repository.background import embed_missing, fetch_lists, incomplete
from lorekeeper_mcp.repository.status import Missing, Report, report
from lorekeeper_mcp.sharing.command import Command, OnProgress, Progress
from lorekeeper_mcp.store.errors import StoreFullError
from lorekeeper_mcp.sync.fetch_ledger import FetchState, FetchStatus
from lorekeeper_mcp.sync.ingest import FetchProgress

if TYPE_CHECKING:  # only needed to open a store, not to ask the owner
    from lorekeeper_mcp.repository.repository import Repository

_RULES = frozenset({Kind.RULE, Kind.RULE_SET})
GROUPS: dict[str, frozenset[Kind]] = {
    "spells": frozenset(FAMILIES[Family.SPELLS]),
    "creatures": frozenset(FAMILIES[Family.CREATURES]),
    "items": frozenset(FAMILIES[Family.EQUIPMENT]),
    "options": frozenset(FAMILIES[Family.OPTIONS]),
    "rules": _RULES,
    "reference": frozenset(FAMILIES[Family.RULES]) - _RULES,
}


class Status(Command[Report], frozen=True):
    """Report on the store."""

    async def work(self, repository: Repository, on_progress: OnProgress) -> Report:
        """Return the report."""
        return await report(repository)


class Embed(Command[None], frozen=True):
    """Embed the records that have no embedding yet."""

    async def work(self, repository: Repository, on_progress: OnProgress) -> None:
        """Report each batch as progress."""
        cache = repository.cache
        waiting = cache.without_vector()

        def on_batch() -> None:
            on_progress(Progress(task="embeddings", done=waiting - cache.without_vector(), total=waiting))

        await embed_missing(repository, on_batch)


class Synced(BaseModel, frozen=True):
    """The result of a sync: records fetched by group, stored records by kind, failed requests, and seconds."""

    complete: bool
    fetched: dict[str, int]
    unanswered: tuple[Missing, ...]
    records: dict[Kind, int]
    without_embedding: int
    seconds: float


class Sync(Command[Synced], frozen=True):
    """Fetch some kinds from Open5e, then embed all records.

    With ``accept_removals``, a list is stored however much it has shrunk.
    """

    kinds: frozenset[Kind]
    accept_removals: bool = False

    async def work(self, repository: Repository, on_progress: OnProgress) -> Synced:
        """Fetch what is missing or stale."""
        began = time.monotonic()
        last_pages: dict[str, FetchProgress] = {}  # by list

        def progress(group: str) -> Progress:
            pages = [page for page in last_pages.values() if page.request.endpoint.kinds & GROUPS[group]]
            return Progress(task=group, done=sum(page.done for page in pages), total=sum(page.total for page in pages))

        def on_page(page: FetchProgress) -> None:
            last_pages[page.request.path] = page
            for group, kinds in GROUPS.items():
                if kinds & page.request.endpoint.kinds:
                    on_progress(progress(group))

        repository.fetcher.ledger.forget_failures()  # their cause may have been repaired
        removals_of = self.kinds if self.accept_removals else frozenset[Kind]()
        with repository.fetcher.ingestor.syncing(on_page, removals_of=removals_of):
            statuses = await fetch_lists(repository, self.kinds)
        with contextlib.suppress(StoreFullError):  # what was fetched until then is reported
            await Embed().work(repository, on_progress)
        # Checked again: a store that was rebuilt meanwhile has only later records.
        missing = incomplete(repository.fetcher.status(status.request) for status in statuses)
        return Synced(
            complete=not missing,
            fetched={group: progress(group).done for group in GROUPS},
            unanswered=tuple(Missing(list=status.request.path, why=_why(status)) for status in missing),
            records=dict(sorted(Counter(entry.kind for entry in repository.entries()).items())),
            without_embedding=repository.cache.without_vector(),
            seconds=round(time.monotonic() - began, 1),
        )


def _why(status: FetchStatus) -> str:
    if status.state is FetchState.OFFLINE:
        return "LOREKEEPER_OFFLINE is set"
    return f"Open5e {status.reason or 'has not answered'}"
