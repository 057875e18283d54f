"""The Python ``mcp`` package of either major version, over stdio: ``python python_client.py COMMAND``."""

from __future__ import annotations

import asyncio
import importlib.metadata
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def look(command: str) -> None:
    """List, call, get an error sentence, call again."""
    server = StdioServerParameters(command=command, args=[])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        assert len((await session.list_tools()).tools) >= 7
        found = await session.call_tool("search_spell", {"search": "Fireball", "limit": 1})
        assert "8d6" in found.content[0].text
        refused = await session.call_tool("search_spell", {"level": 99})
        assert len(refused.content[0].text) <= 600
        again = await session.call_tool("search_creature", {"search": "Goblin", "limit": 1})
        assert "Goblin" in again.content[0].text


asyncio.run(look(sys.argv[1]))
print("OK mcp", importlib.metadata.version("mcp"))
