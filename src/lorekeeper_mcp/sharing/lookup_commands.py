"""The commands that only look something up: they call the tools."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TypeAlias

from pydantic import BaseModel

from lorekeeper_mcp.sharing.command import CallTool, Lookup
from lorekeeper_mcp.sources.json_values import objects
from lorekeeper_mcp.tools.user_errors import FAULT

Arguments: TypeAlias = Mapping[str, object]
Result: TypeAlias = Mapping[str, object]
_NEAREST = 5
_SIMILAR = 0.7  # of the letters


class ToolAnswer(BaseModel, frozen=True):
    """A tool's answer as text and as structured content, and the exit code: 1 if the tool failed, 2 if it refused."""

    text: str
    structured: Mapping[str, object]
    exit_code: int

    @property
    def results(self) -> list[Result]:
        """Return the results of a search; none if it failed."""
        return objects(self.structured.get("results"))

    @property
    def exact(self) -> Result | None:
        """Return the result that has the requested key or name."""
        return next((result for result in self.results if result.get("similarity_score") == 1.0), None)

    @property
    def documents(self) -> list[dict[str, str]]:
        """Return the documents of the results."""
        return [
            {name: str(value or "") for name, value in document.items()}
            for document in objects(self.structured.get("documents"))
        ]

    @property
    def licenses(self) -> dict[str, str]:
        """Return the licenses of the results' documents by key."""
        return {document["document_key"]: document.get("license", "") for document in self.documents}


async def _call(call_tool: CallTool, tool: str, arguments: Arguments) -> ToolAnswer:
    """Call a tool; arguments that are None are left out."""
    given = {name: value for name, value in arguments.items() if value is not None}
    result = await call_tool(tool, given)
    text = "\n".join(getattr(block, "text", "") for block in result.content)
    exit_code = 0
    if result.is_error:  # a wrong argument of the tool is a wrong option of the command
        exit_code = 1 if FAULT in (result.meta or {}) else 2
    return ToolAnswer(text=text, structured=result.structured_content or {}, exit_code=exit_code)


class Search(Lookup[ToolAnswer], frozen=True):
    """Call one tool."""

    tool: str
    arguments: Arguments

    async def look_up(self, call_tool: CallTool) -> ToolAnswer:
        """Return the tool's answer."""
        return await _call(call_tool, self.tool, self.arguments)


class Shown(BaseModel, frozen=True):
    """The answer about one entry. If it has none: the entry that the options exclude, or else similar entries."""

    answer: ToolAnswer
    excluded: Result | None = None
    similar: list[Result] = []


class Show(Lookup[Shown], frozen=True):
    """Look up one entry by its key or name. ``tool`` and ``arguments`` are those of a search for it."""

    key: str
    tool: str
    arguments: Arguments

    async def look_up(self, call_tool: CallTool) -> Shown:
        """Return the entry in full; if no entry has that key or name, what there is instead."""
        answer = await _call(call_tool, self.tool, {**self.arguments, "limit": 1, "detail": "full"})
        if answer.exact or answer.exit_code:
            return Shown(answer=answer)
        unfiltered = await _call(call_tool, "search_all", {"query": self.key, "limit": 1, "detail": "brief"})
        name = self.key.rpartition("_")[2].replace("-", " ")  # of a misspelt key, to be compared with names
        words = {"search" if "search" in self.arguments else "query": name}
        others = await _call(call_tool, self.tool, {**self.arguments, **words, "limit": _NEAREST, "detail": "brief"})
        similar = [result for result in others.results if _is_similar(name, str(result["name"]))]
        return Shown(answer=answer, excluded=unfiltered.exact, similar=similar)


def _is_similar(name: str, other: str) -> bool:
    """Whether two names differ by a few letters: other search results may only be similar in meaning."""
    return difflib.SequenceMatcher(None, name.lower(), other.lower()).ratio() >= _SIMILAR


COMMANDS = (Search, Show)
