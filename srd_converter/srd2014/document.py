"""The document of every record of the SRD 5.1, and the common fields of its records."""

from __future__ import annotations

from lorekeeper_mcp.models import Edition, Ref
from lorekeeper_mcp.text import slugify
from srd_converter.documents import common_fields, document

COMMON = common_fields("srd-2014", "5.1", Edition.E2014)
DOCUMENT = document(COMMON, "https://dnd.wizards.com/resources/systems-reference-document")


def key_of(name: str) -> str:
    """The Open5e key of a thing of the SRD 5.1, whose prefix differs from the document's key."""
    return f"srd_{slugify(name)}"


def ref(name: str) -> Ref:
    """A reference to a thing of the SRD 5.1 by its name."""
    return Ref(name=name, key=key_of(name))
