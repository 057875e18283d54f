"""Reader for OrcBrew files (OrcPub, Dungeon Master's Vault), and adapters to records. Pure; nothing is stored here."""

from lorekeeper_mcp.sources.orcbrew.book_file import Book, BookFile, Item, read_book_file
from lorekeeper_mcp.sources.orcbrew.book_writer import write
from lorekeeper_mcp.sources.orcbrew.records import adapt, adapt_all, known, read

__all__ = ["Book", "BookFile", "Item", "adapt", "adapt_all", "known", "read", "read_book_file", "write"]
