"""The seven tools, and how a call of one is answered. The MCP server and the commands of a terminal call them alike."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from lorekeeper_mcp.answer import Answer
from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.filters.argument_types import Alternatives, choice
from lorekeeper_mcp.models import Edition, Family, Kind, Source
from lorekeeper_mcp.query import MAX_SEARCH, Query
from lorekeeper_mcp.repository.deadline import counted_from_now
from lorekeeper_mcp.repository.lazy_repository import RepositoryUser
from lorekeeper_mcp.repository.turns import BusyError
from lorekeeper_mcp.search.question import extract_edition
from lorekeeper_mcp.sources.srd import RecordsFileError
from lorekeeper_mcp.store.errors import StoreUnavailableError
from lorekeeper_mcp.tools import content_types
from lorekeeper_mcp.tools.answer_layout import AnswerOptions
from lorekeeper_mcp.tools.arguments import (
    DefaultLimit,
    SearchText,
    active_filters,
    filter_parameters,
    given,
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
    ToolAnswer,
    decode_cursor,
    documents_result,
    question_hash,
    result,
)
from lorekeeper_mcp.tools.error_messages import (
    MAX_MESSAGE,
    CallerError,
    Properties,
    did_you_mean,
    explain,
    refuse_bools_for_numbers,
)
from lorekeeper_mcp.tools.kind_tools import ENGLISH, KIND_TOOLS, KindTool

if TYPE_CHECKING:  # importing it takes half a second, too long before the first reply
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)
_PASSAGE_RESULTS = 12  # results with passages in the answer to a question whose caller set no limit
_NO_DOCUMENTS = "documents is empty, which selects nothing; omit it to search all."
Work: TypeAlias = "Callable[[Repository, Mapping[str, object]], Awaitable[ToolAnswer]]"


@dataclasses.dataclass(frozen=True)
class ToolSpec:
    """A tool, the schema of its structured answers, and the function that runs it."""

    name: str
    title: str
    description: str
    work: Work
    shape: inspect.Signature
    schema: Schema
    families: tuple[Family, ...] = ()  # those that it searches, if not all

    @functools.cached_property
    def arguments(self) -> TypeAdapter[dict[str, object]]:
        """What reads the arguments of a call."""

        def collect(**arguments: object) -> dict[str, object]:
            return arguments

        collect.__signature__ = self.shape  # type: ignore[attr-defined]  # inspect reads it; typeshed does not have it
        collect.__annotations__ = {p.name: p.annotation for p in self.shape.parameters.values()}
        return TypeAdapter(collect)  # type: ignore[arg-type]  # a function, whose arguments it reads

    def read(self, arguments: dict[str, object]) -> dict[str, object]:
        """Return all arguments of a call, those with a default too. Raises CallerError."""
        if sentence := refuse_bools_for_numbers(arguments, self.properties):
            raise CallerError(sentence)
        try:
            return self.arguments.validate_python(arguments)
        except ValidationError as error:
            raise CallerError(explain(self.name, error, arguments, self.properties)) from None

    @functools.cached_property
    def parameters(self) -> dict[str, Properties]:
        """The schema of the arguments.

        It has no titles, which repeat the names, and no ``"default": null``, which only marks an argument as optional.
        """
        schema = self.arguments.json_schema()
        for properties in schema["properties"].values():
            _shorten(properties)
        return schema

    @property
    def properties(self) -> Properties:
        """The arguments with their schemas."""
        return self.parameters["properties"]


def _shorten(schema: dict[str, object]) -> None:
    schema.pop("title", None)
    if schema.get("default", 0) is None:
        del schema["default"]
    members = schema.get("properties")
    for member in members.values() if isinstance(members, dict) else ():
        _shorten(member)


async def answer_call(
    user: RepositoryUser, name: str, arguments: Mapping[str, object], waited: float = 0.0
) -> ToolAnswer:
    """Answer a call of a tool that has waited for some seconds. An error is an answer, too."""
    tool = tools().get(name)
    if tool is None:
        advice = did_you_mean(name, tools()) or f"the tools are {', '.join(tools())}."
        return ToolAnswer(f'There is no tool "{name[:60]}"; {advice}'[:MAX_MESSAGE], error="mistake")
    try:
        values = tool.read(given(arguments))
        with counted_from_now(waited):
            return await user.use(lambda repository: tool.work(repository, values), tool.families)
    except Exception as error:  # noqa: BLE001 - the boundary: any internal error becomes a sentence
        return error_answer(name, error)


def error_answer(name: str, error: Exception) -> ToolAnswer:
    """Return what the caller of a tool is told about an error. The cause of an internal one is logged instead."""
    if isinstance(error, CallerError | BusyError):
        return ToolAnswer(str(error)[:MAX_MESSAGE], error="mistake")
    log.error("%s failed: %s: %s", name, type(error).__name__, str(error)[:300])
    sentence = (
        f"{name} could not answer because of an internal error, which was logged. "
        "Other questions still work: try again, or ask a narrower question."
    )
    if isinstance(error, RecordsFileError | StoreUnavailableError):  # their messages are for users
        sentence = str(error)[:MAX_MESSAGE]
    return ToolAnswer(sentence, error="fault")


@functools.cache
def tools() -> dict[str, ToolSpec]:
    """Return the tools by name."""
    return {tool.name: tool for tool in _tool_specs()}


def _tool_specs() -> Iterator[ToolSpec]:
    for tool in KIND_TOOLS:
        parameters = [
            search_parameter(tool.examples),
            *tool.selector_parameters(),
            *filter_parameters(FILTERS[tool.family]),
            sort_parameter(tool.sorts),
        ]
        yield ToolSpec(
            tool.name,
            tool.title,
            tool.description,
            _kind_tool(tool),
            signature(parameters),
            SEARCH_SCHEMA,
            (tool.family,),
        )
    yield ToolSpec(
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
    yield ToolSpec(
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


def _kind_tool(tool: KindTool) -> Work:
    async def search(repository: Repository, arguments: Mapping[str, object]) -> ToolAnswer:
        filters = (*active_filters(FILTERS[tool.family], arguments), *tool.implied(arguments))
        text = str(arguments.get("search") or "")
        query, hints = await _query(repository, tool.name, tool.kinds(arguments), text, arguments)
        query = dataclasses.replace(query, has_chosen_kinds=query.kinds != tool.kinds({}), sort=tool.sort(arguments))
        answer = await repository.search(query.of_family(tool.family, filters))
        return _result(tool.name, answer, query, hints, arguments)

    return search


async def _search_all(repository: Repository, arguments: Mapping[str, object]) -> ToolAnswer:
    kinds = content_types.kinds(_texts(arguments.get("content_types")))
    text = str(arguments["query"])
    query, hints = await _query(repository, "search_all", kinds, text, arguments)
    query = dataclasses.replace(query, has_chosen_kinds=kinds != content_types.EVERYTHING)
    return _result("search_all", await repository.search_all(query), query, hints, arguments)


async def _list_documents(repository: Repository, arguments: Mapping[str, object]) -> ToolAnswer:
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
    offset, _ = decode_cursor(str(arguments.get("cursor") or ""), question_hash(tool, arguments))
    query = Query(
        kinds=kinds,
        search=search,
        documents=documents,
        editions=editions,
        limit=int(str(limit)),
        offset=offset,
        named_only=arguments["detail"] == "auto",
        passage_results=_PASSAGE_RESULTS if arguments["detail"] == "auto" and not _has_limit(arguments) else None,
        has_document_names=has_document_names,
    )
    return query, hints


def _result(
    tool: str, answer: Answer, query: Query, hints: tuple[str, ...], arguments: Mapping[str, object]
) -> ToolAnswer:
    return result(
        dataclasses.replace(answer, hints=(*hints, *answer.hints)),
        AnswerOptions(query.edition, query.search, str(arguments["detail"]), _has_limit(arguments)),
        cursor=str(arguments.get("cursor") or ""),
        question=question_hash(tool, arguments),
    )


def _has_limit(arguments: Mapping[str, object]) -> bool:
    return not isinstance(arguments["limit"], DefaultLimit)


def _texts(value: object) -> list[str] | None:
    return [str(item) for item in value] if isinstance(value, list) else None
