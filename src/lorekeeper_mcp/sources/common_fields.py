"""Fields that records of every source have."""

from __future__ import annotations

from typing import TypedDict, TypeVar

from lorekeeper_mcp.models import Edition, Kind, Record, Source

R = TypeVar("R", bound=Record)


class CommonFields(TypedDict):
    """The fields of every record, ready to be passed to a model."""

    kind: Kind
    key: str
    name: str
    document_key: str
    document_name: str
    document_source: Source
    documents: tuple[str, ...]
    editions: tuple[Edition, ...]
    text: str


def on_page(record: R, page: object) -> R:
    """Return a record with its page in the book, if the source has it as a number."""
    number = int(page) if isinstance(page, str) and page.isdecimal() else page
    is_page = isinstance(number, int) and not isinstance(number, bool) and number > 0
    return record.model_copy(update={"page": number}) if is_page else record
