"""The owner of a store, as other processes see it: the owner file, its health, and the commands that it carries out.

The file has the owner's address, version and shape of data, and only the user can read it. The lock beside it decides
who the owner is; the next owner replaces the file of a killed one. Requests go over ``http.client``, since imports are
most of a command's time.
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import importlib.metadata
import json
import os
import socket
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError
from pydantic.dataclasses import dataclass

from lorekeeper_mcp.sharing.command import Command, CommandError, OnProgress, R
from lorekeeper_mcp.store.errors import StoreUnavailableError
from lorekeeper_mcp.store.folder import OWNER_FILE, write_private

if TYPE_CHECKING:
    from lorekeeper_mcp.settings import Settings

LOOPBACK = "127.0.0.1"
MCP_PATH = "/mcp"
HEALTH_PATH = "/health"
_SILENCE_SECONDS = 5.0  # without a byte from the owner, which writes at least a line per second
_HEALTH_SECONDS = 1.5


class OwnerGoneError(RuntimeError):
    """The owner ended before it answered: ask the next one. A command's message is a sentence."""


class OwnerSilentError(StoreUnavailableError):
    """The owner does not reply but still holds the store; the message is a sentence."""

    def __init__(self, card: OwnerCard | None) -> None:
        process = f"Process {card.pid} owns the cache and" if card else "The process that owns the cache"
        super().__init__(f"{process} does not reply. Quit it, or resume it if it is suspended.")


@dataclass(frozen=True)
class OwnerCard:
    """An owner's process, port on 127.0.0.1, token, version and shape of data."""

    pid: int
    port: int
    token: str = field(repr=False)
    version: str
    shape: str


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the address; port 0 picks a free one. Raises OSError."""
    family, kind, protocol, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on other systems it would let two servers share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(2048)
    except OSError:
        bound.close()
        raise
    return bound


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


def living_owner(settings: Settings) -> OwnerCard | None:
    """Return the card of the store's owner if it replies and runs this version of the program."""
    card = read_owner_card(settings.milvus_db_path) if settings.milvus_uri is None else None
    with contextlib.suppress(OwnerGoneError):
        if card and card.version == importlib.metadata.version("lorekeeper-mcp") and replies(card, _HEALTH_SECONDS):
            return card
    return None


def replies(card: OwnerCard, seconds: float) -> bool:
    """Whether the owner replies in time. Raises OwnerGoneError if nothing listens there, or another process does."""
    try:
        with _send(card, "GET", HEALTH_PATH, seconds) as reply:
            if reply.status == http.client.NO_CONTENT:
                return True
    except TimeoutError:
        return False
    except (OSError, http.client.HTTPException) as error:
        raise OwnerGoneError from error
    raise OwnerGoneError


def ask(card: OwnerCard, command: Command[R], on_progress: OnProgress) -> R:
    """Have the owner carry out a command, and return the result.

    Raises CommandError with a sentence, OwnerGoneError if the owner ends meanwhile or is silent.
    """
    message_type = command.message_type()
    try:
        with _send(card, "POST", command.path(), _SILENCE_SECONDS, command.model_dump_json()) as reply:
            while line := reply.readline():
                message = message_type.model_validate_json(line)
                if message.progress:
                    on_progress(message.progress)
                if message.fault:
                    raise CommandError(message.fault)
                if "result" in message.model_fields_set:
                    return message.result  # type: ignore[return-value]  # None only if the command returns it
    except ValidationError as error:
        raise CommandError(f"Process {card.pid} owns the cache and runs another version. Quit it first.") from error
    except (OSError, http.client.HTTPException) as error:
        raise OwnerGoneError(f"Process {card.pid}, which owns the cache, does not reply.") from error
    raise OwnerGoneError("The process that owns the cache ended.")


def _send(card: OwnerCard, method: str, path: str, seconds: float, body: str = "") -> http.client.HTTPResponse:
    """Send a request and return the reply, whose lines may arrive later. It may be silent for some seconds."""
    connection = http.client.HTTPConnection(LOOPBACK, card.port, timeout=seconds)
    headers = {"Authorization": f"Bearer {card.token}", "Content-Type": "application/json", "Connection": "close"}
    connection.request(method, path, body.encode(), headers)
    return connection.getresponse()
