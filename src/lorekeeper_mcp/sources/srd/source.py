"""Everything the embedded SRDs have, as one list."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.models import EditionText, Kind, Record
from lorekeeper_mcp.sources.linking import linked
from lorekeeper_mcp.sources.srd import revised
from lorekeeper_mcp.sources.srd.characters import backgrounds, feats, species
from lorekeeper_mcp.sources.srd.classes import classes
from lorekeeper_mcp.sources.srd.creatures import creatures
from lorekeeper_mcp.sources.srd.document import DOCUMENT, PACKAGE
from lorekeeper_mcp.sources.srd.equipment import equipment
from lorekeeper_mcp.sources.srd.magic_items import magic_items
from lorekeeper_mcp.sources.srd.reference import references
from lorekeeper_mcp.sources.srd.rules import rules
from lorekeeper_mcp.sources.srd.spells import spells

_ADAPTER = 4  # raise it whenever the records made of the same packages change
VERSION = f"{PACKAGE} / {revised.PACKAGE} / {_ADAPTER}"
"""Identifies the data and the adapters: when it changes, the cache must be seeded anew."""


def records() -> list[Record]:
    """Every record, corrected: the SRD 5.1, then the SRD 5.2, each with its document first and family by family.

    A condition is one record for both, as Open5e has it. Takes two to three seconds and 70 MB, as modules are
    imported and the pages of a book are read for it.
    """
    return [corrected(record) for record in linked(as_packaged())]


def as_packaged() -> list[Record]:
    """The same records with the errors that the packages have."""
    later, conditions = revised.records()
    return [*(_with_text(record, conditions) for record in _first()), *later]


def _first() -> list[Record]:
    """The SRD 5.1."""
    return [
        DOCUMENT,
        *spells(),
        *creatures(),
        *equipment(),
        *magic_items(),
        *classes(),
        *species(),
        *backgrounds(),
        *feats(),
        *rules(),
        *references(),
    ]


def _with_text(record: Record, conditions: Mapping[str, EditionText]) -> Record:
    """A condition with the texts of both editions; any other record as it is."""
    text = conditions.get(record.key) if record.kind is Kind.CONDITION else None
    if not text:
        return record
    own = EditionText(text=record.text, document_key=record.document_key, edition=record.editions[0])
    return record.model_copy(
        update={
            "texts": (own, text),
            "documents": (*record.documents, text.document_key),
            "editions": (*record.editions, text.edition),
        }
    )
