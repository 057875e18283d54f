"""The in-memory mirror of the store's rows: catalog, words, embeddings, full records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import cast

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.filter_expression import one_of
from lorekeeper_mcp.store.memory.catalog import Catalog, Entry, entry_from_row
from lorekeeper_mcp.store.memory.fulltext_index import FullTextIndex
from lorekeeper_mcp.store.memory.passage_index import PassageIndex
from lorekeeper_mcp.store.memory.record_cache import RecordCache
from lorekeeper_mcp.store.memory.vector_index import VectorIndex
from lorekeeper_mcp.store.milvus import MilvusStore

AnyRow = Mapping[str, object]
_AT_ONCE = 500  # rows that are reloaded at a time
WORDS, VECTORS, PAYLOADS = ["id", "name", "words"], ["id", "has_vector", "embedding", "passages"], ["id", "payload"]


@dataclass(frozen=True)
class MemoryMirror:
    """The catalog holds every row; words, embeddings and payloads of a family are here once they have been built.

    A payload is here before the catalog tells of it and as long as it does, so that no record is missing from a page.
    """

    catalog: Catalog = field(default_factory=Catalog)
    words: FullTextIndex = field(default_factory=FullTextIndex)
    vectors: VectorIndex = field(default_factory=VectorIndex)
    passages: PassageIndex = field(default_factory=PassageIndex)
    payloads: RecordCache = field(default_factory=RecordCache)

    def put(self, family: Family, rows: Sequence[AnyRow]) -> None:
        """Rows of a family have been stored, each under its id."""
        self.payloads.put(family, map(_payload, rows))
        self.catalog.put(map(entry_from_row, rows))
        self.words.put(family, map(_words, rows))
        self._embedded(family, rows)

    def embedded(self, family: Family, rows: Sequence[AnyRow]) -> None:
        """Rows have been given their embeddings, and are otherwise as they were."""
        self.catalog.put(entry_from_row(row) for row in rows if self.catalog.get(family, str(row["id"])))
        self._embedded(family, rows)

    def _embedded(self, family: Family, rows: Iterable[AnyRow]) -> None:
        if self.vectors.holds(family):
            self.vectors.drop(family, (str(row["id"]) for row in rows if not row["has_vector"]))
            self.vectors.put(family, _vectors(rows))
            self.passages.put(family, map(_passages, rows))

    def drop(self, family: Family, ids: Iterable[str]) -> None:
        """Rows have been deleted."""
        gone = list(ids)
        self.catalog.drop(family, gone)
        self._drop(family, gone)

    def _drop(self, family: Family, ids: Collection[str]) -> None:
        self.words.drop(family, ids)
        self.vectors.drop(family, ids)
        self.passages.drop(family, ids)
        self.payloads.drop(family, ids)

    def replace(self, family: Family, rows: Sequence[AnyRow], gone: Collection[str]) -> None:
        """A family has been renewed, in one moment: rows stored, others deleted."""
        self.payloads.put(family, map(_payload, rows))
        entries = {id_: entry for id_, entry in self.catalog.of(family).items() if id_ not in gone}
        entries |= {entry.id: entry for entry in map(entry_from_row, rows)}
        self.catalog.replace(family, entries.values())
        self._drop(family, gone)
        self.words.put(family, map(_words, rows))
        self._embedded(family, rows)

    def build_words(self, family: Family, rows: Iterable[AnyRow]) -> None:
        """Hold the words of a family from now on. Rows have the columns of WORDS."""
        self.words.build(family, map(_words, rows))

    def build_vectors(self, family: Family, rows: Iterable[AnyRow]) -> None:
        """Hold the embeddings of a family from now on. Rows have the columns of VECTORS."""
        known = list(rows)
        self.passages.build(family, map(_passages, known))
        self.vectors.build(family, _vectors(known))

    def build_payloads(self, family: Family, rows: Iterable[AnyRow]) -> None:
        """Hold the whole records of a family from now on. Rows have the columns of PAYLOADS."""
        self.payloads.build(family, map(_payload, rows))

    def reload(self, store: MilvusStore, family: Family) -> None:
        """Take over what others have changed."""
        before = self.catalog.of(family)
        entries = [entry_from_row(row) for row in store.catalog(family)]
        gone = before.keys() - {entry.id for entry in entries}
        changed = [entry.id for entry in entries if _version(entry) != _version(before.get(entry.id))]
        if self.payloads.holds(family):
            self.payloads.put(family, map(_payload, _some(store, family, PAYLOADS, changed)))
        self.catalog.replace(family, entries)
        self._drop(family, gone)
        if self.words.holds(family):
            self.words.put(family, map(_words, _some(store, family, WORDS, changed)))
        if self.vectors.holds(family):
            self._embedded(family, list(_some(store, family, VECTORS, changed)))

    def forget(self, family: Family) -> None:
        """Drop everything but the catalog; it is reloaded when it is next needed."""
        self.words.forget(family)
        self.vectors.forget(family)
        self.passages.forget(family)
        self.payloads.forget(family)

    def close(self) -> None:
        """Free what SQLite holds."""
        self.words.close()


def _version(entry: Entry | None) -> tuple[int, bool] | None:
    """What tells one state of a row from the next: ``rows_of`` sees to it that the time grows with each."""
    return (entry.updated_at, entry.has_vector) if entry else None


def _some(store: MilvusStore, family: Family, fields: Sequence[str], ids: Sequence[str]) -> Iterable[AnyRow]:
    parts = (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))
    return chain.from_iterable(store.scan(family, fields, one_of("id", part)) for part in parts)


def _words(row: AnyRow) -> tuple[str, str, str]:
    return str(row["id"]), str(row["name"]), str(row["words"])


def _payload(row: AnyRow) -> tuple[str, str]:
    return str(row["id"]), str(row["payload"])


def _passages(row: AnyRow) -> tuple[str, str]:
    return str(row["id"]), str(row["passages"])


def _vectors(rows: Iterable[AnyRow]) -> Iterable[tuple[str, Vector]]:
    return ((str(row["id"]), cast(Vector, row["embedding"])) for row in rows if row["has_vector"])
