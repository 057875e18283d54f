"""Commands and their options."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer

from lorekeeper_mcp.cli import clients
from lorekeeper_mcp.cli.lookup import look_up, tool_call, with_filters
from lorekeeper_mcp.runtime import configure_environment, configure_logging
from lorekeeper_mcp.sharing.lookup_command import Lookup

app = typer.Typer(
    name="lorekeeper-mcp",
    help="A D&D 5e reference for AI assistants. Without a command, runs the MCP server that clients start.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
Transport = Literal["stdio", "http"]
Option, Argument = typer.Option, typer.Argument
Json = Annotated[bool, Option("--json", help="Machine-readable output.")]
Html = Annotated[Path | None, Option("--html", metavar="FILE", help="Write a page to read or print instead.")]
Open = Annotated[bool, Option("--open", help="With --html: show the page in the browser.")]
Limit = Annotated[int, Option("--limit", "-n", min=1, max=50, help="Number of results.")]
Documents = Annotated[list[str] | None, Option("--document", "-d", help="Search only this document (repeatable).")]
Types = Annotated[list[str] | None, Option("--type", "-t", help="Spell, Creature, Item, undead … (repeatable).")]
EditionOption = Annotated[str | None, Option("--edition", "-e", help="2014, 2024 or a5e.")]
Sort = Annotated[
    str | None, Option("--sort", help="name, level, cr, cost or weight; prefix - for descending, as in -cr.")
]
Port = Annotated[
    int | None, Option("--port", "-p", min=0, max=65535, help="Port for HTTP; default 8000, 0 for a free one.")
]
_STRICT = "Reject files that would replace or remove imported items; exit with 1 if an item is skipped."


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lorekeeper-mcp {importlib.metadata.version('lorekeeper-mcp')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    verbose: Annotated[int, Option("--verbose", "-v", count=True, help="Log more; -vv logs everything.")] = 0,
    db_path: Annotated[Path | None, Option("--db-path", help="Cache folder; its name must end in .db.")] = None,
    _: Annotated[bool, Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """A D&D 5e reference for AI assistants."""
    if context.invoked_subcommand is None:
        _serve_stdio(context.params)
    if context.invoked_subcommand == "config":  # prints static facts, so a wrong setting must not stop it
        return
    from lorekeeper_mcp.__main__ import checked_settings  # noqa: PLC0415 - imports this module in turn

    configure_environment()
    context.obj = checked_settings(db_path)
    configure_logging(context.obj.log_level, verbose)


@app.command()
def serve(
    context: typer.Context,
    transport: Annotated[Transport, Option("--transport", "-t", help="How clients connect.")] = "stdio",
    host: Annotated[str | None, Option("--host", help="Address for HTTP; default 127.0.0.1.")] = None,
    port: Port = None,
) -> None:
    """Run the MCP server over stdio (the default) or HTTP."""
    if transport == "stdio":
        if host is not None or port is not None:
            raise typer.BadParameter("--host and --port require --transport http.")
        _serve_stdio(context.find_root().params)
    from lorekeeper_mcp.cli.http_server import ServingError, serve_http  # noqa: PLC0415 - imports FastMCP

    try:
        code = serve_http(context.obj, "127.0.0.1" if host is None else host, 8000 if port is None else port)
    except ServingError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    os._exit(code)  # threads of Milvus Lite or torch must not delay the end of the server


def _serve_stdio(options: Mapping[str, Any]) -> NoReturn:  # the type that click passes on
    from lorekeeper_mcp.__main__ import serve_stdio  # noqa: PLC0415 - the server is imported by nobody else

    serve_stdio(options["db_path"], options["verbose"])
    raise typer.Exit


@app.command()
def config(
    client: Annotated[
        str | None,
        Argument(
            help="claude-desktop, cursor …; omit to list all.",
            autocompletion=lambda: [client.key for client in clients.CLIENTS],
        ),
    ] = None,
    source: Annotated[
        str | None, Option("--from", help="Clone, wheel or git URL that uvx runs; default: this installed program.")
    ] = None,
) -> None:
    """Print the config snippet for an MCP client (stderr names the file it belongs in)."""
    clients.show(client, source=source)


@app.command()
@with_filters
def search(
    context: typer.Context,
    query: Annotated[
        list[str] | None, Argument(help="A question, a name, or a pattern with *; optional with filters.")
    ] = None,
    types: Types = None,
    document: Documents = None,
    edition: EditionOption = None,
    sort: Sort = None,
    limit: Limit = 10,
    detail: Annotated[str | None, Option("--detail", help="auto, brief (a list) or full.")] = None,
    cursor: Annotated[str | None, Option("--cursor", help="next_cursor from the previous page.")] = None,
    as_json: Json = False,
    html: Html = None,
    opens: Open = False,
    **filters: list[str] | bool | None,
) -> None:
    """Search everything, with the same engine as the MCP tools."""
    shared = {"documents": document, "edition": edition, "sort": sort, "limit": limit, "detail": detail}
    call = tool_call(" ".join(query or []), types or [], filters, {**shared, "cursor": cursor})
    raise typer.Exit(look_up(context.obj, [call], as_json=as_json, html=html, opens=opens))


@app.command()
@with_filters
def show(
    context: typer.Context,
    key: Annotated[list[str], Argument(help="Keys such as srd_fireball, or a name.")],
    types: Types = None,
    document: Documents = None,
    edition: EditionOption = None,
    as_json: Json = False,
    html: Html = None,
    opens: Open = False,
    **filters: list[str] | bool | None,
) -> None:
    """Show one entry in full, or several by their keys."""
    shared = {"documents": document, "edition": edition}
    wanted = key if all("_" in word for word in key) else [" ".join(key)]
    calls = [tool_call(one, types or [], filters, shared).model_copy(update={"key": one}) for one in wanted]
    raise typer.Exit(look_up(context.obj, calls, as_json=as_json, html=html, opens=opens))


@app.command()
def documents(
    context: typer.Context,
    source: Annotated[str | None, Option("--source", "-s", help="open5e_v2, open5e_v1, orcbrew or srd.")] = None,
    as_json: Json = False,
) -> None:
    """List cached books and documents."""
    call = Lookup(tool="list_documents", arguments={"source": source, "format": "text"})
    raise typer.Exit(look_up(context.obj, [call], as_json=as_json))


@app.command()
def sync(
    context: typer.Context,
    kinds: Annotated[
        list[str] | None,
        Argument(metavar="[KIND]...", help="spells, creatures, items, options, rules, reference, or any kind."),
    ] = None,
    accept_removals: Annotated[
        bool, Option("--accept-removals", help="Accept lists even if Open5e now has far fewer records.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Download missing and outdated data from Open5e, for all kinds or the given ones."""
    from lorekeeper_mcp.cli.reports import run_sync  # noqa: PLC0415 - imports the repository

    raise typer.Exit(run_sync(context.obj, kinds or [], as_json=as_json, accept_removals=accept_removals))


@app.command()
def status(
    context: typer.Context,
    verbose: Annotated[bool, Option("--verbose", "-v", help="Also the records of each kind, and all names.")] = False,
    as_json: Json = False,
) -> None:
    """Show where the cache is, what it contains, and what is missing."""
    from lorekeeper_mcp.cli.reports import run_status  # noqa: PLC0415 - imports the repository

    run_status(context.obj, as_json=as_json, verbose=verbose)


@app.command()
def doctor(context: typer.Context, as_json: Json = False) -> None:
    """Check the installation and suggest fixes; exits with 1 if a check fails."""
    from lorekeeper_mcp.cli.reports import run_doctor  # noqa: PLC0415 - imports the repository

    raise typer.Exit(run_doctor(context.obj, as_json=as_json))


@app.command("import", short_help="Import homebrew (OrcBrew, 5etools and others); import again to update.")
def import_(
    context: typer.Context,
    files: Annotated[
        list[str], Argument(metavar="FILE…", help="Files, folders, globs, zip archives, or - for standard input.")
    ],
    dry_run: Annotated[bool, Option("--dry-run", help="Report what would happen; write nothing.")] = False,
    force: Annotated[bool, Option("--force", help="Also store and embed unchanged items again.")] = False,
    strict: Annotated[bool, Option("--strict", help=_STRICT)] = False,
    book: Annotated[str, Option("--book", metavar="NAME", help="Name of the book, for files without their own.")] = "",
    as_json: Json = False,
) -> None:
    """Import homebrew: OrcBrew, 5etools, Fantasy Statblocks, Improved Initiative, Foundry. Import again to update."""
    from lorekeeper_mcp.cli.reports import run_import  # noqa: PLC0415 - imports the cache
    from lorekeeper_mcp.sharing.book_commands import Import  # noqa: PLC0415

    options = Import(dry_run=dry_run, force=force, strict=strict)
    raise typer.Exit(run_import(context.obj, files, options, as_json=as_json, book=book))


@app.command()
def export(
    context: typer.Context,
    book: Annotated[str, Argument(metavar="BOOK", help="Key or name of an imported book.")],
    target: Annotated[
        Path | None, Argument(metavar="FILE", help="A file or an existing folder; stdout if not given.")
    ] = None,
) -> None:
    """Copy the file that a book was imported from."""
    from lorekeeper_mcp.cli.reports import run_export  # noqa: PLC0415 - imports the cache

    raise typer.Exit(run_export(context.obj, book, target))


@app.command()
def remove(
    context: typer.Context,
    books: Annotated[list[str], Argument(metavar="BOOK…", help="Keys or names of imported books.")],
) -> None:
    """Remove imported books."""
    from lorekeeper_mcp.cli.reports import run_remove  # noqa: PLC0415 - imports the cache

    raise typer.Exit(run_remove(context.obj, books))
