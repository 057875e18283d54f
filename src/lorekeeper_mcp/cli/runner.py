"""Runs a command's work on an open repository, without a server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

import typer

from lorekeeper_mcp.settings import Settings

T = TypeVar("T")


def with_repository(settings: Settings, work: Callable[..., Awaitable[T]]) -> T:
    """Open the repository, run the work, close it. Exits with a sentence if that fails."""
    from lorekeeper_mcp.repository.repository import Repository  # noqa: PLC0415
    from lorekeeper_mcp.sources.srd import RecordsFileError  # noqa: PLC0415
    from lorekeeper_mcp.store.errors import StoreError  # noqa: PLC0415 - imported by the commands that need it

    async def run() -> T:
        repository = await Repository.open(settings, patient=True)
        try:
            return await work(repository)
        finally:
            await repository.aclose()

    try:
        return asyncio.run(run())
    except (StoreError, RecordsFileError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted; the data stored so far is kept.\n")
        raise typer.Exit(130) from None
