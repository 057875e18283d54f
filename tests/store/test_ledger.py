from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.open5e.requests import list_request
from lorekeeper_mcp.store.ledger import BookNote, Note, SeedNote, decode, encode
from lorekeeper_mcp.sync.fetch_ledger import Fetch, Refusal

FEATS = list_request("v2/feats")
NOTES: list[Note] = [
    Fetch(request=FEATS, at=1.5, count=3, unreadable=1, examples=("odd",), retired=True),
    Refusal(request=FEATS, at=2.0, reason="lists only 1 of about 91 records"),
    SeedNote(version="5.2 / 1"),
    BookNote(source="file / 2", library="library"),
]


@pytest.mark.parametrize("note", NOTES, ids=lambda note: type(note).__name__)
def test_a_note_round_trips_as_its_own_type(note: Note) -> None:
    ledger = encode({"v2/feats?": note})
    assert decode(ledger, type(note)) == {"v2/feats?": note}
    assert not any(decode(ledger, type(other_note)) for other_note in NOTES if other_note is not note)


def test_notes_of_another_version_are_read_as_far_as_possible() -> None:
    ledger = {"open5e:v2/feats?": {"at": 1.0, "count": 3, "new": []}, "open5e:v2/skills?": {"at": "never"}}
    assert decode(ledger, Fetch) == {"v2/feats?": Fetch(request=FEATS, at=1.0, count=3)}
