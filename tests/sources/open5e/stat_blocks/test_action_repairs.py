"""Each action is there once, under its own name."""

from __future__ import annotations

from lorekeeper_mcp.models import Action, ActionType, Creature, Kind, Section
from lorekeeper_mcp.sources.open5e.stat_blocks.action_repairs import with_whole_actions
from tests.own_records import open5e_heading
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import records

LEGENDARY = ActionType.LEGENDARY_ACTION


def moth(*actions: Action, document: str = "a5e-mm", traits: tuple[Section, ...] = ()) -> Creature:
    heading = open5e_heading(Kind.CREATURE, "Moth", document)
    return with_whole_actions(Creature(**heading, actions=actions, traits=traits))


def test_a_legendary_action_served_twice_is_kept_once() -> None:
    wings = Action(name="Wings", text="It beats them.", type=LEGENDARY, legendary_cost=2)
    repeated = Action(name="Wings (Costs 2 Actions)", text="It beats them!")
    assert [(action.name, action.type) for action in moth(wings, repeated).actions] == [("Wings", LEGENDARY)]


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
    assert [(action.name, action.text) for action in record.actions] == [
        ("Bite", "It bites.\n\nIf a bitten creature dies, the moth grows. It is Large then."),
        ("Luck", "The creature can roll a d12 once."),
    ]
    assert record.text == "Moths are drawn to lamps and fires. Few survive."
    assert record.legendary_text == "The moth has one legendary action it can take."
    assert [trait.name for trait in record.traits] == ["Dust Aura", "Potion of greater healing (3)"]
    assert record.traits[0].text.endswith("makes no light. It is dim.")


def test_rows_served_as_traits_or_actions_join_the_entry_that_announces_them() -> None:
    rows = (
        Section(name="1-4: Arm", text="It loses it."),
        Section(name="10 Head Melee Weapon Attack: +5 to hit, reach 5 ft", text=", one target."),
        Section(name="5", text="A leg."),
    )
    limbs, luck = Section(name="Lost Limbs", text="Roll a d10:"), Section(name="Luck", text="It is lucky.")
    attack = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target."
    list_text = f"- **1–4: Arm.** It loses it.\n- **5.** A leg.\n- **10: Head.** {attack}"
    for traits in ((*rows, limbs, luck), (luck, limbs, *rows)):
        texts = {trait.name: trait.text for trait in moth(traits=traits).traits}
        assert texts == {"Luck": "It is lucky.", "Lost Limbs": f"Roll a d10:\n\n{list_text}"}
    assert len(moth(traits=(*rows, luck)).traits) == 4, "nothing announces them"
    spells = (Section(name="1/day each", text="Ward"), Section(name="At will", text="light"))
    [casting] = moth(traits=(*spells, Section(name="Spellcasting", text="It casts:"))).traits
    assert casting.text == "It casts:\n\n- **At Will:** light\n- **1/Day Each:** ward"


def test_commands_served_as_actions_become_a_list() -> None:
    word = Action(name="Word", text="It acts depending on the moth's command.", type=LEGENDARY)
    commands = ("Bow down! It falls prone", "Flee! It runs away fast")
    record = moth(word, *(Action(name=name, text="", type=LEGENDARY) for name in commands))
    assert [action.text for action in record.actions] == [
        f"{word.text}\n\n- **Bow down!** It falls prone.\n- **Flee!** It runs away fast."
    ]
    assert record.text == ""


def test_an_entry_served_at_the_end_of_another_is_separate() -> None:
    hum = "It hums. Wing Beat of the Moth (Costs 2 Actions). It beats them. Flight (Moth Form Only). It flies."
    actions = moth(Action(name="Hum", text=hum, type=LEGENDARY), Action(name="Flight", text="It flies.")).actions
    assert [(action.name, action.text, action.legendary_cost, action.limited_to_form) for action in actions] == [
        ("Hum", "It hums.", None, ""), ("Wing Beat of the Moth", "It beats them.", 2, ""),
        ("Flight", "It flies.", None, "Moth Form Only"),
    ]  # fmt: skip
    [dust, glow] = moth(traits=(Section(name="Dust", text="It dusts. Glow (1/Day). It glows."),)).traits
    assert (dust.text, glow.name, glow.text) == ("It dusts.", "Glow (1/Day)", "It glows.")


def test_the_rest_of_a_sentence_served_as_an_action_is_joined_to_it() -> None:
    lead = Action(name="Lead", text="It can have only one")
    rest = Action(name="Lead die at a time", text="It ends soon.")
    assert [action.text for action in moth(lead, rest, document="ccdx").actions] == [
        "It can have only one Lead die at a time. It ends soon."
    ]
    glare = Action(name="Glare", text="It hinders saving throws based on")
    charisma = Action(name="Charisma", text="It ends soon.")
    assert [action.text for action in moth(glare, charisma, document="ccdx").actions] == [
        "It hinders saving throws based on Charisma. It ends soon."
    ]
    fury = Action(name="Fury (32 HP or fewer)", text="It rages.")
    assert len(moth(lead, fury, document="ccdx").actions) == 2
    spells = Action(name="Spells", text="It casts:\n\n- **At Will:** light")
    assert len(moth(spells, rest, document="ccdx").actions) == 2
    complete = Action(name="Lead", text="It leads.")
    bow = Action(name="Light bow", text="It shoots.")
    assert moth(complete, bow, document="ccdx").actions == (complete, bow)


def test_text_below_the_stat_block_is_not_part_of_it() -> None:
    texts = ["It bites. 364", "It bites. Lamp, Great Though all lamps burn, few do.", "It bites. Lamps Lamps are hot."]
    repaired = [moth(Action(name="Bite", text=text), document="ccdx").actions[0].text for text in texts]
    assert repaired == ["It bites."] * 3
    assert moth(Action(name="Bite", text="Hit: 3 (1d4 + 1) cold")).actions[0].text == "Hit: 3 (1d4 + 1) cold"


def test_the_rest_of_a_name_is_moved_from_the_text() -> None:
    [trait] = moth(traits=(Section(name="Keen Sight", text="[+]and Smell[/+] It has advantage."),)).traits
    assert (trait.name, trait.text) == ("Keen Sight and Smell", "It has advantage.")


def test_a_limit_before_the_text_limits_the_entry() -> None:
    dust = Action(name="Dust", text="(Lamp Form Only) It dusts.", uses="1/Day")
    glow = Action(name="Glow", text="(Recharge 5-6). It glows.")
    fire = Action(name="Fire", text="(3rd-Level; V, S) It burns.")
    record = moth(dust, glow, fire, traits=(Section(name="Hum", text="(1/Day)The moth hums."),))
    assert [(action.uses, action.limited_to_form, action.text) for action in record.actions] == [
        ("1/Day", "Lamp Form Only", "It dusts."), ("Recharge 5–6", "", "It glows."), ("", "", fire.text),
    ]  # fmt: skip
    assert [(trait.name, trait.text) for trait in record.traits] == [("Hum (1/Day)", "The moth hums.")]


def test_a_trait_after_a_spell_list_is_separate() -> None:
    spells = "It casts: 1/day: light, fog (lamps only) Lamp Sight. It sees lamps."
    record = moth(traits=(Section(name="Innate Spellcasting", text=spells),))
    assert [(trait.name, trait.text) for trait in record.traits] == [
        ("Innate Spellcasting", "It casts:\n\n- **1/Day:** light, fog (lamps only)"), ("Lamp Sight", "It sees lamps."),
    ]  # fmt: skip


def test_a_lair_action_served_as_a_trait_is_a_lair_action() -> None:
    text = "On initiative count 20 (losing initiative ties), the moth takes a lair action:\n\n- It glows."
    record = moth(traits=(Section(name="A Moth's Lair", text=text),))
    assert not record.traits
    assert [(action.type, action.name, action.text) for action in record.actions] == [
        (ActionType.LAIR_ACTION, "", text)
    ]


def test_other_books_keep_long_names() -> None:
    action = Action(name="If a bitten creature dies, it grows", text="So it is.")
    assert moth(action, document="tob").actions == (action,)


@needs_recorded
def test_no_recorded_creature_has_a_legendary_action_twice() -> None:
    for record in records("v2/creatures"):
        assert isinstance(record, Creature)
        names = [action.name.partition(" (Costs")[0] for action in record.actions if action.type is LEGENDARY]
        assert len(names) == len(set(names)), record.id


def test_an_action_ends_with_a_full_stop_unless_it_ends_with_a_list() -> None:
    texts = [
        "It deals 4 (1d6 + 1) damage",
        "It dims every lamp (if lit)",
        "It casts:\n\n1/Day Each: light, dim light",
        "It can't act, move, speak or",
    ]
    actions = [Action(name=f"Glow {number}", text=text) for number, text in enumerate(texts)]
    assert [action.text for action in moth(*actions).actions] == [f"{texts[0]}.", f"{texts[1]}.", *texts[2:]]
