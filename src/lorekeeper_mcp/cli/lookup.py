"""``search``, ``show`` and ``documents``: an answer for a terminal, a pipe or a program."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.runtime import end_with_the_reader
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.lookup_command import Lookup, LookupAnswer


def look_up(
    settings: Settings, commands: Sequence[Lookup], *, as_json: bool, html: Path | None = None, opens: bool = False
) -> int:
    """Print the answers of lookups, and errors to stderr; return the highest exit code.

    As JSON, an error is ``{"error": sentence}``, which an answer without results is not; several answers are a list.
    With ``html``, write the answers to that file instead, as a page to read or print, which ``opens`` shows.
    """
    answers = [run_command(settings, command) for command in commands]
    end_with_the_reader()
    code = max(answer.exit_code for answer in answers)
    for answer in answers:
        if answer.exit_code:
            print_message(answer.text)
        elif not (as_json or html):
            _print_text(answer.text)
    if as_json:
        shown = [answer.structured or {"error": answer.text} for answer in answers]
        print_json(shown if len(shown) > 1 else shown[0])
    if html is not None and not code:
        return _write_page(answers, html, opens=opens)
    return code


def _print_text(text: str) -> None:
    """Print the text of an answer, formatted in a terminal."""
    if not sys.stdout.isatty():
        sys.stdout.write(f"{text}\n")
        return
    # Only a terminal needs this module: importing it takes longer than asking the owner.
    from lorekeeper_mcp.cli.terminal import print_page  # noqa: PLC0415

    print_page(text)


def _write_page(answers: Sequence[LookupAnswer], file: Path, *, opens: bool) -> int:
    from lorekeeper_mcp.cards import page_with_answers  # noqa: PLC0415 - imports FastMCP

    page = page_with_answers([{"structuredContent": dict(answer.structured)} for answer in answers])
    try:
        file.write_text(page, encoding="utf-8")
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
