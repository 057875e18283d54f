"""Texts, advancements, formulas and durations of Foundry as a book prints them."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.foundry.enrichers import markdown
from lorekeeper_mcp.sources.foundry.formulas import simplified
from tests.record_pages import markdown as page
from tests.sources.imported_items import read_records


@pytest.mark.parametrize(("written", "shown"), [
    ("[[/damage 2d6 type=fire average=true]]", "7 (2d6) fire"),
    ("[[/save ability=dex dc=15]]", "DC 15 Dexterity saving throw"),
    ("[[/r 1d20 + 5]]{+5}", "+5"),
    ("[[1d6 # fire]]", "1d6"),
    ("&amp;Reference[condition=prone]{Prone}", "Prone"),
    ("@UUID[Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p]{Lamp}", "Lamp"),
    ("@UUID[Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p]", "another entry"),
    ("@UUID[Compendium.fens.spells.Item.fnsplFogWall0000]", "Fog Wall"),
    ("@Embed[Compendium.fens.notes.JournalEntry.aB3dE5gH7jK9mN1p inline]", "(A text that this file does not contain.)"),
    ("[[/check ath dc=12]] check", "DC 12 Strength (Athletics) check"),
    ("The [[lookup @name lowercase]]{warden} or [[lookup @name]]", "The warden or creature"),
    ("<ul><li><p>a</p></li><li><p>b</p></li></ul>", "- a\n\n- b"),
    ("&lt;p&gt;Twice &lt;em&gt;escaped&lt;/em&gt;.&lt;/p&gt;", "Twice *escaped*."),
    ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x|y</td></tr></table>", "| a | b |\n|---|---|\n| 1 | x\\|y |"),
])  # fmt: skip
def test_text_inserted_by_the_application_is_in_words(written: str, shown: str) -> None:
    assert markdown(written) == shown


def read(document: dict[str, Any]) -> Record:
    [record] = read_records(document).values()
    return record


def test_advancements_are_listed_by_level_with_their_codes_in_words() -> None:
    advancements = [
        {
            "type": "ScaleValue",
            "level": 3,
            "title": "Die",
            "configuration": {"scale": {"3": {"number": 1, "faces": 6}}},
        },
        {"type": "HitPoints", "level": 1, "configuration": {}},
        {
            "type": "Trait",
            "level": 1,
            "configuration": {"grants": ["skills:med", "saves:str", "armor:lgt", "tool:art:*"]},
        },
    ]
    record = read({"name": "Ash", "type": "feat", "system": {"advancement": advancements}})
    assert {section.name: section.text for section in record.other}["Advancement"] == (
        "- Level 1: Trait (grants: Medicine, Strength saving throws, light armor, any artisan's tool)\n"
        "- Level 3: Die (scale: (3: (number: 1; faces: 6)))"
    )


@pytest.mark.parametrize(
    ("formula", "printed"),
    [
        ("8 + 3 - 1", "10"), ("4 * 2 + 1", "9"), ("10 - 4 / 2", "8"), ("2d6 + 3 + -1", "2d6 + 2"), ("1 + 2d6", "1 + 2d6"),
        ("floor(5 / 2)", "floor(5 / 2)"), ("3 / 0", "3 / 0"), ("2 * 3d6", "2 * 3d6"),
    ],
)  # fmt: skip
def test_sums_and_products_are_computed(formula: str, printed: str) -> None:
    assert simplified(formula) == printed


def test_a_duration_of_concentration_alone_is_printed_once() -> None:
    system = {"level": 1, "components": {"concentration": True}}
    fog = read({"name": "Fog", "type": "spell", "system": system})
    assert "**Duration** Concentration\n" in page(fog) + "\n"
