"""A class has the same key whichever format a spell of it comes from."""

from __future__ import annotations

import json

import pytest

from lorekeeper_mcp.models import Spell
from tests.sources.imported_items import field_at, read_file, read_records

FILES = {
    "5etools": json.dumps(
        {
            "_meta": {"sources": [{"json": "FENS", "full": "Lights"}]},
            "spell": [
                {
                    "name": "Moth Light",
                    "source": "FENS",
                    "level": 1,
                    "school": "V",
                    "classes": {"fromClassList": [{"name": "Druid", "source": "PHB"}]},
                    "entries": ["It shines."],
                }
            ],
        }
    ),
    "Improved Initiative": json.dumps({"Name": "Moth Light", "Level": 1, "School": "Evocation", "Classes": ["druid"]}),
    "OrcBrew": (
        '{"Lights" {:orcpub.dnd.e5/spells {:moth-light {:key :moth-light :name "Moth Light" :level 1'
        ' :school "evocation" :spell-lists {:druid true}}}}}'
    ),
}


@pytest.mark.parametrize("form", FILES)
def test_a_class_of_the_srd_has_its_key(form: str) -> None:
    (book,) = read_file(FILES[form], "lights").books
    (spell,) = (record for record in book.records() if isinstance(record, Spell))
    assert [(ref.name.lower(), ref.key) for ref in spell.classes] == [("druid", "srd_druid")]


def test_a_class_of_the_same_foundry_file_has_its_key_there() -> None:
    wick = {"name": "Wick Keeper", "type": "class", "system": {"identifier": "wick"}}
    guild = {"name": "Guild", "type": "subclass", "system": {"classIdentifier": "wick"}}
    records = read_records({"name": "Fens", "_id": "x", "actors": [], "items": [guild, wick]}, "lights")
    assert field_at(records["Guild"], "subclass_of.key") == records["Wick Keeper"].key
