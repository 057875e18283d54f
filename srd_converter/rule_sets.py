"""Rule sets of both books: a record for the set, and one for each of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from lorekeeper_mcp.models import Kind, Ref, Rule
from srd_converter.documents import Common

BOXED = 0
"""The depth of a boxed text, which belongs to the rule set and to none of the rules around it."""


class RuleText(NamedTuple):
    """A rule of a set. ``depth`` is 1 right below the set, 2 below a rule of depth 1 before it, and so on."""

    key: str
    name: str
    text: str
    depth: int = 1


def rule_set(section: Ref, text: str, rules: Sequence[RuleText], common: Common, *, header_level: int) -> list[Rule]:
    """The rule set with its own text, followed by its rules in the order given, each with those below it."""
    refs = [Ref(name=rule.name, key=rule.key) for rule in rules]
    below = [
        Rule(
            kind=Kind.RULE,
            key=rule.key,
            name=rule.name,
            text=rule.text,
            section=section,
            order=place + 1,
            header_level=header_level + max(rule.depth, 1) - 1,
            rules=tuple(refs[part] for part in _parts(rules, place)),
            **common,
        )
        for place, rule in enumerate(rules)
    ]
    whole = Rule(kind=Kind.RULE_SET, key=section.key, name=section.name, text=text, rules=tuple(refs), **common)
    return [whole, *below]


def _parts(rules: Sequence[RuleText], place: int) -> list[int]:
    """The indexes of the rules right below the one at an index."""
    depth = rules[place].depth
    if depth == BOXED:
        return []
    following = range(place + 1, len(rules))
    within = takewhile(lambda index: rules[index].depth == BOXED or rules[index].depth > depth, following)
    return [index for index in within if rules[index].depth == depth + 1]
