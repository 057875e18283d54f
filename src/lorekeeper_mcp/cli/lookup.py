"""``search``, ``show`` and ``documents``: an answer for a terminal, a pipe or a program."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap

from lorekeeper_mcp.cli.broken_pipe import exit_on_broken_pipe
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.lookup_command import Lookup


@exit_on_broken_pipe()
def look_up(settings: Settings, command: Lookup, *, as_json: bool) -> int:
    """Print the answer of a lookup, and errors to stderr; return the exit code."""
    answer = run_command(settings, command)
    if as_json and answer.structured:
        print_json(answer.structured)
    if answer.exit_code:
        print_message(answer.text)
    elif not as_json and sys.stdout.isatty():
        # Only a terminal needs this module: importing it takes longer than asking the owner.
        from lorekeeper_mcp.cli import terminal  # noqa: PLC0415

        if command.key:
            terminal.print_entity(answer)
        elif command.tool == "list_documents":
            terminal.print_documents(answer)
        else:
            terminal.print_results(answer)
    elif not as_json:
        sys.stdout.write(answer.text + "\n")
    return answer.exit_code


def print_message(sentences: str) -> None:
    """Write to stderr; in a terminal, break lines between words."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(sentences) + 1
    lines = textwrap.wrap(sentences, width, break_long_words=False, break_on_hyphens=False)
    sys.stderr.write("\n".join(lines) + "\n")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
