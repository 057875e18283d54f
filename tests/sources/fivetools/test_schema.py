"""Every field in the public 5etools homebrew schema is on the page as a book would print it, or ignored for a reason.

The names are from the imported parts of ``schema/brew``. Ignored fields are page numbers and the like, pictures, sort
keys of the site, values that it computes from the texts, or data for another program.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

from lorekeeper_mcp.models import Creature
from lorekeeper_mcp.sources.fivetools.values import IGNORED_FIELDS
from tests.record_pages import markdown
from tests.sources.fivetools.schema import classes, creatures, equipment, options, rules, spells
from tests.sources.imported_items import read_file, read_items, read_pages, skip_reasons

META = {
    "sources": [{"json": "FENS", "full": "Lights of the Fens"}],
    "featCategories": {"Zq": "Zqcat"},
    "currencyConversions": {"Zc": [{"coin": "zq", "mult": 0.01}, {"coin": "zp", "mult": 1}]},
    "psionicTypes": {"Zt": {"full": "Zqtype", "short": "Zq."}},
    "spellDistanceUnits": {"hectares": {"feetPerUnit": 3, "singular": "hectare"}},
}
LORE = {"name": "Lore", "source": "FENS", "entries": ["zqlore"]}
TABLES = (creatures, spells, equipment, options, classes, rules)
BASES = {section: base for table in TABLES for section, base in table.BASES.items()}
ROWS = [(section, *row) for table in TABLES for section, rows in table.ROWS.items() for row in rows]


@cache
def page(section: str, item_json: str) -> str:
    """The pages of all records from a file with one item."""
    item = json.loads(item_json)
    lore = {"monsterFluff": [LORE], "itemFluff": [LORE]} if "fluff" in item else {}
    return read_pages({"_meta": META, section: [item], **lore})


@pytest.mark.parametrize(
    ("section", "field", "value", "line"), ROWS, ids=[f"{row[0]}.{row[1]}-{number}" for number, row in enumerate(ROWS)]
)
def test_a_field_of_the_schema_is_on_the_page(section: str, field: str, value: Any, line: str) -> None:
    base = BASES[section]
    assert line in page(section, json.dumps({**base, field: value}))
    assert base.get(field) == value or line not in page(section, json.dumps(base)).splitlines()


ODD_VALUES: dict[str, dict[str, Any]] = {
    "monster": {"resource": [{"name": "zqa", "value": 73, "formula": "2d6"}], "tool": {"zqb tools": "+3"}},
    "spell": {"scalingLevelDice": {"label": "zqa", "scaling": {"1": "71d8", "5": "72d8"}}},
    "item": {
        "attachedSpells": {"charges": {"2e": ["zqa"]}, "limited": {"1": ["zqb"]}, "resource": {"1": ["zqc"]}},
        "light": [{"bright": 71, "dim": 72, "shape": "zqd"}],
        "mastery": ["zqe|XPHB", {"uid": "zqf|XPHB", "note": "zqg"}],
    },
    "race": {"heightAndWeight": {"baseHeight": 71, "heightMod": "zqa"}, "creatureTypes": ["zqb", {"choose": ["zqc"]}]},
    "class": {"classSpells": ["zqa", {"className": "zqb", "spellSchools": ["zqc"]}]},
    "feat": {"additionalSpells": [{"innate": {"3": {"daily": {"1e": ["zqa|x"]}}}, "known": {"_": ["zqb#c"]}}, "zqc"]},
    "vehicle": {
        "hull": {"ac": 71, "acFrom": ["zqa"], "hp": 72, "dt": 73},
        "weapon": [{"name": "zqb", "count": 74, "costs": [{"cost": 75, "note": "zqc"}], "entries": ["zqd"]}],
        "pace": {"walk": 76},
    },
    "encounter": {"tables": [{"minlvl": 71, "table": [{"min": 1, "max": 72, "result": "zqa {@b zqb}"}]}]},
    "background": {"feats": [{"zqa": True}], "resources": [{"name": "zqb", "type": {"zqc": 71}}]},
    "trap": {"trapHazType": "zqa", "countermeasures": ["zqb"], "initiative": 71},
}


@pytest.mark.parametrize("section", ODD_VALUES)
def test_every_word_of_a_field_without_a_place_is_on_the_page(section: str) -> None:
    text = page(section, json.dumps({**BASES[section], **ODD_VALUES[section]})).lower()
    words = re.findall(r"zq[a-z]|7\d", json.dumps(ODD_VALUES[section]))
    assert [word for word in words if word not in text] == []
    assert "{@" not in text


@pytest.mark.parametrize("section", sorted({"monster", "spell", "item", "class", "race", "background", "feat"}))
def test_a_field_that_the_schema_does_not_name_is_on_the_page_too(section: str) -> None:
    for name in ("homelyThing", "foundation"):
        assert "zqunknown" in page(section, json.dumps({**BASES[section], name: "zqunknown"}))
    for name in sorted(IGNORED_FIELDS - {"_copy", "_mod", "edition", "damageInflict", "source", "classSource"}):
        assert "zqunknown" not in page(section, json.dumps({**BASES[section], name: "zqunknown"}))


def test_data_for_other_programs_is_passed_over_in_an_item_and_named_as_a_section() -> None:
    fields = {name: {"zq": 1} for name in ("foundrySystem", "foundryFlags", "foundryEffects", "foundryAdvancement")}
    data = {"feat": [{**BASES["feat"], **fields}], "foundryFeat": [{"name": "x"}]}
    assert "zq" not in page("feat", json.dumps(data["feat"][0]))
    assert skip_reasons(read_items(data)) == ["1 entry is data for another program"]


LORE_SECTIONS = (
    "background", "charoption", "class", "condition", "disease", "facility", "feat", "hazard", "item", "language",
    "monster", "object", "optionalfeature", "race", "recipe", "reward", "spell", "status", "subclass", "trap",
    "vehicle",
)  # fmt: skip


@pytest.mark.parametrize("section", LORE_SECTIONS)
def test_text_of_a_fluff_section_is_on_the_page_of_its_thing_without_its_pictures(section: str) -> None:
    base = BASES[section]
    lore = {"name": base["name"], "source": "FENS", "entries": ["zqlore"], "images": [{"type": "image", "title": "zp"}]}
    (book,) = read_file({"_meta": META, section: [base], f"{section}Fluff": [lore]}).books
    (record,) = book.records()[1:]
    assert "***Lore.*** zqlore" in markdown(record)
    assert "zp" not in markdown(record)


@pytest.mark.parametrize(
    "sections",
    [
        {"subrace": [{"name": "Fen", "source": "FENS", "raceName": "Elf", "raceSource": "PHB"}]},
        {"race": [{"name": "Elf", "source": "FENS", "subraces": [{"name": "Fen", "source": "FENS"}]}]},
    ],
)
def test_lore_of_a_subrace_is_under_its_name_in_its_race(sections: dict[str, Any]) -> None:
    lore = [{"name": "Elf (Fen)", "source": "FENS", "entries": ["zqlore"]}]
    (book,) = read_file({"_meta": META, **sections, "raceFluff": lore}).books
    assert [record.name for record in book.records() if "zqlore" in markdown(record)] == ["Elf (Fen)"]


def test_a_vehicle_with_a_stat_block_is_a_creature() -> None:
    boat = {"name": "Boat", "source": "FENS", "vehicleType": "CREATURE", "terrain": ["sea"], "cr": "3", "ac": [15]}
    (book,) = read_file({"_meta": META, "vehicle": [boat]}).books
    (record,) = book.records()[1:]
    assert isinstance(record, Creature)
    assert (record.challenge_rating, record.armor_class) == (3, 15)
    assert "***Terrain.*** sea" in markdown(record)
    assert book.unknown == frozenset()
