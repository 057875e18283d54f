"""Version 1 supplies the description of a background that version 2 lost."""

from __future__ import annotations

from lorekeeper_mcp.models import Background, Correction, Kind
from lorekeeper_mcp.sources.open5e.archive import completed as completed_record
from lorekeeper_mcp.sources.open5e.archive.options import carried_over, completed
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from tests.own_records import open5e_heading
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import adapt, records


def ferrier(text: str = "") -> Background:
    return Background(**open5e_heading(Kind.BACKGROUND, "Ferrier", "a5e-ag"), text=text)


OLD = {"slug": "ferrier-a5e", "name": "Ferrier", "document__slug": "a5e", "desc": "You left the barge."}


def test_a_background_without_a_description_takes_it_and_says_so() -> None:
    archived = adapt("v1/backgrounds", OLD, Background)
    assert archived.id == ferrier().id
    stored = completed(ferrier(), archived)
    assert stored.text == "You left the barge."
    assert stored.corrections == (Correction(field="text", was=NOTHING, source=SOURCE),)
    assert carried_over(ferrier(), stored) == stored


def test_a_description_of_version_2_is_kept() -> None:
    own = ferrier("You row.")
    assert completed(own, adapt("v1/backgrounds", OLD, Background)) is own
    stored = completed(ferrier(), adapt("v1/backgrounds", OLD, Background))
    assert carried_over(own, stored) is own
    assert carried_over(ferrier(), own) == ferrier()


@needs_recorded
def test_each_background_of_level_up_in_version_1_has_a_description_that_version_2_lacks() -> None:
    newer = {record.id: record for record in records("v2/backgrounds")}
    documents = BY_PATH["v1/backgrounds"].documents or frozenset()
    archive = [record for record in records("v1/backgrounds") if record.document_key in documents]
    completed_records = [completed_record(newer[archived.id], archived) for archived in archive]
    assert len([record for record in completed_records if record.text and record is not newer[record.id]]) == 16
