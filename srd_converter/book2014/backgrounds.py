"""Backgrounds, assembled from the rules into which the book's headings split their chapter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lorekeeper_mcp.models import Background, Kind, Rule, Section
from srd_converter.srd2014.document import COMMON, key_of

_NAMES = ("Acolyte",)
_FACTS = {"Skill Proficiencies": "skill_proficiency", "Languages": "language", "Equipment": "equipment"}
_FACT = re.compile(rf"\*\*({'|'.join(_FACTS)}):\*\* (.+)")
_CHARACTERISTICS = "Suggested Characteristics"


def backgrounds(rules: Sequence[Rule]) -> list[Background]:
    """Every background: its rule has the introduction and the facts, the rules below it have the other parts."""
    places = [place for place, rule in enumerate(rules) if rule.name in {f"{name} Background" for name in _NAMES}]
    return [_background(rules[place], rules[place + 1 : place + 3]) for place in places]


def _background(rule: Rule, below: Sequence[Rule]) -> Background:
    name = rule.name.removesuffix(" Background")
    paragraphs = rule.text.split("\n\n")
    facts = [found for paragraph in paragraphs if (found := _FACT.fullmatch(paragraph))]
    return Background(
        kind=Kind.BACKGROUND,
        key=key_of(name),
        name=name,
        text="\n\n".join(paragraph for paragraph in paragraphs if not _FACT.fullmatch(paragraph)),
        benefits=(
            *(Section(name=found[1], text=found[2], type=_FACTS[found[1]]) for found in facts),
            *map(_part, below),
        ),
        **COMMON,
    )


def _part(rule: Rule) -> Section:
    if rule.name.startswith(_CHARACTERISTICS):
        return Section(name=_CHARACTERISTICS, text=rule.text, type="suggested_characteristics")
    return Section(name=rule.name, text=rule.text, type="feature")
