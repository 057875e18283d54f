"""FastMCP's client in both eras, over stdio: ``python fastmcp_client.py COMMAND ARGUMENT…``."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Literal

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def look(command: list[str], mode: Literal["auto", "legacy"]) -> None:
    """List and call, with our whole environment, since uv may need certificates or an index named there."""
    transport = StdioTransport(command[0], command[1:], env=dict(os.environ), keep_alive=False)
    async with Client(transport, mode=mode, init_timeout=300) as client:
        assert len(await client.list_tools()) >= 7
        found = await client.call_tool("search_spell", {"search": "Fireball", "limit": 1})
        assert found.structured_content is not None
        assert found.structured_content["results"][0]["name"] == "Fireball"


for era in ("auto", "legacy"):
    asyncio.run(look(sys.argv[1:], era))
print("OK both eras")
