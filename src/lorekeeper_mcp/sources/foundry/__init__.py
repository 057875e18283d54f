"""Reader for documents of Foundry VTT's dnd5e system: actors, items, journals and tables, one or a list of them."""

from lorekeeper_mcp.sources.foundry.manifests import MANIFESTS, pack_title
from lorekeeper_mcp.sources.foundry.reader import read, recognises, recognises_source

__all__ = ["MANIFESTS", "pack_title", "read", "recognises", "recognises_source"]
