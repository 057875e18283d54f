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
    files = ", ".join(sorted({record.file for record in records} - {""}))
    return {
        "document_key": first.document_key,
        "document_name": first.document_name,
        "document_source": str(first.document_source),
        "edition": ", ".join(sorted(editions)),
        "publisher": first.publisher,
        "license": first.license,
        **({"file": files} if files else {}),
    }


def origin(source: str, name: str, files: Iterable[str]) -> str:
    """Where a book of some name is from, if that is no upstream: a third party's text, imported from files."""
    named = ", ".join(file for file in files if file not in ("", name))
    return "" if source != Source.HOMEBREW else f"homebrew, file {named}" if named else "homebrew"


def book_lines(books: Iterable[dict[str, str]]) -> str:
    """One line for each document."""
    lines = []
    for book in books:
        name, source = book["document_name"], book["document_source"]
        source = origin(source, name, [book.get("file", "")]) or source
        facts = (name, book["edition"], book["publisher"], book["license"], source)
        lines.append(f"{book['document_key']}: {' · '.join(filter(None, dict.fromkeys(facts)))}")
    return "\n".join(lines)
