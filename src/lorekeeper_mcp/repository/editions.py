"""Reduces records with texts of several editions, such as conditions, to one edition."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import NEWEST_FIRST, Document, Edition, Record


def in_edition(record: Record, edition: Edition | None, documents: Mapping[str, Document]) -> Record:
    """Return the record with one edition's text and book, or unchanged if it has no separate text for that edition."""
    texts = tuple(text for text in record.texts if edition is not None and text.edition == edition)
    if not texts or edition is None:
        return record
    changed: dict[str, object] = {"text": texts[0].text, "texts": texts, "editions": (edition,)}
    if (book := documents.get(texts[0].document_key)) is not None:
        changed |= {"document_key": book.key, "document_name": book.name}
        changed |= {"license": book.license, "publisher": book.publisher}
    return record.model_copy(update=changed)


def editions_apart(record: Record, documents: Mapping[str, Document]) -> tuple[Record, ...]:
    """Return one record per edition with a separate text, newest first; the record itself if there is none."""
    editions = [edition for edition in NEWEST_FIRST if any(text.edition == edition for text in record.texts)]
    return tuple(in_edition(record, one, documents) for one in editions) if len(editions) > 1 else (record,)
