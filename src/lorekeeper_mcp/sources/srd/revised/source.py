"""Everything of the SRD 5.2 as one list."""

from __future__ import annotations

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.srd.revised.book import read
from lorekeeper_mcp.sources.srd.revised.creatures import creatures
from lorekeeper_mcp.sources.srd.revised.document import DOCUMENT
from lorekeeper_mcp.sources.srd.revised.spells import spells


def records() -> list[Record]:
    """Every record, the document first."""
    book = read()
    return [DOCUMENT, *spells(book), *creatures(book)]
