"""Where the originals of copies may be: in other files, in the embedded SRDs, among the stored records."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.fivetools.writers.book import item_of
from lorekeeper_mcp.sources.imported import slug

Item: TypeAlias = "dict[str, object]"
Lookup: TypeAlias = Callable[[str, Mapping[str, object]], "Item | None"]

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
    "optionalfeature": (Kind.FEAT,),
    "condition": (Kind.CONDITION,),
    "language": (Kind.LANGUAGE,),
}


@dataclass(frozen=True)
class Originals:
    """Originals outside the file that is read.

    ``files`` gives further parsed files, and is called where an original is not in the file itself; ``stored`` finds
    one by its section and what the copy says of it. What ``stored`` has found is in ``used``, lists of items as a file
    has them: kept with the file, they make it the same whenever it is read again.
    """

    files: Callable[[], Iterable[object]] = tuple
    stored: Lookup = lambda _section, _wanted: None
    used: dict[str, list[Item]] = field(default_factory=dict)

    def found(self, section: str, wanted: Mapping[str, object]) -> list[Item]:
        """Return the original in the SRD of its source, else among the stored records; empty where it is in neither."""
        if (item := srd_original(section, wanted)) is not None:
            return [item]
        if (item := self.stored(section, wanted)) is None:
            return []
        self.used.setdefault(section, []).append(item)
        return [item]


def kinds_of(section: str) -> tuple[Kind, ...]:
    """Return the kinds of record that an item of a section may be copied from."""
    return _KINDS.get(section, ())


def srd_original(section: str, wanted: Mapping[str, object]) -> Item | None:
    """Return the item that a ``_copy`` means, made from the SRD of its source; None where the SRD has none."""
    source, name = str(wanted.get("source")), slug(str(wanted.get("name")))
    prefix = _PREFIXES.get(source.upper())
    with contextlib.suppress(srd.RecordsFileError):
        for kind in _KINDS.get(section, ()) if prefix else ():
            if record := srd.record_of(f"{kind}:{prefix}_{name}"):
                return item_of(record, source)
    return None
