"""Tool calls of commands: sent to the owner of the store if there is one, otherwise to a server in this process."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.command_client import OwnerCard, OwnerGoneError, call_tool, living_owner
from lorekeeper_mcp.sources.json_values import mapping, objects
from lorekeeper_mcp.tools.user_errors import FAULT


@dataclass(frozen=True)
class ToolAnswer:
    """A tool's answer as text and as structured content, and the exit code: 1 if the tool failed, 2 if it refused."""

    text: str
    structured: Mapping[str, object]
    exit_code: int

    @property
    def failed(self) -> bool:
        """Whether the text is an error."""
        return self.exit_code > 0

    @property
    def results(self) -> list[Mapping[str, object]]:
        """Return the results of a search; none if it failed."""
        return objects(self.structured.get("results"))

    @property
    def licenses(self) -> dict[str, str]:
        """Return the licenses of the results' documents by key."""
        return {document["document_key"]: document.get("license", "") for document in self.documents}

    @property
    def documents(self) -> list[dict[str, str]]:
        """Return the documents of the results."""
        return [
            {name: str(value or "") for name, value in document.items()}
            for document in objects(self.structured.get("documents"))
        ]


Call = Callable[[str, Mapping[str, object]], Awaitable[ToolAnswer]]


@contextlib.asynccontextmanager
async def tool_caller(settings: Settings) -> AsyncIterator[Call]:
    """Yield a function that calls tools; arguments that are None are left out."""
    async with contextlib.AsyncExitStack() as stack:
        owner = living_owner(settings)
        own_call: Call | None = None

        async def call(tool: str, arguments: Mapping[str, object]) -> ToolAnswer:
            nonlocal owner, own_call
            given = {name: value for name, value in arguments.items() if value is not None}
            if owner is not None:
                try:
                    return await asyncio.to_thread(_call_owner, owner, tool, given)
                except OwnerGoneError:
                    owner = None
            if own_call is None:
                own_call = await stack.enter_async_context(_in_process(settings))
            return await own_call(tool, given)

        yield call


def _call_owner(owner: OwnerCard, tool: str, arguments: Mapping[str, object]) -> ToolAnswer:
    result = call_tool(owner, tool, arguments)
    texts = (str(block.get("text", "")) for block in objects(result.get("content")))
    code = _exit_code(mapping(result.get("_meta")), failed=result.get("isError") is True)
    return ToolAnswer("\n".join(texts), mapping(result.get("structuredContent")), code)


def _exit_code(meta: Mapping[str, object], *, failed: bool) -> int:
    """A wrong argument of the tool is a wrong option of the command."""
    if not failed:
        return 0
    return 1 if FAULT in meta else 2


@contextlib.asynccontextmanager
async def _in_process(settings: Settings) -> AsyncIterator[Call]:
    """Start a server and yield a function that calls its tools."""
    from fastmcp import Client  # noqa: PLC0415 - a second, only if there is no owner
    from rich.console import Console  # noqa: PLC0415

    from lorekeeper_mcp.server import make_server  # noqa: PLC0415

    with Console(stderr=True).status("Looking it up …") if sys.stderr.isatty() else contextlib.nullcontext():
        async with Client(make_server(settings, for_command=True)) as client:

            async def call(tool: str, arguments: Mapping[str, object]) -> ToolAnswer:
                answer = await client.call_tool(tool, dict(arguments), raise_on_error=False)
                text = "\n".join(getattr(block, "text", "") for block in answer.content)
                code = _exit_code(answer.meta or {}, failed=answer.is_error)
                return ToolAnswer(text, answer.structured_content or {}, code)

            yield call
