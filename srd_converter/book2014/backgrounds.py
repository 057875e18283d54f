"""Backgrounds, assembled from the rules into which the book's headings split their chapter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lorekeeper_mcp.models import Background, Kind, Rule, Section
from srd_converter.srd2014.document import COMMON, key_of

_NAMES = ("Acolyte",)
_FACTS = {"Skill Proficiencies": "skill_proficiency", "Languages": "language", "Equipment": "equipment"}
_FACT = re.compile(rf"(?m)^\*\*({'|'.join(_FACTS)}):\*\* (.+)\n*")
_CHARACTERISTICS = "Suggested Characteristics"


def backgrounds(rules: Sequence[Rule]) -> list[Background]:
    """Every background: its rule has the introduction and the facts, the rules below it have the other parts."""
    names = [rule.name for rule in rules]
    indexes = [names.index(f"{name} Background") for name in _NAMES]
    return [
        _background(name, rules[index], rules[index + 1 : index + 3])
        for name, index in zip(_NAMES, indexes, strict=True)
    ]


def _background(name: str, rule: Rule, below: Sequence[Rule]) -> Background:
    facts = _FACT.findall(rule.text)
    return Background(
        kind=Kind.BACKGROUND,
        key=key_of(name),
        name=name,
        text=_FACT.sub("", rule.text).strip(),
        benefits=(*(Section(name=label, text=text, type=_FACTS[label]) for label, text in facts), *map(_part, below)),
        **COMMON,
    )


def _part(rule: Rule) -> Section:
    if rule.name.startswith(_CHARACTERISTICS):
        return Section(name=_CHARACTERISTICS, text=rule.text, type="suggested_characteristics")
    return Section(name=rule.name, text=rule.text, type="feature")
