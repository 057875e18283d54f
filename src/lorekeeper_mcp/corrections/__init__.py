"""Where an upstream differs from the book it copies: what it says, what the book says, and where it says so."""

from lorekeeper_mcp.corrections.applying import applicable, corrected
from lorekeeper_mcp.corrections.table import Row, corrected_keys, digest, rows, rows_of

__all__ = ["Row", "applicable", "corrected", "corrected_keys", "digest", "rows", "rows_of"]
