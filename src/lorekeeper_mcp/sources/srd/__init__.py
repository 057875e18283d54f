"""The embedded SRDs 5.1 and 5.2: the data of two packages as records under Open5e's keys."""

from lorekeeper_mcp.sources.srd.document import DOCUMENT
from lorekeeper_mcp.sources.srd.lacking import lacking_upstream
from lorekeeper_mcp.sources.srd.source import VERSION, as_packaged, records

__all__ = ["DOCUMENT", "VERSION", "as_packaged", "lacking_upstream", "records"]
