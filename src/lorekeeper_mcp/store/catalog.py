"""The catalog: name, document, kind and filter values of every stored record, in memory.

Matches are selected, grouped, sorted and counted here, since Milvus Lite reads a whole row with its vector for each id
that it returns. Vector search uses the same filters.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import Any

from lorekeeper_mcp.filters import ID, columns
from lorekeeper_mcp.filters.options import FEATURE_OF
from lorekeeper_mcp.filters.record_filter import DOCUMENT_KEY, DOCUMENTS, EDITIONS, KIND, RecordFilter
from lorekeeper_mcp.filters.rules import SECTION
from lorekeeper_mcp.models import Edition, Family, Kind, Source, family_of
from lorekeeper_mcp.store.filter_expression import alternatives, pack, satisfies
from lorekeeper_mcp.text import fold


@dataclass(frozen=True, slots=True)
class Entry:
    """The catalog's entry of one record. Times are in epoch seconds."""

    id: str
    kind: Kind
    key: str
    name: str
    folded: str  # the name without case, accents and punctuation
    document_key: str
    documents: tuple[str, ...]
    editions: tuple[str, ...]
    source: Source
    has_vector: bool
    created_at: int
    updated_at: int
    values: tuple[str | int | float, ...] = ()  # of the family's filter columns, in the order of ``places``

    @property
    def edition(self) -> Edition | None:
        """The edition of a record that belongs to exactly one."""
        return Edition(self.editions[0]) if len(self.editions) == 1 else None


@cache
def places(family: Family) -> Mapping[str, int]:
    """The index of each filter column of a family in an entry's ``values``."""
    return {column.name: place for place, column in enumerate(columns(family))}


def entry_from_row(row: Mapping[str, object], encoder: str) -> Entry:
    """The entry of a row that is written to the store or read from it. ``encoder`` identifies our embedding model."""
    kind = Kind(str(row["kind"]))
    return Entry(
        str(row["id"]),
        kind,
        str(row["key"]),
        str(row["name"]),
        fold(str(row["name"])),
        str(row["document_key"]),
        _members(str(row["documents"])) or ("",),
        _members(str(row["editions"])),
        Source(str(row["source"])),
        bool(encoder) and row["encoder"] == encoder,
        int(str(row["created_at"])),
        int(str(row["updated_at"])),
        _shared(tuple(map(row.__getitem__, places(family_of(kind))))),
    )


@lru_cache(maxsize=4096)
def _shared(values: tuple[str | int | float, ...]) -> tuple[str | int | float, ...]:
    """One object for equal values, with interned texts: many features and items differ in their texts alone."""
    return tuple(sys.intern(value) if type(value) is str else value for value in values)


@lru_cache(maxsize=1024)
def _members(packed: str) -> tuple[str, ...]:
    """The members of a packed list, interned: a store has few different lists."""
    return tuple(part for part in packed.replace("~", "_").split("|") if part)


def feature_parent(entry: Entry) -> str:
    """The kind of a feature's parent: class, subclass or species; "" for other records."""
    return part_of(entry).partition(" ")[0]


def part_of(entry: Entry) -> str:
    """The kind and folded name of a feature's parent; "" for other records."""
    return str(entry.values[places(Family.OPTIONS)[FEATURE_OF.name]]) if entry.kind is Kind.FEATURE else ""


def sections(entry: Entry) -> list[str]:
    """The keys of the rule set that a rule belongs to; empty for other records."""
    return str(entry.values[places(Family.RULES)[SECTION.name]]).split("|") if entry.kind is Kind.RULE else []


class Catalog:
    """The entries of all records, by id and by family.

    A change creates a new mapping: mappings returned before stay unchanged. ``versions`` counts each family's changes.
    """

    def __init__(self) -> None:
        self._by_family: dict[Family, Mapping[str, Entry]] = {family: {} for family in Family}
        self._sizes: Counter[str] | None = None
        self._column_values: dict[tuple[Family, str], frozenset[str]] = {}
        self.versions: Counter[Family] = Counter()

    def replace(self, family: Family, entries: Iterable[Entry]) -> None:
        """Replace all entries of a family."""
        self._by_family[family] = {entry.id: entry for entry in entries}
        self.versions[family] += 1
        self._sizes, self._column_values = None, {}  # new ones, as a thread may be filling the old

    def of(self, family: Family) -> Mapping[str, Entry]:
        """Every entry of a family by id; a new mapping after every change."""
        return self._by_family[family]

    def among(self, family: Family, kinds: frozenset[Kind]) -> Iterator[Entry]:
        """The entries of some kinds."""
        return (entry for entry in self._by_family[family].values() if entry.kind in kinds)

    def __iter__(self) -> Iterator[Entry]:
        return (entry for entries in self._by_family.values() for entry in entries.values())

    def document_sizes(self) -> Counter[str]:
        """The number of records of each document, which breaks ties."""
        if (sizes := self._sizes) is None:
            self._sizes = sizes = Counter(entry.document_key for entry in self)
        return sizes

    def column_values(self, family: Family, column: str) -> frozenset[str]:
        """Every value of a text or list column. Remembered, since questions ask for some of them every time."""
        known, key = self._column_values, (family, column)
        if key not in known:
            texts = texts_of(column, family, self._by_family[family])
            known[key] = frozenset(part.replace("~", "_") for text in texts for part in text.split("|") if part)
        return known[key]


def select(where: RecordFilter, entries: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """Return the entries of a family that match, by id: the same as their Milvus expression; a test compares both."""
    for clause in where.conjuncts():
        texts, numbers = alternatives(clause, partial(texts_of, family=where.family, entries=entries))
        tests = [(name, chosen.__contains__) for name, chosen in texts.items()]
        tests += [(condition.column.name, partial(satisfies, condition)) for condition in numbers]
        matches: set[str] = set()
        for name, is_match in tests:
            read = _reader(name, where.family)
            matches.update(id_ for id_, entry in entries.items() if is_match(read(entry)))
        entries = {id_: entry for id_, entry in entries.items() if id_ in matches}
    return {id_: entry for id_, entry in entries.items() if id_ not in where.excluded} if where.excluded else entries


def texts_of(column: str, family: Family, entries: Mapping[str, Entry]) -> set[str]:
    """The distinct values of a text or list column, as they are stored."""
    return set(map(_reader(column, family), entries.values()))


def _reader(column: str, family: Family) -> Callable[[Entry], Any]:  # Any: texts of some columns, numbers of others
    """Return a function that reads the stored value of a column from an entry."""
    if column in (ID.name, KIND.name, DOCUMENT_KEY.name):
        return attrgetter(column)
    if column in (DOCUMENTS.name, EDITIONS.name):
        return lambda entry: _packed(getattr(entry, column))
    place = places(family)[column]
    return lambda entry: entry.values[place]


_packed = lru_cache(maxsize=1024)(pack)
