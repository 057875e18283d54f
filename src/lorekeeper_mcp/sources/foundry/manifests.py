"""The title of a module or of one of a system's packs, from the manifest beside its files."""

from __future__ import annotations

import json
from pathlib import PurePath

from lorekeeper_mcp.sources.reading import mapping, objects, text_at

MANIFESTS = ("module.json", "system.json", "world.json")
"""The names of manifests."""


def pack_title(manifest: bytes, path: PurePath) -> str:
    """Return the title of the book that a file belongs to; empty if the manifest is none of Foundry's.

    ``path`` leads to the file from the manifest's folder. The packs of a module are one book; a system's are books of
    their own, since it has the same entries for several editions.
    """
    try:
        data = json.loads(manifest)
    except (ValueError, RecursionError):
        return ""
    fields = mapping(data)
    packs = objects(fields.get("packs"))
    if not text_at(fields, "title") or not (packs or "compatibility" in fields or "coreVersion" in fields):
        return ""
    if not {"grid", "gridDistance", "initiative", "primaryTokenAttribute"}.isdisjoint(fields):  # a system
        for pack in packs:
            name = PurePath(text_at(pack, "path") or text_at(pack, "name")).stem
            if name and name in {part.removesuffix(".db") for part in path.parts}:
                return text_at(pack, "label") or text_at(fields, "title")
    return text_at(fields, "title")
