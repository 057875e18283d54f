"""Documents by key and by name, and what the cache holds of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from lorekeeper_mcp.models import Document, Kind, Source
from lorekeeper_mcp.repository.answer import DocumentSummary
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.text import fold, slugify

# Spellings of older releases of Open5e and of its clients.
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


@dataclass(frozen=True)
class Resolved:
    """Document keys that a question meant, and a sentence for each name that stands for none."""

    keys: frozenset[str]
    hints: tuple[str, ...] = ()


def resolve(wanted: Sequence[str], names: Mapping[str, str]) -> Resolved:
    """Keys for keys, names and old spellings, whatever their case. ``names`` maps every known key to its name."""
    by_name = {fold(name): key for key, name in names.items()}
    keys, hints = set(), []
    for given in wanted:
        text = given.strip()
        key = _OLD_NAMES.get(text.lower(), text.lower())
        found = key if key in names else by_name.get(fold(text)) or (s if (s := slugify(text)) in names else None)
        if found:
            keys.add(found)
        else:
            hints.append(_unknown(text, names))
    return Resolved(frozenset(keys), tuple(hints))


def _unknown(text: str, names: Mapping[str, str]) -> str:
    choices = {**{key: key for key in names}, **{name: key for key, name in names.items()}}
    near = process.extract(text, list(choices), scorer=fuzz.WRatio, score_cutoff=60, limit=3)
    keys = list(dict.fromkeys(choices[choice] for choice, _, _ in near))
    meant = f"; did you mean {', '.join(keys)}?" if keys else "; list_documents names all that are here."
    return f'No document is called "{text[:80]}"{meant}'


def summaries(
    entries: Iterable[Entry], documents: Mapping[str, Document], source: Source | None
) -> list[DocumentSummary]:
    """Each document with its counts, the largest first. Records of a document are counted by their source."""
    plain = str.__str__  # an enumeration's members hash in Python, which is half of the time for ten thousand of them
    numbers = Counter((entry.document_key, plain(entry.source), plain(entry.kind)) for entry in entries)
    counts: dict[tuple[str, Source], Counter[str]] = {}
    for (key, origin, kind), number in numbers.items():
        if kind != Kind.DOCUMENT and source in (None, origin):
            counts.setdefault((key, Source(origin)), Counter())[kind] = number
    found = [_summary(key, origin, kinds, documents.get(key)) for (key, origin), kinds in counts.items()]
    return sorted(found, key=lambda s: (-s.entity_count, s.document_key, s.document_source))


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
