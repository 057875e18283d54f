"""Rule sets of both books: a record for the set, and one for each of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lorekeeper_mcp.models import Kind, Ref, Rule
from srd_converter.documents import Common


class RuleText(NamedTuple):
    """A rule of a set."""

    key: str
    name: str
    text: str


def rule_set(section: Ref, text: str, rules: Sequence[RuleText], common: Common, *, header_level: int) -> list[Rule]:
    """The rule set with its own text, followed by its rules in the order given."""
    below = [
        Rule(
            kind=Kind.RULE,
            key=key,
            name=name,
            text=rule_text,
            section=section,
            order=order,
            header_level=header_level,
            **common,
        )
        for order, (key, name, rule_text) in enumerate(rules, start=1)
    ]
    refs = tuple(Ref(name=rule.name, key=rule.key) for rule in below)
    return [Rule(kind=Kind.RULE_SET, key=section.key, name=section.name, text=text, rules=refs, **common), *below]
