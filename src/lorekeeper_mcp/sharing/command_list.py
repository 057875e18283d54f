"""The list of commands that the owner carries out."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from lorekeeper_mcp.sharing.book_commands import EXPORT, IMPORT, REMOVE
from lorekeeper_mcp.sharing.command import Command, CommandError
from lorekeeper_mcp.sharing.store_commands import CHECK, EMBED, STATUS, SYNC
from lorekeeper_mcp.sources.srd import RecordsFileError
from lorekeeper_mcp.store.errors import StoreError

FAULTS = (CommandError, StoreError, RecordsFileError, OSError)  # their messages are sentences for the user
COMMANDS: Mapping[str, Command[BaseModel, BaseModel]] = {
    command.name: command  # type: ignore[misc]  # each takes its own request, which was read as such
    for command in (STATUS, CHECK, SYNC, EMBED, IMPORT, EXPORT, REMOVE)
}
