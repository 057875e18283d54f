"""Version 1 supplies the traits of a species that version 2 lost."""

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import Correction, Kind, Section, Species
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.archive import completed as completed_record
from lorekeeper_mcp.sources.open5e.archive.options import carried_over, completed
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from tests.own_records import open5e_heading
from tests.recorded import needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, records

GLOW = Section(name="Glow", text="It glows.")
WHOLE = {"size": "Your size is Small.", "speed": "25 feet.", "traits": (GLOW,)}


def moth(**fields: Any) -> Species:
    return Species(**open5e_heading(Kind.SPECIES, "Moth", "toh"), **fields)


def test_each_paragraph_with_a_name_is_a_trait() -> None:
    record = adapt("v1/races", invented.record("v1/races"), Species)
    assert [(trait.name, trait.text) for trait in record.traits] == [
        ("Ability Score Increase", "Your Charisma score increases by 2."),
        ("Age", "They count tides, not years."),
        ("Alignment", "They tend toward neutrality."),
        ("Size", "Your size is Small."),
        ("Speed", "Your base walking speed is 25 feet."),
        ("Lamp Eyes", "You see in smoke."),
        ("Languages", "You can speak Common."),
        ("Wick", "You choose a wick:\n\n* **Wet.** It hisses.\n* **Dry.** It crackles."),
        ("Glow", "You shed dim light.\n\nIt is warm."),
    ]
    assert (record.size, record.speed) == ("Your size is Small.", "Your base walking speed is 25 feet.")


def test_a_species_without_traits_takes_them_and_says_so() -> None:
    stored = completed(moth(text="A moth."), moth(**WHOLE))
    assert (stored.text, stored.size, stored.speed, stored.traits) == ("A moth.", *WHOLE.values())
    assert set(stored.corrections) == {Correction(field=name, was=NOTHING, source=SOURCE) for name in WHOLE}


def test_a_species_with_traits_stays_as_it_is() -> None:
    own = moth(size="Tiny.", speed="5 feet.", traits=(Section(name="Hum", text="It hums."),))
    assert completed(own, moth(**WHOLE)) is own


def test_a_refreshed_species_keeps_what_came_from_version_1_and_nothing_else() -> None:
    stored = completed(moth(), moth(**WHOLE))
    assert carried_over(moth(), stored) == stored
    withdrawn = moth(**WHOLE)
    assert carried_over(moth(), withdrawn) == moth()


def trait_texts(species: Species) -> set[tuple[str, str]]:
    return {(trait.name, trait.text.rstrip(".")) for trait in species.traits}


@needs_recorded
def test_version_1_has_the_traits_that_version_2_has_and_those_of_one_species_more() -> None:
    species = {record.id: record for record in records("v2/species")}
    documents = BY_PATH["v1/races"].documents or frozenset()
    archive = [record for record in records("v1/races") if record.document_key in documents]
    assert len(archive) == 11
    gained = [
        archived.id
        for archived in archive
        if completed_record(species[archived.id], archived) is not species[archived.id]
    ]
    assert gained == ["species:toh_shade"]
    for archived in archive:
        record = species[archived.id]
        assert isinstance(archived, Species)
        assert isinstance(record, Species)
        if archived.id not in gained:
            assert trait_texts(archived) == trait_texts(record)


def test_traits_lost_in_version_2_have_the_key_of_version_2() -> None:
    record = to_record("v1/races", {"slug": "moth", "name": "Moth", "document__slug": "toh"}, Context({}))
    assert record.id == moth().id
