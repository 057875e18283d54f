"""The embedded records, read once per process: reading all takes half a second."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources import srd


@functools.cache
def srd_records() -> Sequence[Record]:
    """Every record of both SRDs."""
    return srd.records()
