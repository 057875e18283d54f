"""Concurrent calls, and cancelled calls, over stdio in both eras."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.end_to_end.clients import Era, ask, over_stdio

GUARD = 30  # seconds; a limit for what has to happen at once


class Silent:
    """An upstream that accepts requests and never answers; it counts dropped connections."""

    def __init__(self) -> None:
        self.open = 0
        self.is_called = asyncio.Event()
        self.changed = asyncio.Condition()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.open += 1
        self.is_called.set()
        await reader.read()
        writer.close()
        async with self.changed:
            self.open -= 1
            self.changed.notify_all()

    async def all_dropped(self) -> None:
        async with self.changed, asyncio.timeout(GUARD):
            await self.changed.wait_for(lambda: self.open == 0)


@contextlib.asynccontextmanager
async def silent() -> AsyncIterator[tuple[Silent, str]]:
    upstream = Silent()
    server = await asyncio.start_server(upstream.accept, "127.0.0.1", 0)
    async with server:
        yield upstream, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.chaos)])
async def test_a_cancelled_call_cancels_its_request_and_the_next_is_answered(mode: Era, own: Path) -> None:
    async with silent() as (upstream, url), over_stdio(own, url, mode) as client:
        await ask(client, "list_documents")
        # Of 2024 version 1 completes nothing, so nothing is fetched behind the answer.
        slow = asyncio.create_task(ask(client, "search_spell", level=9, school="evocation", edition="2024"))
        await asyncio.wait_for(upstream.is_called.wait(), GUARD)
        slow.cancel()
        await upstream.all_dropped()
        assert (await ask(client, "list_documents"))["documents"]


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.chaos)])
async def test_parallel_calls_are_answered_and_cancelling_one_cancels_no_other(mode: Era, own: Path) -> None:
    async with silent() as (upstream, url), over_stdio(own, url, mode) as client:
        await ask(client, "list_documents")
        first = asyncio.create_task(ask(client, "search_spell", level=9, school="evocation"))
        await asyncio.wait_for(upstream.is_called.wait(), GUARD)
        second = asyncio.create_task(ask(client, "search_spell", level=9, school="evocation"))
        await asyncio.gather(*(ask(client, "list_documents") for _ in range(5)))
        assert not first.done()
        first.cancel()
        answer = await second
        assert answer["complete"] is False
        assert answer["results"]
        assert upstream.open > 0


async def test_calls_that_come_together_end_in_their_order_or_are_told_to_come_again(seeded: Path) -> None:
    ended: list[tuple[int, float, str]] = []
    async with over_stdio(seeded, "http://127.0.0.1:9", LOREKEEPER_OFFLINE="true") as client:
        await ask(client, "search_rule", search="how does falling work")

        async def call(number: int) -> None:
            search = f"what happens to {number} goblins in the dark"
            answer = await client.call_tool("search_all", {"query": search}, raise_on_error=False)
            ended.append((number, time.monotonic() - began, answer.content[0].text if answer.is_error else ""))

        began = time.monotonic()
        await asyncio.gather(*map(call, range(200)))
    answered = [number for number, _, error in ended if not error]
    assert len(answered) > 2
    assert max(abs(place - sorted(answered).index(number)) for place, number in enumerate(answered)) < 9, answered
    assert all(error.startswith("busy: ") for _, _, error in ended if error)
    assert max(seconds for _, seconds, _ in ended) < GUARD
