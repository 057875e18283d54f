"""The resources: their registration on a server, and their errors as sentences with the protocol's codes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from fastmcp import Context, FastMCP
from fastmcp.exceptions import McpError, NotFoundError
from fastmcp.prompts import PromptResult
from fastmcp.resources import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, GetPromptRequestParams, ReadResourceRequestParams

from lorekeeper_mcp.answer import Link, SpellLinks
from lorekeeper_mcp.models import Record
from lorekeeper_mcp.render.pages import corrections, record_page, source
from lorekeeper_mcp.render.parts import shorten
from lorekeeper_mcp.render.spell_links import LinkStyle, spell_lines
from lorekeeper_mcp.repository.lazy_repository import RepositoryUser
from lorekeeper_mcp.tools.answer_layout import MAXIMUM
from lorekeeper_mcp.tools.envelope import documents_text
from lorekeeper_mcp.tools.error_messages import did_you_mean
from lorekeeper_mcp.tools.mcp_tools import REPOSITORY_USER

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)
P = TypeVar("P", ReadResourceRequestParams, GetPromptRequestParams)
R = TypeVar("R")
RECORD = "lorekeeper://{kind}/{key}"
DOCUMENTS = "lorekeeper://documents"
_MARKDOWN = "text/markdown"


def register_resources(server: FastMCP) -> None:
    """Add the list of documents, and every record by its kind and key."""

    async def documents(ctx: Context) -> str:
        return documents_text(await _user(ctx).use(lambda repository: repository.documents()))

    async def record(kind: str, key: str, ctx: Context) -> str:
        return page(*await _linked_record(_user(ctx), kind, key))

    server.resource(
        DOCUMENTS,
        name="documents",
        title="Documents",
        description="The D&D 5e books and documents in the cache, with license, edition and contents.",
        mime_type=_MARKDOWN,
    )(documents)
    server.resource(
        RECORD,
        name="record",
        title="Rules entry",
        description="A spell, creature, item, class, feat, rule or other D&D 5e entry as a full page with source and "
        "license. kind is for example spell, creature, weapon, magic-item or condition; key is a key such as "
        "srd_fireball, or a name.",
        mime_type=_MARKDOWN,
    )(record)


def page(record: Record, links: SpellLinks = SpellLinks()) -> str:  # noqa: B008 - a frozen value
    """Return the record's full page with its links and source; very long ones are cut between paragraphs."""
    lines = [spell_lines(record, links, _MARKDOWN_LINKS), corrections(record), source(record)]
    footer = "\n\n".join(filter(None, lines))
    return f"{shorten(record_page(record), MAXIMUM.text - len(footer) - 2)}\n\n{footer}"


def _markdown_link(link: Link) -> str:
    return f"[{link.name}](lorekeeper://{link.kind}/{link.key})"


_MARKDOWN_LINKS = LinkStyle(_markdown_link, _markdown_link)


def _user(ctx: Context) -> RepositoryUser:
    user: RepositoryUser = ctx.lifespan_context[REPOSITORY_USER]
    return user


async def _linked_record(user: RepositoryUser, kind: str, key: str) -> tuple[Record, SpellLinks]:
    # The module imports numpy and the store, which must not delay the start of the server.
    from lorekeeper_mcp.resources.record_lookup import NoSuchRecordError, find_record  # noqa: PLC0415

    async def with_links(repository: Repository) -> tuple[Record, SpellLinks]:
        record = await find_record(repository, kind, key)
        return record, repository.links(record)

    try:
        return await user.use(with_links)
    except NoSuchRecordError as error:
        raise McpError(INVALID_PARAMS, str(error)[:600], {"uri": f"lorekeeper://{kind}/{key}"[:200]}) from None


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
