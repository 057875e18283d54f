"""The spell lists of the classes are whole, as the spells themselves have it."""

from __future__ import annotations

from lorekeeper_mcp.models import CharacterClass, Kind, Spell
from tests.srd import srd_records

# The spell says so of these, and the list of the class does not.
NOT_LISTED = {"Mind Spike", "Phantasmal Force"}


def test_each_list_has_the_spells_that_name_the_class() -> None:
    records = srd_records()
    spells = [one for one in records if isinstance(one, Spell) and one.document_key == "srd-2024"]
    classes = [one for one in records if isinstance(one, CharacterClass) and one.kind is Kind.CLASS]
    found = 0
    for record in (one for one in classes if one.document_key == "srd-2024"):
        texts = [feature.text for feature in record.features if feature.name == f"{record.name} Spell List"]
        rows = [line.split(" | ")[0].strip("| ") for text in texts for line in text.split("\n") if line.startswith("|")]
        named = {spell.name for spell in spells if record.key in {ref.key for ref in spell.classes}}
        assert not texts or named - NOT_LISTED <= set(rows) - {"Spell", "---"} <= named
        found += len(texts)
    assert found == 8
