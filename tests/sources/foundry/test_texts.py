"""Texts, advancements and durations of Foundry as a book prints them."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.foundry.enrichers import markdown
from tests.record_pages import markdown as page
from tests.sources.imported_items import read_records


@pytest.mark.parametrize(("written", "shown"), [
    ("[[/damage 2d6 type=fire average=true]]", "7 (2d6) fire"),
    ("[[/save ability=dex dc=15]]", "DC 15 Dexterity saving throw"),
    ("[[/check skill=acr dc=12]]", "DC 12 Dexterity (Acrobatics) check"),
    ("[[/r 1d20 + 5]]{+5}", "+5"),
    ("[[1d6 # fire]]", "1d6"),
    ("&Reference[prone apply=false]", "prone"),
    ("&amp;Reference[condition=prone]{Prone}", "Prone"),
    ("@UUID[Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p]{Lamp}", "Lamp"),
    ("@UUID[Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p]", "another entry"),
    ("@UUID[Compendium.fens.spells.Item.fnsplFogWall0000]", "Fog Wall"),
    ("@Embed[Compendium.fens.notes.JournalEntry.aB3dE5gH7jK9mN1p inline]", "(A text that this file does not contain.)"),
    ("[[/check ath dc=12]] check", "DC 12 Strength (Athletics) check"),
    ("A [[/save dex]] save", "A Dexterity save"),
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


ADVANCEMENTS = [
    ({"type": "Trait", "configuration": {"grants": ["skills:sur", "saves:str", "armor:lgt", "tool:thief"]}},
     "Survival, Strength saving throws, light armor, thieves' tools"),
    ({"type": "Trait", "configuration": {"mode": "expertise", "choices": [{"count": 2, "pool": ["skills:ath", "tool:art:*"]}]}},
     "mode: expertise; choices: ((count: 2; pool: Athletics, any artisan's tools))"),
    ({"type": "Size", "configuration": {"sizes": ["sm", "med"]}}, "Size: Small, Medium"),
    ({"type": "ScaleValue", "title": "Die", "configuration": {"scale": {"1": {"number": 1, "faces": 6}, "5": {"value": 2}}}},
     "Die: 1d6 at level 1, 2 at level 5"),
    ({"type": "AbilityScoreImprovement", "configuration": {"points": 2, "fixed": {"wis": 1, "int": 0}}},
     "Ability Score Improvement: points: 2; fixed: (Wisdom: 1)"),
    ({"type": "ItemChoice", "title": "Style", "configuration": {"choices": {"2": {"count": 1}}, "hint": "<p>Choose.</p>"}},
     "Style: choices: (2: (count: 1)). Choose."),
]  # fmt: skip


@pytest.mark.parametrize(("advancement", "line"), ADVANCEMENTS, ids=[row[1] for row in ADVANCEMENTS])
def test_an_advancement_reads_as_a_book_prints_it(advancement: dict[str, Any], line: str) -> None:
    record = read({"name": "Ash", "type": "feat", "system": {"advancement": [{**advancement, "level": 1}]}})
    assert {section.name: section.text for section in record.other}["Advancement"] == f"- Level 1: {line}"


def test_a_duration_of_concentration_alone_is_printed_once() -> None:
    system = {"level": 1, "components": {"concentration": True}}
    fog = read({"name": "Fog", "type": "spell", "system": system})
    assert "**Duration** Concentration  \n" in page(fog) + "\n"
