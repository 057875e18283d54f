"""Finds the originals of copies: in other files, in the embedded SRDs, among other records."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.text import fold

Item: TypeAlias = "dict[str, object]"
Lookup: TypeAlias = Callable[[Collection[Kind], str, str], "Record | None"]
"""Finds a record by its kinds, its name and a file's name for its source, which is empty if any will do."""

# The embedded SRDs that replace a core book, or an unnamed book.
_SRDS = {
    "PHB": ("srd",), "MM": ("srd",), "DMG": ("srd",), "XPHB": ("srd-2024",), "XMM": ("srd-2024",),
    "XDMG": ("srd-2024",), "": ("srd", "srd-2024"),
}  # fmt: skip


def srd_record(kinds: Collection[Kind], name: str, source: str) -> Record | None:
    """Return a record of the embedded SRD that matches the source."""
    with contextlib.suppress(srd.RecordsFileError):
        for prefix in _SRDS.get(source.upper(), ()):
            for kind in kinds:
                if record := srd.record_of(f"{kind}:{prefix}_{slug(name)}"):
                    return record
    return None


@dataclass(frozen=True)
class Originals:
    """Originals outside the file being read.

    ``files`` returns further parsed files, and is called if an original is not in the file itself; ``record`` finds
    one among records. ``used`` has the originals found outside the SRDs, as lists of items: stored with the file and
    passed back as ``kept``, they give the same result on every later read. ``missing`` are the names of those not
    found.
    """

    files: Callable[[], Iterable[object]] = tuple
    record: Lookup = srd_record
    kept: Mapping[str, Sequence[Item]] = field(default_factory=dict)
    used: dict[str, list[Item]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def found(
        self, section: str, kinds: Collection[Kind], name: str, source: str, written: Callable[[Record], Item]
    ) -> list[Item]:
        """Return a record of that name as an item of the section; empty if there is none."""
        record = self.record(kinds, name, source)
        if record is None:
            self.missing.append(name)
            return []
        item = written(record)
        if record.document_source is not Source.SRD:
            self.use(section, item)
        return [item]

    def use(self, section: str, item: Item) -> None:
        """Note an item of another file that was copied."""
        if item not in self.used.setdefault(section, []):
            self.used[section].append(item)


def is_called(source: str, documents: Iterable[tuple[str, str]]) -> bool:
    """Whether a source is one of some documents: by key, by title, or by the initials of the title."""
    wanted = slug(source)
    for key, title in documents:
        initials = "".join(word if word.isdigit() else word[:1] for word in fold(title).split())
        if wanted in (slug(key), slug(title), initials):
            return True
    return not source


def record_among(records: Iterable[Record]) -> Lookup:
    """Return a function that finds a record among some."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        by_name.setdefault(fold(record.name), []).append(record)

    def found(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        named = (one for one in by_name.get(fold(name), ()) if one.kind in kinds)
        return next((one for one in named if is_called(source, [(one.document_key, one.document_name)])), None)

    return found
