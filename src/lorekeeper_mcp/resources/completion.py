"""Completion of record URIs and prompt arguments (``completion/complete``)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fastmcp.server.dependencies import get_context
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from lorekeeper_mcp.repository.lazy_repository import RepositoryUser
from lorekeeper_mcp.resources.completion_candidates import MOST_VALUES, Wanted, candidates, of_address, of_prompt
from lorekeeper_mcp.resources.resource_registry import RECORD
from lorekeeper_mcp.tools.tool_registry import REPOSITORY

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)


async def complete(
    ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: CompletionContext | None
) -> Completion:
    """Return the values that complete an argument of a prompt or a URI."""
    given = (context.arguments if context else None) or {}
    wanted = _candidates_for(ref, argument.name, argument.value, given)
    if wanted is None:
        return Completion(values=[], total=0, has_more=False)
    found = candidates(wanted, ()) if wanted.values else await _among_entries(wanted)
    return Completion(values=found[:MOST_VALUES], total=len(found), has_more=len(found) > MOST_VALUES)


def _candidates_for(
    ref: PromptReference | ResourceTemplateReference, argument: str, typed: str, given: dict[str, str]
) -> Wanted | None:
    if isinstance(ref, PromptReference):
        return of_prompt(ref.name, argument, typed)
    return of_address(argument, typed, given) if ref.uri == RECORD else None


async def _among_entries(wanted: Wanted) -> list[str]:
    user: RepositoryUser = get_context().lifespan_context[REPOSITORY]

    async def listed(repository: Repository) -> list[str]:
        return candidates(wanted, repository.entries())

    try:
        return await user.use(listed)
    except Exception as error:  # noqa: BLE001 - boundary: the user cannot do anything about it
        log.error("Completion failed: %s: %s", type(error).__name__, str(error)[:300])  # noqa: TRY400 - one line
        return []
