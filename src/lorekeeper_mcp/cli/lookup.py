"""``search``, ``show`` and ``documents``: a tool's answer for a terminal, a pipe or a program."""

from __future__ import annotations

import difflib
import json
import shlex
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.cli.search_options import Call
from lorekeeper_mcp.cli.tool_calls import ToolAnswer, tool_caller
from lorekeeper_mcp.settings import Settings

_NEAREST = 5
_SIMILAR = 0.7  # of the letters


async def run_search(settings: Settings, tool: str, arguments: Mapping[str, object], *, as_json: bool) -> int:
    """Call a tool, print its answer and return the exit code."""
    async with tool_caller(settings) as call:
        answer = await call(tool, arguments)
    if answer.failed:
        print_message(answer.text)
        return answer.exit_code
    if as_json:
        print_json(answer.structured)
    elif not sys.stdout.isatty():
        sys.stdout.write(answer.text + "\n")
    else:
        # Only a terminal needs this module: importing it takes longer than asking the owner.
        from lorekeeper_mcp.cli import terminal  # noqa: PLC0415

        print_answer = terminal.print_documents if tool == "list_documents" else terminal.print_results
        print_answer(answer)
    return 0


async def show(settings: Settings, key: str, request: Call, *, as_json: bool) -> int:
    """Print one full entry; if no entry has that key or name, return 1 and print the nearest names to stderr."""
    async with tool_caller(settings) as call:
        answer = await call(request.tool, {**request.arguments, "limit": 1, "detail": "full"})
        entry = _named(answer)
        excluded: Mapping[str, object] | None = None
        similar: list[Mapping[str, object]] = []
        if entry is None and not answer.failed:
            excluded = _named(await call("search_all", {"query": key, "limit": 1, "detail": "brief"}))
            name = _as_name(key)
            words = {"search" if "search" in request.arguments else "query": name}
            others = await call(request.tool, {**request.arguments, **words, "limit": _NEAREST, "detail": "brief"})
            similar = [result for result in others.results if _is_similar(name, str(result["name"]))]
    if answer.failed:
        print_message(answer.text)
        return answer.exit_code
    if entry is None:
        if as_json:
            nothing = {"results": [], "documents": [], "total": 0, "next_cursor": None}
            print_json({**answer.structured, **nothing, "nearest": similar})
        print_message(_not_found(key, answer, excluded, similar))
        return 1
    if as_json:
        print_json({**answer.structured, "results": [entry]})
    elif sys.stdout.isatty():
        from lorekeeper_mcp.cli import terminal  # noqa: PLC0415 - see above

        terminal.print_entity(entry, answer.licenses)
    else:
        from lorekeeper_mcp.render.books import book_lines  # noqa: PLC0415 - see above

        sys.stdout.write(f"{entry['text']}\n\n{book_lines(answer.documents)}\n")
    return 0


def _named(answer: ToolAnswer) -> Mapping[str, object] | None:
    """The result that has the requested key or name."""
    return next((result for result in answer.results if result.get("similarity_score") == 1.0), None)


def _not_found(
    key: str, answer: ToolAnswer, excluded: Mapping[str, object] | None, similar: Sequence[Mapping[str, object]]
) -> str:
    """Say what there is instead: an entry of that name which the options exclude, or similar names."""
    if excluded is not None:
        return f"{excluded['name']} ({excluded['kind']}, {excluded['key']}) does not match the other options."
    is_complete = answer.structured["complete"]
    where, caveat = ("No entry", "") if is_complete else ("No stored entry", f" {answer.structured['hint']}")
    if similar:
        names = ", ".join(f"{result['name']} ({result['key']})" for result in similar)
        return f"{where} has the key or name {key!r}; similar: {names}.{caveat}"
    advice = f"Try searching by description: lorekeeper-mcp search {shlex.quote(key)}"
    return f"{where} has the key or name {key!r}.{caveat} {advice}"


def print_message(sentences: str) -> None:
    """Write to stderr; in a terminal, break lines between words."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(sentences) + 1
    lines = textwrap.wrap(sentences, width, break_long_words=False, break_on_hyphens=False)
    sys.stderr.write("\n".join(lines) + "\n")


def _is_similar(name: str, other: str) -> bool:
    """Whether two names differ by a few letters: other search results may only be similar in meaning."""
    return difflib.SequenceMatcher(None, name.lower(), other.lower()).ratio() >= _SIMILAR


def _as_name(key: str) -> str:
    """Return a key without its document and hyphens, to compare a misspelt key with names."""
    return key.rpartition("_")[2].replace("-", " ")


def print_json(answer: Mapping[str, object]) -> None:
    """Print an answer as JSON."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")
