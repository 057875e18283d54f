"""Reader for 5etools JSON (``_meta.sources`` and lists such as ``monster``), and adapters to records. Pure.

The format is described by the public schema of TheGiddyLimit/5etools-utils, ``schema/brew``.
"""

from lorekeeper_mcp.sources.fivetools.reader import read, recognises

__all__ = ["read", "recognises"]
