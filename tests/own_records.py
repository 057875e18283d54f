"""Records of an invented book, "Own", for tests that need any records rather than particular ones."""

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import Creature, Kind, Source, Spell

Key = int | str


def heading(kind: Kind, key: Key, /, **more: object) -> dict[str, Any]:
    """The fields that every record has."""
    return {
        "kind": kind,
        "key": f"own_{key}",
        "name": f"{kind.title()} {key}",
        "document_key": "own",
        "document_name": "Own",
        "document_source": Source.HOMEBREW,
        **more,
    }


def book_heading(kind: Kind, name: str, document: str = "own", **more: object) -> dict[str, Any]:
    """The fields that every record has, with a key like those of real books."""
    key = f"{document}_{name.lower().replace(' ', '-')}"
    return heading(kind, name, key=key, name=name, document_key=document, **more)


def open5e_heading(kind: Kind, name: str, document: str = "own") -> dict[str, Any]:
    """The fields that every record has, for one from version 2 of Open5e."""
    return book_heading(kind, name, document, document_source=Source.OPEN5E_V2)


def spell(key: Key, text: str = "", /, **more: object) -> Spell:
    """A spell; a number as its key also gives its level."""
    level = key % 10 if isinstance(key, int) else 1
    return Spell.model_validate(heading(Kind.SPELL, key, level=level, text=text) | more)


def creature(key: Key, text: str = "", /, **more: object) -> Creature:
    """A creature without a stat block."""
    return Creature.model_validate(heading(Kind.CREATURE, key, text=text) | more)
