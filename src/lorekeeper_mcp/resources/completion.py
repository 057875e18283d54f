"""Completion of record URIs and prompt arguments (``completion/complete``): kinds, keys and names, prefixes first."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastmcp.server.dependencies import get_context
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.prompts.table_prompts import PROMPTS, Argument
from lorekeeper_mcp.repository.lazy_repository import RepositoryUser
from lorekeeper_mcp.resources.resource_registry import RECORD
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold
from lorekeeper_mcp.tools.tool_registry import REPOSITORY_USER

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)
MAX_VALUES = 100  # the protocol's limit per response


@dataclass(frozen=True)
class CompletedArgument:
    """An argument being completed: its value so far, and the kinds of entries whose names or keys may complete it.

    ``before`` is the text in front of the completed part. If there are ``values``, they complete it instead of entries.
    """

    typed: str
    kinds: frozenset[Kind] = frozenset()
    keys: bool = False
    values: tuple[str, ...] = ()
    before: str = ""


def uri_part(argument: str, typed: str, other_parts: Mapping[str, str]) -> CompletedArgument | None:
    """Return what may complete a part of a record's URI: kinds, or keys of the given kind."""
    if argument == "kind":
        return CompletedArgument(typed, values=tuple(sorted(Kind)))
    if argument != "key":
        return None
    kind = other_parts.get("kind", "").strip().lower()
    if kind and kind not in set(Kind):
        return None
    return CompletedArgument(typed, frozenset({Kind(kind)} if kind else Kind), keys=True)


def prompt_argument(prompt_name: str, argument_name: str, typed: str) -> CompletedArgument | None:
    """Return what may complete a prompt's argument; None if nothing does."""
    for prompt in PROMPTS:
        for argument in prompt.arguments:
            if (prompt.name, argument.name) == (prompt_name, argument_name):
                return _completed(argument, typed)
    return None


def _completed(argument: Argument, typed: str) -> CompletedArgument | None:
    if argument.values:
        return CompletedArgument(typed, values=argument.values)
    if not argument.names:
        return None
    head, comma, tail = typed.rpartition(",") if argument.several else ("", "", typed)
    return CompletedArgument(tail, argument.names, before=f"{head}{comma} " if comma else "")


def candidates(completed: CompletedArgument, entries: Iterable[Entry]) -> list[str]:
    """Return all values that match the typed text, best first. Names with fewer words come before longer ones."""
    if completed.values:
        return [value for value in completed.values if value.startswith(completed.typed.strip().lower())]
    typed = fold(completed.typed)
    ranked = sorted(
        (rank, entry.folded.count(" "), entry.folded, SRD_ORDER.get(entry.document_key, 2), entry.key, entry.name)
        for entry in entries
        if entry.kind in completed.kinds and (rank := _match_rank(entry, typed, keys=completed.keys)) is not None
    )
    values = [key if completed.keys else name for *_, key, name in ranked]
    return [f"{completed.before}{value}" for value in dict.fromkeys(values)]


def _match_rank(entry: Entry, typed: str, *, keys: bool) -> int | None:
    """Return 0 if the name has the prefix, 1 if the key has, 2 if a later word of the name has; None otherwise."""
    if entry.folded.startswith(typed):
        return 0
    if keys and fold(entry.key).startswith(typed):
        return 1
    return 2 if f" {typed}" in entry.folded else None


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
