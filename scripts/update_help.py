"""Generates the page that ``--help`` prints: ``uv run python scripts/update_help.py``.

Importing the commands takes four times as long as printing their help.
"""

from __future__ import annotations

import typer

from lorekeeper_mcp.__main__ import HELP
from lorekeeper_mcp.cli.app import app

_WIDTH = 100


def page() -> str:
    """The text of ``--help``."""
    command = typer.main.get_command(app)
    command.rich_markup_mode = None  # type: ignore[attr-defined]  # of Typer's own subclass
    context = typer.Context(
        command, info_name="lorekeeper-mcp", terminal_width=_WIDTH, max_content_width=_WIDTH, **command.context_settings
    )
    return f"{command.get_help(context)}\n"


if __name__ == "__main__":
    HELP.write_text(page(), encoding="utf-8")
