"""The documents in the cache: their records, names and sizes, and the keys that a caller's names for them mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from lorekeeper_mcp.answer import DocumentSummary
from lorekeeper_mcp.models import Document, Family, Kind, Source
from lorekeeper_mcp.sources.open5e.endpoints import V1_DOCUMENTS
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold, slugify

# Spellings in older releases of Open5e and its clients.
_OLD_NAMES = {
    "srd": "srd-2014",
    "srd-5e": "srd-2014",
    "wotc-srd": "srd-2014",
    "5e": "srd-2014",
    "5.1": "srd-2014",
    "srd 5.1": "srd-2014",
    "srd 5.2": "srd-2024",
    "srd51": "srd-2014",
    "srd52": "srd-2024",
    "5.2": "srd-2024",
}


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


@dataclass(frozen=True)
class ResolvedDocuments:
    """The document keys for the names in a query, and a sentence for each unknown name.

    ``is_certain`` if all were known keys, so that no other document could change the result.
    """

    keys: frozenset[str]
    hints: tuple[str, ...] = ()
    is_certain: bool = True


def resolve_documents(
    names: Sequence[str], documents: Iterable[tuple[str, str]], *, knows_all: bool = True
) -> ResolvedDocuments:
    """Return the document keys for keys, names and old spellings, ignoring case.

    ``documents`` has (key, name) pairs; documents may share names. ``knows_all`` if those of Open5e are among them. An
    exact key selects its document alone, so that no book can be found under another's key.
    """
    pairs = list(documents)
    keys = {key for key, _ in pairs}
    selected: set[str] = set()
    hints, is_certain = [], True
    for name in map(str.strip, names):
        key, folded = name.lower(), fold(name)
        known = {key} & keys or {_OLD_NAMES.get(key, key)} & keys
        is_certain = is_certain and bool(known)
        if key not in keys and folded:
            known |= {key for key, title in pairs if fold(title) == folded}
        matches = known or {slugify(name)} & keys
        selected |= matches
        if not matches:
            hints.append(_unknown_name_hint(name, pairs, knows_all=knows_all))
    return ResolvedDocuments(frozenset(selected), tuple(hints), is_certain)


def _unknown_name_hint(name: str, documents: Sequence[tuple[str, str]], *, knows_all: bool) -> str:
    choices = {key: key for key, _ in documents} | {title: key for key, title in documents}
    nearest = process.extract(name, list(choices), scorer=fuzz.WRatio, score_cutoff=75, limit=3)
    keys = " or ".join(dict.fromkeys(choices[choice] for choice, _, _ in nearest))
    if not knows_all:
        advice = f" Did you mean {keys}?" if keys else ""
        return f'Whether Open5e has "{name[:80]}" is not known: its list of documents is not stored yet.{advice}'
    return f'No stored document is called "{name[:80]}"' + (
        f"; did you mean {keys}?" if keys else "; list_documents lists them all."
    )
