from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Ref, Spell
from tests.recorded import needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, pairs


def spell(**changes: object) -> Spell:
    return adapt("v2/spells", invented.record("v2/spells", **changes), Spell)


@pytest.mark.parametrize(
    ("words", "cost", "consumed"),
    [
        ("a pearl worth 1,500+ GP, which the spell consumes", 1500.0, True),
        ("two rods worth at least 10gp each", 10.0, False),
        ("a pinch of dust consumed by the casting", None, True),
        ("a feather", None, False),
    ],
)
def test_a_materials_cost_is_parsed_from_its_text_if_not_served(words: str, cost: float | None, consumed: bool) -> None:
    read = spell(material_specified=words, material_cost="0.00", material_consumed=False)
    assert (read.material_cost, read.material_consumed) == (cost, consumed)
    assert spell(material_specified=words, material_cost="7.00").material_cost == 7


@needs_recorded
def test_every_recorded_casting_time_is_put_in_words() -> None:
    words = {record.casting_time: record.casting_time_text for _, record in pairs("v2/spells", Spell)}
    assert words["action"] == "1 action"
    assert words["bonus-action"] == "1 bonus action"
    assert words["10minutes"] == "10 minutes"
    assert words["1hour"] == "1 hour"
    assert all(text[0].isdigit() and " " in text for text in words.values())


def test_an_invented_spell_is_read_whole() -> None:
    record = spell()
    assert record.text == "It glows.\n\nA lot."
    assert record.higher_level == "More."
    assert (record.range, record.range_text, record.range_unit) == (0.0, "Self", "feet")
    assert record.damage_types == ("fire",)
    assert record.material_cost is None
    assert record.classes == (Ref(name="Wizard", key="srd-2024_wizard"),)
    assert record.see_also == (Ref(name="Lamp", key="lantern_lamp"),)
