from __future__ import annotations

from dataclasses import replace

import pytest

from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from lorekeeper_mcp.sync.ingest import ListRefusedError, refuse_shrunk

FEATS, PLANES = replace(BY_PATH["v2/feats"], size=91), replace(BY_PATH["v1/planes"], size=8)


def ids(count: int) -> list[str]:
    return [f"feat:{number}" for number in range(count)]


@pytest.mark.parametrize(
    ("stored", "listed", "unreadable", "is_known"),
    [
        (ids(0), ids(91), 0, False),
        (ids(0), ids(50), 0, False),  # the first list of a server that has fewer
        (ids(91), ids(91), 0, True),
        (ids(91), ids(87), 0, True),  # a few were withdrawn
        (ids(2), ids(1), 0, True),
        (ids(91), ids(60), 31, True),  # unreadable records are not lost
        (ids(3), ids(3), 0, True),  # as accepted by a user
    ],
)
def test_a_plausible_list_is_accepted(stored: list[str], listed: list[str], unreadable: int, is_known: bool) -> None:
    refuse_shrunk(FEATS, stored, listed, unreadable, is_known=is_known)


@pytest.mark.parametrize(
    ("stored", "listed", "unreadable", "is_known", "reason"),
    [
        (ids(0), ids(0), 0, False, "lists only 0 of about 91 records"),
        (ids(0), ids(1), 0, False, "lists only 1 of about 91 records"),
        (ids(0), ids(0), 1, True, "lists only 1 of about 91 records"),
        (ids(1), ids(0), 0, True, "lists only 0 of about 91 records"),
        (ids(91), ids(0), 0, True, "no longer has 91 of the stored ones"),
        (ids(91), ids(1), 0, True, "no longer has 90 of the stored ones"),
        (ids(91), ids(80), 3, True, "no longer has 8 of the stored ones"),
        (ids(91), [f"other:{number}" for number in range(91)], 0, True, "no longer has 91"),
    ],
)
def test_an_implausibly_small_list_is_refused(
    stored: list[str], listed: list[str], unreadable: int, is_known: bool, reason: str
) -> None:
    with pytest.raises(ListRefusedError, match=reason):
        refuse_shrunk(FEATS, stored, listed, unreadable, is_known=is_known)


def test_an_archive_is_accepted_only_if_nearly_complete() -> None:
    refuse_shrunk(PLANES, [], ids(8), 0, is_known=False)
    with pytest.raises(ListRefusedError):
        refuse_shrunk(PLANES, [], ids(6), 0, is_known=False)
