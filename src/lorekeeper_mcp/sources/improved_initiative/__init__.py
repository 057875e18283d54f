"""Reader for Improved Initiative's JSON: exports of all data, lists of creatures, and single ones."""

from lorekeeper_mcp.sources.improved_initiative.listings import is_export as recognises
from lorekeeper_mcp.sources.improved_initiative.reader import read

__all__ = ["read", "recognises"]
