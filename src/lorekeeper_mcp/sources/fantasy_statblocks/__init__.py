"""Stat blocks of Obsidian notes, as the plugin Fantasy Statblocks has them: YAML in a fenced block."""

from lorekeeper_mcp.sources.fantasy_statblocks.note_blocks import recognises
from lorekeeper_mcp.sources.fantasy_statblocks.reader import bestiary, read, read_bestiary

__all__ = ["bestiary", "read", "read_bestiary", "recognises"]
