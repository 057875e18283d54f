"""A relay's connection over real HTTP, to a host with tools of our own."""

from __future__ import annotations

import asyncio
import contextlib
import os

import pytest
from fastmcp import Client, Context, FastMCP

from lorekeeper_mcp.sharing.http_host import hosting
from lorekeeper_mcp.sharing.owner import OwnerCard, OwnerGoneError
from lorekeeper_mcp.sharing.owner_link import OwnerLink
from lorekeeper_mcp.tools.waiting_time import note_arrival, seconds_waited, waiting_time_meta

TOKEN = "a-token-for-the-tests-only"
LONG = 2.0  # seconds: several heartbeats


def card(port: int, token: str = TOKEN) -> OwnerCard:
    return OwnerCard(os.getpid(), port, token, "0", "a")


async def open_link(card: OwnerCard) -> OwnerLink:
    link = await OwnerLink.open(card)
    assert link is not None
    return link


async def test_progress_and_cancellation_reach_the_other_side() -> None:
    server = FastMCP("host")
    begun, cancelled = asyncio.Event(), asyncio.Event()

    @server.tool
    async def slow(ctx: Context) -> str:
        await ctx.report_progress(1, 2, "half")
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return ""

    reports: list[tuple[float, float | None, str | None]] = []

    async def note_progress(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    async with hosting(server, TOKEN) as port:
        link = await open_link(card(port))
        call = asyncio.create_task(
            link.ask(lambda owner: owner.call_tool_mcp("slow", {}, progress_handler=note_progress))
        )
        await begun.wait()
        while not reports:
            await asyncio.sleep(0.01)
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call
        async with asyncio.timeout(10):
            await cancelled.wait()
        assert reports == [(1, 2, "half")]
        await link.aclose()


async def test_long_answers_are_awaited_and_an_ended_owner_is_noticed() -> None:
    server = FastMCP("host")
    is_called = asyncio.Event()

    @server.tool
    async def wait(seconds: float) -> str:
        is_called.set()
        await asyncio.sleep(seconds)
        return "here"

    async with hosting(server, TOKEN) as port:
        link = await open_link(card(port))
        await link.check()
        result = await link.ask(lambda owner: owner.call_tool_mcp("wait", {"seconds": LONG}))
        assert result.content[0].text == "here"
        is_called.clear()
        call = asyncio.create_task(link.ask(lambda owner: owner.call_tool_mcp("wait", {"seconds": 60})))
        await is_called.wait()
    with pytest.raises(OwnerGoneError):
        await call
    with pytest.raises(OwnerGoneError):
        await link.check()
    await link.aclose()


async def test_a_wrong_token_is_refused() -> None:
    async with hosting(FastMCP("host"), TOKEN) as port:
        assert await OwnerLink.open(card(port, "another-token")) is None


async def test_a_retried_call_sends_its_waiting_time() -> None:
    owner, relay = FastMCP("owner"), FastMCP("relay")

    @owner.tool
    async def waited(ctx: Context) -> float:
        return seconds_waited(ctx)

    async with hosting(owner, TOKEN) as port:
        link = await open_link(card(port))

        @relay.tool
        async def ask_again(ctx: Context) -> str:
            note_arrival()
            await asyncio.sleep(0.5)
            meta = waiting_time_meta(ctx)
            result = await link.ask(lambda owner: owner.call_tool_mcp("waited", {}, meta=meta))
            return str(result.content[0].text)

        async with Client(relay) as client:
            assert float((await client.call_tool("ask_again")).data) >= 0.5
            assert (await link.ask(lambda owner: owner.call_tool_mcp("waited", {}))).content[0].text == "0.0"
        await link.aclose()
