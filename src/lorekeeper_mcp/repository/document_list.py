"""The documents in the cache: records, names and sizes, computed once per state of the catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from lorekeeper_mcp.answer import DocumentSummary
from lorekeeper_mcp.models import Document, Family, Kind, Source
from lorekeeper_mcp.sources.open5e.v1_documents import V1_DOCUMENTS
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry


class DocumentList:
    """Caches its results until the catalog changes; a change replaces the mappings, whose identity is compared."""

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
        """Return (key, name) pairs: a document may have several names, and documents may share one."""
        documents = await self.by_key()
        names = [(key, document.name) for key, document in documents.items()]
        names += [(key, document.display_name) for key, document in documents.items() if document.display_name]
        return [*names, *((key, key) for key in self._cache.catalog.document_sizes())]

    async def summaries(self, source: Source | None) -> list[DocumentSummary]:
        """Return each document with stored records from all sources or one, largest first."""
        state = self._cache.catalog.document_sizes()
        if self._summaries is None or self._summaries[0] is not state:
            documents = await self.by_key()
            by_source = {origin: summaries(iter(self._cache.catalog), documents, origin) for origin in (None, *Source)}
            self._summaries = (state, by_source)
        return self._summaries[1][source]


def summaries(
    entries: Iterable[Entry], documents: Mapping[str, Document], source: Source | None
) -> list[DocumentSummary]:
    """Return each document once with its counts of records from all sources or one, largest first.

    The source of a document is the one that most of its records come from.
    """
    plain = str.__str__  # enum members hash in Python, which takes half the time for ten thousand
    numbers = Counter((entry.document_key, plain(entry.source), plain(entry.kind)) for entry in entries)
    counts: dict[str, Counter[str]] = {}
    sources: dict[str, Counter[str]] = {}
    for (key, origin, kind), number in numbers.items():
        if kind != Kind.DOCUMENT and source in (None, origin):
            counts.setdefault(key, Counter())[kind] += number
            sources.setdefault(key, Counter())[origin] += number
    rows = [
        _summary(key, Source(max(sorted(sources[key]), key=sources[key].__getitem__)), kinds, documents.get(key))
        for key, kinds in counts.items()
    ]
    return sorted(rows, key=lambda row: (-row.entity_count, row.document_key))


def _summary(key: str, source: Source, kinds: Counter[str], document: Document | None) -> DocumentSummary:
    return DocumentSummary(
        document_key=key,
        document_name=document.name if document else key,
        document_source=source,
        publisher=document.publisher if document else "",
        license=document.license if document else "",
        attribution=document.attribution if document else "",
        edition=document.editions[0] if document and document.editions else "",
        entity_count=kinds.total(),
        entity_types=dict(sorted(kinds.items())),
    )
