"""Served JSON of Open5e to typed records."""

from lorekeeper_mcp.sources.open5e.adapters.common_fields import AdaptError, Context
from lorekeeper_mcp.sources.open5e.adapters.dispatch import to_record, to_record_uncorrected

__all__ = ["AdaptError", "Context", "to_record", "to_record_uncorrected"]
