"""The documents of the SRDs, and the fields that all records of one share."""

from __future__ import annotations

from typing import TypedDict

from lorekeeper_mcp.models import Document, Edition, Kind, Source
from lorekeeper_mcp.sources.attribution import ATTRIBUTIONS


class Common(TypedDict):
    """The fields that all records of a document share."""

    document_key: str
    document_name: str
    document_source: Source
    documents: tuple[str, ...]
    editions: tuple[Edition, ...]
    license: str
    publisher: str


def common_fields(key: str, version: str, edition: Edition) -> Common:
    """The fields that the SRD of a version and all of its records share; ``key`` is that of the document."""
    return {
        "document_key": key,
        "document_name": f"System Reference Document {version}",
        "document_source": Source.SRD,
        "documents": (key,),
        "editions": (edition,),
        "license": "CC-BY-4.0",
        "publisher": "Wizards of the Coast",
    }


def document(common: Common, permalink: str) -> Document:
    """The document of an SRD, itself a record."""
    return Document(
        kind=Kind.DOCUMENT,
        key=common["document_key"],
        name=common["document_name"],
        author=common["publisher"],
        game_system=f"5e-{common['editions'][0]}",
        type="SOURCE",
        permalink=permalink,
        distance_unit="feet",
        weight_unit="lb",
        attribution=ATTRIBUTIONS[common["document_key"]],
        **common,
    )
