from __future__ import annotations

import datetime

import pytest

from lorekeeper_mcp.answer import CacheState
from lorekeeper_mcp.repository.completeness import coverage
from lorekeeper_mcp.sources.open5e.requests import Request, list_request
from lorekeeper_mcp.sync.fetch_ledger import FetchState, FetchStatus

SPELLS, FEATS, ARCHIVE = list_request("v2/spells"), list_request("v2/feats"), list_request("v1/magicitems")
YEAR_2020, YEAR_2026 = 1_577_880_000.0, 1_767_268_800.0
FRESH, STALE, PENDING, FAILED, OFFLINE = FetchState


def status(state: FetchState, request: Request = SPELLS, *, unreadable: int = 0, reason: str = "") -> FetchStatus:
    time = YEAR_2026 if state in (FRESH, STALE) else None
    return FetchStatus(request, state, time, reason, unreadable)


@pytest.mark.parametrize(
    ("statuses", "complete", "cache", "hint"),
    [
        ([], True, CacheState.FRESH, ""),
        ([status(FRESH)], True, CacheState.FRESH, ""),
        ([status(STALE)], True, CacheState.STALE, "is being refreshed"),
        ([status(STALE, reason="answered 500")], True, CacheState.STALE, "could not be refreshed"),
        ([status(FRESH), status(STALE, FEATS)], True, CacheState.STALE, "is being refreshed"),
        ([status(FRESH, unreadable=2)], False, CacheState.FRESH, "2 of Open5e's records could not be read"),
        ([status(STALE, unreadable=1)], False, CacheState.STALE, "1 of Open5e's records could not be read"),
        ([status(PENDING)], False, CacheState.PARTIAL, "still being fetched"),
        ([status(PENDING, reason="has not answered yet")], False, CacheState.OFFLINE, "Open5e has not answered yet"),
        ([status(FRESH), status(PENDING, FEATS)], False, CacheState.PARTIAL, "feats are still being fetched"),
        ([status(FAILED, reason="answered 500")], False, CacheState.OFFLINE, "Open5e answered 500"),
        ([status(FAILED, reason="answered 500"), status(PENDING, FEATS)], False, CacheState.PARTIAL, "ask again"),
        (
            [status(FRESH), status(FAILED, FEATS, reason="timed out")],
            False,
            CacheState.OFFLINE,
            "its feats are missing",
        ),
        ([status(OFFLINE)], False, CacheState.OFFLINE, "Offline"),
        ([status(OFFLINE), status(FRESH, FEATS)], False, CacheState.OFFLINE, "spells have not been fetched"),
    ],
)
def test_an_answer_is_complete_when_all_its_requests_were_answered(
    statuses: list[FetchStatus], complete: bool, cache: CacheState, hint: str
) -> None:
    covered = coverage(statuses)
    assert (covered.complete, covered.cache) == (complete, cache)
    assert hint in covered.hint
    assert bool(covered.hint) == bool(hint)


def test_an_answer_has_the_date_of_its_oldest_list_that_still_changes() -> None:
    archive = FetchStatus(ARCHIVE, FRESH, YEAR_2020)
    assert coverage([archive, status(FRESH)]).as_of == datetime.date(2026, 1, 1)
    assert coverage([archive]).as_of == datetime.date(2020, 1, 1)
