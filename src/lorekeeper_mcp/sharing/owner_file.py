"""The owner file: address, version and shape of data of the process that owns a store. Only the user can read it.

The lock beside it decides who the owner is. The next owner replaces the file of a killed one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from dataclasses import field
from pathlib import Path

from pydantic.dataclasses import dataclass

from lorekeeper_mcp.store.errors import StoreUnavailableError
from lorekeeper_mcp.store.store_files import OWNER_FILE, write_private

# Defined here, since a command must import only the standard library to ask the owner.
LOOPBACK = "127.0.0.1"
MCP_PATH = "/mcp"
HEALTH_PATH = "/health"
COMMAND_PATH = "/commands"


class OwnerGoneError(RuntimeError):
    """The owner ended before it answered: ask the next one. A command's message is a sentence."""


class OwnerSilentError(StoreUnavailableError):
    """The owner does not reply but still holds the store; the message is a sentence."""


@dataclass(frozen=True)
class OwnerCard:
    """An owner's process, port on 127.0.0.1, token, version and shape of data."""

    pid: int
    port: int
    token: str = field(repr=False)
    version: str
    shape: str

    @property
    def address(self) -> str:
        """The base address, without a path."""
        return f"http://{LOOPBACK}:{self.port}"


def silent_owner_message(card: OwnerCard | None) -> str:
    """Return the sentence for users about an owner that does not reply."""
    process = f"Process {card.pid} owns the cache and" if card else "The process that owns the cache"
    return f"{process} does not reply. Quit it, or resume it if it is suspended."


def read_owner_card(store: Path) -> OwnerCard | None:
    """Return the card in the owner file, whose owner may be gone; None if it is unreadable."""
    try:
        return OwnerCard(**json.loads((store / OWNER_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def publish(store: Path, card: OwnerCard) -> None:
    """Write the file atomically. Raises OSError."""
    write_private(store / OWNER_FILE, json.dumps(dataclasses.asdict(card)))


def withdraw(store: Path, card: OwnerCard) -> None:
    """Delete the file if it is still this owner's."""
    if read_owner_card(store) == card:
        with contextlib.suppress(OSError):
            (store / OWNER_FILE).unlink()
