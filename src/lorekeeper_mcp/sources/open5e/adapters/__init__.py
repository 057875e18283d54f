"""Served JSON of Open5e to typed records."""

from lorekeeper_mcp.sources.open5e.adapters.adapting import adapt, as_served
from lorekeeper_mcp.sources.open5e.adapters.heading import AdaptError, Context

__all__ = ["AdaptError", "Context", "adapt", "as_served"]
