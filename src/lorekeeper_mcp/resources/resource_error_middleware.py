"""Turns errors of resources and prompts into sentences, with the protocol's error codes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TypeVar

from fastmcp.exceptions import McpError, NotFoundError
from fastmcp.prompts import PromptResult
from fastmcp.resources import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, GetPromptRequestParams, ReadResourceRequestParams

from lorekeeper_mcp.resources.resource_registry import DOCUMENTS, RECORD
from lorekeeper_mcp.tools.validation_messages import did_you_mean

log = logging.getLogger(__name__)
P = TypeVar("P", ReadResourceRequestParams, GetPromptRequestParams)
R = TypeVar("R")


class ResourceErrorMiddleware(Middleware):
    """Turns unknown URIs and prompts into helpful errors and hides internals."""

    def __init__(self, prompts: Sequence[str]) -> None:
        self._prompts = prompts

    async def on_read_resource(
        self,
        context: MiddlewareContext[ReadResourceRequestParams],
        call_next: CallNext[ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        """Read a resource; errors become a sentence with the URI in their data."""
        uri = str(context.message.uri)[:200]
        missing = (
            f'There is no resource "{uri}": the resources are {DOCUMENTS} and {RECORD}, '
            "such as lorekeeper://spell/srd_fireball."
        )
        return await _as_sentence(context, call_next, missing, uri)

    async def on_get_prompt(
        self,
        context: MiddlewareContext[GetPromptRequestParams],
        call_next: CallNext[GetPromptRequestParams, PromptResult],
    ) -> PromptResult:
        """Render a prompt; errors become a sentence."""
        name = context.message.name[:60]
        advice = did_you_mean(name, self._prompts) or f"the prompts are {', '.join(self._prompts)}."
        return await _as_sentence(context, call_next, f'There is no prompt "{name}"; {advice}', name)


async def _as_sentence(context: MiddlewareContext[P], call_next: CallNext[P, R], missing: str, what: str) -> R:
    try:
        return await call_next(context)
    except McpError:
        raise
    except NotFoundError:
        raise McpError(INVALID_PARAMS, missing, {"uri": what} if "://" in what else None) from None
    except Exception as error:  # noqa: BLE001 - boundary: internal errors become a sentence
        cause = error.__cause__ or error
        log.error("%s failed: %s: %s", what, type(cause).__name__, str(cause)[:300])  # noqa: TRY400 - one line
        raise McpError(
            INTERNAL_ERROR, "The server failed to answer this because of an internal error, which was logged."
        ) from None
