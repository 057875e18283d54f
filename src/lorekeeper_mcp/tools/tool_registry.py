"""Registers the seven tools on a server."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from fastmcp import Context, FastMCP
from fastmcp.tools import FunctionTool, ToolResult
from mcp.types import Tool, ToolAnnotations
from pydantic import Field

from lorekeeper_mcp.answer import Answer
from lorekeeper_mcp.cards import CARD_META
from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.filters.argument_types import Alternatives, choice
from lorekeeper_mcp.models import Edition, Family, Kind, Source
from lorekeeper_mcp.query import MAX_SEARCH, Query
from lorekeeper_mcp.repository.deadline import counted_from_now
from lorekeeper_mcp.repository.lazy_repository import RepositoryUser
from lorekeeper_mcp.search.question import extract_edition
from lorekeeper_mcp.settings import Output
from lorekeeper_mcp.tools import content_types
from lorekeeper_mcp.tools.answer_layout import AnswerOptions
from lorekeeper_mcp.tools.arguments import (
    DefaultLimit,
    SearchText,
    active_filters,
    filter_parameters,
    optional,
    parameter,
    search_parameter,
    signature,
    sort_parameter,
)
from lorekeeper_mcp.tools.envelope import (
    DOCUMENTS_SCHEMA,
    SEARCH_SCHEMA,
    Schema,
    decode_cursor,
    documents_result,
    question_hash,
    result,
    select_channels,
)
from lorekeeper_mcp.tools.error_messages import Properties, user_error
from lorekeeper_mcp.tools.kind_tools import ENGLISH, KIND_TOOLS, KindTool
from lorekeeper_mcp.tools.waiting_time import seconds_waited

if TYPE_CHECKING:  # importing it takes half a second, too long before the first reply
    from lorekeeper_mcp.repository.repository import Repository

REPOSITORY_USER = "repository_user"  # the key in the lifespan's context
_READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_PASSAGE_RESULTS = 12  # results with passages in the answer to a question whose caller set no limit
_NO_DOCUMENTS = "documents is empty, which selects nothing; omit it to search all."
Work: TypeAlias = "Callable[[Repository, Mapping[str, object]], Awaitable[ToolResult]]"


@dataclasses.dataclass(frozen=True)
class _ToolSpec:
    """A tool for clients, the schema of its structured answers, and the function that runs it."""

    name: str
    title: str
    description: str
    work: Work
    shape: inspect.Signature
    schema: Schema
    families: tuple[Family, ...] = ()  # those that it searches, if not all


class _ListedTool(FunctionTool):
    """A tool whose listing omits FastMCP's metadata, which clients do not need but pay for in tokens."""

    def to_mcp_tool(self, **overrides: object) -> Tool:
        return super().to_mcp_tool(_meta=self.meta, **overrides)


def register_tools(
    server: FastMCP, output: Output, *, declare: bool = True, cards: bool = False
) -> dict[str, Properties]:
    """Add every tool, and return each tool's arguments with their schemas, for error messages.

    With ``declare``, the schema of structured content is listed; a client may then validate every answer. With
    ``cards``, the search tools name the page that draws their answers.
    """
    tools = _make_tools("both" if output == "auto" else output)
    for tool in tools:
        if cards and tool.name != "list_documents":
            tool = tool.model_copy(update={"meta": CARD_META})  # noqa: PLW2901 - the same tool with its page
        server.add_tool(tool if declare and output != "text" else tool.model_copy(update={"output_schema": None}))
    return {tool.name: tool.parameters["properties"] for tool in tools}


@functools.cache  # an owner has two servers, and parsing the arguments takes most of the time to create one
def _make_tools(output: Output) -> tuple[FunctionTool, ...]:
    return tuple(_make_tool(tool, output) for tool in _tool_specs())


def _tool_specs() -> Iterator[_ToolSpec]:
    for tool in KIND_TOOLS:
        parameters = [
            search_parameter(tool.examples),
            *tool.selector_parameters(),
            *filter_parameters(FILTERS[tool.family]),
            sort_parameter(tool.sorts),
        ]
        yield _ToolSpec(
            tool.name,
            tool.title,
            tool.description,
            _kind_tool(tool),
            signature(parameters),
            SEARCH_SCHEMA,
            (tool.family,),
        )
    yield _ToolSpec(
        "search_all",
        "Search everything",
        "Search all D&D 5e content at once: spells, creatures, items, classes, species, backgrounds, feats, rules and "
        "conditions. Use it when you don't know what kind of entry to look for, or for a situation that involves "
        f"several. A name returns the full entry; a question, the passages that answer it.{ENGLISH}",
        _search_all,
        signature(
            [
                parameter(
                    "query",
                    Annotated[SearchText, Field(description="A question, or one or more names", examples=["grappled"])],
                    inspect.Parameter.empty,
                ),
                parameter("content_types", optional(Alternatives, content_types.HELP, [["Spell", "Feat"]])),
            ]
        ),
        SEARCH_SCHEMA,
    )
    yield _ToolSpec(
        "list_documents",
        "List documents",
        "List the D&D 5e books and documents in the cache, each with its publisher, license, edition and number of "
        "entries by kind.",
        _list_documents,
        inspect.Signature(
            [
                parameter("source", optional(choice(*Source), "Only documents from this source")),
                parameter("format", Annotated[choice("json", "text"), Field(description="json or text")], "json"),
            ]
        ),
        DOCUMENTS_SCHEMA,
    )


def _make_tool(tool: _ToolSpec, output: Output) -> FunctionTool:
    """Create a tool with a generated signature, which FastMCP reads like any other."""

    async def call(ctx: Context, **arguments: object) -> ToolResult:
        user: RepositoryUser = ctx.lifespan_context[REPOSITORY_USER]
        with counted_from_now(seconds_waited(ctx)):
            result = await user.use(lambda repository: tool.work(repository, arguments), tool.families)
        return select_channels(result, output)

    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=Context)
    parameters = tool.shape.parameters
    shape = tool.shape.replace(parameters=[context, *parameters.values()])
    call.__signature__ = shape  # type: ignore[attr-defined]  # inspect reads it; typeshed's functions do not have it
    call.__annotations__ = {p.name: p.annotation for p in (context, *parameters.values())}
    call.__name__ = tool.name
    listed_tool = _ListedTool.from_function(
        call,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        annotations=_READ_ONLY,
        output_schema=tool.schema,
    )
    properties = _without_null(listed_tool.parameters["properties"])
    return listed_tool.model_copy(update={"parameters": {**listed_tool.parameters, "properties": properties}})


def _without_null(properties: Properties) -> Properties:
    """The schemas without ``"default": null``, which only marks an argument as optional; their types forbid it."""
    return {
        name: {key: value for key, value in schema.items() if (key, value) != ("default", None)}
        for name, schema in properties.items()
    }


def _kind_tool(tool: KindTool) -> Work:
    async def search(repository: Repository, arguments: Mapping[str, object]) -> ToolResult:
        filters = (*active_filters(FILTERS[tool.family], arguments), *tool.implied(arguments))
        text = str(arguments.get("search") or "")
        query, hints = await _query(repository, tool.name, tool.kinds(arguments), text, arguments)
        query = dataclasses.replace(query, has_chosen_kinds=query.kinds != tool.kinds({}), sort=tool.sort(arguments))
        answer = await repository.search(query.of_family(tool.family, filters))
        return _result(tool.name, answer, query, hints, arguments)

    return search


async def _search_all(repository: Repository, arguments: Mapping[str, object]) -> ToolResult:
    try:
        kinds = content_types.kinds(_texts(arguments.get("content_types")))
    except content_types.UnknownKindError as error:
        raise user_error(str(error)) from None
    text = str(arguments["query"])
    query, hints = await _query(repository, "search_all", kinds, text, arguments)
    query = dataclasses.replace(query, has_chosen_kinds=kinds != content_types.EVERYTHING)
    return _result("search_all", await repository.search_all(query), query, hints, arguments)


async def _list_documents(repository: Repository, arguments: Mapping[str, object]) -> ToolResult:
    source = arguments.get("source")
    documents = await repository.documents(Source(str(source)) if source else None)
    faults = await repository.homebrew_faults()
    return documents_result(
        documents, faults, is_loading=repository.is_loading, as_text=arguments.get("format") == "text"
    )


async def _query(
    repository: Repository, tool: str, kinds: frozenset[Kind], text: str, arguments: Mapping[str, object]
) -> tuple[Query, tuple[str, ...]]:
    """Return the query for the shared arguments, and hints about how they were interpreted."""
    hints: tuple[str, ...] = ()
    search = text.strip()
    if len(search) > MAX_SEARCH:
        search = search[:MAX_SEARCH]
        hints += (f"Only the first {MAX_SEARCH} characters of the search were used.",)
    documents, has_document_names = None, False
    if (names := _texts(arguments.get("documents"))) is not None:
        resolved = await repository.resolve_documents(names)
        documents, has_document_names = resolved.keys, not resolved.is_certain
        hints += resolved.hints if names else (_NO_DOCUMENTS,)
    editions = frozenset(map(Edition, _texts(arguments.get("edition")) or ()))
    if not editions and not repository.names_a_year(search):
        search, edition = extract_edition(search)
        if edition:
            editions = frozenset({edition})
            hints += (f"Interpreted as edition={edition}.",)
    limit = arguments["limit"]
    offset = decode_cursor(str(arguments.get("cursor") or ""), question_hash(tool, arguments))
    query = Query(
        kinds=kinds,
        search=search,
        documents=documents,
        editions=editions,
        limit=int(str(limit)),
        offset=offset,
        passage_results=_PASSAGE_RESULTS if arguments["detail"] == "auto" and not _has_limit(arguments) else None,
        has_document_names=has_document_names,
    )
    return query, hints


def _result(
    tool: str, answer: Answer, query: Query, hints: tuple[str, ...], arguments: Mapping[str, object]
) -> ToolResult:
    return result(
        dataclasses.replace(answer, hints=(*hints, *answer.hints)),
        AnswerOptions(query.edition, query.search, str(arguments["detail"]), _has_limit(arguments)),
        offset=query.offset,
        question=question_hash(tool, arguments),
    )


def _has_limit(arguments: Mapping[str, object]) -> bool:
    return not isinstance(arguments["limit"], DefaultLimit)


def _texts(value: object) -> list[str] | None:
    return [str(item) for item in value] if isinstance(value, list) else None
