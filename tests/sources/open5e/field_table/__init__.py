"""The field table: for every field that Open5e serves, where it goes in a record, or why it is left out."""

from tests.sources.open5e.field_table.table import Field, field_of, own_rows

__all__ = ["Field", "field_of", "own_rows"]
