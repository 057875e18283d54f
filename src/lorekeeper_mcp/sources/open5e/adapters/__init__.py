"""Adapters from Open5e's JSON to typed records."""

from lorekeeper_mcp.sources.open5e.adapters.dispatch import to_record, to_record_uncorrected
from lorekeeper_mcp.sources.open5e.adapters.record_head import AdaptError, Context

__all__ = ["AdaptError", "Context", "to_record", "to_record_uncorrected"]
