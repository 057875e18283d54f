"""Repairs of spells: fields that a program filled in, and lists of what higher slots do."""

from __future__ import annotations

from lorekeeper_mcp.sources.open5e.spell_repairs.field_repairs import spell_changes

__all__ = ["spell_changes"]
