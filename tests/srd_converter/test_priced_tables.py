"""Services and goods that a book has only as rows of a price table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import Equipment, Kind, Record
from lorekeeper_mcp.models.vocabulary import ITEM_CATEGORIES
from srd_converter.priced_tables import PricedTable, Section, equipment, headed, priced_goods
from srd_converter.srd2014.document import COMMON, key_of
from tests.recorded import load, needs_recorded

RULE = """Guides lead travellers.

**Porter.** Carries what you cannot.

**Help**

| Help | Pay | Where |
| --- | --- | --- |
| **Guide (per day)** | | |
| trained | 1,200 gp | Towns |
| Porter | 2 sp per mile | — |
| Loan | 3 gp minimum | — |

Whoever takes a loan pays it back.
"""
TABLE = PricedTable("key", "Help", "service", sections={"Guide (per day)": Section(1, "{} guide")})


def record(text: str, name: str) -> Equipment:
    return next(one for one in equipment(priced_goods(TABLE, text), key_of, COMMON) if one.name == name)


def test_each_row_is_a_record_named_by_its_section() -> None:
    found = equipment(priced_goods(TABLE, RULE), key_of, COMMON)
    assert [(one.name, one.key, one.kind) for one in found] == [
        ("Trained Guide", "srd_trained-guide", Kind.SERVICE),
        ("Porter", "srd_porter", Kind.SERVICE),
        ("Loan", "srd_loan", Kind.SERVICE),
    ]


@pytest.mark.parametrize(
    ("name", "cost", "unit", "text"),
    [
        ("Trained Guide", 1200.0, "day", "Where: Towns."),
        ("Porter", 0.2, "mile", "Carries what you cannot."),
        ("Loan", 3.0, "", "Price: 3 gp minimum."),
    ],
)
def test_a_row_has_its_price_and_the_text_of_its_rule(name: str, cost: float, unit: str, text: str) -> None:
    found = record(RULE, name)
    assert (found.cost, found.cost_unit, found.text) == (cost, unit, text)


def test_a_heading_with_a_price_is_a_record() -> None:
    text = "Lives differ.\n\n**Plain (Free)**\n\nYou sleep.\n\n**Grand (10 GP per Day)**\n\nYou dine.\n\nYou dance."
    found = equipment(headed(text, "service", "Life - {}"), key_of, COMMON)
    assert [(one.name, one.cost, one.cost_unit, one.text) for one in found] == [
        ("Life - Plain", None, "", "Price: Free.\n\nYou sleep."),
        ("Life - Grand", 10.0, "day", "You dine.\n\nYou dance."),
    ]


def test_every_category_of_items_has_records(embedded_records: list[Record]) -> None:
    held = Counter(record.category for record in embedded_records if isinstance(record, Equipment))
    assert [category for category in ITEM_CATEGORIES if not held[category]] == []


@pytest.mark.parametrize("edition", ["srd", "srd52"])
def test_each_book_has_its_services(request: pytest.FixtureRequest, edition: str) -> None:
    book: Mapping[str, Record] = request.getfixturevalue(edition)
    prefix = "srd_" if edition == "srd" else "srd-2024_"
    for slug, cost, unit in (
        ("skilled-hireling", 2.0, "day"),
        ("messenger", 0.02, "mile"),
        ("lifestyle-modest", 1.0, "day"),
        ("lodging-wealthy", 2.0, "day"),
    ):
        service = book[f"service:{prefix}{slug}"]
        assert isinstance(service, Equipment)
        assert (service.cost, service.cost_unit, service.category) == (cost, unit, "service"), slug


@needs_recorded
@pytest.mark.parametrize(
    ("endpoint", "kind", "category"), [("services", Kind.SERVICE, ""), ("items", Kind.ITEM, "poison")]
)
def test_records_also_in_open5e_have_its_key_and_price(
    embedded_records: list[Record], endpoint: str, kind: Kind, category: str
) -> None:
    ours = {record.key: record for record in embedded_records if record.kind is kind}
    for theirs in load(f"v2/{endpoint}"):
        if theirs["document"]["key"].startswith("srd-") and (not category or theirs["category"]["key"] == category):
            record = ours[theirs["key"]]
            assert isinstance(record, Equipment)
            assert (record.cost or 0) == float(theirs["cost"]), theirs["key"]
