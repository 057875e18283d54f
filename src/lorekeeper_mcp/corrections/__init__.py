"""Differences between an upstream and the book it copies: the upstream's value, the book's, and the page."""

from lorekeeper_mcp.corrections.correction_table import CorrectionRow, corrected_keys, rows, rows_of
from lorekeeper_mcp.corrections.corrector import applicable, corrected

__all__ = ["CorrectionRow", "applicable", "corrected", "corrected_keys", "rows", "rows_of"]
