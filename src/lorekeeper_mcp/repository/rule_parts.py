"""Adds to a rule the texts of its parts: the rules below it in the book, which are entries of their own.

"Underwater Combat" is a single sentence that introduces "Impeded Weapons" and "Fire Resistance". A short chapter such
as "Resting" is shown like a rule, a long one as its introduction and a list of its rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.models import Family, Kind, Record, Rule
from lorekeeper_mcp.render.markdown import body
from lorekeeper_mcp.store.cache import Cache

_LEVEL = 2  # of the headings right below a rule
_MAX_CHAPTER = 4_000  # characters of a chapter that is shown with its rules


async def with_parts(records: Iterable[Record], cache: Cache) -> dict[str, Record]:
    """Return those records that are rules with parts, by id, each with the texts of its parts in the book's order."""
    extended: dict[str, Record] = {}
    for record in records:
        if isinstance(record, Rule) and record.rules:
            text = "\n\n".join(filter(None, [record.text, *await _sections(record, cache, _LEVEL)]))
            if record.kind is Kind.RULE or len(text) <= _MAX_CHAPTER:
                extended[record.id] = record.model_copy(update={"text": text, "rules": ()})
    return extended


async def _sections(rule: Rule, cache: Cache, level: int) -> list[str]:
    """The parts of a rule and those of its parts, each under its heading."""
    entries = cache.catalog.of(Family.RULES)
    ids = [f"{Kind.RULE}:{ref.key}" for ref in rule.rules]
    parts = await cache.records(entries[id_] for id_ in ids if id_ in entries)
    sections: list[str] = []
    for part in (parts[id_] for id_ in ids if id_ in parts):
        sections.append(f"{'#' * level} {part.name}\n\n{body(part.text, level)}")
        if isinstance(part, Rule):
            sections += await _sections(part, cache, level + 1)
    return sections
