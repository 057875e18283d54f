"""Completion of record URIs and prompt arguments (``completion/complete``)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fastmcp.server.dependencies import get_context
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from lorekeeper_mcp.repository.lazy_repository import RepositoryUser
from lorekeeper_mcp.resources.completion_candidates import (
    MAX_VALUES,
    CompletedArgument,
    candidates,
    prompt_argument,
    uri_part,
)
from lorekeeper_mcp.resources.resource_registry import RECORD
from lorekeeper_mcp.tools.tool_registry import REPOSITORY_USER

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)


async def complete(
    ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: CompletionContext | None
) -> Completion:
    """Return the values that complete an argument of a prompt or a URI."""
    completed = None
    if isinstance(ref, PromptReference):
        completed = prompt_argument(ref.name, argument.name, argument.value)
    elif ref.uri == RECORD:
        completed = uri_part(argument.name, argument.value, (context.arguments if context else None) or {})
    values = await _values(completed) if completed else []
    return Completion(values=values[:MAX_VALUES], total=len(values), has_more=len(values) > MAX_VALUES)


async def _values(completed: CompletedArgument) -> list[str]:
    if completed.values:
        return candidates(completed, ())
    user: RepositoryUser = get_context().lifespan_context[REPOSITORY_USER]

    async def complete_from_entries(repository: Repository) -> list[str]:
        return candidates(completed, repository.entries())

    try:
        return await user.use(complete_from_entries)
    except Exception as error:  # noqa: BLE001 - boundary: the user cannot do anything about it
        log.error("Completion failed: %s: %s", type(error).__name__, str(error)[:300])  # noqa: TRY400 - one line
        return []
