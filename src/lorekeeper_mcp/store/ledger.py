"""The notes of the ledger: typed models, and their conversion to stored entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError


class Note(BaseModel):
    """One entry of the ledger. Fields of other versions of this program are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class FetchNote(Note):
    """A request whose answer is stored whole: time in epoch seconds, number of records, unreadable records.

    ``examples`` are names of some ``unreadable`` records. ``retired`` if the endpoint no longer exists.
    """

    at: float = 0.0
    count: int = 0
    unreadable: int = 0
    examples: tuple[str, ...] = ()
    retired: bool = False


class RefusalNote(Note):
    """A list that had shrunk too much to be plausible: time in epoch seconds, and the reason as a clause."""

    at: float = 0.0
    reason: str = ""


class SeedNote(Note):
    """The stored version of the embedded SRDs."""

    version: str = ""


class BookNote(Note):
    """An imported book: ``source`` identifies its files and is empty while it is being written."""

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
    """Return the ledger entries of notes by name."""
    return {_PREFIXES[type(note)] + name: note.model_dump(mode="json") for name, note in notes.items()}


def decode(ledger: Mapping[str, Mapping[str, object]], kind: type[N]) -> dict[str, N]:
    """Return the notes of one kind by name. Unreadable entries are skipped."""
    prefix, found = _PREFIXES[kind], {}
    for id_, entry in ledger.items():
        if id_.startswith(prefix):
            try:
                found[id_.removeprefix(prefix)] = kind.model_validate(entry)
            except ValidationError:
                continue
    return found
