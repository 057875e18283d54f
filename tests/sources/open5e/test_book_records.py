"""The embedded books stand for Open5e's copies, which only complete them."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Creature, Equipment, Record, Reference
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.book_records import completed_book_record
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import adapt, adapted, records

DOCUMENT = {"key": "srd-2014", "name": "SRD", "gamesystem": {"key": "5e-2014"}}


def test_a_book_has_its_own_values_and_open5es_environments() -> None:
    served = {
        "key": "srd_aboleth", "name": "Fish", "document": DOCUMENT, "armor_class": 1,
        "environments": [{"name": "Pond", "key": "pond"}],
    }  # fmt: skip
    record, book = adapt("v2/creatures", served, Creature), srd.record_of("creature:srd_aboleth")
    assert book is not None
    assert [ref.key for ref in record.environments] == ["pond"]
    assert record.model_copy(update={"environments": (), "subcategory": "", "category": ""}) == book.model_copy(
        update={"environments": (), "subcategory": "", "category": ""}
    )
    assert completed_book_record(book, record) == record, "a newer version of the books keeps them"


def test_a_condition_has_the_texts_of_other_books_too() -> None:
    descriptions = [
        {"desc": "Mine.", "document": "lantern", "gamesystem": "a5e"},
        {"desc": "Theirs.", "document": "srd-2014", "gamesystem": "5e-2014"},
    ]
    record = adapt("v2/conditions", {"key": "prone", "name": "Prone", "descriptions": descriptions}, Reference)
    assert [text.document_key for text in record.texts] == ["srd-2014", "srd-2024", "lantern"]
    assert "Theirs." not in {text.text for text in record.texts}
    assert {"srd-2014", "lantern"} <= set(record.documents)


def test_what_is_made_of_a_books_weapon_has_its_numbers() -> None:
    weapon = {"key": "srd_whip", "name": "Whip", "damage_dice": "9d9", "properties": []}
    item = adapt("v2/items", {"key": "own_whip", "name": "Own Whip", "document": "own", "weapon": weapon}, Equipment)
    assert item.weapon
    assert {prop.name for prop in item.weapon.properties} == {"Finesse", "Reach"}
    assert item.weapon.damage_dice == "1d4"


@needs_recorded
@pytest.mark.parametrize(
    ("key", "attunement"), [("srd-2024_weapon-of-warning-club", ""), ("srd-2024_holy-avenger-mace", "Paladin")]
)
def test_a_variant_is_attuned_to_as_the_book_says(key: str, attunement: str) -> None:
    variant = adapted("v2/magicitems", key, Equipment)
    assert variant.requires_attunement is True
    assert attunement in variant.attunement_text


@needs_recorded
def test_no_recorded_entry_of_a_book_differs_from_it_but_in_what_the_book_lacks() -> None:
    differing: set[str] = set()
    for endpoint in ("v2/spells", "v2/creatures", "v2/magicitems", "v2/classes", "v2/conditions"):
        for record in records(endpoint):
            if (book := srd.record_of(record.id)) is not None:
                differing |= {name for name in fields(record) if getattr(record, name) != getattr(book, name)}
    allowed = {"environments", "creature_sets", "category", "subcategory", "texts", "documents", "editions"}
    assert differing <= allowed


def fields(record: Record) -> set[str]:
    return set(type(record).model_fields)


def test_an_entry_that_no_book_has_is_stored_as_served() -> None:
    served = {"key": "srd_lamp-drake", "name": "Lamp Drake", "document": DOCUMENT, "armor_class": 3}
    record = to_record("v2/creatures", served, Context({}))
    assert isinstance(record, Creature)
    assert (record.armor_class, record.document_source) == (3, "open5e_v2")
