"""Version 1 supplies the first line of a feat that version 2 lost."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Feat, Kind
from lorekeeper_mcp.sources.open5e.archive import completed as completed_record
from lorekeeper_mcp.sources.open5e.archive.options import carried_over, completed
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from tests.own_records import open5e_heading
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import adapt, records


def stride(text: str = "") -> Feat:
    return Feat(**open5e_heading(Kind.FEAT, "Stride", "a5e-ag"), text=text, benefits=("You walk on water.",))


@pytest.mark.parametrize(
    ("desc", "effects", "text"),
    [
        ("You are quick.\nYou walk on lakes.", [], "You are quick."),
        ("You are quick.", ["You walk on lakes."], "You are quick."),
        ("You walk on lakes.", [], ""),  # an effect, in older words
    ],
)
def test_a_feat_takes_the_first_line_and_no_effect(desc: str, effects: list[str], text: str) -> None:
    served = {"slug": "stride-a5e", "name": "Stride", "document__slug": "a5e", "desc": desc, "effects_desc": effects}
    archived = adapt("v1/feats", served, Feat)
    stored = completed(stride(), archived)
    assert (archived.id, stored.text, stored.benefits) == (stride().id, text, stride().benefits)
    assert carried_over(stride(), stored) == stored
    unchanged = stride("You stride.")
    assert completed(unchanged, archived) is unchanged


@needs_recorded
def test_feats_of_level_up_gain_a_line() -> None:
    newer = {record.id: record for record in records("v2/feats")}
    archive = [record for record in records("v1/feats") if record.document_key in (BY_PATH["v1/feats"].documents or ())]
    gained = [
        archived for archived in archive if completed_record(newer[archived.id], archived) is not newer[archived.id]
    ]
    assert (len(archive), len(gained)) == (59, 42)
