"""Official texts that a package carries, so that none has to stand in the tables."""

from __future__ import annotations

import functools
import importlib.metadata
import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel

from lorekeeper_mcp.corrections.table import PackagedText
from lorekeeper_mcp.text import letters_digest

_HIGHER = re.compile(r"\s*Using a Higher-Level Spell Slot\.\s*")


class _Entry(BaseModel):
    name: str
    description: str


class _Spells(BaseModel):
    spells: list[_Entry]


def official_text(wanted: PackagedText) -> str | None:
    """The text with its paragraphs; None where the package is absent or has another text than was checked."""
    text, _, higher = _HIGHER.sub("\0", _spells().get(wanted.entry, "")).partition("\0")
    found = higher if wanted.part == "higher_level" else text
    if letters_digest(found) != wanted.digest:
        return None
    for words in wanted.breaks:
        # A paragraph that begins with a name and a full stop has it set off, as in print.
        lead = f"**{words}**" if words.endswith(".") else words
        found = found.replace(f" {words} ", f"\n\n{lead} ", 1)
    return found.strip()


@functools.cache
def _spells() -> Mapping[str, str]:
    """Name -> text of the spells of the SRD 5.2; read once, and only when a text is wanted."""
    try:
        file = importlib.metadata.distribution("dndwright").locate_file("dndwright/content/spells.json")
        data = _Spells.model_validate_json(Path(str(file)).read_bytes())
    except (importlib.metadata.PackageNotFoundError, FileNotFoundError):
        return {}
    return {spell.name: spell.description for spell in data.spells}
