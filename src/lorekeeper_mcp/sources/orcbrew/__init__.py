"""OrcBrew files (OrcPub, Dungeon Master's Vault): reading, and adapting to records. Pure; nothing is stored here."""

from lorekeeper_mcp.sources.orcbrew.adapting import VERSION, Adapted, BookRecords, adapt, adapt_all, known
from lorekeeper_mcp.sources.orcbrew.heading import book_key
from lorekeeper_mcp.sources.orcbrew.reading import Book, Item, Reading, read

__all__ = [
    "VERSION",
    "Adapted",
    "Book",
    "BookRecords",
    "Item",
    "Reading",
    "adapt",
    "adapt_all",
    "book_key",
    "known",
    "read",
]
