"""The document that every record of the SRD 5.1 belongs to."""

from __future__ import annotations

from lorekeeper_mcp.models import Document, Edition, Kind, Source
from lorekeeper_mcp.sources.attribution import ATTRIBUTIONS

DOCUMENT = Document(
    kind=Kind.DOCUMENT,
    key="srd-2014",
    name="System Reference Document 5.1",
    document_key="srd-2014",
    document_name="System Reference Document 5.1",
    document_source=Source.SRD,
    documents=("srd-2014",),
    editions=(Edition.E2014,),
    license="CC-BY-4.0",
    publisher="Wizards of the Coast",
    author="Wizards of the Coast",
    game_system="5e-2014",
    type="SOURCE",
    permalink="https://dnd.wizards.com/resources/systems-reference-document",
    distance_unit="feet",
    weight_unit="lb",
    attribution=ATTRIBUTIONS["srd-2014"],
)
