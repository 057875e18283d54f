"""Invented records without meaningless or duplicate content."""

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import Creature, Kind, Spell
from lorekeeper_mcp.sources.open5e.record_repairs import clean_record
from tests.own_records import open5e_heading


def moth(document: str = "own", name: str = "Moth", **fields: Any) -> Creature:
    return clean_record(Creature(**open5e_heading(Kind.CREATURE, name, document), **fields))


def glow(**fields: Any) -> Spell:
    return clean_record(Spell(**open5e_heading(Kind.SPELL, "Glow"), level=1, **fields))
