"""Entries of the core books as far as the embedded SRDs have them, as originals of copies."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.fivetools.writers.book import item_of
from lorekeeper_mcp.sources.imported import slug

_PREFIXES = {
    "PHB": "srd", "MM": "srd", "DMG": "srd", "XPHB": "srd-2024", "XMM": "srd-2024", "XDMG": "srd-2024",
}  # fmt: skip
_KINDS: Mapping[str, tuple[Kind, ...]] = {
    "monster": (Kind.CREATURE,),
    "spell": (Kind.SPELL,),
    "item": (Kind.MAGIC_ITEM, Kind.WEAPON, Kind.ARMOR, Kind.ITEM),
    "baseitem": (Kind.WEAPON, Kind.ARMOR, Kind.ITEM),
    "race": (Kind.SPECIES,),
    "background": (Kind.BACKGROUND,),
    "feat": (Kind.FEAT,),
}


def srd_original(section: str, wanted: Mapping[str, object]) -> dict[str, object] | None:
    """Return the item that a ``_copy`` means, made from the SRD of its source; None where the SRD has none."""
    source, name = str(wanted.get("source")), slug(str(wanted.get("name")))
    prefix = _PREFIXES.get(source.upper())
    with contextlib.suppress(srd.RecordsFileError):
        for kind in _KINDS.get(section, ()) if prefix else ():
            if record := srd.record_of(f"{kind}:{prefix}_{name}"):
                return item_of(record, source)
    return None
