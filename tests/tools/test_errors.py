from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

import pytest
from fastmcp import Client, FastMCP
from fastmcp.server.lifespan import lifespan

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.sources.srd import RecordsFileError
from lorekeeper_mcp.tools.mcp_tools import REPOSITORY_USER, from_result, register_tools
from lorekeeper_mcp.tools.tool_registry import answer_call

T = TypeVar("T")


class Broken:
    """A user of a repository that cannot be opened."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def use(self, work: Callable[[Repository], Awaitable[T]], families: Iterable[Family] = ()) -> T:
        raise self.error


async def test_an_internal_error_is_logged_and_its_cause_not_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        answer = await answer_call(Broken(RuntimeError("secret")), "search_spell", {})
    assert answer.error == "fault"
    assert "secret" not in answer.text and "secret" in caplog.text


async def test_a_broken_installation_gets_advice() -> None:
    advice = "The embedded rules cannot be read: reinstall lorekeeper-mcp."
    answer = await answer_call(Broken(RecordsFileError(advice)), "search_spell", {})
    assert (answer.error, answer.text) == ("fault", advice)


@pytest.mark.parametrize(("tool", "arguments"), [("search_spell", {"level": "quite high"}), ("search_spel", {})])
async def test_a_mistake_of_the_caller_is_told_from_a_fault(tool: str, arguments: dict[str, object]) -> None:
    @lifespan
    async def life(_: FastMCP) -> AsyncIterator[dict[str, Broken]]:
        yield {REPOSITORY_USER: Broken(RuntimeError())}

    server = FastMCP("broken", lifespan=life)
    register_tools(server, "both")
    async with Client(server) as client:
        called = await client.call_tool_mcp(tool, arguments)
        fault = await client.call_tool_mcp("search_spell", {})
    assert from_result(called) == await answer_call(Broken(RuntimeError()), tool, arguments)
    assert [from_result(called).error, from_result(fault).error] == ["mistake", "fault"]
