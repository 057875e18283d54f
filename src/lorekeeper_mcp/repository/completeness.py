"""Completeness and age of an answer, from the states of its requests."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from lorekeeper_mcp.answer import CacheState
from lorekeeper_mcp.sync.fetch_ledger import FetchState, FetchStatus

_MAX_NAMED = 6  # lists that a hint names; the others are only counted
_LIST_NAMES = {
    "magicitems": "magic items",
    "weaponproperties": "weapon properties",
    "spellschools": "magic schools",
    "damagetypes": "damage types",
    "creaturetypes": "creature types",
    "rulesets": "rule sets",
    "itemcategories": "item categories",
    "itemrarities": "rarities",
    "itemsets": "item sets",
    "gamesystems": "game systems",
    "creaturesets": "creature sets",
}


@dataclass(frozen=True)
class Coverage:
    """Whether an answer is complete, how old its data is, and a hint if it is incomplete or stale."""

    complete: bool
    cache: CacheState
    as_of: datetime.date | None
    hint: str = ""


@dataclass(frozen=True)
class NoRecord:
    """The result for a key or name that no record has; ``coverage`` is that of the lists that could have it."""

    coverage: Coverage


LOADING = Coverage(
    complete=False,
    cache=CacheState.PARTIAL,
    as_of=None,
    hint="The stored books are still being loaded: ask again in a moment for the complete answer.",
)
"""The state of an answer for which not all records were loaded in time; Open5e was not asked either."""


def coverage(statuses: Sequence[FetchStatus]) -> Coverage:
    """Summarize the requests that cover an answer's query.

    The answer is complete if Open5e has answered every request, however long ago, and every record could be read.
    """
    missing = [status for status in statuses if not status.is_answered]
    stale = [status for status in statuses if status.state is FetchState.STALE]
    unreadable = sum(status.unreadable for status in statuses)
    as_of = _oldest(statuses)
    hints = []
    if missing:
        hints.append(_missing(missing))
    if unreadable:
        hints.append(f"{unreadable} of Open5e's records could not be read and are missing.")
    if stale:
        refresh = "could not be refreshed" if any(status.reason for status in stale) else "is being refreshed"
        hints.append(f"Open5e's data {refresh}; this answer uses data from {as_of}.")
    return Coverage(not missing and not unreadable, _cache_state(missing, stale), as_of, " ".join(hints))


def _oldest(statuses: Sequence[FetchStatus]) -> datetime.date | None:
    """The day of the oldest data; the archive never changes, so its age counts only if there is nothing else."""
    dated = [(status.request.endpoint.is_archive, status.at) for status in statuses if status.at is not None]
    changing = [at for is_archive, at in dated if not is_archive]
    times = changing or [at for _, at in dated]
    return datetime.datetime.fromtimestamp(min(times), datetime.UTC).date() if times else None


def _cache_state(missing: Sequence[FetchStatus], stale: Sequence[FetchStatus]) -> CacheState:
    if missing:
        is_offline = not any(status.is_arriving for status in missing)
        return CacheState.OFFLINE if is_offline else CacheState.PARTIAL
    return CacheState.STALE if stale else CacheState.FRESH


def missing_lists(statuses: Sequence[FetchStatus]) -> tuple[str, ...]:
    """The names of Open5e's lists that are not stored in full."""
    incomplete = (status for status in statuses if status.unreadable or not status.is_answered)
    return tuple(dict.fromkeys(_list_name(status.request.path) for status in incomplete))


def _missing(statuses: Sequence[FetchStatus]) -> str:
    """A sentence that names the missing lists, the reason, and what to do."""
    names = list(dict.fromkeys(_list_name(status.request.path) for status in statuses))
    if len(names) > _MAX_NAMED:
        names[_MAX_NAMED:] = [f"and {len(names) - _MAX_NAMED} more"]
    lists = ", ".join(names)
    if any(status.is_arriving for status in statuses):
        return f"Open5e's {lists} are still being fetched: ask again in a moment for the complete answer."
    if all(status.state is FetchState.OFFLINE for status in statuses):
        return (
            f"Offline: this answer uses stored data only, at least the SRDs 5.1 and 5.2; Open5e's {lists} have not "
            "been fetched. For a complete answer, allow network access and ask again."
        )
    reason = next(status.reason for status in statuses if status.reason)
    return (
        f"Open5e {reason}, so its {lists} are missing; this answer uses stored data only. Ask again in a few minutes."
    )


def _list_name(path: str) -> str:
    version, _, name = path.partition("/")
    words = _LIST_NAMES.get(name, name)
    return f"{words} (older API)" if version == "v1" else words
