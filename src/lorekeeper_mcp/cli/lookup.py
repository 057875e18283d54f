"""``search``, ``show`` and ``documents``: an answer for a terminal, a pipe or a program."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import webbrowser
from pathlib import Path

from lorekeeper_mcp.cli.broken_pipe import exit_on_broken_pipe
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.lookup_command import Lookup, LookupAnswer


@exit_on_broken_pipe()
def look_up(
    settings: Settings, command: Lookup, *, as_json: bool, html: Path | None = None, opens: bool = False
) -> int:
    """Print the answer of a lookup, and errors to stderr; return the exit code.

    With ``html``, write the answer to that file instead, as a page to read or print; ``opens`` shows it in the browser.
    """
    answer = run_command(settings, command)
    if as_json and answer.structured:
        print_json(answer.structured)
    if html is not None and not answer.exit_code:
        return _write_page(answer, html, opens=opens)
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


def _write_page(answer: LookupAnswer, file: Path, *, opens: bool) -> int:
    from lorekeeper_mcp.cards import page_with_answers  # noqa: PLC0415 - imports FastMCP

    try:
        file.write_text(page_with_answers([{"structuredContent": dict(answer.structured)}]), encoding="utf-8")
    except OSError as error:
        print_message(f"{file} could not be written: {error.strerror}.")
        return 1
    if opens:
        webbrowser.open(file.absolute().as_uri())
    return 0


def print_message(sentences: str) -> None:
    """Write to stderr; in a terminal, break lines between words."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(sentences) + 1
    lines = textwrap.wrap(sentences, width, break_long_words=False, break_on_hyphens=False)
    sys.stderr.write("\n".join(lines) + "\n")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
