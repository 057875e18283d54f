"""The sources of an answer, listed once instead of with every result."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.models import Edition, Record, Source


def books(records: Iterable[Record], edition: Edition | None = None) -> list[dict[str, str]]:
    """Describe each document of some records once, in order: name, edition, publisher, license and source."""
    by_key: dict[str, list[Record]] = {}
    for record in records:
        by_key.setdefault(record.document_key, []).append(record)
    return [_book(records_of_book, edition) for records_of_book in by_key.values()]


def _book(records: list[Record], edition: Edition | None) -> dict[str, str]:
    first = records[0]
    editions = {str(other) for record in records for other in record.editions if edition in (None, other)}
    return {
        "document_key": first.document_key,
        "document_name": first.document_name,
        "document_source": str(first.document_source),
        "edition": ", ".join(sorted(editions)),
        "publisher": first.publisher,
        "license": first.license,
    }


def book_lines(books: Iterable[dict[str, str]]) -> str:
    """One line for each document."""
    lines = []
    for book in books:
        facts = [book[name] for name in ("document_name", "edition", "publisher", "license", "document_source")]
        facts[-1] = "homebrew" if facts[-1] == Source.HOMEBREW else facts[-1]  # a third party's text, in any format
        lines.append(f"{book['document_key']}: {' · '.join(filter(None, dict.fromkeys(facts)))}")
    return "\n".join(lines)
