from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Creature, Kind, Record, Rule, Source
from srd_converter.text_repairs import with_repaired_texts


@pytest.mark.parametrize(
    ("slip", "right"),
    [
        ("It walks on lava— or acid.", "It walks on lava—or acid."),
        ("A long sentence that has lost the full stop at its very end", None),
        (
            "It glows. It glows again after you cast this spell\n\nWhile it glows, it is seen.",
            "It glows. It glows again after you cast this spell.\n\nWhile it glows, it is seen.",
        ),
        ("You cast Mud Bolt . It bursts.", "You cast Mud Bolt. It bursts."),
        ("It makes a dexterity saving throw.", "It makes a Dexterity saving throw."),
        ("| a | b |", "| a | b |"),
        ("A wind (as made by Mud Wind ) ends it.", "A wind (as made by Mud Wind) ends it."),
        ("Magic trap This trap bursts.", "*Magic trap*\n\nThis trap bursts."),
        ("It swears. Mud.Never dry up. Deep Mud.Sink.", "It swears.\n\n**Mud.** Never dry up. Deep Mud.Sink."),
        ("Gain this:\n\n• A moth.\n• A lamp.", "Gain this:\n\n- A moth.\n- A lamp."),
        ("Gain this:\n\n- A moth.\n\n- A lamp.\n\nIt glows.", "Gain this:\n\n- A moth.\n- A lamp.\n\nIt glows."),
        (
            "(to load a one-handed weapon).\n\nAt the end of the battle, you glow. If you use a lamp, it hums.",
            "(to load a one-handed weapon). At the end of the battle, you glow.\n\nIf you use a lamp, it hums.",
        ),
        ("You are takin g (a)a lamp, o r mud.", "You are taking (a) a lamp, or mud."),
        ("It deals 1d10 +3) and 1 +your level.", "It deals 1d10 + 3) and 1 + your level."),
        ("In sun light it takes 10d 10 or 2 (1 d4) damage.", "In sunlight it takes 10d10 or 2 (1d4) damage."),
        ("Roll a d 100 for it.", "Roll a d100 for it."),
        ('It follows the " Glow:" notation.', 'It follows the "Glow:" notation.'),
        ("It deals 7 (1d8 + 3)mud damage", "It deals 7 (1d8 + 3) mud damage"),
        (
            "| Moth | Hue |\n| --- | --- |\n| A | red |\n\n| Moth | Hue |\n| --- | --- |\n| B | blue |",
            "| Moth | Hue |\n| --- | --- |\n| A | red |\n| B | blue |",
        ),
        ("| 01–08 | A moth. 09–11 Two moths |", "| 01–08 | A moth. |\n| 09–11 | Two moths |"),
        ("| d8 | Hue |\n| --- | --- |\n| 01 | red |", "| d8 | Hue |\n| --- | --- |\n| 1 | red |"),
    ],
)
def test_typesetting_errors_are_repaired(slip: str, right: str | None) -> None:
    rule = Rule(
        kind=Kind.RULE, key="k", name="n", document_key="d", document_name="d", document_source=Source.SRD, text=slip
    )
    assert with_repaired_texts(rule).text == (f"{slip}." if right is None else right)


def test_numbers_of_other_creatures_are_never_used(embedded_records: list[Record]) -> None:
    found = {record.key: record for record in embedded_records if isinstance(record, Creature)}
    claw = next(action.text for action in found["srd_gynosphinx"].actions if action.name == "Claw")
    assert "+8 to hit" in claw


def test_a_stat_block_within_a_text_has_a_line_for_each_part() -> None:
    rule = Rule(
        kind=Kind.RULE, key="k", name="n", document_key="d", document_name="d", document_source=Source.SRD,
        text="It appears. Mud Moth Small undead, neutral evil Armor Class 20 Hit Points half of yours\n\n"
        "**Speed 60 ft. (hover)**\n\nSenses darkvision 60 ft. Languages all Challenge — (0 XP) Mud Wings. It flies. "
        "Actions Bite.The moth bites.",
    )  # fmt: skip
    assert with_repaired_texts(rule).text.split("\n\n") == [
        "It appears.", "**Mud Moth**", "*Small undead, neutral evil*", "**Armor Class** 20",
        "**Hit Points** half of yours", "**Speed** 60 ft. (hover)", "**Senses** darkvision 60 ft.", "**Languages** all",
        "**Challenge** — (0 XP)", "**Mud Wings.** It flies.", "**Bite.** The moth bites.",
    ]  # fmt: skip
