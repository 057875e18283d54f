"""A command's connection to the owner, using only the standard library: imports are most of a command's time."""

from __future__ import annotations

import http.client
import importlib.metadata
import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from lorekeeper_mcp.sharing.owner_file import (
    COMMAND_PATH,
    HEALTH_PATH,
    LOOPBACK,
    MCP_PATH,
    OwnerCard,
    OwnerGoneError,
    read_owner_card,
)

if TYPE_CHECKING:
    from lorekeeper_mcp.settings import Settings

__all__ = ["CommandError", "OwnerCard", "OwnerGoneError", "call_tool", "living_owner", "run"]

_PROTOCOL = "2026-07-28"
_META = "io.modelcontextprotocol/"
_SILENCE_SECONDS = 5.0  # without a byte from the owner, which writes at least a line per second
_HEALTH_SECONDS = 1.5
_ANSWER_SECONDS = 120.0


class CommandError(RuntimeError):
    """A command cannot be carried out; the message is a sentence."""


def living_owner(settings: Settings) -> OwnerCard | None:
    """Return the card of the store's owner if it replies and runs this version of the program."""
    card = read_owner_card(settings.milvus_db_path) if settings.milvus_uri is None else None
    if card is None or card.version != importlib.metadata.version("lorekeeper-mcp"):
        return None
    try:
        connection = http.client.HTTPConnection(LOOPBACK, card.port, timeout=_HEALTH_SECONDS)
        connection.request("GET", HEALTH_PATH, headers=_headers(card))
        return card if connection.getresponse().status == http.client.NO_CONTENT else None
    except (OSError, http.client.HTTPException):
        return None


def call_tool(card: OwnerCard, tool: str, arguments: Mapping[str, object]) -> Mapping[str, object]:
    """Return the result of a tool call in the form of the protocol. Raises OwnerGoneError."""
    meta = {f"{_META}protocolVersion": _PROTOCOL, f"{_META}clientInfo": {"name": "lorekeeper-mcp", "version": "1"}}
    parameters = {"name": tool, "arguments": arguments, "_meta": {**meta, f"{_META}clientCapabilities": {}}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": _PROTOCOL,
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
    }
    lines = list(_posted(card, MCP_PATH, json.dumps(request), _ANSWER_SECONDS, headers))
    for line in lines:
        answer = json.loads(line.removeprefix("data:")) if line.startswith(("{", "data:")) else {}
        if isinstance(answer.get("result"), dict):
            return dict(answer["result"])
    raise OwnerGoneError("The process that owns the cache did not reply.")


def run(card: OwnerCard, name: str, request: str, on_progress: Callable[[Mapping[str, object]], None]) -> object:
    """Ask the owner to carry out a command, and return its result. ``request`` is JSON.

    Raises CommandError with the owner's sentence, OwnerGoneError if it ends meanwhile.
    """
    for line in _posted(card, f"{COMMAND_PATH}/{name}", request, _SILENCE_SECONDS, {}):
        message = json.loads(line) if line.strip() else {}
        if "progress" in message:
            on_progress(message["progress"])
        elif "fault" in message:
            raise CommandError(message["fault"])
        elif "result" in message:
            return message["result"]
    raise OwnerGoneError("The process that owns the cache ended.")


def _headers(card: OwnerCard) -> dict[str, str]:
    return {"Authorization": f"Bearer {card.token}", "Content-Type": "application/json"}


def _posted(card: OwnerCard, path: str, body: str, seconds: float, headers: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the owner's reply as they arrive. Raises OwnerGoneError."""
    connection = http.client.HTTPConnection(LOOPBACK, card.port, timeout=seconds)
    try:
        connection.request("POST", path, body.encode(), {**_headers(card), **headers})
        reply = connection.getresponse()
        while line := reply.readline():
            yield line.decode()
    except (OSError, http.client.HTTPException) as error:
        raise OwnerGoneError(f"Process {card.pid}, which owns the cache, does not reply.") from error
    finally:
        connection.close()
