"""What is in memory of the store's rows: catalog and embeddings. The rest is in the row file of a local store."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import cast

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.memory.catalog import Catalog, entry_from_row
from lorekeeper_mcp.store.memory.fulltext_index import FullTextIndex
from lorekeeper_mcp.store.memory.row_file import AnyRow, RowFile
from lorekeeper_mcp.store.memory.vector_index import VectorIndex
from lorekeeper_mcp.store.rows import HAS_VECTOR


class MemoryMirror:
    """The catalog of all rows, and the file they are read from; for a server a file with the words of some families.

    A row is in the file before it is in the catalog.
    """

    def __init__(self) -> None:
        self.catalog = Catalog()
        self.file = RowFile()
        self.vectors = VectorIndex(self._stored_vectors)
        self.words = FullTextIndex(self.file.searcher)
        self._worded: set[Family] = set()

    def open(self, file: RowFile) -> None:
        """Switch to another file and load its catalog. Raises RowFileDamagedError if its checksums are wrong."""
        self.file.close()
        self.file = file
        self.words = FullTextIndex(file.searcher)
        self._worded = set()
        self.load()

    def load(self) -> None:
        """Load the catalog from the file. Raises RowFileDamagedError."""
        for family in Family:
            self.catalog.replace(family, map(entry_from_row, self.file.briefs(family)))
            self.vectors.forget(family)

    def _stored_vectors(self, family: Family) -> Iterator[tuple[str, bytes]]:
        """The file's vectors, with the ids of the catalog, so that memory has each id once."""
        entries = self.catalog.of(family)
        return ((entries[id_].id if id_ in entries else id_, vector) for id_, vector in self.file.vectors(family))

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def holds_words(self, family: Family) -> bool:
        """Whether a family's words are loaded from a server."""
        return family in self._worded

    def build_words(self, family: Family, rows: Sequence[AnyRow]) -> None:
        """Index the words of a server's family from rows with id, name and words."""
        self.file.put_words(family, rows)
        self._worded.add(family)
        self.words.forget(family)

    def put(self, family: Family, rows: Sequence[AnyRow], removed: Collection[str] = ()) -> None:
        """Take in stored rows and forget deleted ids, in one step for readers of the catalog.

        The rows of a server whose words are loaded have words.
        """
        if self.holds_words(family):
            self.file.put_words(family, rows, removed)
        entries = {id_: entry for id_, entry in self.catalog.of(family).items() if id_ not in removed}
        entries |= {entry.id: entry for entry in map(entry_from_row, rows)}
        self.catalog.replace(family, entries.values())
        self.words.forget(family)
        self.vectors.drop(family, [*removed, *(str(row["id"]) for row in rows if not row[HAS_VECTOR])])
        vectors = ((str(row["id"]), cast(Vector, row["embedding"])) for row in rows if row[HAS_VECTOR])
        self.vectors.put(family, vectors)
