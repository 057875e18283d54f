from __future__ import annotations

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError

from lorekeeper_mcp.sources.srd import RecordsFileError
from lorekeeper_mcp.tools.tool_error_middleware import ToolErrorMiddleware


async def test_a_broken_installation_gets_advice() -> None:
    server = FastMCP("broken", mask_error_details=True, middleware=[ToolErrorMiddleware({})])

    @server.tool
    def ask() -> str:
        raise RecordsFileError("The embedded rules cannot be read: reinstall lorekeeper-mcp.")

    async with Client(server) as client:
        with pytest.raises(ToolError, match=r"^The embedded rules cannot be read: reinstall lorekeeper-mcp\.$"):
            await client.call_tool("ask")
