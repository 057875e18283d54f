"""Version 1 supplies the fields of spells that version 2 lacks: classes, and the area after the range."""

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import Correction, Kind, Ref, Spell
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.archive.provenance import SOURCE
from lorekeeper_mcp.sources.open5e.archive.spells import carried_over, completed
from tests.own_records import open5e_heading

BARD, DRUID, SORCERER = (Ref(name=name, key=f"srd_{name.lower()}") for name in ("Bard", "Druid", "Sorcerer"))


def glow(**fields: Any) -> Spell:
    return Spell(**open5e_heading(Kind.SPELL, "Glow", "toh"), level=1, **fields)


def archived(**fields: str) -> Spell:
    served = {"slug": "glow", "name": "Glow", "document__slug": "toh", "level_int": 1, **fields}
    record = to_record("v1/spells", served, Context({}))
    assert isinstance(record, Spell)
    return record


def test_classes_that_version_2_lacks_are_added_to_those_that_it_has() -> None:
    stored = completed(glow(classes=(DRUID,)), archived(dnd_class="Bard, Druid, Sorceror"))
    assert stored.classes == (BARD, DRUID, SORCERER)
    assert stored.corrections == (Correction(field="classes", was="Druid", source=SOURCE),)


def test_a_class_that_no_srd_has_has_a_key_of_its_own() -> None:
    assert archived(dnd_class="Anti-Paladin").classes == (Ref(name="Anti-Paladin", key="anti-paladin"),)


def test_an_area_behind_the_range_is_taken_and_another_range_is_not() -> None:
    cone = archived(range="Self (30-foot cone)")
    stored = completed(glow(range_text="Self"), cone)
    assert stored.range_text == "Self (30-foot cone)"
    assert stored.corrections == (Correction(field="range_text", was="Self", source=SOURCE),)
    touch = glow(range_text="Touch")
    assert completed(touch, cone) is touch


def test_a_spell_that_lacks_nothing_stays_as_it_is() -> None:
    complete = glow(classes=(BARD,), range_text="30 feet")
    assert completed(complete, archived(dnd_class="Bard", range="30 feet")) is complete


def test_level_up_is_the_adventurers_guide_in_version_2() -> None:
    record = archived(slug="glow-a5e", document__slug="a5e")
    assert (record.key, record.document_key) == ("a5e-ag_glow", "a5e-ag")


def test_a_refreshed_spell_keeps_parts_from_version_1() -> None:
    served = glow(range_text="Self")
    stored = completed(served, archived(dnd_class="Bard", range="Self (30-foot cone)"))
    assert carried_over(served, stored) == stored
    assert carried_over(glow(range_text="Touch", classes=(DRUID,)), stored).classes == (BARD, DRUID)
    assert carried_over(served, served) is served


def test_a_class_that_version_2_withdraws_does_not_stay() -> None:
    stored = completed(glow(classes=(DRUID,)), archived(dnd_class="Bard, Druid"))
    assert carried_over(glow(), stored).classes == (BARD,)
