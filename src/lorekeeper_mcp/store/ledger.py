"""The notes of the ledger: typed models, and the codec between them and the stored entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError


class Note(BaseModel):
    """One entry of the ledger. Fields of other versions of this program are skipped."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class FetchNote(Note):
    """A request that was stored whole: when (epoch seconds), how many records, and which could not be read.

    ``examples`` are names of some ``unreadable`` records. ``retired`` where the endpoint is no longer there.
    """

    at: float = 0.0
    count: int = 0
    unreadable: int = 0
    examples: tuple[str, ...] = ()
    retired: bool = False


class RefusalNote(Note):
    """A list that had lost too much to be believed: when (epoch seconds), and a clause that says why."""

    at: float = 0.0
    reason: str = ""


class SeedNote(Note):
    """The version of the embedded SRDs that is stored."""

    version: str = ""


class BookNote(Note):
    """An imported book: what it was made from, empty while it is being written, and the library that has its files."""

    source: str = ""
    shelf: str = ""


N = TypeVar("N", bound=Note)
_PREFIXES: Mapping[type[Note], str] = {
    FetchNote: "open5e:",
    RefusalNote: "refused:",
    SeedNote: "seed:",
    BookNote: "orcbrew:",
}


def encode(notes: Mapping[str, Note]) -> dict[str, dict[str, object]]:
    """Return the ledger's entries for some notes, each under the name of what it is about."""
    return {_PREFIXES[type(note)] + name: note.model_dump(mode="json") for name, note in notes.items()}


def decode(ledger: Mapping[str, Mapping[str, object]], kind: type[N]) -> dict[str, N]:
    """Return the notes of one kind by the name of what they are about. An entry that cannot be read is none."""
    prefix, found = _PREFIXES[kind], {}
    for id_, entry in ledger.items():
        if id_.startswith(prefix):
            try:
                found[id_.removeprefix(prefix)] = kind.model_validate(entry)
            except ValidationError:
                continue
    return found
