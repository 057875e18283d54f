"""Where an upstream differs from the book it copies: what it says, what the book says, and where it says so."""

from lorekeeper_mcp.corrections.correction_table import CorrectionRow, corrected_keys, digest, rows, rows_of
from lorekeeper_mcp.corrections.corrector import applicable, corrected

__all__ = ["CorrectionRow", "applicable", "corrected", "corrected_keys", "digest", "rows", "rows_of"]
