"""Feats."""

from __future__ import annotations

from lorekeeper_mcp.models import Feat, Kind
from srd_converter.srd2014.document import COMMON, key_of
from srd_converter.srd2014.entries import Entry, paragraphs, read
from srd_converter.srd2014.names import ability_name


def feats() -> list[Feat]:
    """Every feat."""
    return [_feat(entry) for entry in read("Feats")]


def _feat(entry: Entry) -> Feat:
    lines = entry.strings("desc")
    return Feat(
        kind=Kind.FEAT,
        key=key_of(entry.name),
        name=entry.name,
        text=paragraphs(line for line in lines if not line.startswith("- ")),
        benefits=tuple(line.removeprefix("- ") for line in lines if line.startswith("- ")),
        prerequisite=", ".join(
            f"{ability_name(minimum.entry('ability_score'))} {minimum.text('minimum_score')} or higher"
            for minimum in entry.entries("prerequisites")
        ),
        **COMMON,
    )
