"""The filters of ``search_rule``."""

from __future__ import annotations

from lorekeeper_mcp.filters.argument_types import normalized_by
from lorekeeper_mcp.filters.filter_row import LIST, Column, Filter, compare
from lorekeeper_mcp.filters.words import Words
from lorekeeper_mcp.models import Kind, Record, Rule
from lorekeeper_mcp.text import slugify


def _section_keys(record: Record) -> list[str]:
    """The rule set by key, bare key and name, so that combat-sequence also matches srd_combat-sequence."""
    section = record.section if isinstance(record, Rule) else None
    return [section.key, section.key.rpartition("_")[2], slugify(section.name)] if section else []


def section_key(text: str) -> str:
    """``Combat Sequence`` -> ``combat-sequence``; a full key such as ``srd_combat-sequence`` is kept."""
    prefix, mark, name = text.strip().lower().rpartition("_")
    return f"{slugify(prefix)}{mark}{slugify(name)}" if prefix else slugify(name)


SECTION = Column("section", LIST, _section_keys)

RULE_FILTERS: tuple[Filter, ...] = (
    compare(
        "section",
        normalized_by(section_key),
        SECTION,
        "Rules of one chapter: combat-sequence, spellcasting, movement …",
        kinds=Kind.RULE,
    ).said(Words("the", "(?:chapter|section)s?", values=r"[\w' ]{3,40}", read=section_key, needs_both=True)),
)
