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
from lorekeeper_mcp.cli.tool_calls import Called, calling
from lorekeeper_mcp.settings import Settings

_NEAREST = 5
_ALIKE = 0.7  # of the letters
_NOTHING = "Nothing found. Try fewer words or options, or * for the letters that you are not sure of."


async def run_search(settings: Settings, tool: str, arguments: Mapping[str, object], *, as_json: bool) -> int:
    """Call a tool, print its answer and return the exit code."""
    async with calling(settings) as call:
        called = await call(tool, arguments)
    if called.failed:
        print_message(called.text)
        return 1
    if as_json:
        print_json(called.structured)
    elif not sys.stdout.isatty():
        sys.stdout.write(called.text + "\n")
    elif tool == "list_documents":
        _print_documents(called.structured)
    else:
        _print_results(called)
    return 0


async def show(settings: Settings, key: str, asked: Call, *, as_json: bool) -> int:
    """Print one full entry; if no entry has that key or name, return 1 and print the nearest names to stderr."""
    async with calling(settings) as call:
        called = await call(asked.tool, {**asked.arguments, "limit": 1, "detail": "full"})
        found = [one for one in called.results if one.get("similarity_score") == 1.0]
        near: Sequence[Mapping[str, object]] = []
        if not found and not called.failed:
            words = {"search" if "search" in asked.arguments else "query": _as_name(key)}
            alike = (await call(asked.tool, {**asked.arguments, **words, "limit": _NEAREST, "detail": "brief"})).results
            near = [one for one in alike if _is_near(_as_name(key), str(one["name"]))]
    if called.failed:
        print_message(called.text)
        return 1
    if as_json:
        print_json({**called.structured, "results": found, **({} if found else {"nearest": near})})
    elif found and sys.stdout.isatty():
        _print_entity(found[0], called.licenses)
    elif found:
        sys.stdout.write(f"{found[0]['text']}\n\n{_book_lines(called)}\n")
    if not found:
        suggestions = ", ".join(f"{one['name']} ({one['key']})" for one in near)
        caveat = "" if called.structured["complete"] else f" {called.structured['hint']}"
        where = "Nothing" if called.structured["complete"] else "Nothing stored here"
        advice = f". Look for what it does: lorekeeper-mcp search {shlex.quote(key)}."
        advice = f"; nearest: {suggestions}." if suggestions else advice
        print_message(f"{where} has the key or name {key!r}{advice}{caveat}")
        return 1
    return 0


def print_message(sentences: str) -> None:
    """Write to stderr; in a terminal, break lines between words."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(sentences) + 1
    lines = textwrap.wrap(sentences, width, break_long_words=False, break_on_hyphens=False)
    sys.stderr.write("\n".join(lines) + "\n")


def _is_near(name: str, other: str) -> bool:
    """Whether two names differ by a few letters: other search results may only be similar in meaning."""
    return difflib.SequenceMatcher(None, name.lower(), other.lower()).ratio() >= _ALIKE


def _as_name(key: str) -> str:
    """Return a key without its document and hyphens, to compare a misspelt key with names."""
    return key.rpartition("_")[2].replace("-", " ")


def print_json(answer: Mapping[str, object]) -> None:
    """Print an answer as JSON."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")


# Only a terminal needs these modules: importing them takes longer than asking the owner.


def _print_documents(structured: Mapping[str, object]) -> None:
    from lorekeeper_mcp.cli.terminal import console, documents_table  # noqa: PLC0415 - see above

    table, screen = documents_table(structured), console()
    if table.cells:
        screen.print(table.fit(screen.width))
    else:
        screen.print("No documents found in cache. Fill it with: lorekeeper-mcp sync", highlight=False)


def _print_entity(one: Mapping[str, object], licenses: Mapping[str, str]) -> None:
    from lorekeeper_mcp.cli.terminal import console, entity_page  # noqa: PLC0415 - see above

    console(of_text=True).print(entity_page(one, licenses))


def _book_lines(called: Called) -> str:
    from lorekeeper_mcp.render.books import book_lines  # noqa: PLC0415 - see above

    return book_lines(called.documents)


def _print_results(called: Called) -> None:
    from lorekeeper_mcp.cli.terminal import console, entity_page, names_line, results_table  # noqa: PLC0415 - see above

    screen = console(of_text=True)
    full = [one for one in called.results if one.get("text") or one.get("passages")]
    others = [one for one in called.results if one not in full]
    for one in full:
        screen.print(entity_page(one, called.licenses))
    if others:
        screen.print(names_line(others) if full else results_table(others).fit(screen.width))
    total, shown = called.structured.get("total"), len(called.results)
    below = f"{shown} of {total} · lorekeeper-mcp show KEY for the whole entry" if shown else _NOTHING
    screen.print(below, style="dim" if shown else "", highlight=False)
    if hint := called.structured.get("hint"):
        screen.print(str(hint), style="yellow", markup=False, highlight=False)
