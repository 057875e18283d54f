"""Turns errors into sentences: what was wrong, what is allowed, what to call instead. Hides internals."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import pydantic
from fastmcp.exceptions import NotFoundError, ToolError, ValidationError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams

from lorekeeper_mcp.repository.turns import BusyError
from lorekeeper_mcp.sources.srd import RecordsFileError
from lorekeeper_mcp.store.errors import StoreUnavailableError
from lorekeeper_mcp.tools.arguments import given
from lorekeeper_mcp.tools.error_messages import (
    FAULT,
    MAX_MESSAGE,
    Properties,
    did_you_mean,
    explain,
    refuse_bools_for_numbers,
    user_error,
)

log = logging.getLogger(__name__)


class ToolErrorMiddleware(Middleware):
    """Turns every error of a call into a sentence within the error budget. ``tools`` has the arguments of each tool."""

    def __init__(self, tools: Mapping[str, Properties]) -> None:
        self._tools = tools

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        """Run the call. An error of the caller becomes a ToolError, any other a result with the mark of a fault."""
        name, arguments = context.message.name, given(context.message.arguments or {})
        properties = self._tools.get(name, {})
        if sentence := refuse_bools_for_numbers(arguments, properties):
            raise user_error(sentence)
        try:
            return await call_next(context.copy(message=context.message.model_copy(update={"arguments": arguments})))
        except ToolError as error:
            if isinstance(error.__cause__, Exception):  # FastMCP has masked an internal error
                return self._fault(name, error.__cause__)
            raise
        except (ValidationError, pydantic.ValidationError) as error:
            cause = error if isinstance(error, pydantic.ValidationError) else error.__cause__
            if isinstance(cause, pydantic.ValidationError):
                raise user_error(explain(name, cause, arguments, properties)) from None
            raise user_error("The arguments could not be read; pass them as one JSON object.") from None
        except NotFoundError:
            advice = did_you_mean(name, self._tools) or f"the tools are {', '.join(self._tools)}."
            raise user_error(f'There is no tool "{name[:60]}"; {advice}') from None
        except Exception as error:  # noqa: BLE001 - the boundary: any internal error becomes a sentence
            return self._fault(name, error)

    @staticmethod
    def _fault(name: str, error: Exception) -> ToolResult:
        """An internal error: its cause is logged, and the caller gets a sentence without it."""
        if isinstance(error, BusyError):
            raise user_error(str(error)) from None
        log.error("%s failed: %s: %s", name, type(error).__name__, str(error)[:300])
        sentence = (
            f"{name} could not answer because of an internal error, which was logged. "
            "Other questions still work: try again, or ask a narrower question."
        )
        if isinstance(error, RecordsFileError | StoreUnavailableError):  # their messages are for users
            sentence = str(error)[:MAX_MESSAGE]
        return ToolResult(content=sentence, meta={FAULT: True}, is_error=True)
