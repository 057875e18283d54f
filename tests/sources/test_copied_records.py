"""Copies of the SRD's records, in the two formats that have copies: unchanged values are never lost."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Creature, Kind, Record
from tests.sources.imported_items import read_items, skip_reasons
from tests.srd import srd_records

OWN = {
    *("kind", "key", "name", "document_key", "document_name", "document_source", "documents", "editions", "license"),
    *("publisher", "page", "url", "texts", "see_also", "corrections", "variants", "lineages"),
}
ITEMS = (Kind.MAGIC_ITEM, Kind.WEAPON, Kind.ARMOR)
SOURCES = {"srd": "PHB", "srd-2024": "XPHB"}
SECTIONS = {
    "monster": (Kind.CREATURE,),
    "spell": (Kind.SPELL,),
    "item": ITEMS,
    "feat": (Kind.FEAT,),
    "background": (Kind.BACKGROUND,),
    "race": (Kind.SPECIES,),
}


def of_srd(*kinds: Kind, step: int = 1) -> list[Record]:
    """Some records that a copy can refer to: those whose key follows from their name."""
    originals = []
    for record in srd_records():
        prefix, _, slug = record.key.partition("_")
        if record.kind in kinds and prefix in SOURCES and slug == record.name.lower().replace(" ", "-"):
            originals.append(record)
    return originals[::step]


def copies_in(content: object) -> list[Record]:
    items = read_items(content, "Copies")
    assert skip_reasons(items) == []
    return [item.record for item in items if item.record]


def content_of(record: Record) -> dict[str, Any]:
    """All of a record except its name and its book."""
    values = record.model_dump(mode="json", exclude=OWN)
    for numbers in filter(None, (values.get("weapon"), values.get("armor"))):
        numbers |= {"name": "", "key": ""}
    return values


@pytest.mark.parametrize("section", SECTIONS)
def test_a_copy_of_an_srd_record_has_all_its_parts(section: str) -> None:
    originals = of_srd(*SECTIONS[section], step=7 if section in ("monster", "spell", "item") else 1)
    copies = [
        {
            "name": f"Copy {number}",
            "source": "B",
            "_copy": {"name": record.name, "source": SOURCES[record.key.partition("_")[0]]},
        }
        for number, record in enumerate(originals)
    ]
    records = copies_in({section: copies})
    assert len(records) == len(originals)
    for record, original in zip(records, originals, strict=True):
        assert content_of(record) == content_of(original), original.name
        assert record.document_name == "B"


def test_a_block_that_extends_an_srd_creature_has_all_its_parts() -> None:
    originals = [record for record in of_srd(Kind.CREATURE, step=5) if record.key.startswith("srd_")]
    blocks = (
        f'```statblock\nextends: "{record.name}"\nname: Copy {number}\n```\n' for number, record in enumerate(originals)
    )
    for record, original in zip(copies_in("\n".join(blocks)), originals, strict=True):
        assert content_of(record) == content_of(original), original.name


def test_values_derived_from_a_changed_field_are_recomputed() -> None:
    changed = {"name": "Elder Owlbear", "source": "B", "cr": "9", "_copy": {"name": "Owlbear", "source": "MM"}}
    note = "```statblock\nname: Elder Owlbear\nextends: Owlbear\ncr: 9\n```"
    for content in ({"monster": [changed]}, note):
        [record] = copies_in(content)
        assert isinstance(record, Creature)
        assert (record.challenge_rating, record.experience_points) == (9, None)
        assert (record.armor_class, record.hit_points) == (13, 59)


def test_a_modified_copy_keeps_limits_and_costs() -> None:
    mod = {"action": {"mode": "renameArr", "renames": {"rename": "Bite", "with": "Nip"}}}
    copy = {"name": "Fen Dragon", "source": "B", "_copy": {"name": "Adult Black Dragon", "source": "MM", "_mod": mod}}
    [record] = copies_in({"monster": [copy]})
    assert isinstance(record, Creature)
    actions = {action.name.partition(" (")[0]: action for action in record.actions}
    assert "Nip" in actions
    assert actions["Acid Breath"].uses == "Recharge 5–6"
    assert actions["Wing Attack"].legendary_cost == 2
