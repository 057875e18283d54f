"""What is held in memory of the store's rows, kept in step with them: the catalog, the words, the embeddings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import cast

from lorekeeper_mcp.cache.catalog import Catalog, entry_from_row
from lorekeeper_mcp.cache.exact import VectorIndex
from lorekeeper_mcp.cache.expression import one_of
from lorekeeper_mcp.cache.rows import Vector
from lorekeeper_mcp.cache.store import Store
from lorekeeper_mcp.cache.words import WordIndex
from lorekeeper_mcp.models import Family

AnyRow = Mapping[str, object]
_AT_ONCE = 500  # rows that are read anew at a time
WORDS, VECTORS = ["id", "name", "words"], ["id", "has_vector", "embedding"]


@dataclass(frozen=True)
class Memory:
    """The catalog holds every row; words and embeddings of a family are here once they have been built."""

    catalog: Catalog = field(default_factory=Catalog)
    words: WordIndex = field(default_factory=WordIndex)
    vectors: VectorIndex = field(default_factory=VectorIndex)

    def put(self, family: Family, rows: Sequence[AnyRow]) -> None:
        """Rows of a family have been stored, each under its id."""
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

    def drop(self, family: Family, ids: Iterable[str]) -> None:
        """Rows have been deleted."""
        gone = list(ids)
        self.catalog.drop(family, gone)
        self.words.drop(family, gone)
        self.vectors.drop(family, gone)

    def replace(self, family: Family, rows: Sequence[AnyRow], gone: Collection[str]) -> None:
        """A family has been renewed, in one moment: rows stored, others deleted."""
        entries = {id_: entry for id_, entry in self.catalog.of(family).items() if id_ not in gone}
        entries |= {entry.id: entry for entry in map(entry_from_row, rows)}
        self.catalog.replace(family, entries.values())
        self.words.drop(family, gone)
        self.words.put(family, map(_words, rows))
        self.vectors.drop(family, gone)
        self._embedded(family, rows)

    def build_words(self, family: Family, rows: Iterable[AnyRow]) -> None:
        """Hold the words of a family from now on. Rows have the columns of WORDS."""
        self.words.build(family, map(_words, rows))

    def build_vectors(self, family: Family, rows: Iterable[AnyRow]) -> None:
        """Hold the embeddings of a family from now on. Rows have the columns of VECTORS."""
        self.vectors.build(family, _vectors(rows))

    def reload(self, store: Store, family: Family) -> None:
        """Take over what others have changed."""
        before = {id_: (entry.updated_at, entry.has_vector) for id_, entry in self.catalog.of(family).items()}
        self.catalog.replace(family, map(entry_from_row, store.catalog(family)))
        now = {id_: (entry.updated_at, entry.has_vector) for id_, entry in self.catalog.of(family).items()}
        gone = before.keys() - now.keys()
        changed = [id_ for id_, at in now.items() if before.get(id_) != at]
        if self.words.holds(family):
            self.words.drop(family, gone)
            self.words.put(family, map(_words, _some(store, family, WORDS, changed)))
        if self.vectors.holds(family):
            self.vectors.drop(family, gone)
            self._embedded(family, list(_some(store, family, VECTORS, changed)))

    def forget(self, family: Family) -> None:
        """Have words and embeddings read anew when they are next wanted."""
        self.words.forget(family)
        self.vectors.forget(family)

    def close(self) -> None:
        """Free what SQLite holds."""
        self.words.close()


def _some(store: Store, family: Family, fields: Sequence[str], ids: Sequence[str]) -> Iterable[AnyRow]:
    parts = (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))
    return chain.from_iterable(store.scan(family, fields, one_of("id", part)) for part in parts)


def _words(row: AnyRow) -> tuple[str, str, str]:
    return str(row["id"]), str(row["name"]), str(row["words"])


def _vectors(rows: Iterable[AnyRow]) -> Iterable[tuple[str, Vector]]:
    return ((str(row["id"]), cast(Vector, row["embedding"])) for row in rows if row["has_vector"])
