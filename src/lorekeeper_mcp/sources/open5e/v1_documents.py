"""Documents that only version 1 of Open5e has; version 2 does not list them."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import Document, Edition, Kind, Source

_LEVEL_UP = Document(
    kind=Kind.DOCUMENT,
    key="a5e",
    name="Level Up Advanced 5e",
    document_key="a5e",
    document_name="Level Up Advanced 5e",
    document_source=Source.OPEN5E_V1,
    documents=("a5e",),
    editions=(Edition.A5E,),
    license="CC-BY-4.0",  # as v1/documents states it
    publisher="EN Publishing",
    type="SOURCE",
    permalink="https://a5esrd.com/a5esrd",
    game_system="a5e",
)

V1_DOCUMENTS: Mapping[str, Document] = {document.key: document for document in (_LEVEL_UP,)}
