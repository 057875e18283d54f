"""Every type of entry in the format's schema, as a book prints it."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.sources.fivetools.entries import markdown

# ruff: noqa: E501 - a row of a table is one line
ENTRIES: list[tuple[str, dict[str, Any], str]] = [
    ("entries", {"type": "entries", "name": "Ash", "entries": ["It burns."]}, "**Ash.** It burns."),
    ("entries of several parts", {"name": "Ash", "entries": ["One.", {"name": "Soot", "entries": ["Two."]}]}, "### Ash\n\nOne.\n\n**Soot.** Two."),
    ("section", {"type": "section", "name": "Ash", "entries": ["It burns."]}, "## Ash\n\nIt burns."),
    ("options without a count", {"type": "options", "entries": [{"name": "Ash", "entries": ["a"]}]}, "**Ash.** a"),
    ("item without a dot", {"type": "item", "name": "Ash", "nameDot": False, "entry": "x"}, "**Ash** x"),
    ("list", {"type": "list", "name": "Ways", "items": ["one", {"type": "item", "name": "Two", "entry": "2"}]}, "**Ways**\n\n- one\n- **Two.** 2"),
    ("colLabelRows", {"type": "table", "colLabelRows": [[{"type": "cellHeader", "entry": "A", "width": 2}, "B"], ["x", "y", "z"]], "rows": [["1", "2", "3"]]},
     "| A | B |  |\n|---|---|---|\n| x | y | z |\n| 1 | 2 | 3 |"),
    ("statblock of an abbreviation", {"type": "statblock", "tag": "itemProperty", "abbreviation": "2H", "source": "PHB"}, "See Two-Handed."),
    ("refFeat with a name", {"type": "refFeat", "feat": "Ash Walker|FENS", "name": "Walker"}, "See Walker."),
    ("legendary spells", {"type": "spellcasting", "name": "Spells", "legendary": {"2": ["{@spell fog}"]}}, "**Spells.**\n\n- 2 legendary actions: fog"),
    ("table", {"type": "table", "caption": "C", "colLabels": ["a", "b"], "rows": [["1", "x|y"], {"type": "row", "row": ["2", {"type": "cell", "roll": {"min": 3, "max": 4}}]}]},
     "**C**\n\n| a | b |\n|---|---|\n| 1 | x\\|y |\n| 2 | 3–4 |"),
    ("table with labels of rows", {"type": "table", "colLabels": ["a"], "rowLabels": ["one"], "rows": [["1"]]}, "|  | a |\n|---|---|\n| one | 1 |"),
    ("tableGroup", {"type": "tableGroup", "name": "G", "tables": [{"type": "table", "colLabels": ["a"], "rows": [["1"]]}]}, "**G**\n\n| a |\n|---|\n| 1 |"),
    ("insetReadaloud", {"type": "insetReadaloud", "entries": ["x"]}, "> x"),
    ("quote", {"type": "quote", "entries": ["x"], "by": ["Vell", "Moth"], "from": "Songs"}, "> x\n>\n> — Vell, Moth, Songs"),
    ("abilityDc", {"type": "abilityDc", "name": "Ki", "attributes": ["wis"]}, "**Ki save DC** = 8 + your proficiency bonus + your Wisdom modifier"),
    ("statblock", {"type": "statblock", "tag": "creature", "name": "Dusk Moth", "source": "FENS"}, "See Dusk Moth."),
    ("statblockInline", {"type": "statblockInline", "dataType": "monster", "data": {"name": "Dusk Moth"}}, "See Dusk Moth."),
    ("image", {"type": "image", "href": {"type": "internal", "path": "x.png"}, "title": "The fen"}, "[Picture: The fen]"),
    ("spellcasting", {"type": "spellcasting", "name": "Spells", "headerEntries": ["It casts."], "will": ["{@spell light}", {"entry": "{@spell fog}", "hidden": True}],
                      "recharge": {"5": ["{@spell web}"]}, "spells": {"1": {"slots": 2, "lower": 1, "spells": ["{@spell bane}"]}}, "daily": {"1": ["x"]}, "hidden": ["daily"]},
     "**Spells.** It casts.\n\n- At will: light\n- Recharge 5–6: web\n- 1st level (2 slots): bane"),
    ("a type that is not known", {"type": "sparkle", "entries": ["x"], "shine": "bright"}, "x\n\nshine: bright"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "entry", "text"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_an_entry_reads_as_a_book_prints_it(kind: str, entry: dict[str, Any], text: str) -> None:
    assert markdown(entry) == text, kind


@pytest.mark.parametrize("kind", sorted({entry["type"] for _, entry, _ in ENTRIES if "type" in entry}))
def test_an_entry_of_nothing_but_its_type_raises_nothing(kind: str) -> None:
    assert "{" not in markdown({"type": kind})
