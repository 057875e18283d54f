from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"type": "RECHARGE_ON_ROLL", "param": 5}, "Recharge 5–6"),
        ({"type": "RECHARGE_ON_ROLL", "param": 6}, "Recharge 6"),
        ({"type": "RECHARGE", "param": 4}, "Recharge 4–6"),
        ({"type": "RECHARGE", "param": None}, "Recharge"),
        ({"type": "RECHARGE_AFTER_REST", "param": None}, "Recharges after a Short or Long Rest"),
        ({"type": "PER_DAY", "param": 3}, "3/Day"),
        ({"type": "PER_DAY", "param": "3"}, "3/Day"),
        ({"type": "PER_NEW_MOON", "param": 2}, "Per new moon 2"),
        ("twice a week", "twice a week"),
        (None, ""),
        ({}, ""),
    ],
)
def test_limits_of_use_are_put_in_words(limits: object, words: str) -> None:
    assert action(usage_limits=limits).uses == words


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


def test_only_legendary_actions_cost_something() -> None:
    assert action(action_type="LEGENDARY_ACTION", legendary_action_cost=2).legendary_cost == 2
    assert action(action_type="REACTION", legendary_action_cost=1).legendary_cost is None


def test_odd_fields_are_read_as_far_as_possible() -> None:
    assert creature(challenge_rating="1/4").challenge_rating == 0.25
    assert creature(challenge_rating=3).challenge_rating == 3.0
    assert creature(hit_points="45").hit_points == 45
    assert creature(speed={"walk": "30", "fly": None}).speed == {"walk": 30.0}
    assert creature(type="undead", size="large").type_text == "Undead"
    assert creature(environments=["forest"]).environments == (Ref(name="Forest", key="forest"),)
    assert creature(actions=None, traits=None).actions == ()
