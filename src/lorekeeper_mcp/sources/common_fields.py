"""Fields that records of every source have."""

from __future__ import annotations

from typing import TypedDict

from lorekeeper_mcp.models import Edition, Kind, Source


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
