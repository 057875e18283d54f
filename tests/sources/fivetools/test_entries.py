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
    ("options", {"type": "options", "count": 1, "entries": [{"name": "Ash", "entries": ["a"]}, {"name": "Soot", "entries": ["b"]}]}, "Choose 1 of the following:\n\n**Ash.** a\n\n**Soot.** b"),
    ("options without a count", {"type": "options", "entries": [{"name": "Ash", "entries": ["a"]}]}, "**Ash.** a"),
    ("patron", {"type": "patron", "name": "The Ash", "entries": ["It gives."]}, "**The Ash.** It gives."),
    ("entriesOtherSource", {"type": "entriesOtherSource", "source": "FENS", "page": 12, "name": "Ash", "entries": ["x"]}, "**Ash.** x"),
    ("hidden", {"type": "hidden", "entries": ["x"]}, "x"),
    ("list in Roman numerals", {"type": "list", "style": "list-lower-roman", "items": ["a", "b"]}, "1. a\n2. b"),
    ("item", {"type": "item", "name": "Ash", "entries": ["x"]}, "**Ash.** x"),
    ("item without a dot", {"type": "item", "name": "Ash", "nameDot": False, "entry": "x"}, "**Ash** x"),
    ("cell", {"type": "cell", "roll": {"exact": 3}, "entry": "x"}, "3 x"),
    ("row", {"type": "row", "row": ["1", "2"]}, "1\n\n2"),
    ("list", {"type": "list", "name": "Ways", "items": ["one", {"type": "item", "name": "Two", "entry": "2"}]}, "**Ways**\n\n- one\n- **Two.** 2"),
    ("numbered list", {"type": "list", "style": "list-decimal", "start": 3, "items": ["a", "b"]}, "3. a\n4. b"),
    ("list in capital Roman numerals", {"type": "list", "style": "list-upper-roman", "items": ["a"]}, "1. a"),
    ("cellHeader", {"type": "table", "colLabels": [{"type": "cellHeader", "entry": "A", "width": 2}, "B"], "rows": [["1", "2", "3"]]}, "| A | B |  |\n|---|---|---|\n| 1 | 2 | 3 |"),
    ("colLabelRows", {"type": "table", "colLabelRows": [[{"type": "cellHeader", "entry": "A", "width": 2}, "B"], ["x", "y", "z"]], "rows": [["1", "2", "3"]]},
     "| A | B |  |\n|---|---|---|\n| x | y | z |\n| 1 | 2 | 3 |"),
    ("statblock of an abbreviation", {"type": "statblock", "tag": "itemProperty", "abbreviation": "2H", "source": "PHB"}, "See Two-Handed."),
    ("refFeat with a name", {"type": "refFeat", "feat": "Ash Walker|FENS", "name": "Walker"}, "See Walker."),
    ("map", {"type": "image", "title": "The fen", "mapName": "Level 1", "imageType": "map"}, "[Picture: The fen, Level 1]"),
    ("legendary spells", {"type": "spellcasting", "name": "Spells", "legendary": {"2": ["{@spell fog}"]}}, "**Spells.**\n\n- 2 legendary actions: fog"),
    ("ingredient with fractions", {"type": "ingredient", "amount1": 2.5, "amount2": 3, "entry": "{=amount1} cups, {=amount2} eggs"}, "2.5 cups, 3 eggs"),
    ("itemSub", {"type": "itemSub", "name": "Ash", "entry": "x"}, "**Ash.** x"),
    ("itemSpell", {"type": "itemSpell", "name": "1st", "entry": "{@spell light}"}, "**1st.** light"),
    ("table", {"type": "table", "caption": "C", "colLabels": ["a", "b"], "rows": [["1", "x|y"], {"type": "row", "row": ["2", {"type": "cell", "roll": {"min": 3, "max": 4}}]}]},
     "**C**\n\n| a | b |\n|---|---|\n| 1 | x\\|y |\n| 2 | 3–4 |"),
    ("table with labels of rows", {"type": "table", "colLabels": ["a"], "rowLabels": ["one"], "rows": [["1"]]}, "|  | a |\n|---|---|\n| one | 1 |"),
    ("table with groups", {"type": "table", "colLabelGroups": [{"colLabels": ["a"]}, {"colLabels": ["b"]}], "rows": [["1", "2"]], "intro": ["i"], "outro": ["o"], "footnotes": ["f"]},
     "i\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nf\n\no"),
    ("tableGroup", {"type": "tableGroup", "name": "G", "tables": [{"type": "table", "colLabels": ["a"], "rows": [["1"]]}]}, "**G**\n\n| a |\n|---|\n| 1 |"),
    ("inset", {"type": "inset", "name": "Ash", "entries": ["x"]}, "> **Ash**\n>\n> x"),
    ("insetReadaloud", {"type": "insetReadaloud", "entries": ["x"]}, "> x"),
    ("variant", {"type": "variant", "name": "Ash", "entries": ["x"], "variantSource": {"source": "F", "page": 3}}, "> **Ash**\n>\n> x"),
    ("variantInner", {"type": "variantInner", "name": "Ash", "entries": ["x"]}, "> **Ash**\n>\n> x"),
    ("variantSub", {"type": "variantSub", "name": "Ash", "entries": ["x"]}, "**Ash.** x"),
    ("quote", {"type": "quote", "entries": ["x"], "by": ["Vell", "Moth"], "from": "Songs"}, "> x\n>\n> — Vell, Moth, Songs"),
    ("optfeature", {"type": "optfeature", "name": "Ash", "prerequisite": "5th level", "entries": ["x"]}, "### Ash\n\n*Prerequisite: 5th level*\n\nx"),
    ("ingredient", {"type": "ingredient", "amount1": 2, "entry": "{=amount1} {@unit {=amount1}|cup|cups} of ash"}, "2 cups of ash"),
    ("abilityDc", {"type": "abilityDc", "name": "Ki", "attributes": ["wis"]}, "**Ki save DC** = 8 + your proficiency bonus + your Wisdom modifier"),
    ("abilityAttackMod", {"type": "abilityAttackMod", "name": "Ki", "attributes": ["int", "cha"]}, "**Ki attack modifier** = your proficiency bonus + your Intelligence or Charisma modifier"),
    ("abilityGeneric", {"type": "abilityGeneric", "name": "Range", "text": "5 ft. times your", "attributes": ["str"]}, "**Range** = 5 ft. times your Strength modifier"),
    ("bonus", {"type": "bonus", "value": 2}, "+2"),
    ("bonusSpeed", {"type": "bonusSpeed", "value": 10}, "+10 ft."),
    ("inline", {"type": "inline", "entries": ["a ", {"type": "bonus", "value": 1}, " b"]}, "a +1 b"),
    ("inlineBlock", {"type": "inlineBlock", "entries": ["a {@b b}"]}, "a **b**"),
    ("link", {"type": "link", "text": "here", "href": {"type": "external", "url": "https://example.org"}}, "here"),
    ("actions", {"type": "actions", "name": "Ash", "entries": ["x"]}, "**Ash.** x"),
    ("statblock", {"type": "statblock", "tag": "creature", "name": "Dusk Moth", "source": "FENS"}, "See Dusk Moth."),
    ("statblockInline", {"type": "statblockInline", "dataType": "monster", "data": {"name": "Dusk Moth"}}, "See Dusk Moth."),
    ("image", {"type": "image", "href": {"type": "internal", "path": "x.png"}, "title": "The fen"}, "[Picture: The fen]"),
    ("image with all that is said of it", {"type": "image", "title": "The fen", "altText": "a dark marsh", "credit": "Vell"}, "[Picture: The fen, a dark marsh, Vell]"),
    ("gallery with a name", {"type": "gallery", "name": "Views", "images": [{"type": "image", "title": "The fen"}]}, "**Views.** [Picture: The fen]"),
    ("gallery", {"type": "gallery", "images": [{"type": "image", "altText": "The fen"}]}, "[Picture: The fen]"),
    ("flowchart", {"type": "flowchart", "blocks": [{"type": "flowBlock", "name": "Ash", "entries": ["x"]}]}, "**Ash.** x"),
    ("flowchart with a name", {"type": "flowchart", "name": "Way", "blocks": [{"type": "flowBlock", "name": "Ash", "entries": ["x"]}]}, "**Way.** **Ash.** x"),
    ("flowBlock", {"type": "flowBlock", "name": "Ash", "entries": ["x"]}, "**Ash.** x"),
    ("wrappedHtml", {"type": "wrappedHtml", "html": "<p>It <b>burns</b>.</p><p>x</p>"}, "It **burns**.\n\nx"),
    ("refTable", {"type": "refTable", "tag": "table", "name": "Moods", "source": "FENS"}, "See Moods."),
    ("code", {"type": "code", "name": "Ash", "preformatted": "a\n  b"}, "**Ash**\n\n```\na\n  b\n```"),
    ("hr", {"type": "hr"}, "---"),
    ("wrapper", {"type": "wrapper", "wrapped": {"type": "entries", "entries": ["x"]}}, "x"),
    ("wrapper with a name", {"type": "wrapper", "name": "Ash", "wrapped": "x"}, "**Ash.** x"),
    ("spellcasting of charges", {"type": "spellcasting", "name": "Spells", "charges": {"1": ["{@spell light}"], "2": ["{@spell fog}"]}, "chargesItem": "lamp of dusk|own"},
     "**Spells.**\n\n- 1 charge of the lamp of dusk: light\n- 2 charges of the lamp of dusk: fog"),
    ("spellcasting", {"type": "spellcasting", "name": "Spells", "headerEntries": ["It casts."], "will": ["{@spell light}", {"entry": "{@spell fog}", "hidden": True}],
                      "recharge": {"5": ["{@spell web}"]}, "spells": {"1": {"slots": 2, "lower": 1, "spells": ["{@spell bane}"]}}, "daily": {"1": ["x"]}, "hidden": ["daily"]},
     "**Spells.** It casts.\n\n- At will: light\n- Recharge 5–6: web\n- 1st level (2 slots): bane"),
    ("refClassFeature", {"type": "refClassFeature", "classFeature": "Wick|Lamplighter||1"}, "See Wick."),
    ("refSubclassFeature", {"type": "refSubclassFeature", "subclassFeature": "Wick|Lamplighter||Green||3"}, "See Wick."),
    ("refOptionalfeature", {"type": "refOptionalfeature", "optionalfeature": "Long Wick|FENS"}, "See Long Wick."),
    ("refFeat", {"type": "refFeat", "feat": "Ash Walker|FENS"}, "See Ash Walker."),
    ("a type that is not known", {"type": "sparkle", "entries": ["x"], "shine": "bright"}, "x\n\nshine: bright"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "entry", "text"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_an_entry_reads_as_a_book_prints_it(kind: str, entry: dict[str, Any], text: str) -> None:
    assert markdown(entry) == text, kind


@pytest.mark.parametrize("kind", sorted({entry["type"] for _, entry, _ in ENTRIES if "type" in entry}))
def test_an_entry_of_nothing_but_its_type_raises_nothing(kind: str) -> None:
    assert "{" not in markdown({"type": kind})
