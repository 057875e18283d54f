"""Version 1 supplies what version 2 lacks, by a table of fields, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import (
    Action,
    ActionType,
    CharacterClass,
    Correction,
    Creature,
    Defenses,
    Kind,
    Record,
    Ref,
    Section,
    Senses,
    Species,
    Spell,
)
from lorekeeper_mcp.sources.open5e.archive import SOURCE, completed, merged, plain_name
from tests.own_records import open5e_heading
from tests.recorded import needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, complete_records, records

BITE, HOWL = Action(name="Bite", text="It bites."), Action(name="Howl", text="It howls.")
ROAR = Action(name="Roar", text="It roars.", type=ActionType.LEGENDARY_ACTION)


def moth(**fields: Any) -> Creature:
    return Creature(**open5e_heading(Kind.CREATURE, "Moth"), **fields)


def refreshed(record: Record, stored: Record) -> Record:
    [merged_record] = merged([record], {record.id: stored}, completing=False)
    return merged_record


def test_values_of_version_2_are_kept_and_missing_ones_are_taken_and_noted() -> None:
    old = moth(
        text="A moth.", type_text="Beast (lamp)", legendary_text="It takes 3.", speed={"walk": 10.0, "fly": 40.0}
    )
    record = completed(moth(type_text="Beast", text="Newer.", speed={"walk": 20.0}), old)
    assert (record.text, record.type_text, record.legendary_text) == ("Newer.", "Beast (lamp)", "It takes 3.")
    assert record.speed == {"fly": 40.0, "walk": 20.0}
    assert set(record.corrections) == {
        Correction(field="legendary_text", was="nothing", source=SOURCE),
        Correction(field="type_text", was="Beast", source=SOURCE),
        Correction(field="speed", was="less", source=SOURCE),
    }
    assert completed(record, old) is record


def test_actions_are_those_of_version_1_in_its_order() -> None:
    served = moth(actions=(BITE, HOWL))
    printed = moth(actions=(Action(name="Howl (Recharge 5-6; Lamp Form Only)", text="It howls."), BITE, ROAR))
    howl, bite, roar = completed(served, printed).actions
    assert (howl.name, howl.uses, howl.limited_to_form) == ("Howl", "Recharge 5–6", "Lamp Form Only")
    assert (bite, roar) == (BITE, ROAR)


def test_a_cost_is_a_field_and_other_remarks_stay_in_the_name() -> None:
    served = moth(actions=(ROAR.model_copy(update={"legendary_cost": 1}), HOWL))
    old = (ROAR.model_copy(update={"name": "Roar (Costs 2 Actions)"}), HOWL.model_copy(update={"name": "Howl (Gaze)"}))
    howl, roar = completed(served, moth(actions=old)).actions
    assert (roar.name, roar.legendary_cost, howl.name) == ("Roar", 2, "Howl (Gaze)")


def test_a_legendary_action_is_not_repeated_among_the_others() -> None:
    copy = ROAR.model_copy(update={"type": ActionType.ACTION, "name": "Roar (Costs 2 Actions)"})
    assert completed(moth(actions=(copy, ROAR)), moth(actions=(BITE, ROAR))).actions == (BITE, ROAR)


def test_traits_are_in_the_order_of_version_1_without_those_that_are_actions_there() -> None:
    glow, dust, wings = (Section(name=name, text=f"{name}.") for name in ("Glow", "Dust", "Wings"))
    served = moth(traits=(dust, glow, wings))
    action = Action(name="Dust", text="Dust.")
    record = completed(served, moth(traits=(wings, glow), actions=(action,)))
    assert (record.traits, record.actions) == ((wings, glow), (action,))
    assert refreshed(served, record).model_copy(update={"corrections": ()}) == record.model_copy(
        update={"corrections": ()}
    )


def test_an_attack_among_the_traits_and_what_follows_are_actions() -> None:
    glow = {"name": "Glow", "desc": "It glows."}
    tail = {"name": "Tail", "desc": "Melee Weapon Attack: +5 to hit, 5 ft., one target, 4 (1d8) damage."}
    dust = {"name": "Dust", "desc": "It spreads dust."}
    served = invented.record("v1/monsters", actions=[], special_abilities=[glow, tail, dust])
    record = adapt("v1/monsters", served, Creature)
    assert [trait.name for trait in record.traits] == ["Glow"]
    assert [one.name for one in record.actions if one.type is ActionType.ACTION] == ["Tail", "Dust"]


def test_fuller_lines_of_senses_and_defenses_are_taken() -> None:
    old = moth(
        senses=Senses(text="blindsight 30 ft. (blind beyond this radius), passive Perception 9", passive_perception=9),
        defenses=Defenses(damage_resistances_text="fire from lamps"),
    )
    record = completed(moth(senses=Senses(blindsight=30.0), defenses=Defenses(damage_resistances=("fire",))), old)
    assert record.senses.text == "blindsight 30 ft. (blind beyond this radius)"
    assert record.defenses.damage_resistances_text == "fire from lamps"
    fewer = moth(senses=Senses(blindsight=60.0, passive_perception=9))
    assert completed(fewer, old).senses.text == "", "the line has other ranges"


def test_classes_and_areas_of_spells_are_added() -> None:
    heading = open5e_heading(Kind.SPELL, "Glow")
    wizard, bard = Ref(name="Wizard", key="srd_wizard"), Ref(name="Bard", key="srd_bard")
    served = Spell(**heading, level=1, range_text="Self", classes=(wizard,))
    old = Spell(**heading, level=1, range_text="self (30-foot radius)", classes=(bard, wizard))
    record = completed(served, old)
    assert (record.classes, record.range_text) == ((bard, wizard), "self (30-foot radius)")
    assert refreshed(served, record).model_dump() == record.model_dump()


@pytest.mark.parametrize(
    ("key", "model", "field"),
    [("species:toh_shade", Species, "traits"), ("subclass:toh_path-of-hellfire", CharacterClass, "features")],
)
@needs_recorded
def test_options_that_version_2_serves_without_parts_have_them(key: str, model: type[Record], field: str) -> None:
    record = next(record for record in complete_records() if record.id == key)
    assert isinstance(record, model)
    assert len(getattr(record, field)) > 3
    assert [(note.field, note.was, note.source) for note in record.corrections if note.field == field] == [
        (field, "nothing", SOURCE)
    ]


@needs_recorded
def test_every_recorded_creature_of_tome_of_beasts_3_has_actions() -> None:
    creatures = [one for one in complete_records() if isinstance(one, Creature) and one.document_key == "tob3"]
    assert [one.key for one in creatures if not one.actions] == []


@needs_recorded
def test_no_recorded_action_is_lost() -> None:
    archived = {record.id: record for record in records("v1/monsters")}
    for record in complete_records():
        old = archived.get(record.id)
        if isinstance(record, Creature) and isinstance(old, Creature) and record.document_source != "srd":
            if any(note.field.endswith(".name") for note in record.corrections):
                continue
            names = {plain_name(part.name) for part in (*record.traits, *record.actions)}
            assert [one.name for one in old.actions if plain_name(one.name) not in names] == [], record.key
