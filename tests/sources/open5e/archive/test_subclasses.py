"""Version 1 supplies the features of a subclass that version 2 lost."""

from __future__ import annotations

from lorekeeper_mcp.models import CharacterClass, Feature, Kind
from lorekeeper_mcp.sources.open5e.archive import completed as completed_record
from lorekeeper_mcp.sources.open5e.archive.options import carried_over, completed
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING
from tests.own_records import open5e_heading
from tests.recorded import needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, records


def path(*features: Feature) -> CharacterClass:
    return CharacterClass(**open5e_heading(Kind.SUBCLASS, "Path of Hellfire", "toh"), features=features)


def test_a_subclass_without_features_takes_them_with_their_levels() -> None:
    archived = adapt("v1/classes", invented.record("v1/classes"), CharacterClass)
    assert (archived.id, archived.text) == (path().id, "Lamps burn.")
    stored = completed(path(), archived)
    features = [(feature.name, feature.text, feature.levels) for feature in stored.features]
    assert features == [("Glow", "At 3rd level, you glow.", (3,)), ("Dim", "You dim.", ())]
    assert [(note.field, note.was) for note in stored.corrections] == [("features", NOTHING)]
    assert carried_over(path(), stored) == stored


def test_features_of_version_2_are_kept() -> None:
    own = path(Feature(name="Wick", text="You have a wick."))
    assert completed(own, adapt("v1/classes", invented.record("v1/classes"), CharacterClass)) is own


@needs_recorded
def test_one_subclass_gains_its_features() -> None:
    newer = {record.id: record for record in records("v2/classes")}
    [archived] = [record for record in records("v1/classes") if record.document_key == "toh"]
    complete = completed_record(newer[archived.id], archived)
    assert isinstance(complete, CharacterClass)
    assert [feature.levels for feature in complete.features] == [(3,), (6,), (10,), (14,)]
