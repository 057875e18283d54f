"""``search``, ``show`` and ``documents``: a tool's answer for a terminal, a pipe or a program."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import textwrap

from lorekeeper_mcp.cli.broken_pipe import exit_on_broken_pipe
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.cli.search_options import Call
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.lookup_commands import Search, Show, Shown


@exit_on_broken_pipe()
def search(settings: Settings, call: Call, *, as_json: bool) -> int:
    """Call a tool, print its answer and return the exit code."""
    answer = run_command(settings, Search(tool=call.tool, arguments=call.arguments))
    if answer.exit_code:
        print_message(answer.text)
    elif as_json:
        print_json(answer.structured)
    elif not sys.stdout.isatty():
        sys.stdout.write(answer.text + "\n")
    else:
        # Only a terminal needs this module: importing it takes longer than asking the owner.
        from lorekeeper_mcp.cli import terminal  # noqa: PLC0415

        print_answer = terminal.print_documents if call.tool == "list_documents" else terminal.print_results
        print_answer(answer)
    return answer.exit_code


@exit_on_broken_pipe()
def show(settings: Settings, key: str, call: Call, *, as_json: bool) -> int:
    """Print one full entry; if no entry has that key or name, return 1 and print the nearest names to stderr."""
    shown = run_command(settings, Show(key=key, tool=call.tool, arguments=call.arguments))
    answer, entry = shown.answer, shown.answer.exact
    if answer.exit_code:
        print_message(answer.text)
        return answer.exit_code
    if entry is None:
        if as_json:
            nothing = {"results": [], "documents": [], "total": 0, "next_cursor": None}
            print_json({**answer.structured, **nothing, "nearest": shown.similar})
        print_message(_not_found(key, shown))
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


def _not_found(key: str, shown: Shown) -> str:
    """Say what there is instead: an entry of that name which the options exclude, or similar names."""
    if (other := shown.excluded) is not None:
        return f"{other['name']} ({other['kind']}, {other['key']}) does not match the other options."
    is_complete = shown.answer.structured["complete"]
    where, caveat = ("No entry", "") if is_complete else ("No stored entry", f" {shown.answer.structured['hint']}")
    if shown.similar:
        names = ", ".join(f"{result['name']} ({result['key']})" for result in shown.similar)
        return f"{where} has the key or name {key!r}; similar: {names}.{caveat}"
    advice = f"Try searching by description: lorekeeper-mcp search {shlex.quote(key)}"
    return f"{where} has the key or name {key!r}.{caveat} {advice}"


def print_message(sentences: str) -> None:
    """Write to stderr; in a terminal, break lines between words."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(sentences) + 1
    lines = textwrap.wrap(sentences, width, break_long_words=False, break_on_hyphens=False)
    sys.stderr.write("\n".join(lines) + "\n")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
