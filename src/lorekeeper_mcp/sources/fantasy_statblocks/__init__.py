"""Fantasy Statblocks of Obsidian: YAML in fenced ``statblock`` blocks, or in the front matter of a note."""

from lorekeeper_mcp.sources.fantasy_statblocks.reader import read, recognises

__all__ = ["read", "recognises"]
