"""The command ``lorekeeper-mcp``: the server by default, otherwise the command line.

Clients need a fast and quiet start, so modules are imported where they are needed, and FastMCP's environment is
configured before it is imported.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lorekeeper_mcp.settings import Settings

HELP = Path(__file__).with_name("cli") / "help.txt"  # made by scripts/update_help.py
_COMPLETION = "_LOREKEEPER_MCP_COMPLETE"  # set by a shell that asks for completions
_HINT = (
    "lorekeeper-mcp speaks MCP on stdin and stdout and is meant to be started by a client; "
    'try: lorekeeper-mcp search "undead that drain life"'
)


def main() -> None:
    """Serve on stdio if called without a command or as ``serve``, otherwise run the command line."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        import importlib.metadata  # noqa: PLC0415 - see the module

        sys.stdout.write(f"lorekeeper-mcp {importlib.metadata.version('lorekeeper-mcp')}\n")
    elif arguments in (["--help"], ["-h"]):
        from lorekeeper_mcp.runtime import end_with_the_reader  # noqa: PLC0415 - see the module

        end_with_the_reader()
        sys.stdout.write(HELP.read_text(encoding="utf-8"))
    elif arguments == ["serve"] or not (arguments or _COMPLETION in os.environ):
        serve_stdio()
    else:
        from lorekeeper_mcp.cli.app import app  # noqa: PLC0415 - see the module

        app()


def serve_stdio(db_path: Path | None = None, verbosity: int = 0) -> None:
    """Serve MCP until the client closes stdin. In a terminal, print what to do instead."""
    if sys.stdin.isatty():
        sys.stderr.write(f"{_HINT}\n")
        raise SystemExit(2)
    from lorekeeper_mcp.runtime import configure_environment, configure_logging, exit_on_sigint  # noqa: PLC0415

    configure_environment()
    settings = checked_settings(db_path)
    configure_logging(settings.log_level, verbosity)
    exit_on_sigint()
    gc.disable()  # importing FastMCP creates permanent objects that the garbage collector need not scan
    import anyio  # noqa: PLC0415

    from lorekeeper_mcp.cli.stdio_server import run_on_stdio  # noqa: PLC0415 - imports FastMCP
    from lorekeeper_mcp.server import make_server  # noqa: PLC0415

    server = make_server(settings)
    gc.freeze()
    gc.enable()
    anyio.run(run_on_stdio, server)
    sys.stdout.flush()
    os._exit(0)  # threads of Milvus Lite or torch must not keep the process alive


def checked_settings(db_path: Path | None) -> Settings:
    """Load the settings, with this folder for the cache if it is given.

    Exits with a sentence: with code 1 if a setting is wrong, 2 if the folder has content of another program.
    """
    from lorekeeper_mcp.settings import ConfigurationError, load_settings  # noqa: PLC0415 - see the module
    from lorekeeper_mcp.store.errors import ForeignPathError  # noqa: PLC0415
    from lorekeeper_mcp.store.folder import check_path  # noqa: PLC0415

    try:
        settings = load_settings(**({"milvus_db_path": db_path} if db_path else {}))
        if settings.milvus_uri is None:
            check_path(settings.milvus_db_path)
    except (ConfigurationError, ForeignPathError) as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(1 if isinstance(error, ConfigurationError) else 2) from None
    return settings


if __name__ == "__main__":
    main()
