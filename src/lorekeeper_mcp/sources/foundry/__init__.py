"""Reader for exports of Foundry VTT's dnd5e system: actors (creatures) and items, one or a list of them."""

from lorekeeper_mcp.sources.foundry.reader import read, recognises

__all__ = ["read", "recognises"]
