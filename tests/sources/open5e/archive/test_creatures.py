"""Version 1 supplies the fields of creatures that version 2 lacks, and nothing else."""

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import Action, ActionType, Correction, Creature, Defenses, Kind, Section, Senses
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.archive import merged
from lorekeeper_mcp.sources.open5e.archive.creatures import carried_over, completed
from lorekeeper_mcp.sources.open5e.archive.provenance import SOURCE
from tests.own_records import open5e_heading
from tests.recorded import load, needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, records

BITE, HOWL = Action(name="Bite", text="It bites."), Action(name="Howl (1/Day)", text="It howls.")
ROAR = Action(name="Roar", text="It roars.", type=ActionType.LEGENDARY_ACTION)


def moth(**fields: Any) -> Creature:
    return Creature(**open5e_heading(Kind.CREATURE, "Moth"), **fields)


OLD = moth(
    text="A moth.", type_text="Beast (lamp)", legendary_text="It takes 3 legendary actions.", actions=(HOWL, BITE, ROAR)
)


def test_values_of_version_2_are_kept_and_missing_ones_are_taken() -> None:
    record = completed(moth(type_text="Beast", text="Newer.", actions=(BITE,)), OLD)
    assert (record.text, record.type_text) == ("Newer.", "Beast (lamp)")
    assert record.legendary_text == OLD.legendary_text
    assert record.actions == (HOWL, BITE, ROAR)
    assert record.corrections == (
        Correction(field="legendary_text", was="nothing", source=SOURCE),
        Correction(field="type_text", was="nothing", source=SOURCE),
        Correction(field="actions", was="nothing of Howl (1/Day); Roar", source=SOURCE),
    )


def test_an_action_that_version_2_has_within_another_is_not_lost() -> None:
    breath = Action(name="Breath", text="It breathes dust. Dust settles. All sneeze.")
    part = Action(name="Dust settles", text="All sneeze.")
    served = moth(actions=(breath,))
    assert completed(served, moth(actions=(breath, part))) is served


def test_an_action_that_is_corrected_in_name_is_not_lost() -> None:
    served = moth(actions=(BITE.model_copy(update={"name": "Sting", "text": f"It stings. {BITE.text}"}),))
    assert completed(served, moth(actions=(BITE,))) is not served, (
        "a text that another action contains is none of its own"
    )
    renamed = moth(actions=(BITE.model_copy(update={"name": "Sting"}),))
    assert completed(renamed, moth(actions=(BITE,))) is renamed


def test_actions_among_the_traits_of_both_versions_are_actions() -> None:
    glow = {"name": "Glow", "desc": "It glows."}
    tail = {"name": "Tail", "desc": "Melee Weapon Attack: +5 to hit, 5 ft., one target, 4 (1d8) damage."}
    dust = {"name": "Dust (Recharge 5–6)", "desc": "It spreads dust."}
    served = invented.record("v1/monsters", actions=[], special_abilities=[glow, tail, dust])
    for attacks in ([tail, dust], [dust, tail]):  # an attack, or what recharges out of the order of the alphabet
        served["special_abilities"] = [glow, *attacks]
        archived = adapt("v1/monsters", {**served, "document__slug": "tob3"}, Creature)
        traits = tuple(Section(name=part["name"], text=part["desc"]) for part in (dust, glow, tail))
        record = completed(moth(traits=traits), archived)
        assert [trait.name for trait in record.traits] == ["Glow"]
        assert [(action.name, action.type) for action in record.actions if action.type is ActionType.ACTION] == [
            (part["name"], ActionType.ACTION) for part in attacks
        ]
        assert carried_over(moth(traits=traits), record).traits == record.traits


def test_traits_and_actions_are_in_the_order_of_version_1() -> None:
    glow, dust, wings = (Section(name=name, text=f"{name}.") for name in ("Glow", "Dust", "Wings"))
    odd = Section(name="Eyes", text="Of version 2 alone.")
    served = moth(actions=(BITE, HOWL), traits=(dust, odd, glow, wings), text="A moth.")
    record = completed(served, moth(actions=(HOWL, BITE), traits=(wings, glow, dust)))
    assert record.traits == (wings, glow, dust, odd), "one that version 1 lacks stays after its neighbour"
    assert record.actions == (HOWL, BITE)
    assert [(note.field, note.was) for note in record.corrections] == [
        ("traits", "in another order"), ("actions", "in another order"),
    ]  # fmt: skip
    refreshed = carried_over(served, record)
    assert (refreshed.traits, refreshed.actions) == (record.traits, record.actions)


def test_a_paragraph_is_in_the_same_entry_as_in_version_1() -> None:
    shift, fire = (
        Section(name="Shift", text="It shifts."),
        Section(name="Fire", text="It burns.\n\nIf it dies, it is back."),
    )
    right = (Section(name="Shift", text="It shifts.\n\nIf it dies it is back."), Section(name="Fire", text="It burns."))
    traits = completed(moth(traits=(fire, shift)), moth(traits=right)).traits
    assert [(trait.name, trait.text) for trait in traits] == [
        ("Shift", "It shifts.\n\nIf it dies, it is back."), ("Fire", "It burns."),
    ]  # fmt: skip
    other = moth(traits=(*right, Section(name="Fire", text="It burns twice.")))
    assert completed(moth(traits=(shift, fire)), other).traits == (shift, fire), "two entries of that name"


def test_a_paragraph_of_a_trait_is_not_repeated_in_the_description() -> None:
    glow = Section(name="Glow", text="It glows, always.")
    old = moth(text="A moth.  \n**Glow.** It glows, always.  \n**Hum.** It hums.")
    assert completed(moth(traits=(glow,)), old).text == "A moth.  \n**Hum.** It hums."
    assert completed(moth(), old).text == old.text


def test_text_of_the_description_is_not_repeated_as_a_trait() -> None:
    lair = "On initiative count 20 (losing initiative ties), the moth takes a lair action:\n- It glows.\n- It hums."
    effects = Section(name="Regional Effects", text="It is warm:\n- Lamps go out.\n- Moths swarm.")
    served = moth(traits=(effects,), actions=(BITE, Action(name="", text=lair, type=ActionType.LAIR_ACTION)))
    archived = moth(text=f"## A Lair\n{lair.replace('- ', '* ')}\n{effects.text}", actions=(BITE,))
    record = completed(served, archived)
    assert (record.traits, record.actions) == ((), (BITE,))
    alone = completed(served, moth(text="A moth.", actions=(BITE,)))
    assert (alone.traits, alone.actions) == (served.traits, served.actions)


def test_a_movement_mode_missing_in_version_2_is_taken() -> None:
    record = completed(moth(speed={"walk": 30.0}), moth(speed={"walk": 20.0, "lightwalk": 80.0}))
    assert record.speed == {"walk": 30.0, "lightwalk": 80.0}


@needs_recorded
def test_variants_that_the_book_lacks_do_not_come_back_from_version_1() -> None:
    [archived] = [record for record in records("v1/monsters") if record.key == "srd_balor"]
    [balor] = [record for record in records("v2/creatures") if record.key == "srd_balor"]
    assert isinstance(balor, Creature)
    assert isinstance(archived, Creature)
    assert any(action.name.startswith("Variant:") for action in archived.actions)
    assert not any(action.name.startswith("Variant:") for action in completed(balor, archived).actions)


def test_a_creature_that_lacks_nothing_stays_as_it_is() -> None:
    complete = moth(text="A moth.", type_text="Beast (lamp)", legendary_text="Three.", actions=(HOWL, BITE, ROAR))
    assert completed(complete, OLD) is complete
    separate = HOWL.model_copy(update={"name": "Howl", "uses": "1/Day"})
    renamed = complete.model_copy(update={"actions": (separate, BITE, ROAR)})
    assert completed(renamed, OLD) is renamed, "a name without its uses is the same"


def test_an_action_takes_the_limit_that_only_version_1_has_behind_its_name() -> None:
    served = moth(type_text="Beast (lamp)", text="A moth.", legendary_text="Three.", actions=(
        Action(name="Howl", text="It howls."), BITE, ROAR))  # fmt: skip
    stored = completed(served, OLD)
    assert [(action.name, action.uses) for action in stored.actions] == [("Howl", "1/Day"), ("Bite", ""), ("Roar", "")]
    assert stored.corrections == (Correction(field="actions", was="nothing of Howl (1/Day)", source=SOURCE),)
    assert carried_over(served, stored) == stored


def test_an_action_cut_before_its_list_continues_as_in_version_1() -> None:
    dust = Action(name="Dust", text="The dust has one of two effects:")
    served = moth(type_text="Beast (lamp)", text="A moth.", legendary_text="Three.", actions=(dust,))
    complete = dust.model_copy(update={"text": "The dust has one of two effects: Dim. It dims. Dull. It dulls."})
    stored = completed(served, moth(actions=(complete,)))
    assert stored.actions == (complete,)
    assert carried_over(served, stored) == stored


def test_a_line_with_more_than_ranges_and_types_is_used() -> None:
    ranges, types = Senses(blindsight=60.0, passive_perception=12), Defenses(damage_resistances=("cold", "slashing"))
    served = moth(senses=ranges, defenses=types, skills={"perception": 2})
    printed = Defenses(damage_resistances_text="cold; slashing from nonmagical attacks", damage_immunities_text="fire")
    archived = moth(
        senses=Senses(text="blindsight 60 ft. (blind beyond this radius), passive Perception 12"),
        defenses=printed, skills={"sleight-of-hand": 4}, armor_text="natural armor",
    )  # fmt: skip
    stored = completed(served, archived)
    assert stored.senses.text == "blindsight 60 ft. (blind beyond this radius)"
    assert stored.defenses.damage_resistances_text == "cold; slashing from nonmagical attacks"
    assert stored.defenses.damage_immunities_text == "fire", "version 2 lost the line"
    assert (stored.skills, stored.armor_text) == ({"perception": 2, "sleight-of-hand": 4}, "natural armor")
    assert {note.field for note in stored.corrections} == {"senses", "defenses", "skills", "armor_text"}
    assert carried_over(served, stored) == stored


def test_equal_or_contradictory_senses_are_not_used() -> None:
    served = moth(senses=Senses(blindsight=60.0, passive_perception=12))
    for line in ("blindsight 60 ft., passive Perception 12", "blindsight 30 ft. (blind beyond this radius)", ""):
        assert completed(served, moth(senses=Senses(text=line))) is served
    ettin = completed(served, moth(senses=Senses(text="blindsight 60 ft., passive Perception 12 (17 with Two Heads)")))
    assert ettin.senses.text == "blindsight 60 ft., passive Perception 12 (17 with Two Heads)"


def test_lines_of_version_1_are_read_as_printed() -> None:
    old = {"slug": "moth", "name": "Moth", "document__slug": "tob3", "senses": "blindsight 60' (blind beyond)",
           "damage_immunities": "False", "skills": {"perception": 3, "sleight": 0, "Sleight of Hand": 4}}  # fmt: skip
    record = to_record("v1/monsters", old, Context({}))
    assert isinstance(record, Creature)
    assert (record.senses.text, record.defenses.damage_immunities_text) == ("blindsight 60 ft. (blind beyond)", "")
    assert record.skills == {"sleight-of-hand": 4}


def test_a_refreshed_record_keeps_parts_from_version_1() -> None:
    served = moth(type_text="Beast", actions=(BITE,))
    stored = completed(served, OLD)
    assert carried_over(served, stored) == stored
    own = moth(type_text="Beast", text="At last.", actions=(BITE, ROAR))
    refreshed = carried_over(own, stored)
    assert (refreshed.text, refreshed.actions) == ("At last.", (HOWL, BITE, ROAR))
    assert carried_over(own, own) is own


def test_only_records_that_gain_something_are_stored_again() -> None:
    complete = completed(moth(), OLD)
    assert merged([OLD], {OLD.id: complete}, completing=True) == []
    assert merged([OLD], {}, completing=True) == [], "a creature that version 2 does not have is none"
    assert merged([OLD], {OLD.id: moth()}, completing=True) == [complete]
    assert merged([moth()], {}, completing=False) == [moth()]


def test_a_description_that_is_cut_at_the_foot_of_its_page_ends_with_its_last_sentence_and_says_so() -> None:
    archived = {"slug": "moth", "name": "Moth", "document__slug": "tob2"}
    note = "*The source's text ends here.*"
    for served, text in (
        (
            "It flies.\n**Lamps.** It likes lamps. They fear Open Game License",
            f"It flies.\n\n**Lamps.** It likes lamps.\n\n{note}",
        ),
        ("It flies.\n**Lamps.** All moths Open Game License", f"It flies.\n\n{note}"),
        ("Moths are Open Game License", ""),
    ):
        assert to_record("v1/monsters", {**archived, "desc": served}, Context({})).text == text


def test_a_placeholder_is_no_description() -> None:
    archived = {"slug": "moth", "name": "Moth", "document__slug": "tob-2023", "desc": "False"}
    assert to_record("v1/monsters", archived, Context({})).text == ""


def test_a_subtype_already_in_the_type_is_not_added() -> None:
    swarm = moth(type_text="swarm of tiny beasts")
    assert completed(swarm, moth(type_text="beast (swarm)")).type_text == "swarm of tiny beasts"
    assert completed(moth(type_text="fey"), moth(type_text="fey (moth)")).type_text == "fey (moth)"


def test_a_swarm_of_version_1_is_recognised() -> None:
    archived = {"slug": "moths", "name": "Moths", "document__slug": "tob-2023", "type": "Swarm"}
    old = to_record("v1/monsters", {**archived, "v2_converted_path": "/v2/creatures/own_moth/"}, Context({}))
    assert isinstance(old, Creature)
    assert completed(moth(type="beast", type_text="Beast"), old).type_text == "Beast (Swarm)"


def test_a_printed_passive_score_is_kept() -> None:
    served = moth(senses=Senses(darkvision=30.0, passive_perception=11))
    archived = moth(senses=Senses(text="darkvision 30 ft.", passive_perception=13))
    flag = {"document_key": "bfrd"}
    stored = completed(served.model_copy(update=flag), archived)
    assert stored.senses.passive_perception == 13
    assert stored.corrections == (Correction(field="senses", was="passive Perception 11", source=SOURCE),)
    assert carried_over(served.model_copy(update=flag), stored) == stored
    assert completed(served, archived) is served, "elsewhere it is a modifier"


def has_actions(record: Creature) -> bool:
    return any(action.type is ActionType.ACTION for action in record.actions)


@needs_recorded
def test_tome_of_beasts_3_gets_its_actions_back() -> None:
    archived = {record.id: record for record in records("v1/monsters")}
    without_actions = completed_with_actions = 0
    for served in load("v2/creatures"):
        if served["document"]["key"] == "tob3":
            record = adapt("v2/creatures", served, Creature)
            archived_record = archived[record.id]
            assert isinstance(archived_record, Creature)
            without_actions += not has_actions(record)
            completed_with_actions += has_actions(completed(record, archived_record))
    assert (without_actions, completed_with_actions) == (396, 397), "one has them among its traits in both versions"


@needs_recorded
def test_version_1_names_a_record_of_version_2() -> None:
    served = next(monster for monster in load("v1/monsters") if monster["slug"] == "aboleth")
    record = to_record("v1/monsters", served, Context({}))
    assert isinstance(record, Creature)
    assert (record.id, record.document_key) == ("creature:srd_aboleth", "srd-2014")
    assert "3 legendary actions" in record.legendary_text


def test_a_description_repeats_no_words_and_no_name() -> None:
    text = "Moths dwell in lamps dwell in lamps:\n\\# Few see the Lamp  \n**Realm.** They do.\n_**Lamps.**_ They glow."
    served = invented.record("v1/monsters", desc=text)
    right = "Moths dwell in lamps:\n* Few see the Lamp Realm. They do.\n\n**Lamps.** They glow."
    assert adapt("v1/monsters", served, Creature).text == right


@needs_recorded
def test_a_corrected_value_of_version_1_stays_corrected_and_noted_in_a_refreshed_record() -> None:
    served = next(record for record in records("v2/creatures") if record.key == "tob3_dire-pangolin")
    old = next(record for record in records("v1/monsters") if record.key == "tob3_dire-pangolin")
    [stored] = merged([old], {old.id: served}, completing=True)
    assert "actions.Claws.text" in {note.field for note in stored.corrections}
    [refreshed] = merged([served], {served.id: stored}, completing=False)
    assert refreshed == stored
