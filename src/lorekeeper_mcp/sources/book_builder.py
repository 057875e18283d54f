"""Collects the records of a file's books while a reader adapts them one by one."""

from __future__ import annotations

from lorekeeper_mcp.models import Document, Edition, Record
from lorekeeper_mcp.sources.imported import ImportedBook, ImportedItem, book_key, document, free_key
from lorekeeper_mcp.sources.invisible import may_be_hidden, visible
from lorekeeper_mcp.sources.official_documents import own_name


class BookBuilder:
    """Collects the items of books, each under a unique key.

    ``invisible`` counts the invisible characters that only appear once HTML or JSON within a text is decoded.
    """

    def __init__(self) -> None:
        self.invisible = 0
        self._items: dict[str, list[ImportedItem]] = {}
        self._names: dict[str, str] = {}
        self._licenses: dict[str, dict[str, None]] = {}
        self._editions: dict[str, dict[Edition, None]] = {}
        self._taken: set[str] = set()

    def add(
        self, book: str, section: str, record: Record, edition: Edition = Edition.E2014, license_: str = ""
    ) -> None:
        """Add a record to a book, with a suffix on its key if that is taken."""
        content = _written(record)
        if may_be_hidden(content):
            clean, count = visible(record.model_dump(mode="json"))
            self.invisible += count
            record = type(record).model_validate(clean) if count else record
            content = record.model_dump_json()
        if edition is not Edition.E2014:
            record = record.model_copy(update={"editions": (edition,)})
        self._editions.setdefault(record.document_key, {})[edition] = None
        if license_:
            self._licenses.setdefault(record.document_key, {})[str(visible(license_)[0])] = None
        key = free_key(record.key, content, self._taken)
        self._taken.add(key)
        made = record if key == record.key else record.model_copy(update={"key": key})
        self._put(book, ImportedItem(section, f"{own_name(book)} › {section} › {record.name}", made))

    def skip(self, book: str, section: str, path: str, reason: str) -> None:
        """Note an item that yields no record."""
        self._put(book, ImportedItem(section, f"{own_name(book)} › {section} › {path}", reason=reason))

    def books(self) -> tuple[ImportedBook, ...]:
        """Return every book with its items."""
        return tuple(
            ImportedBook(self._document(key), tuple(items), tuple(dict.fromkeys(item.section for item in items)))
            for key, items in self._items.items()
        )

    def _document(self, key: str) -> Document:
        editions = tuple(self._editions.get(key, (Edition.E2014,)))
        return document(self._names[key], editions, license=", ".join(self._licenses.get(key, ())))

    def _put(self, book: str, item: ImportedItem) -> None:
        name = str(visible(book)[0])
        key = book_key(name)
        self._names.setdefault(key, name)
        self._items.setdefault(key, []).append(item)


def _written(record: Record) -> str:
    """The record as JSON; for a lone surrogate, which JSON cannot contain, a character that counts as invisible."""
    try:
        return record.model_dump_json()
    except ValueError:
        return "\\u"
