"""The sources of a file (``_meta.sources``), each of which is a book."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from pydantic import ValidationError

from lorekeeper_mcp.models import Document, Edition
from lorekeeper_mcp.sources.fivetools.fields import plain_texts
from lorekeeper_mcp.sources.imported import book_key, document
from lorekeeper_mcp.sources.json_values import listed, mapping

_DEFAULT_NAME = "Unnamed Content"


class BookSources:
    """The books of one file, and what its metadata says of them."""

    def __init__(self, meta: Mapping[str, object], name: str) -> None:
        """Collect the sources. ``name`` is the book of items without a source."""
        self.default_name = name or _DEFAULT_NAME
        self._file_edition = meta.get("edition")
        sources = [mapping(source) for source in listed(meta.get("sources"))]
        self._by_code = {str(source.get("json", "")).lower(): source for source in sources}
        self._by_book = {
            book_key(str(source.get("full") or source.get("json"))): source
            for source in reversed(self._by_code.values())
        }

    def book_of(self, item: Mapping[str, object]) -> str:
        """Return the name of an item's book."""
        source = item.get("source") or mapping(item.get("inherits")).get("source")
        if not isinstance(source, str) or not source.strip():
            return self.default_name
        return " ".join(str(self._by_code.get(source.lower(), {}).get("full") or source).split())

    def editions_of(self, item: Mapping[str, object]) -> tuple[Edition, ...]:
        """Return the editions of an item: its own, else its book's."""
        if item.get("edition") == "one":
            return (Edition.E2024,)
        return self._editions(self._by_code.get(str(item.get("source")).lower(), {}))

    def document(self, key: str, name: str) -> Document:
        """Return the record of a book, with its release date if that is valid."""
        source = self._by_book.get(key, {})
        book = document(
            name,
            self._editions(source),
            author=", ".join(plain_texts(source.get("authors"))),
            permalink=str(source.get("url") or ""),
            license=str(source.get("license") or ""),
        )
        with contextlib.suppress(ValidationError):
            return Document.model_validate({**book.model_dump(), "published": source.get("dateReleased")})
        return book

    def _editions(self, source: Mapping[str, object]) -> tuple[Edition, ...]:
        edition = source.get("edition") or self._file_edition
        return (Edition.E2024,) if edition in ("one", "2024") else (Edition.E2014,)
