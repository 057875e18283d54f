"""What is known of every stored record without asking the store: names, documents, kinds.

Names are matched and results are grouped, ordered and counted here; filters and vectors stay in the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from lorekeeper_mcp.models import Edition, Family, Kind, Record, Source, family_of
from lorekeeper_mcp.text import fold


@dataclass(frozen=True)
class Entry:
    """One stored record in brief. ``folded`` is the name as names are compared; times are in epoch seconds."""

    id: str
    kind: Kind
    key: str
    name: str
    document_key: str
    documents: tuple[str, ...]
    editions: tuple[str, ...]
    source: Source
    replaceable: bool
    has_vector: bool
    created_at: int
    updated_at: int

    @cached_property
    def folded(self) -> str:
        """The name without case, accents and punctuation."""
        return fold(self.name)

    @property
    def edition(self) -> Edition | None:
        """The edition of a record that belongs to just one."""
        return Edition(self.editions[0]) if len(self.editions) == 1 else None


def entry_of(record: Record, *, replaceable: bool, has_vector: bool, created_at: int, updated_at: int) -> Entry:
    """The entry of a record that is being stored."""
    return Entry(
        record.id,
        record.kind,
        record.key,
        record.name,
        record.document_key,
        record.documents or (record.document_key,),
        tuple(map(str, record.editions)),
        record.document_source,
        replaceable,
        has_vector,
        created_at,
        updated_at,
    )


def entry_from_row(row: Mapping[str, object]) -> Entry:
    """The entry of a row read back from the store."""
    documents = str(row["documents"]).replace("~", "_").strip("|").split("|")
    return Entry(
        str(row["id"]),
        Kind(str(row["kind"])),
        str(row["key"]),
        str(row["name"]),
        str(row["document_key"]),
        tuple(documents),
        tuple(part for part in str(row["editions"]).split("|") if part),
        Source(str(row["source"])),
        row["replaceable"] == 1,
        row["has_vector"] == 1,
        int(str(row["created_at"])),
        int(str(row["updated_at"])),
    )


class Catalog:
    """The entries of all records, by id and by family."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._by_family: dict[Family, dict[str, Entry]] = {family: {} for family in Family}
        self._sizes: Counter[str] | None = None
        self.put(entries)

    def put(self, entries: Iterable[Entry]) -> None:
        """Add entries, each in place of the one with its id."""
        self._sizes = None
        for entry in entries:
            self._by_family[family_of(entry.kind)][entry.id] = entry

    def drop(self, family: Family, ids: Iterable[str]) -> None:
        """Remove entries; ids that are not there are passed over."""
        self._sizes = None
        for id_ in ids:
            self._by_family[family].pop(id_, None)

    def replace(self, family: Family, entries: Iterable[Entry]) -> None:
        """Have a family consist of just these entries."""
        self._by_family[family] = {entry.id: entry for entry in entries}

    def get(self, family: Family, id_: str) -> Entry | None:
        """The entry with an id."""
        return self._by_family[family].get(id_)

    def of(self, family: Family) -> Mapping[str, Entry]:
        """Every entry of a family by id."""
        return self._by_family[family]

    def among(self, family: Family, kinds: frozenset[Kind]) -> Iterator[Entry]:
        """The entries of some kinds."""
        return (entry for entry in list(self._by_family[family].values()) if entry.kind in kinds)

    def __iter__(self) -> Iterator[Entry]:
        return (entry for entries in self._by_family.values() for entry in list(entries.values()))

    def __len__(self) -> int:
        return sum(map(len, self._by_family.values()))

    def document_sizes(self) -> Counter[str]:
        """How many records each document has: what is used more widely goes first among equals."""
        if self._sizes is None:
            self._sizes = Counter(entry.document_key for entry in self)
        return self._sizes
