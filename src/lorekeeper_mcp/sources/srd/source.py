"""Everything the embedded SRD has, as one list."""

from __future__ import annotations

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.srd.characters import backgrounds, feats, species
from lorekeeper_mcp.sources.srd.classes import classes
from lorekeeper_mcp.sources.srd.creatures import creatures
from lorekeeper_mcp.sources.srd.document import DOCUMENT
from lorekeeper_mcp.sources.srd.equipment import equipment
from lorekeeper_mcp.sources.srd.magic_items import magic_items
from lorekeeper_mcp.sources.srd.reference import references
from lorekeeper_mcp.sources.srd.rules import rules
from lorekeeper_mcp.sources.srd.spells import spells


def records() -> list[Record]:
    """Every record, the document first, family by family in the package's order.

    Takes about a second and 70 MB, as the package's modules are imported for it.
    """
    return [
        DOCUMENT,
        *spells(),
        *creatures(),
        *equipment(),
        *magic_items(),
        *classes(),
        *species(),
        *backgrounds(),
        *feats(),
        *rules(),
        *references(),
    ]
