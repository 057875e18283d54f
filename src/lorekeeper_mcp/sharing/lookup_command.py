"""The command that only looks something up: it calls the tools."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pydantic import BaseModel

from lorekeeper_mcp.render.books import book_lines
from lorekeeper_mcp.sharing.command import Command
from lorekeeper_mcp.sources.field_reader import objects

if TYPE_CHECKING:  # not needed to ask the owner
    from lorekeeper_mcp.tools.envelope import ToolAnswer

CallTool: TypeAlias = "Callable[[str, dict[str, object]], Awaitable[ToolAnswer]]"
Result: TypeAlias = Mapping[str, object]
_NEAREST = 5
_SIMILAR = 0.7  # of the letters


class LookupAnswer(BaseModel, frozen=True):
    """An answer as text and as structured content; the text of an error if ``exit_code`` is not 0."""

    text: str
    structured: Mapping[str, object]
    exit_code: int = 0  # 1 if the tool failed or an entry does not exist, 2 if the tool refused the arguments

    @property
    def results(self) -> list[Result]:
        """Return the results of a search; none if it failed."""
        return objects(self.structured.get("results"))

    @property
    def documents(self) -> list[dict[str, str]]:
        """Return the documents of the results."""
        return [
            {name: str(value or "") for name, value in document.items()}
            for document in objects(self.structured.get("documents"))
        ]


class Lookup(Command[LookupAnswer], frozen=True):
    """Call a tool; arguments that are None are left out. With ``key``, look up the one entry of that key or name.

    If the owner is silent, tools answer from a copy of the store, as they do in a server.
    """

    tool: str
    arguments: Mapping[str, object]
    key: str = ""

    async def look_up(self, call_tool: CallTool) -> LookupAnswer:
        """Return the tool's answer, or the entry in full; without one, a sentence about what there is instead."""
        if not self.key:
            return await _call(call_tool, self.tool, self.arguments)
        answer = await _call(call_tool, self.tool, {**self.arguments, "limit": 1, "detail": "full"})
        if answer.exit_code:
            return answer
        if (entry := _exact_result(answer)) is not None:
            text = f"{entry['text']}\n\n{book_lines(answer.documents)}"
            return LookupAnswer(text=text, structured={**answer.structured, "results": [entry]})
        name = self.key.rpartition("_")[2].replace("-", " ")  # of a misspelt key, to be compared with names
        words = {"search" if "search" in self.arguments else "query": name}
        others = await _call(call_tool, self.tool, {**self.arguments, **words, "limit": _NEAREST, "detail": "brief"})
        similar = [result for result in others.results if _is_similar(name, str(result["name"]))]
        nothing = {"results": [], "documents": [], "total": 0, "next_cursor": None, "nearest": similar}
        text = _not_found(self, answer, similar)
        return LookupAnswer(text=text, structured={**answer.structured, **nothing}, exit_code=1)


async def _call(call_tool: CallTool, tool: str, arguments: Mapping[str, object]) -> LookupAnswer:
    answer = await call_tool(tool, {name: value for name, value in arguments.items() if value is not None})
    exit_code = {"": 0, "fault": 1, "mistake": 2}[answer.error]  # a wrong argument of the tool is a wrong option
    return LookupAnswer(text=answer.text, structured=answer.structured or {}, exit_code=exit_code)


def _exact_result(answer: LookupAnswer) -> Result | None:
    """The result that has the requested key or name."""
    return next((result for result in answer.results if result.get("similarity_score") == 1.0), None)


def _is_similar(name: str, other: str) -> bool:
    """Whether two names differ by a few letters: other search results may only be similar in meaning."""
    return difflib.SequenceMatcher(None, name.lower(), other.lower()).ratio() >= _SIMILAR


def _not_found(lookup: Lookup, answer: LookupAnswer, similar: Sequence[Result]) -> str:
    """Say what there is instead."""
    options = [value for name, value in lookup.arguments.items() if value and name not in ("search", "query")]
    what = f"has the key or name {lookup.key!r}{' and matches the other options' if options else ''}"
    is_complete = answer.structured["complete"]
    where, caveat = ("No entry", "") if is_complete else ("No stored entry", f" {answer.structured['hint']}")
    if similar:
        names = ", ".join(f"{result['name']} ({result['key']})" for result in similar)
        return f"{where} {what}; similar: {names}.{caveat}"
    return f"{where} {what}.{caveat} Try searching by description: lorekeeper-mcp search {shlex.quote(lookup.key)}"
