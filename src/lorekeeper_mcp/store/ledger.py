"""The notes of the ledger as typed models, and their conversion to stored entries; ``sync.fetch_ledger`` has more."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError


class Note(BaseModel):
    """One entry of the ledger; ``prefix`` marks its kind. Fields of other versions of this program are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    prefix: ClassVar[str]


class SeedNote(Note):
    """The stored version of the embedded SRDs."""

    prefix: ClassVar[str] = "seed:"
    version: str = ""


class BookNote(Note):
    """An imported book: ``source`` identifies its files and is empty while it is being written; ``files`` are ids."""

    prefix: ClassVar[str] = "orcbrew:"
    source: str = ""
    library: str = ""
    files: tuple[str, ...] = ()


N = TypeVar("N", bound=Note)


def encode(notes: Mapping[str, Note]) -> dict[str, dict[str, object]]:
    """Return the ledger entries of notes by name."""
    return {note.prefix + name: note.model_dump(mode="json") for name, note in notes.items()}


def decode(ledger: Mapping[str, Mapping[str, object]], kind: type[N]) -> dict[str, N]:
    """Return the notes of one kind by name, which is that of its request if it has one. Unreadable ones are skipped."""
    notes: dict[str, N] = {}
    for id_, entry in ledger.items():
        name = id_.removeprefix(kind.prefix)
        if name != id_:
            with contextlib.suppress(ValidationError):
                notes[name] = kind.model_validate({**entry, "request": name})
    return notes
