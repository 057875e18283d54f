"""The mirror of the store's rows: catalog and embeddings in memory, the rest in the row file of a local store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family, Kind, Record, family_of
from lorekeeper_mcp.store.memory.catalog import Catalog, entry_from_row
from lorekeeper_mcp.store.memory.fulltext_index import FullTextIndex
from lorekeeper_mcp.store.memory.passage_cosines import PassageCosines, passage_cosines
from lorekeeper_mcp.store.memory.row_file import AnyRow, RowFile
from lorekeeper_mcp.store.memory.vector_index import VectorIndex
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.rows import HAS_VECTOR, decode_payload

_AT_ONCE = 500  # rows copied from the store at a time


class MemoryMirror:
    """The catalog of all rows, and for a local store whole rows; for a server only the words of searched families.

    A row is in the file before it is in the catalog. ``records`` leaves out a row that was deleted a moment ago.
    """

    def __init__(self) -> None:
        self.catalog = Catalog()
        self.is_local = False
        self.file = RowFile()
        self.vectors = VectorIndex(lambda family: self.file.vectors(family))  # noqa: PLW0108 - the file changes
        self.words = FullTextIndex(self.file.searcher)
        self._worded: set[Family] = set()

    def open(self, path: Path | None, *, local: bool = True) -> None:
        """Load another file, or one in memory. Raises RowFileDamagedError if its checksums are wrong.

        With ``local``, the file has whole rows.
        """
        self.file.close()
        self.is_local = local
        self._worded = set(Family) if local else set()
        self.file = RowFile(path)
        self.words = FullTextIndex(self.file.searcher)
        for family in Family:
            self.read(family)

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def clear(self) -> None:
        """Delete every row and the ledger."""
        path = self.file.path
        self.file.discard()
        self.open(path, local=self.is_local)

    def read(self, family: Family) -> None:
        """Load a family from the file."""
        self.catalog.replace(family, map(entry_from_row, self.file.briefs(family)))
        self._forget(family)

    def _forget(self, family: Family) -> None:
        self.words.forget(family)
        self.vectors.forget(family)

    # -- reading

    def holds_words(self, family: Family) -> bool:
        """Whether a family's words are loaded."""
        return family in self._worded

    def records(self, kind_of_id: Mapping[str, Kind]) -> dict[str, Record]:
        """Return the whole records of some ids; deleted ones are left out."""
        families: dict[Family, list[str]] = {}
        for id_, kind in kind_of_id.items():
            families.setdefault(family_of(kind), []).append(id_)
        payloads = {
            id_: text for family, ids in families.items() for id_, text in self.file.payloads(family, ids).items()
        }
        return {id_: decode_payload(kind, payloads[id_]) for id_, kind in kind_of_id.items() if id_ in payloads}

    def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Collection[str]) -> PassageCosines:
        """Return the similarity of some records' passages to the nearest of some vectors."""
        return passage_cosines(self.file.passages(family, ids), vectors)

    # -- following changes

    def put(self, family: Family, rows: Sequence[AnyRow]) -> None:
        """Copy stored rows of a family."""
        self.replace(family, rows, ())

    def drop(self, family: Family, ids: Iterable[str]) -> None:
        """Remove deleted rows."""
        self.replace(family, (), list(ids))

    def replace(self, family: Family, rows: Sequence[AnyRow], gone: Collection[str]) -> None:
        """Copy a renewed family in one step: stored rows, and deleted ids."""
        if self.is_local:
            self.file.put(family, rows, gone)
        elif self.holds_words(family):
            self.file.put_words(family, rows)
            self.file.drop(family, gone)
        entries = {id_: entry for id_, entry in self.catalog.of(family).items() if id_ not in gone}
        entries |= {entry.id: entry for entry in map(entry_from_row, rows)}
        self.catalog.replace(family, entries.values())
        self._embedded(family, rows, gone)

    def embedded(self, family: Family, rows: Sequence[AnyRow]) -> None:
        """Copy the embeddings of rows that are otherwise unchanged."""
        if self.is_local:
            self.file.embedded(family, rows)
        self.catalog.put(entry_from_row(row) for row in rows if self.catalog.get(family, str(row["id"])))
        self._embedded(family, rows)

    def _embedded(self, family: Family, rows: Iterable[AnyRow], gone: Collection[str] = ()) -> None:
        self.words.forget(family)
        self.vectors.drop(family, [*gone, *(str(row["id"]) for row in rows if not row[HAS_VECTOR])])
        vectors = ((str(row["id"]), cast(Vector, row["embedding"])) for row in rows if row[HAS_VECTOR])
        self.vectors.put(family, vectors)

    def build_words(self, family: Family, rows: Sequence[AnyRow]) -> None:
        """Index the words of a family from rows with id, name and words."""
        self.file.put_words(family, rows)
        self._worded.add(family)
        self.words.forget(family)

    def follow(self, store: MilvusStore, family: Family) -> None:
        """Bring a family in line with the store. Reads only the rows that differ."""
        there = {str(row["id"]): _version(row) for row in store.scan(family, ["id", "updated_at", HAS_VECTOR])}
        if self.is_local:
            here = {str(row["id"]): _version(row) for row in self.file.briefs(family)}
        else:
            here = {id_: (entry.updated_at, entry.has_vector) for id_, entry in self.catalog.of(family).items()}
        gone = here.keys() - there.keys()
        changed = [id_ for id_, version in there.items() if version != here.get(id_)]
        batches = (changed[start : start + _AT_ONCE] for start in range(0, len(changed), _AT_ONCE))
        if self.is_local:
            self.file.drop(family, gone)
            for batch in batches:
                self.file.put(family, store.rows(family, batch))
            self.read(family)
        else:
            more = ["words"] if self.holds_words(family) else []
            self.replace(family, [row for batch in batches for row in store.catalog(family, batch, *more)], gone)


def _version(row: AnyRow) -> tuple[object, ...]:
    """A value that differs between two states of a row: ``to_rows`` increases the time with each change."""
    return row["updated_at"], row[HAS_VECTOR]
