"""The embedded SRD 5.1: the data of the package ``tinys-srd`` as records under Open5e's keys."""

from lorekeeper_mcp.sources.srd.document import DOCUMENT, VERSION
from lorekeeper_mcp.sources.srd.lacking import lacking_upstream
from lorekeeper_mcp.sources.srd.source import records

__all__ = ["DOCUMENT", "VERSION", "lacking_upstream", "records"]
