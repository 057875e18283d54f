"""Reader for exports and packs of Foundry VTT, of its system dnd5e."""

from lorekeeper_mcp.sources.foundry.reader import MANIFESTS, pack_title, read, recognises, recognises_source

__all__ = ["MANIFESTS", "pack_title", "read", "recognises", "recognises_source"]
