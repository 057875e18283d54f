"""Adapters from Open5e's JSON to typed records."""

from lorekeeper_mcp.sources.open5e.adapters.dispatch import to_record, to_record_uncorrected
from lorekeeper_mcp.sources.open5e.adapters.served import AdaptError, Context

__all__ = ["AdaptError", "Context", "to_record", "to_record_uncorrected"]
