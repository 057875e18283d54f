"""The document of every record of the SRD 5.2, and the common fields of its records."""

from __future__ import annotations

from lorekeeper_mcp.models import Document, Edition, Kind, Ref, Source
from lorekeeper_mcp.sources.attribution import ATTRIBUTIONS
from lorekeeper_mcp.text import slugify
from srd_converter.srd2014.entries import Common

KEY = "srd-2024"
DOCUMENT = Document(
    kind=Kind.DOCUMENT,
    key=KEY,
    name="System Reference Document 5.2",
    document_key=KEY,
    document_name="System Reference Document 5.2",
    document_source=Source.SRD,
    documents=(KEY,),
    editions=(Edition.E2024,),
    license="CC-BY-4.0",
    publisher="Wizards of the Coast",
    author="Wizards of the Coast",
    game_system="5e-2024",
    type="SOURCE",
    permalink="https://www.dndbeyond.com/srd",
    distance_unit="feet",
    weight_unit="lb",
    attribution=ATTRIBUTIONS[KEY],
)
COMMON: Common = {
    "document_key": KEY,
    "document_name": DOCUMENT.document_name,
    "document_source": DOCUMENT.document_source,
    "documents": DOCUMENT.documents,
    "editions": DOCUMENT.editions,
    "license": DOCUMENT.license,
    "publisher": DOCUMENT.publisher,
}


def key_of(name: str) -> str:
    """The Open5e key of a thing of the SRD 5.2: the document's key and the name, without ``/``."""
    return f"{KEY}_{slugify(name)}"


def ref(name: str) -> Ref:
    """A reference to a thing of the SRD 5.2 by its name."""
    return Ref(name=name, key=key_of(name))
