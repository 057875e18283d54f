"""The types of embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

DIMENSION = 384  # of all-MiniLM-L6-v2
Vector: TypeAlias = list[float]
"""An embedding: ``DIMENSION`` floats, of length 1."""


@dataclass(frozen=True)
class Embedding:
    """The embedding of a record: its vector, and those of its passages packed as text."""

    vector: Vector
    passages: str
