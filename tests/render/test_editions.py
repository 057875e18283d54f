"""What the two editions print differently, and the books' order of parts that sources mix."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Abilities, CharacterClass, Creature, Edition, Kind, Senses, Spell, TableColumn
from lorekeeper_mcp.models.options import FEATURES_COLUMN
from tests.own_records import book_heading
from tests.record_pages import markdown

SIX = dict.fromkeys(Abilities.model_fields, 14)
SAVES = dict.fromkeys(Abilities.model_fields, 5)


@pytest.mark.parametrize(
    ("edition", "level", "header", "higher_level"),
    [
        (Edition.E2014, 2, "*2nd-level evocation (ritual)*", "***At Higher Levels.***"),
        (Edition.E2024, 2, "*Level 2 evocation (ritual)*", "***Using a Higher-Level Spell Slot.***"),
        (Edition.E2024, 0, "*Evocation cantrip (ritual)*", "***Cantrip Upgrade.***"),
    ],
)
def test_a_spell_has_the_header_of_its_edition(edition: Edition, level: int, header: str, higher_level: str) -> None:
    spell = Spell(
        **book_heading(Kind.SPELL, "Glow"), level=level, school="evocation", ritual=True, higher_level="It glows more.",
        editions=(edition,),
    )  # fmt: skip
    page = markdown(spell)
    assert header in page
    assert f"{higher_level} It glows more." in page


@pytest.mark.parametrize(("edition", "row"), [(Edition.E2014, "| 1st | 2 |"), (Edition.E2024, "| 1 | 2 |")])
def test_a_class_table_counts_levels_as_its_edition(edition: Edition, row: str) -> None:
    table = (TableColumn(name="Features", type=FEATURES_COLUMN, cells={1: "2"}),)
    assert row in markdown(CharacterClass(**book_heading(Kind.CLASS, "Moth Keeper"), table=table, editions=(edition,)))


def test_only_the_2024_ability_table_has_saves() -> None:
    block = {"abilities": Abilities(**SIX), "saving_throws": SAVES}
    revised = markdown(Creature(**book_heading(Kind.CREATURE, "Gloom"), editions=(Edition.E2024,), **block))
    assert "| Save | +5 | +5 |" in revised
    assert "Saving Throws" not in revised
    older = markdown(Creature(**book_heading(Kind.CREATURE, "Gloom"), editions=(Edition.E2014,), **block))
    assert "**Saving Throws** Strength +5, Dexterity +5" in older
    assert "Save |" not in older
    few = Creature(
        **book_heading(Kind.CREATURE, "Gloom"), editions=(Edition.E2024,), abilities=Abilities(**SIX),
        saving_throws={"wisdom": 6},
    )  # fmt: skip
    assert "**Saving Throws** Wisdom +6" in markdown(few)


def test_passive_perception_is_printed_once() -> None:
    senses = Senses(text="darkvision 60 ft., passive Perception 9", passive_perception=9)
    assert markdown(Creature(**book_heading(Kind.CREATURE, "Gloom"), senses=senses)).count("Perception") == 1
