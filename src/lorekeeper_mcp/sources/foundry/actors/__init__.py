"""Actors: creatures, characters and vehicles with their items."""

from lorekeeper_mcp.sources.foundry.actors.held_items import own_spells
from lorekeeper_mcp.sources.foundry.actors.stat_blocks import creature

__all__ = ["creature", "own_spells"]
