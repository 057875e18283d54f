"""Every field in the public 5etools homebrew schema is on the page as a book would print it, or ignored for a reason.

The names are from the imported parts of ``schema/brew``. Ignored fields are page numbers and the like, pictures, sort
keys of the site, values that it computes from the texts, or data for another program.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from lorekeeper_mcp.models import Creature
from lorekeeper_mcp.sources.fivetools.fields import IGNORED_FIELDS
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

# Fields that no reader needs, by purpose.
REASONS = {
    "where it is printed": "page srd srd52 basicRules basicRules2024 otherSources additionalSources referenceSources"
    " reprintedAs isReprinted legacy edition",
    "pictures and sounds": "altArt hasFluff hasFluffImages hasToken soundClip token tokenCredit tokenCustom tokenHref"
    " tokenHref3d tokenUrl",
    "computed from the texts": "actionTags areaTags attachedItems conditionInflict conditionInflictLegendary"
    " conditionInflictSpell damageInflict damageTags damageTagsLegendary damageTagsSpell dragonAge"
    " languageTags miscTags savingThrowForced savingThrowForcedLegendary savingThrowForcedSpell senseTags"
    " spellcastingTags traitTags reqAttuneTags reqAttuneAlt reqAttuneAltTags",
    "how the site shows or sorts it": "_copy _isCopy _mod _rawName atomicPackContents hasRefs isNamedCreature isNpc"
    " noDisplay uniqueId",
}


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


def test_ignored_fields_are_listed_with_their_reason() -> None:
    assert {name for names in REASONS.values() for name in names.split()} == IGNORED_FIELDS


@pytest.mark.parametrize("section", sorted({"monster", "spell", "item", "class", "race", "background", "feat"}))
def test_a_field_that_the_schema_does_not_name_is_on_the_page_too(section: str) -> None:
    for name in ("homelyThing", "foundation"):
        assert "zqunknown" in page(section, json.dumps({**BASES[section], name: "zqunknown"}))
    for name in sorted(IGNORED_FIELDS - {"_copy", "_mod", "edition", "damageInflict"}):
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
