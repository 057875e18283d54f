from __future__ import annotations

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError

from lorekeeper_mcp.sources.srd import RecordsFileError
from lorekeeper_mcp.tools.error_messages import FAULT
from lorekeeper_mcp.tools.tool_error_middleware import ToolErrorMiddleware


async def test_a_broken_installation_gets_advice() -> None:
    server = FastMCP("broken", mask_error_details=True, middleware=[ToolErrorMiddleware({})])

    @server.tool
    def ask() -> str:
        raise RecordsFileError("The embedded rules cannot be read: reinstall lorekeeper-mcp.")

    async with Client(server) as client:
        with pytest.raises(ToolError, match=r"^The embedded rules cannot be read: reinstall lorekeeper-mcp\.$"):
            await client.call_tool("ask")


async def test_an_error_of_the_caller_is_told_from_a_fault() -> None:
    server = FastMCP("own", mask_error_details=True, middleware=[ToolErrorMiddleware({})])

    @server.tool
    def ask(number: int) -> str:
        raise RuntimeError(str(number))

    async with Client(server) as client:
        fault = await client.call_tool("ask", {"number": 1}, raise_on_error=False)
        refused = await client.call_tool("ask", {"number": "one"}, raise_on_error=False)
    assert fault.is_error
    assert FAULT in (fault.meta or {})
    assert refused.is_error
    assert FAULT not in (refused.meta or {})
