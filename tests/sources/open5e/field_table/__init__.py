"""The field table: for every field that Open5e serves, its place in a record, or the reason for leaving it out."""

from tests.sources.open5e.field_table.table import Field, field_of, own_rows

__all__ = ["Field", "field_of", "own_rows"]
