"""What a homebrew file says of one entry, for a comparison with its record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """An entry of a file: its facts by the names in ``comparison``, and its prose without the format's marks.

    A fact that is None is not compared. Difficulty classes are part of the prose: ``DC 15``.
    """

    name: str
    facts: Mapping[str, object] = field(default_factory=dict)
    prose: str = ""
