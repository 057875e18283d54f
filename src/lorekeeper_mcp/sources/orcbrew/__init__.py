"""OrcBrew files (OrcPub, Dungeon Master's Vault): reading, and adapting to records. Pure; nothing is stored here."""

from lorekeeper_mcp.sources.orcbrew.book_file import Book, BookFile, Item, read_book_file
from lorekeeper_mcp.sources.orcbrew.common_fields import book_key
from lorekeeper_mcp.sources.orcbrew.records import VERSION, Adapted, BookRecords, adapt, adapt_all, known

__all__ = [
    "VERSION",
    "Adapted",
    "Book",
    "BookFile",
    "BookRecords",
    "Item",
    "adapt",
    "adapt_all",
    "book_key",
    "known",
    "read_book_file",
]
