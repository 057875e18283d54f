"""The owner file: where the process that owns a store can be reached. Only the user can read it.

It says which version of the program and which shape of data the owner has. The lock beside the store decides who the
owner is; a file that a killed owner left is replaced by the next.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from dataclasses import dataclass, field
from pathlib import Path


class OwnerSilentError(RuntimeError):
    """The owner does not reply, and still holds the store; the message is a sentence."""


@dataclass(frozen=True)
class OwnerCard:
    """How to reach an owner: its process, its port on 127.0.0.1, the token it wants, and what it is."""

    pid: int
    port: int
    token: str = field(repr=False)
    version: str
    shape: str

    @property
    def address(self) -> str:
        """The base address, without a path."""
        return f"http://127.0.0.1:{self.port}"


def owner_file(store: Path) -> Path:
    """Return the path of a store's owner file."""
    return store.with_suffix(".owner.json")


def published(store: Path) -> OwnerCard | None:
    """Return the card that was last published; its owner may be gone. None if there is none that can be read."""
    try:
        card = OwnerCard(**json.loads(owner_file(store).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    known = isinstance(card.pid, int) and isinstance(card.port, int) and isinstance(card.token, str)
    return card if known else None


def publish(store: Path, card: OwnerCard) -> None:
    """Write the file as a whole: no reader sees half of it. Raises OSError."""
    file = owner_file(store)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            json.dump(dataclasses.asdict(card), opened)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def withdraw(store: Path, card: OwnerCard) -> None:
    """Delete the file if it is still this owner's."""
    if published(store) == card:
        with contextlib.suppress(OSError):
            owner_file(store).unlink()
