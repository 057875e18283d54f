"""The catalog: name, document, kind and filter values of every stored record, in memory.

Matches are selected, grouped, sorted and counted here, since Milvus Lite reads a whole row with its vector for each id
that it returns. Vector search uses the same filters.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import attrgetter
from typing import TypeAlias

from lorekeeper_mcp.filters import ID, Comparison, Condition, columns, comparisons
from lorekeeper_mcp.filters.options import FEATURE_OF
from lorekeeper_mcp.filters.record_filter import DOCUMENT_KEY, DOCUMENTS, EDITIONS, KIND, NO_MEMBERS, RecordFilter
from lorekeeper_mcp.filters.rules import SECTION
from lorekeeper_mcp.models import Edition, Family, Kind, Source, family_of
from lorekeeper_mcp.store.filter_expression import matches
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
        _time(str(row["created_at"])),
        _time(str(row["updated_at"])),
        _shared(tuple(map(row.__getitem__, places(family_of(kind))))),
    )


@lru_cache(maxsize=1024)
def _time(text: str) -> int:
    """A time, interned: records are stored many at a time."""
    return int(text)


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
        self._column_values: dict[tuple[Family, str], tuple[int, frozenset[str]]] = {}  # with the family's version
        self.versions: Counter[Family] = Counter()

    def replace(self, family: Family, entries: Iterable[Entry]) -> None:
        """Replace all entries of a family."""
        self._by_family[family] = {entry.id: entry for entry in entries}
        self.versions[family] += 1
        self._sizes = None

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
        key, version = (family, column), self.versions[family]
        if (known := self._column_values.get(key)) is None or known[0] != version:
            place = places(family)[column]
            texts = {str(entry.values[place]) for entry in self._by_family[family].values()}
            parts = {part.replace("~", "_") for text in texts for part in text.split("|") if part}
            self._column_values[key] = known = version, frozenset(parts)
        return known[1]


Value: TypeAlias = str | int | float | tuple[str, ...]
Read: TypeAlias = Callable[[Entry], Value]
_OF_EVERY_FAMILY = frozenset(column.name for column in (ID, KIND, DOCUMENT_KEY, DOCUMENTS, EDITIONS))


def select(where: RecordFilter, entries: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """Return the entries of a family that match, by id: the same as their Milvus expression; a test compares both."""
    for clause in where.conjuncts():
        is_match = _predicate(comparisons(clause), where.family)
        entries = {id_: entry for id_, entry in entries.items() if is_match(entry)}
    if where.excluded:
        entries = {id_: entry for id_, entry in entries.items() if id_ not in where.excluded}
    return entries


def _predicate(conditions: Sequence[Condition], family: Family) -> Callable[[Entry], bool]:
    """Return a test whether an entry satisfies any of some conditions."""
    readers = {condition.column.name: _reader(condition.column.name, family) for condition in conditions}
    if len(readers) == 1 and readers.keys() <= {KIND.name, DOCUMENT_KEY.name}:  # one lookup instead of one per value
        (read,), values = readers.values(), frozenset(condition.value for condition in conditions)
        return lambda entry: read(entry) in values
    if len(conditions) == 1:
        (condition,), (read,) = conditions, readers.values()
        return lambda entry: _satisfies(condition, read(entry))
    pairs = [(condition, readers[condition.column.name]) for condition in conditions]
    return lambda entry: any(_satisfies(condition, read(entry)) for condition, read in pairs)


def _reader(column: str, family: Family) -> Read:
    """Return a function that reads a column's value from an entry."""
    if column in _OF_EVERY_FAMILY:
        return attrgetter(column)
    place = places(family)[column]
    return lambda entry: entry.values[place]


def _satisfies(condition: Condition, value: Value) -> bool:
    if not isinstance(value, tuple):
        return matches(condition, value)
    if condition.comparison is Comparison.HAS:
        return str(condition.value) in value
    return not value and condition.value == NO_MEMBERS
