"""The field table: for every field that Open5e serves, where it goes in a record, or why it is left out."""

from lorekeeper_mcp.sources.open5e.fields.table import Field, field_of, own_rows

__all__ = ["Field", "field_of", "own_rows"]
