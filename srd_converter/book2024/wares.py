"""Goods that the SRD 5.2 only has in tables and headings of its rules: services, food and lodging, ships, poisons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from lorekeeper_mcp.models import Equipment, Rule
from srd_converter.priced_tables import PricedTable, Section, Ware, equipment, headed, wares
from srd_converter.srd2024.document import COMMON, KEY, key_of

_TABLES = (
    PricedTable(
        f"{KEY}_food-drink-and-lodging",
        "Food, Drink, and Lodging",
        "service",
        sections={
            "Inn Stay per Day": Section(6, "Lodging - {}"),
            "Meal": Section(6, "Meal ({})"),
            "Wine (bottle)": Section(2, "Wine, {}"),
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


def services_and_goods(rules: Iterable[Rule]) -> list[Equipment]:
    """Every service, ship and poison, from the texts of the rules with their prices."""
    found = list(rules)
    texts = {rule.key: rule.text for rule in found}
    sold = [ware for table in _TABLES for ware in wares(table, texts[table.rule])]
    sold += headed(texts[_LIFESTYLES], "service", "Lifestyle - {}")
    sold += _poisons(found)
    return equipment(map(_as_open5e_has_it, sold), key_of, COMMON)


def _poisons(rules: Iterable[Rule]) -> Iterator[Ware]:
    """The rules about a single poison, whose heading has its price."""
    for rule in rules:
        if rule.key.startswith(_POISONS) and _PRICED.fullmatch(rule.name):
            yield from headed(f"**{rule.name}**\n\n{rule.text}", "poison")


def _as_open5e_has_it(ware: Ware) -> Ware:
    name = ware.name.replace("(Level Cantrip)", "(Cantrip)").replace("–", "-")
    return replace(ware, name=name, category=_CATEGORIES.get(name, ware.category))
