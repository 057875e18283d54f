"""Reader for stat blocks of the Obsidian plugin Fantasy Statblocks: YAML in a fenced block of a note."""

from lorekeeper_mcp.sources.fantasy_statblocks.note_blocks import parsed, recognises
from lorekeeper_mcp.sources.fantasy_statblocks.reader import bestiary, read, read_bestiary

__all__ = ["bestiary", "parsed", "read", "read_bestiary", "recognises"]
