"""What an embedding is."""

from __future__ import annotations

from typing import TypeAlias

DIMENSION = 384  # of all-MiniLM-L6-v2
Vector: TypeAlias = list[float]
"""An embedding: ``DIMENSION`` floats, of length 1."""
