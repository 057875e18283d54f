"""The seven tools on an MCP server."""

from __future__ import annotations

from urllib.parse import quote

from fastmcp import FastMCP
from fastmcp.exceptions import NotFoundError
from fastmcp.server.dependencies import get_context
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool as ServerTool
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams, CallToolResult, Icon, Tool, ToolAnnotations
from pydantic import JsonValue

from lorekeeper_mcp.cards import CARD_META
from lorekeeper_mcp.repository.lazy_repository import RepositoryUser
from lorekeeper_mcp.settings import Output
from lorekeeper_mcp.tools.envelope import ToolAnswer
from lorekeeper_mcp.tools.tool_registry import answer_call, error_answer, tools
from lorekeeper_mcp.tools.waiting_time import seconds_waited

REPOSITORY_USER = "repository_user"  # the key in the lifespan's context
_FAULT = "lorekeeper/fault"  # in the ``_meta`` of an error that the caller cannot fix
_READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
_DIE = (  # like the server's icon, and short, since each of the seven tools lists it
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0,0,9,9'>"
    "<path fill='red' d='M4.5,0L8,2v5L4.5,9,1,7V2zm0,2L2,6h5z'/></svg>"
)
_ICON = Icon(src="data:image/svg+xml," + quote(_DIE, safe="/:=',"))


class _Tool(ServerTool):
    """A tool whose listing omits FastMCP's metadata, which clients do not need but pay for in tokens."""

    output: Output

    def to_mcp_tool(self, **overrides: object) -> Tool:
        return super().to_mcp_tool(_meta=self.meta, **overrides)

    async def run(self, arguments: dict[str, JsonValue]) -> ToolResult:
        context = get_context()
        user: RepositoryUser = context.lifespan_context[REPOSITORY_USER]
        return to_result(await answer_call(user, self.name, arguments, seconds_waited(context)), self.output)


def register_tools(server: FastMCP, output: Output, *, declare: bool = True, cards: bool = False) -> None:
    """Add every tool. The answers have the channels of ``output``.

    With ``declare``, the schema of structured content is listed; a client may then validate every answer. With
    ``cards``, the search tools name the page that draws their answers.
    """
    for tool in tools().values():
        server.add_tool(
            _Tool(
                name=tool.name,
                title=tool.title,
                description=tool.description,
                parameters=tool.parameters,
                output_schema=tool.schema if declare and output != "text" else None,
                annotations=_READ_ONLY,
                icons=[_ICON],
                meta=CARD_META if cards and tool.name != "list_documents" else None,
                output=output,
            )
        )
    server.add_middleware(_ErrorMiddleware())


class _ErrorMiddleware(Middleware):
    """Answers a call of no tool, and one that failed outside of the tools, with a sentence."""

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        """Run the call."""
        name = context.message.name
        try:
            return await call_next(context)
        except NotFoundError:
            return to_result(await answer_call(get_context().lifespan_context[REPOSITORY_USER], name, {}))
        except Exception as error:  # noqa: BLE001 - the boundary: any internal error becomes a sentence
            return to_result(error_answer(name, error))


def to_result(answer: ToolAnswer, output: Output = "both") -> ToolResult:
    """Return an answer in the form of the protocol."""
    if answer.error:
        meta = {_FAULT: True} if answer.error == "fault" else None
        return ToolResult(content=answer.text, meta=meta, is_error=True)
    answer = answer.selected(output)
    return ToolResult(content=answer.text, structured_content=answer.structured)


def from_result(result: CallToolResult) -> ToolAnswer:
    """Return the answer that another process of ours has given."""
    text = "\n".join(getattr(block, "text", "") for block in result.content)
    if result.is_error:
        return ToolAnswer(text, error="fault" if _FAULT in (result.meta or {}) else "mistake")
    return ToolAnswer(text, result.structured_content)
