"""Open5e in trouble: within ten seconds an answer from stored data, or a sentence, and nothing wrong is stored."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.end_to_end.clients import ERAS, ask, in_process, names, over_stdio, until_complete
from tests.replay import Replay
from tests.served_open5e import load

MODES = [
    "500",
    "503",
    "429",
    "html",
    "truncated",
    "drop",
    "slow",
    "malformed",
    "wrongshape",
    "empty",
    "shrunk",
    "gone",
    "nextself",
    "nextelsewhere",
    "oddrecords",
]
_EACH_RUN = ("500", "truncated", "shrunk", "oddrecords")  # no answer, a broken one, a short one, records of odd shape
EVERY_MODE = [pytest.param(mode, marks=() if mode in _EACH_RUN else pytest.mark.chaos) for mode in MODES]


@pytest.mark.chaos
@pytest.mark.parametrize("mode", ["500", "drop", "slow"])
async def test_the_real_command_answers_through_a_fault_in_both_eras(mode: str, replay: Replay, own: Path) -> None:
    replay.fault(mode, seconds=15)
    for era in ERAS:
        async with over_stdio(own, replay.url, era) as client:
            answer = await ask(client, "search_creature", search="Owlbear")
            assert names(answer)[0] == "Owlbear"
            assert answer["complete"] is False


async def test_a_silent_upstream_is_waited_for_once(replay: Replay, own: Path) -> None:
    replay.fault("slow", seconds=30)
    async with in_process(own, replay.url) as client:
        await ask(client, "search_spell", search="a ray of frost", documents=["srd-2014", "toh"])
        began = time.monotonic()
        answers = [
            await ask(client, "search_spell", documents=["Deep Magic"]),
            await ask(client, "search_creature", cr=5, documents=["srd-2014"]),
            await ask(client, "search_equipment", search="potion of healing"),
        ]
        assert time.monotonic() - began < 7, "not as long again for each list"
    unknown, *others = answers
    assert 'Whether Open5e has "Deep Magic" is not known' in unknown["hint"]
    assert all(answer["results"] for answer in others)
    for answer in answers:
        assert (answer["complete"], answer["cache"]) == (False, "offline")
        assert "Open5e has not answered yet" in answer["hint"]
        assert "still being fetched" not in answer["hint"], "nothing arrives"


async def test_after_a_fault_has_passed_the_answer_is_complete(replay: Replay, own: Path) -> None:
    replay.fault("500", times=3)
    async with in_process(own, replay.url, error_cache_ttl_seconds=0) as client:
        first = await ask(client, "search_spell", level=9, school="evocation")
        assert first["complete"] is False
        answer = await until_complete(client, "search_spell", level=9, school="evocation", limit=50)
    expected = {r["name"] for r in load("v2/spells") if r["level"] == 9 and r["school"]["key"] == "evocation"}
    assert {r["name"] for r in answer["results"] if r["document_source"] != "srd"} == expected


async def test_a_single_failed_page_is_retried(replay: Replay, own: Path) -> None:
    replay.fault("503", path="/v2/spells", times=1)
    async with in_process(own, replay.url) as client:
        answer = await until_complete(client, "search_spell", limit=1, documents=["deepm"])
    assert answer["total"] == sum(r["document"]["key"] == "deepm" for r in load("v2/spells"))


async def test_a_failed_request_is_not_repeated_at_once(replay: Replay, own: Path) -> None:
    replay.fault("500")
    async with in_process(own, replay.url) as client:
        await ask(client, "search_creature", cr=5)
        failed = requests_that_failed(replay)
        await ask(client, "search_creature", cr=5)
    assert requests_that_failed(replay) == failed > 0


def requests_that_failed(replay: Replay) -> int:
    """The number of failed requests; slow ones of an earlier test may still be in progress."""
    return sum(entry["status"] == 500 for entry in replay.log())


async def test_stored_data_is_served_when_open5e_is_down(replay: Replay, own: Path) -> None:
    async with in_process(own, replay.url) as client:
        before = await until_complete(client, "search_spell", level=9, school="evocation")
    async with in_process(own) as client:
        after = await ask(client, "search_spell", level=9, school="evocation")
    assert after == before
    assert after["complete"] is True


async def test_stale_data_is_served_and_marked_when_open5e_is_down(replay: Replay, own: Path) -> None:
    async with in_process(own, replay.url) as client:
        before = await until_complete(client, "search_spell", level=9, school="evocation")
    async with in_process(own, cache_ttl_days=1e-9) as client:
        after = await ask(client, "search_spell", level=9, school="evocation")
    assert after["results"] == before["results"]
    assert after["cache"] == "stale"
