"""What a homebrew file says of one entry, for a comparison with its record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILES = Path(__file__).parent / "files"


def parsed(name: str) -> Any:
    """Return the content of a JSON file of the corpus, such as ``foundry/fens-2014``."""
    return json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Entry:
    """An entry of a file: its facts by the names in ``comparison``, and its prose without the format's marks.

    A fact that is None is not compared. Difficulty classes are part of the prose: ``DC 15``.
    """

    name: str
    facts: Mapping[str, object] = field(default_factory=dict)
    prose: str = ""
