"""The command ``export``."""

from __future__ import annotations

import base64
import sys
from pathlib import Path

from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.book_commands import EXPORT, Exported, ExportRequest


def run_export(settings: Settings, book: str, form: str, output: Path | None) -> int:
    """Write a book to a file or stdout, and lost fields to stderr; return 1 if the book cannot be written."""
    made = run_command(settings, EXPORT, ExportRequest(book=book, form=form))
    data = base64.b64decode(made.data)
    try:
        if output is None:
            sys.stdout.buffer.write(data)
        else:
            output.write_bytes(data)
    except OSError as error:
        sys.stderr.write(f"Nothing was exported: {error.filename or 'the disk'}: {error.strerror or error}.\n")
        return 1
    _print_losses(made, form)
    return 0


def _print_losses(made: Exported, form: str) -> None:
    """List what other programs will not get, item by item."""
    fields: dict[str, list[str]] = {}
    for loss in made.losses:
        fields.setdefault(loss.item, []).append(loss.field.replace("_", " "))
    sys.stderr.write(f"{made.items} items exported.\n")
    if fields:
        sys.stderr.write(f"{form} cannot express these fields; LoreKeeper reads them back, other programs do not:\n")
    sys.stderr.writelines(f"{item}: {', '.join(names)}\n" for item, names in fields.items())
