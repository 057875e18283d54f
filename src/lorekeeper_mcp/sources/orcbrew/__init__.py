"""Reader for OrcBrew files (OrcPub, Dungeon Master's Vault), and adapters to records. Pure; nothing is stored here."""

from lorekeeper_mcp.sources.orcbrew.book_file import BookFile, read_book_file
from lorekeeper_mcp.sources.orcbrew.records import adapt_all, read

__all__ = ["BookFile", "adapt_all", "read", "read_book_file"]
