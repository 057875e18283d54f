"""The command ``export``."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from lorekeeper_mcp.cli.import_commands import CommandError, imported_books, open_cache
from lorekeeper_mcp.homebrew.exporter import Export, export, held_book
from lorekeeper_mcp.homebrew.startup import open_library
from lorekeeper_mcp.repository.documents import resolve
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.errors import StoreError


async def run_export(settings: Settings, book: str, form: str, output: Path | None) -> int:
    """Write a book to a file or to stdout, and to stderr what the format cannot say; 1 if there is no such book."""
    try:
        async with open_cache(settings) as cache:
            names = await imported_books(cache, await open_library(cache, settings))
            keys = sorted(resolve([book], names.items()).keys)
            if not keys:
                held = ", ".join(sorted(names.values())) or "none"
                sys.stderr.write(f'No imported book is called "{book[:80]}"; imported books: {held}.\n')
                return 1
            document, records = await held_book(cache, keys[0])
        made = await asyncio.to_thread(export, document, records, form)
        if output is None:
            sys.stdout.buffer.write(made.data)
        else:
            await asyncio.to_thread(output.write_bytes, made.data)
    except (CommandError, StoreError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"Nothing was exported: {error.filename or 'the disk'}: {error.strerror or error}.\n")
        return 1
    _tell_losses(made, form)
    return 0


def _tell_losses(made: Export, form: str) -> None:
    """Name what other programs do not see, item by item."""
    fields: dict[str, list[str]] = {}
    for loss in made.losses:
        fields.setdefault(loss.item, []).append(loss.field.replace("_", " "))
    sys.stderr.write(f"{made.items} items exported.\n")
    if fields:
        sys.stderr.write(f"What {form} cannot say, or not so; kept for an import here, not seen by other programs:\n")
    sys.stderr.writelines(f"{item}: {', '.join(names)}\n" for item, names in fields.items())
