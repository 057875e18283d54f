"""Each action is there once, under its own name."""

from __future__ import annotations

from lorekeeper_mcp.models import Action, ActionType, Creature, Kind, Section, Source
from lorekeeper_mcp.sources.open5e.action_repairs import with_whole_actions
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import records

LEGENDARY = ActionType.LEGENDARY_ACTION


def moth(*actions: Action, document: str = "a5e-mm", traits: tuple[Section, ...] = ()) -> Creature:
    return with_whole_actions(
        Creature(
            kind=Kind.CREATURE, key="own_moth", name="Moth", document_key=document, document_name="Own",
            document_source=Source.OPEN5E_V2, actions=actions, traits=traits,
        )
    )  # fmt: skip


def test_a_legendary_action_served_twice_is_kept_once() -> None:
    wings = Action(name="Wings", text="It beats them.", type=LEGENDARY, legendary_cost=2)
    again = Action(name="Wings (Costs 2 Actions)", text="It beats them!")
    alone = Action(name="Roar (Costs 3 Actions)", text="It roars.")
    assert [(one.name, one.type) for one in moth(wings, again, alone).actions] == [
        ("Wings", LEGENDARY), ("Roar (Costs 3 Actions)", LEGENDARY),
    ]  # fmt: skip


def test_a_sentence_served_as_a_name_is_moved_to_the_text() -> None:
    record = moth(
        Action(name="Bite", text="It bites."),
        Action(name="If a bitten creature dies, the moth grows", text="It is Large then."),
        Action(name="Moths are drawn to lamps and fires", text="Few survive."),
        Action(name="Luck: The creature can roll a d12 once", text=""),
        Action(name="The moth has one legendary action it can take", text="", type=LEGENDARY),
        traits=(
            Section(name="A lamp subject to the moth's dust aura makes no light", text="It is dim."),
            Section(name="Dust Aura", text="It dusts."),
            Section(name="Potion of greater healing (3)", text="It heals."),
        ),
    )
    assert [(one.name, one.text) for one in record.actions] == [
        ("Bite", "It bites.\n\nIf a bitten creature dies, the moth grows. It is Large then."),
        ("Luck", "The creature can roll a d12 once."),
    ]
    assert record.text == "Moths are drawn to lamps and fires. Few survive."
    assert record.legendary_text == "The moth has one legendary action it can take."
    assert [one.name for one in record.traits] == ["Dust Aura", "Potion of greater healing (3)"]
    assert record.traits[0].text.endswith("makes no light. It is dim.")


def test_other_books_keep_long_names() -> None:
    named = Action(name="If a bitten creature dies, it grows", text="So it is.")
    assert moth(named, document="tob").actions == (named,)


@needs_recorded
def test_no_recorded_creature_has_a_legendary_action_twice() -> None:
    for record in records("v2/creatures"):
        assert isinstance(record, Creature)
        names = [one.name.partition(" (Costs")[0] for one in record.actions if one.type is LEGENDARY]
        assert len(names) == len(set(names)), record.id
