"""Corrections: each applies to something, is noted, and stops once the upstream is correct."""

from __future__ import annotations

from itertools import chain

from lorekeeper_mcp.corrections import applicable, corrected, corrected_keys, rows
from lorekeeper_mcp.models import Creature, Kind, Reference
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.adapters import to_record
from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from tests.record_pages import markdown
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import adapt, adapted, complete_records, context, records, served_record

pytestmark = needs_recorded


def test_every_correction_still_has_something_to_correct() -> None:
    """In Open5e, or in the books' packages, which have errors of their own."""
    every_record = chain(srd.records(), complete_records(), *(records(endpoint) for endpoint in ADAPTERS))
    applied = {
        (id_, note.field)
        for record in every_record
        for note in record.corrections
        for id_ in (record.id, f"{record.id.partition('_')[0]}_*")
    }
    assert [(id_, row.field) for row in rows() for id_ in row.records if (id_, row.field) not in applied] == []


def test_no_field_of_a_record_is_corrected_twice_in_the_same_way() -> None:
    changes = [(id_, row.field, row.words or str(row.wrong), str(row.right)) for row in rows() for id_ in row.records]
    assert sorted(changes) == sorted(set(changes))


def test_a_corrected_record_needs_no_correction() -> None:
    uncorrected = [
        record.id for endpoint in ADAPTERS for record in records(endpoint) if record.corrections and applicable(record)
    ] + [record.id for record in complete_records() if applicable(record)]
    assert uncorrected == []


def test_a_value_that_only_a_merged_record_has_is_corrected() -> None:
    """An action from version 1, and one that is joined from two."""
    creatures = {record.key: record for record in complete_records() if isinstance(record, Creature)}
    expected = {
        ("tob3_dire-pangolin", "Claws"): "11 (2d6+4)",
        ("a5e-mm_ice-devil", "Ice Wall"): "cold damage on a failed save",
    }
    for (key, name), text in expected.items():
        assert text in next(part.text for part in creatures[key].actions if part.name == name)


def test_a_corrected_field_is_noted_once() -> None:
    fields = {
        record.id: [note.field for note in record.corrections] for endpoint in ADAPTERS for record in records(endpoint)
    }
    assert [id_ for id_, noted in fields.items() if len(noted) > len(set(noted))] == []


def test_correct_upstream_values_are_unchanged() -> None:
    mage = served_record("v2/creatures", "a5e-mm_shadow-elf-mage")
    assert adapt("v2/creatures", mage, Creature, context()).senses.darkvision == 120
    mage["darkvision_range"] = 90.0
    record = adapt("v2/creatures", mage, Creature, context())
    assert record.senses.darkvision == 90
    assert "senses.darkvision" not in {note.field for note in record.corrections}


def test_a_corrected_page_shows_open5es_value_and_the_source() -> None:
    drow = adapted("v2/creatures", "srd_elf-drow", Creature)
    assert "**Challenge** 1/4" in markdown(drow)
    assert "challenge rating (Open5e says: 0; here as in SRD 5.1, page 307)" in markdown(drow)


def test_records_of_other_sources_are_left_alone() -> None:
    spell = to_record("v2/spells", {"key": "own_aid", "name": "Aid", "document": {"key": "own"}}, context())
    assert corrected(spell) is spell


def test_corrected_fields_add_the_keys_that_an_upstream_filter_would_miss() -> None:
    assert "srd_elf-drow" in corrected_keys(Kind.CREATURE, frozenset({"challenge_rating"}))
    assert corrected_keys(Kind.SPELL, frozenset({"level"})) == frozenset()


def test_embedded_references_are_those_of_the_book() -> None:
    kit, undercommon = srd.record_of("proficiency:srd_forgery-kit"), srd.record_of("language:undercommon")
    assert isinstance(kit, Reference)
    assert isinstance(undercommon, Reference)
    assert kit.type == "Other"
    assert (undercommon.speakers, undercommon.type) == ("Underworld traders", "rare in the 2024 rules")
