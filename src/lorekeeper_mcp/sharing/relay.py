"""Relays tool calls, resources and completions, which need the store, to the owner.

Lists, prompts and initialization are the same in every process of one version and need no store, so each process
answers them itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fastmcp.resources import ResourceContent, ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp.types import (
    CallToolRequestParams,
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ReadResourceRequestParams,
    ResourceTemplateReference,
    TextResourceContents,
)

from lorekeeper_mcp.cards import CARD
from lorekeeper_mcp.resources.completion import complete
from lorekeeper_mcp.settings import Output
from lorekeeper_mcp.sharing.store_member import StoreMember
from lorekeeper_mcp.tools.mcp_tools import from_result, to_result
from lorekeeper_mcp.tools.waiting_time import note_arrival, waiting_time_meta

if TYPE_CHECKING:
    from fastmcp import Client
    from fastmcp.client.transports import StreamableHttpTransport

Owner: TypeAlias = "Client[StreamableHttpTransport]"


class RelayMiddleware(Middleware):
    """Passes calls to the owner, unless this process is the owner."""

    def __init__(self, member: StoreMember, output: Output) -> None:
        """``output`` is the form of an answer that this process's client wants."""
        self._member = member
        self._output = output

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        """Call the tool in this process, or through the owner."""
        name, arguments = context.message.name, dict(context.message.arguments or {})
        call = context.fastmcp_context
        assert call is not None  # FastMCP gives one to every call
        note_arrival()

        async def via_owner(owner: Owner) -> ToolResult:
            meta = waiting_time_meta(call)
            answer = await owner.call_tool_mcp(name, arguments, progress_handler=call.report_progress, meta=meta)
            return to_result(from_result(answer), self._output)

        return await self._member.answer(lambda: call_next(context), via_owner)

    async def on_read_resource(
        self,
        context: MiddlewareContext[ReadResourceRequestParams],
        call_next: CallNext[ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        """Read the resource in this process, or through the owner; the card is the same in every process."""
        if str(context.message.uri) == CARD:
            return await call_next(context)

        async def via_owner(owner: Owner) -> ResourceResult:
            contents = await owner.read_resource(str(context.message.uri))
            texts = [content for content in contents if isinstance(content, TextResourceContents)]
            return ResourceResult([ResourceContent(text.text, mime_type=text.mime_type) for text in texts])

        return await self._member.answer(lambda: call_next(context), via_owner)

    async def complete(
        self,
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion:
        """Complete an argument in this process, or through the owner."""
        typed, others = {"name": argument.name, "value": argument.value}, context.arguments if context else None
        return await self._member.answer(
            lambda: complete(ref, argument, context), lambda owner: owner.complete(ref, typed, others)
        )
