"""The rules of the embedded SRD 5.2: headings, glossary, conditions, tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from lorekeeper_mcp.models import Edition, Kind, Record, Reference, Rule, Species
from srd_converter.book2024 import headings, rules
from srd_converter.book2024 import pages as book
from tests.srd_converter.srd2024.exclusives import is_exclusive

TAGS = {"Action": 12, "Area of Effect": 6, "Attitude": 3, "Hazard": 5}


def test_every_heading_of_the_chapters_of_rules_is_a_rule(srd52: Mapping[str, Record]) -> None:
    found = {record.name.casefold() for record in srd52.values() if isinstance(record, Rule)}
    source = book.read()
    wanted = [title for chapter in headings.CHAPTERS for _, title in rules.headings(source, chapter)]
    elsewhere = {title.casefold() for title in (*headings.SKIPPED, *headings.CHAPTERS)}
    assert {title.strip('"').casefold() for title in wanted} - found - elsewhere == set()


def test_the_glossary_has_every_term_once(srd52: Mapping[str, Record]) -> None:
    glossary = srd52["rule-set:srd-2024_rules-glossary"]
    assert isinstance(glossary, Rule)
    assert len(glossary.rules) == 141
    terms = [srd52[f"rule:{one.key}"] for one in glossary.rules]
    tagged = Counter(found[1] for one in terms if (found := re.match(r"\*([A-Z][\w ]+)\.\* ", one.text)))
    assert tagged == TAGS
    for slug in ("grappling", "concentration", "falling", "jumping", "long-rest", "heroic-inspiration", "d20-test"):
        assert is_exclusive(srd52[f"rule:srd-2024_rules-glossary_{slug}"]), slug


def test_conditions_have_the_text_of_each_edition(embedded_records: list[Record]) -> None:
    conditions = [record for record in embedded_records if record.kind is Kind.CONDITION]
    assert len(conditions) == 15
    for record in conditions:
        assert [text.edition for text in record.texts] == [Edition.E2014, Edition.E2024], record.key
        assert [text.document_key for text in record.texts] == ["srd-2014", "srd-2024"], record.key
        assert record.texts[0].text == record.text, record.key
    exhaustion = next(record for record in conditions if record.key == "exhaustion")
    assert "2 times your Exhaustion level" in exhaustion.texts[1].text
    assert "2 times" not in exhaustion.texts[0].text


def test_tables_without_captions_are_tables(srd52: Mapping[str, Record]) -> None:
    for key in ("collapsing-roof", "hidden-pit", "poisoned-needle", "spiked-pit", "fire-casting-statue"):
        rows = re.findall(r"^\| (\d+–\d+) \| .+ \|$", srd52[f"rule:srd-2024_traps_{key}"].text, re.M)
        assert rows == ["5–10", "11–16", "17–20"], key
    assert srd52["rule:srd-2024_traps_spiked-pit"].text.endswith("57 (13d8) Piercing |")
    deck = srd52["magic-item:srd-2024_mysterious-deck"].text
    assert len(re.findall(r"^\| (?:—|\d\d–\d\d) \| \d\d–\d\d \| \w+ \|$", deck, re.M)) == 22


def test_masteries_are_properties_with_their_rule(srd52: Mapping[str, Record]) -> None:
    cleave = srd52["weapon-property:srd-2024_cleave-mastery"]
    assert isinstance(cleave, Reference)
    assert (cleave.name, cleave.type) == ("Cleave", "Mastery")
    assert cleave.text


def test_columns_side_by_side_are_read_one_after_the_other(srd52: Mapping[str, Record]) -> None:
    dragonborn = srd52["species:srd-2024_dragonborn"]
    assert isinstance(dragonborn, Species)
    ancestry = next(trait.text for trait in dragonborn.traits if trait.name == "Draconic Ancestry")
    dragons = [line.split(" | ")[0].strip("| ") for line in ancestry.splitlines() if line.startswith("| ")][2:]
    assert dragons == sorted(dragons)


def test_a_rule_lists_the_rules_below_its_heading(srd52: Mapping[str, Record]) -> None:
    sight = srd52["rule:srd-2024_exploration_vision-and-light"]
    assert isinstance(sight, Rule)
    assert [rule.name for rule in sight.rules] == ["Obscured Areas", "Light", "Special Senses"]


def test_a_table_printed_side_by_side_is_read_down_its_columns(srd52: Mapping[str, Record]) -> None:
    rows = [
        line for line in srd52["rule:srd-2024_rules-glossary_malnutrition"].text.split("\n") if line.startswith("|")
    ]
    assert [row.split(" | ")[0] for row in rows[2:]] == [
        "| Tiny", "| Small", "| Medium", "| Large", "| Huge", "| Gargantuan",
    ]  # fmt: skip
