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


def rule_set(
    section: Ref, text: str, rules: Sequence[RuleText], common: Common, *, see_also: tuple[Ref, ...] = ()
) -> list[Rule]:
    """The rule set with its own text, followed by its rules in the order given, each with those below it.

    ``see_also`` are the records with the parts of the book's section that are no rules, such as a class.
    """
    refs = [Ref(name=rule.name, key=rule.key) for rule in rules]
    below = [
        Rule(
            kind=Kind.RULE,
            key=rule.key,
            name=rule.name,
            text=rule.text,
            section=section,
            order=index + 1,
            rules=tuple(refs[part] for part in _parts(rules, index)),
            **common,
        )
        for index, rule in enumerate(rules)
    ]
    whole = Rule(
        kind=Kind.RULE_SET,
        key=section.key,
        name=section.name,
        text=text,
        rules=tuple(refs),
        see_also=see_also,
        **common,
    )
    return [whole, *below]


def _parts(rules: Sequence[RuleText], index: int) -> list[int]:
    """The indexes of the rules right below the one at an index."""
    depth = rules[index].depth
    if depth == BOXED:
        return []
    following = range(index + 1, len(rules))
    within = takewhile(lambda part: rules[part].depth == BOXED or rules[part].depth > depth, following)
    return [part for part in within if rules[part].depth == depth + 1]
