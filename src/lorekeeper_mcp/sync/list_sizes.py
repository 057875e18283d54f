"""Checks whether Open5e's lists have plausible sizes."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.sources.open5e.client import UpstreamError
from lorekeeper_mcp.sources.open5e.endpoints import Endpoint

_MAX_LOST_SHARE = 0.05  # of a list's stored records that may disappear at once
_MIN_SHARE, _MIN_ARCHIVE_SHARE = 0.5, 0.9  # of a list's known size that its first fetch must reach


class ListRefusedError(UpstreamError):
    """A list has shrunk too much to be plausible."""


def refuse_shrunk(
    endpoint: Endpoint, before: Iterable[str], seen: Iterable[str], unreadable: int, *, is_known: bool
) -> None:
    """Raise ListRefusedError if a whole list has lost too many records, or is too short for a first fetch.

    ``before`` are the stored ids, ``seen`` those now in the list; ``is_known`` if it has been fetched whole before. A
    single record may always disappear; an empty list is never accepted. Unreadable records do not count as lost.
    """
    stored_ids, listed_ids = set(before), set(seen)
    count = len(listed_ids) + unreadable
    lost = len(stored_ids - listed_ids) - unreadable
    if stored_ids and lost > max(1.0, _MAX_LOST_SHARE * len(stored_ids)):
        raise ListRefusedError(f"lists {count} records and no longer has {lost} of the stored ones")
    if not listed_ids or (not is_known and count < min_size(endpoint)):
        raise ListRefusedError(f"lists only {count} of about {endpoint.size} records")


def min_size(endpoint: Endpoint) -> float:
    """The number of records that the first fetch of a list must have."""
    return endpoint.size * (_MIN_ARCHIVE_SHARE if endpoint.is_archive else _MIN_SHARE)
