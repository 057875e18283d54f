"""Phrases for an order of results: "the cheapest martial weapon", "the strongest giants"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.query import Sort

_HIT_DIE = r"(?:hit (?:dic?e|points)|hp)\b"
_ORDERS: Mapping[Family, Sequence[tuple[re.Pattern[str], Sort]]] = {
    Family.CREATURES: (
        (
            re.compile(
                r"\b(?:strongest|toughest|hardest|deadliest|mightiest|most (?:dangerous|deadly|powerful)"
                r"|highest[- ](?:cr|challenge(?: rating)?))\b"
            ),
            Sort("challenge_rating", is_descending=True),
        ),
        (
            re.compile(r"\b(?:weakest|least (?:dangerous|powerful)|lowest[- ](?:cr|challenge(?: rating)?))\b"),
            Sort("challenge_rating"),
        ),
        (re.compile(r"\bfastest\b"), Sort("fastest_speed", is_descending=True)),
        (re.compile(r"\bslowest\b"), Sort("fastest_speed")),
        (re.compile(r"\b(?:best|highest) armor class\b"), Sort("armor_class", is_descending=True)),
        (re.compile(r"\b(?:lowest|worst) armor class\b"), Sort("armor_class")),
        (re.compile(r"\b(?:most|highest) hit points\b"), Sort("hit_points", is_descending=True)),
        (re.compile(r"\b(?:fewest|least|lowest) hit points\b"), Sort("hit_points")),
        (re.compile(r"\b(?:smartest|cleverest|most intelligent)\b"), Sort("intelligence", is_descending=True)),
        *((re.compile(rf"\bhighest {ability}\b"), Sort(ability, is_descending=True)) for ability in ABILITIES),
        *((re.compile(rf"\blowest {ability}\b"), Sort(ability)) for ability in ABILITIES),
    ),
    Family.SPELLS: (
        (re.compile(r"\bhighest[- ]level\b"), Sort("level", is_descending=True)),
        (re.compile(r"\blowest[- ]level\b"), Sort("level")),
        (
            re.compile(r"\b(?:most expensive|costliest)(?: (?:material )?(?:components?|materials?))?\b"),
            Sort("material_cost", is_descending=True),
        ),
        (re.compile(r"\b(?:longest|farthest|furthest|greatest)[- ]range\b"), Sort("range", is_descending=True)),
    ),
    Family.OPTIONS: (
        (re.compile(r"\b(?:at each|at every|by|for each|per) level\b"), Sort("levels")),
        (
            re.compile(rf"\b(?:best|biggest|greatest|highest|largest|most) {_HIT_DIE}"),
            Sort("hit_die", is_descending=True),
        ),
        (re.compile(rf"\b(?:fewest|least|lowest|smallest|worst) {_HIT_DIE}"), Sort("hit_die")),
    ),
    Family.EQUIPMENT: (
        (
            re.compile(r"\b(?:most expensive|priciest|costliest|dearest|most costly)\b"),
            Sort("cost", is_descending=True),
        ),
        (re.compile(r"\b(?:cheapest|least expensive)\b"), Sort("cost")),
        (re.compile(r"\bheaviest\b"), Sort("weight", is_descending=True)),
        (re.compile(r"\blightest\b"), Sort("weight")),
    ),
}


def parse_order(text: str, family: Family) -> tuple[Sort, tuple[int, int]] | None:
    """Return the order that a lower-case text asks for and its position; None if it asks for none."""
    hits = ((pattern.search(text), sort) for pattern, sort in _ORDERS.get(family, ()))
    return next(((sort, hit.span()) for hit, sort in hits if hit), None)
