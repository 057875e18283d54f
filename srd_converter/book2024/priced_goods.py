"""Goods that the SRD 5.2 only has in tables and headings of its rules: services, food and lodging, ships, poisons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lorekeeper_mcp.models import Equipment, Rule
from srd_converter.priced_tables import PricedGood, PricedTable, Section, equipment, headed, priced_goods
from srd_converter.srd2024.document import COMMON, KEY, key_of

_TABLES = (
    PricedTable(
        f"{KEY}_food-drink-and-lodging",
        "Food, Drink, and Lodging",
        "service",
        sections={
            "Inn Stay per Day": Section(6, "Lodging ({})"),
            "Meal": Section(6, "Meal ({})"),
            "Wine (bottle)": Section(2, "Wine, {}", "bottle"),
        },
    ),
    PricedTable(f"{KEY}_hirelings", "Hirelings", "service"),
    PricedTable(f"{KEY}_spellcasting", "Spellcasting Services", "service", "Spellcasting (Level {})"),
    PricedTable(f"{KEY}_mounts-and-vehicles_large-vehicles", "Airborne and Waterborne Vehicles", "waterborne-vehicle"),
)
_LIFESTYLES, _POISONS = f"{KEY}_lifestyle-expenses", f"{KEY}_poison_"
_PRICED = re.compile(r".+ \([\d,]+ GP\)")
_CATEGORIES = {"Airship": "wondrous-item"}
"""Where Open5e has another category than the rest of the table."""


def services_and_goods(rules: Sequence[Rule]) -> list[Equipment]:
    """Every service, ship and poison, from the texts of the rules with their prices."""
    texts = {rule.key: rule.text for rule in rules}
    goods = [
        *(good for table in _TABLES for good in priced_goods(table, texts[table.rule])),
        *headed(texts[_LIFESTYLES], "service", "Lifestyle ({})"),
        *_poisons(rules),
    ]
    return equipment(map(_as_in_open5e, goods), key_of, COMMON)


def _poisons(rules: Iterable[Rule]) -> Iterator[PricedGood]:
    """The rules about a single poison, whose heading has its price."""
    for rule in rules:
        if rule.key.startswith(_POISONS) and _PRICED.fullmatch(rule.name):
            yield from headed(f"**{rule.name}**\n\n{rule.text}", "poison")


def _as_in_open5e(good: PricedGood) -> PricedGood:
    name = good.name.replace("(Level Cantrip)", "(Cantrip)").replace("–", "-")
    return replace(good, name=name, category=_CATEGORIES.get(name, good.category))
