"""Completion of record URIs and prompt arguments (``completion/complete``): kinds, keys and names, prefixes first."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from fastmcp.server.dependencies import get_context
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.prompts.prompt_registry import PROMPTS
from lorekeeper_mcp.repository.lazy_repository import RepositoryUser
from lorekeeper_mcp.resources.resource_registry import RECORD
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold
from lorekeeper_mcp.tools.mcp_tools import REPOSITORY_USER

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)
MAX_VALUES = 100  # the protocol's limit per response


async def complete(
    ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: CompletionContext | None
) -> Completion:
    """Return the values that complete an argument of a prompt or a part of a record's URI."""
    values: list[str] = []
    if isinstance(ref, PromptReference):
        values = await _prompt_values(ref.name, argument)
    elif ref.uri == RECORD and argument.name == "kind":
        values = _with_prefix(sorted(Kind), argument.value)
    elif ref.uri == RECORD and argument.name == "key":
        kind = ((context.arguments if context else None) or {}).get("kind", "").strip().lower()
        kinds = [one for one in Kind if kind in ("", one)]
        values = await _entry_values(kinds, argument.value, keys=True) if kinds else []
    return Completion(values=values[:MAX_VALUES], total=len(values), has_more=len(values) > MAX_VALUES)


async def _prompt_values(prompt_name: str, given: CompletionArgument) -> list[str]:
    """The allowed values of a prompt's argument, or names of entries; in a list, its last part is completed."""
    for prompt in PROMPTS:
        for argument in prompt.arguments:
            if (prompt.name, argument.name) != (prompt_name, given.name):
                continue
            if argument.values or not argument.names:
                return _with_prefix(argument.values, given.value)
            head, comma, typed = given.value.rpartition(",") if argument.several else ("", "", given.value)
            return [f"{head}{comma} {name}" if comma else name for name in await _entry_values(argument.names, typed)]
    return []


def _with_prefix(values: Iterable[str], typed: str) -> list[str]:
    return [str(value) for value in values if value.startswith(typed.strip().lower())]


async def _entry_values(kinds: Collection[Kind], typed: str, *, keys: bool = False) -> list[str]:
    """The names of entries that match a text, or their ``keys``; none if the store cannot answer."""
    user: RepositoryUser = get_context().lifespan_context[REPOSITORY_USER]

    async def complete_from_entries(repository: Repository) -> list[str]:
        return matching(repository.entries(), kinds, typed, keys=keys)

    try:
        return await user.use(complete_from_entries)
    except Exception as error:  # noqa: BLE001 - boundary: the user cannot do anything about it
        log.error("Completion failed: %s: %s", type(error).__name__, str(error)[:300])  # noqa: TRY400 - one line
        return []


def matching(entries: Iterable[Entry], kinds: Collection[Kind], typed: str, *, keys: bool) -> list[str]:
    """The names, or ``keys``, that match a text, best first. Names with fewer words come before longer ones."""
    folded = fold(typed)

    def rank(entry: Entry) -> int | None:
        """0 if the name has the prefix, 1 if the key has, 2 if a later word of the name has; None otherwise."""
        if entry.folded.startswith(folded):
            return 0
        if keys and fold(entry.key).startswith(folded):
            return 1
        return 2 if f" {folded}" in entry.folded else None

    ranked = sorted(
        (order, entry.folded.count(" "), entry.folded, SRD_ORDER.get(entry.document_key, 2), entry.key, entry.name)
        for entry in entries
        if entry.kind in kinds and (order := rank(entry)) is not None
    )
    return list(dict.fromkeys(key if keys else name for *_, key, name in ranked))
