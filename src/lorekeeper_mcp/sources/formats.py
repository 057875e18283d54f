"""The formats of homebrew, told apart by what a file holds, and read by one function each."""

from __future__ import annotations

from lorekeeper_mcp.sources import orcbrew
from lorekeeper_mcp.sources.imported import ImportedFile

VERSION = 3
"""Raise it whenever the same file makes other records: every store then takes its homebrew in anew."""


def read(data: bytes, name: str) -> ImportedFile:
    """Read a file of any known format. ``name`` is its name without the ending. Never raises."""
    return orcbrew.read(data, name)
