"""Goods that the SRD 5.1 has only in the price tables of its rules: services, food, lodging, trade goods, poisons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from lorekeeper_mcp.models import Equipment, Rule
from lorekeeper_mcp.text import fold
from srd_converter.priced_tables import (
    PricedGood,
    PricedTable,
    Section,
    equipment,
    paragraphs_by_name,
    priced_goods,
    table_rows,
)
from srd_converter.srd2014.document import COMMON, key_of

_SERVICES = (
    PricedTable("srd_expenses_lifestyle-expenses", "Lifestyle Expenses", "service", "Lifestyle ({})"),
    PricedTable(
        "srd_expenses_services",
        "Services",
        "service",
        sections={"Coach cab": Section(2, "Coach cab ({})"), "Hireling": Section(2, "{} hireling")},
    ),
    PricedTable(
        "srd_expenses_food-drink-lodging",
        "Food, Drink, and Lodging",
        "service",
        sections={
            "Ale": Section(2, "Ale, {}"),
            "Inn stay (per day)": Section(6, "Lodging ({})"),
            "Meals (per day)": Section(6, "Meal ({})"),
            "Wine": Section(2, "Wine, {}"),
        },
    ),
)
_GOODS = PricedTable("srd_trade-goods", "Trade Goods", "trade-good")
_POISONS = PricedTable("srd_poisons", "Poisons", "poison")
_SAMPLES = "srd_poisons_sample-poisons"
_GOOD = re.compile(r"(?P<amount>1 (?P<unit>lb\.|sq\. yd\.) of|one) (?P<name>.+)")
_KEYS = {"Essence of Ether": "srd_essense-of-either"}
"""Keys of Open5e that the name does not make."""


def services_and_goods(rules: Iterable[Rule]) -> list[Equipment]:
    """Every service, trade good and poison, from the texts of the rules with their prices."""
    texts = {rule.key: rule.text for rule in rules}
    return equipment(
        [
            *(good for table in _SERVICES for good in priced_goods(table, texts[table.rule])),
            *_trade_goods(texts[_GOODS.rule]),
            *_poisons(texts[_POISONS.rule], texts[_SAMPLES]),
        ],
        lambda name: _KEYS.get(name) or key_of(name),
        COMMON,
    )


def _trade_goods(text: str) -> Iterator[PricedGood]:
    """Each good in a row: ``1 lb. of cinnamon or pepper, or one sheep`` is three."""
    for row in table_rows(text, _GOODS):
        amount, weight = "", None
        for name in re.split(r",? or ", row.cells["Goods"]):
            if good := _GOOD.fullmatch(name):
                amount, weight, name = good["amount"], 1.0 if good["unit"] == "lb." else None, good["name"]  # noqa: PLW2901
            text = f"{amount} {name}.".capitalize()
            yield PricedGood(name.title(), _GOODS.category, row.cells["Cost"], text=text, weight=weight)


def _poisons(text: str, samples: str) -> Iterator[PricedGood]:
    descriptions = paragraphs_by_name(samples)
    for poison in priced_goods(_POISONS, text):
        yield replace(poison, text=descriptions[fold(poison.name)])
