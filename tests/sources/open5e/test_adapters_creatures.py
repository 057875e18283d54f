from __future__ import annotations

from lorekeeper_mcp.models import Abilities, Action, ActionType, Creature, Ref
from lorekeeper_mcp.text import letters
from tests.recorded import needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, pairs


def creature(**changes: object) -> Creature:
    return adapt("v2/creatures", invented.record("v2/creatures", **changes), Creature)


def action(**changes: object) -> Action:
    served = invented.record("v2/creatures")["actions"][0]
    return creature(actions=[{**served, **changes}]).actions[0]


@needs_recorded
def test_the_words_of_every_recorded_trait_and_action_are_kept() -> None:
    for served, record in pairs("v2/creatures", Creature):
        parts = (*record.traits, *record.actions)
        kept = " ".join((record.legendary_text, *(f"{part.name} {part.text}" for part in parts)))
        for part in (*served["traits"], *served["actions"]):
            assert letters(part["desc"])[-30:] in letters(kept)


@needs_recorded
def test_recorded_actions_stand_in_the_order_of_the_book_within_their_types() -> None:
    types = list(ActionType)
    for served, record in pairs("v2/creatures", Creature):
        places = {
            action["name"].strip(): action["order_in_statblock"]
            for action in served["actions"]
            if action["order_in_statblock"] is not None
        }
        if len(places) == len(served["actions"]):
            placed = [one for one in record.actions if one.name in places]
            order = [(types.index(one.type), places[one.name]) for one in placed]
            assert order == sorted(order)
        assert all(
            action.legendary_cost is None for action in record.actions if action.type is not ActionType.LEGENDARY_ACTION
        )


def test_an_invented_creature_is_read_whole() -> None:
    record = creature()
    assert record.speed == {"walk": 30.0, "fly": 40.0}
    assert record.hover is True
    assert record.abilities == Abilities(strength=8, constitution=0)
    assert record.skills == {"sleight-of-hand": 4}
    assert (record.senses.darkvision, record.senses.normal_sight) == (60.0, None)
    assert record.environments == (Ref(name="Forest or Jungle", key="forest"),)
    assert record.actions[0].legendary_cost is None


def test_actions_are_sorted_by_type_then_place_then_as_served() -> None:
    served = [
        ("Lair", "LAIR_ACTION", 0),
        ("Legend", "LEGENDARY_ACTION", 0),
        ("Unplaced", "ACTION", None),
        ("Second", "ACTION", 2),
        ("Also second", "ACTION", 2),
        ("React", "REACTION", 1),
        ("First", "ACTION", "1"),
        ("Bonus", "BONUS_ACTION", 3),
    ]
    actions = [{"name": name, "action_type": type_, "order_in_statblock": place} for name, type_, place in served]
    names = ["First", "Second", "Also second", "Unplaced", "Bonus", "React", "Legend", "Lair"]
    assert [action.name for action in creature(actions=actions).actions] == names
