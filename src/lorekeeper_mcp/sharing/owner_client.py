"""Requests to the owner over ``http.client``: its health, and commands, most of whose time is imports."""

from __future__ import annotations

import contextlib
import http.client
import importlib.metadata
from typing import TYPE_CHECKING

from pydantic import ValidationError

from lorekeeper_mcp.sharing.command import Command, CommandError, OnProgress, R
from lorekeeper_mcp.sharing.owner_file import HEALTH_PATH, LOOPBACK, OwnerCard, OwnerGoneError, read_owner_card

if TYPE_CHECKING:
    from lorekeeper_mcp.settings import Settings

_SILENCE_SECONDS = 5.0  # without a byte from the owner, which writes at least a line per second
_HEALTH_SECONDS = 1.5


def living_owner(settings: Settings) -> OwnerCard | None:
    """Return the card of the store's owner if it replies and runs this version of the program."""
    card = read_owner_card(settings.milvus_db_path) if settings.milvus_uri is None else None
    if card is None or card.version != importlib.metadata.version("lorekeeper-mcp"):
        return None
    with contextlib.suppress(OwnerGoneError):
        return card if replies(card, _HEALTH_SECONDS) else None
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
    headers = {"Authorization": f"Bearer {card.token}", "Content-Type": "application/json"}
    connection.request(method, path, body.encode(), headers)
    return connection.getresponse()
