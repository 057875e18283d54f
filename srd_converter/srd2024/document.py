"""The document of every record of the SRD 5.2, and the common fields of its records."""

from __future__ import annotations

from lorekeeper_mcp.models import Edition, Ref
from lorekeeper_mcp.text import slugify
from srd_converter.documents import common_fields, document

KEY = "srd-2024"
COMMON = common_fields(KEY, "5.2", Edition.E2024)
DOCUMENT = document(COMMON, "https://www.dndbeyond.com/srd")


def key_of(name: str) -> str:
    """The Open5e key of a thing of the SRD 5.2: the document's key and the name, without ``/``."""
    return f"{KEY}_{slugify(name)}"


def ref(name: str) -> Ref:
    """A reference to a thing of the SRD 5.2 by its name."""
    return Ref(name=name, key=key_of(name))
