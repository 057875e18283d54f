"""Invented records without meaningless or duplicate content."""

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import Creature, Kind, Source, Spell
from lorekeeper_mcp.sources.open5e.record_repairs import clean_record


def common(kind: Kind, name: str, document: str = "own") -> dict[str, Any]:
    key = name.lower().replace(" ", "-")
    return {
        "kind": kind, "key": f"own_{key}", "name": name, "document_key": document, "document_name": "Own",
        "document_source": Source.OPEN5E_V2,
    }  # fmt: skip


def moth(document: str = "own", name: str = "Moth", **fields: Any) -> Creature:
    return clean_record(Creature(**common(Kind.CREATURE, name, document), **fields))


def glow(**fields: Any) -> Spell:
    return clean_record(Spell(**common(Kind.SPELL, "Glow"), level=1, **fields))
