"""The page of a record with its source, as in the resource of a short record."""

from __future__ import annotations

from lorekeeper_mcp.models import Edition, Record
from lorekeeper_mcp.render.markdown import page
from lorekeeper_mcp.render.pages import corrections, record_page, source


def markdown(record: Record, edition: Edition | None = None) -> str:
    """The record from its name to its source and license."""
    return page(record_page(record, edition), corrections(record), source(record, edition))
