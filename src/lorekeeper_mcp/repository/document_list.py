"""The documents in the cache: records, names and sizes, computed once for each state of the catalog."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.answer import DocumentSummary
from lorekeeper_mcp.models import Document, Family, Kind, Source
from lorekeeper_mcp.repository.documents import summaries
from lorekeeper_mcp.sources.open5e.v1_documents import V1_DOCUMENTS
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.memory.catalog import Entry


class DocumentList:
    """Caches its results until the catalog changes, which replaces the mappings that are compared here."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._documents: tuple[Mapping[str, Entry], Mapping[str, Document]] | None = None
        self._summaries: tuple[Mapping[str, int], Mapping[Source | None, list[DocumentSummary]]] | None = None

    async def by_key(self) -> Mapping[str, Document]:
        """Return every known document by its key."""
        state = self._cache.catalog.of(Family.RULES)
        if self._documents is None or self._documents[0] is not state:
            entries = self._cache.catalog.among(Family.RULES, frozenset({Kind.DOCUMENT}))
            records = (await self._cache.records(entries)).values()
            stored = {record.key: record for record in records if isinstance(record, Document)}
            self._documents = (state, {**V1_DOCUMENTS, **stored})
        return self._documents[1]

    async def names(self) -> list[tuple[str, str]]:
        """Return pairs of a key and a name: a document may have several names, and a name several documents."""
        documents = await self.by_key()
        names = [(key, document.name) for key, document in documents.items()]
        names += [(key, document.display_name) for key, document in documents.items() if document.display_name]
        return [*names, *((key, key) for key in self._cache.catalog.document_sizes())]

    async def summaries(self, source: Source | None) -> list[DocumentSummary]:
        """Return each document with stored records from all sources or one, the largest first."""
        state = self._cache.catalog.document_sizes()
        if self._summaries is None or self._summaries[0] is not state:
            documents = await self.by_key()
            found = {one: summaries(iter(self._cache.catalog), documents, one) for one in (None, *Source)}
            self._summaries = (state, found)
        return self._summaries[1][source]
