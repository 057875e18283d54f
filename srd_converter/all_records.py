"""All records of the embedded SRDs, as one list."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.models import EditionText, Kind, Record
from lorekeeper_mcp.sources.features import with_children
from lorekeeper_mcp.sources.srd.item_bases import bases_of, with_base
from srd_converter.book2014 import pages as pages_2014
from srd_converter.book2014.typesetting import typeset
from srd_converter.book2024 import pages as pages_2024
from srd_converter.page_numbers import Pages, pages_of, with_page
from srd_converter.srd2014 import edition as edition_2014
from srd_converter.srd2024 import edition as edition_2024
from srd_converter.text_repairs import with_repaired_texts


def records() -> list[Record]:
    """Every corrected record: the SRD 5.1, then the SRD 5.2, each with its document first and family by family.

    A condition is one record for both, as in Open5e. Takes a few seconds.
    """
    return finished(as_read())


def finished(read: list[Record]) -> list[Record]:
    """The records as they are shipped, made from the records as they are read."""
    mended = (corrected(record) for record in with_children(read))
    printed = [typeset(with_repaired_texts(record)) for record in mended]
    bases = bases_of(printed)
    # The statistics come from the same book, so they are no corrections.
    based = [with_base(record, bases).model_copy(update={"corrections": record.corrections}) for record in printed]
    books = {"srd-2014": pages_of(pages_2014.read()), "srd-2024": pages_of(pages_2024.read().lines)}
    return [_with_pages(record, books) for record in based]


def _with_pages(record: Record, books: Mapping[str, Pages]) -> Record:
    """A record with its page, and that of each of its texts."""
    record = with_page(record, books[record.document_key])
    texts = [
        text.model_copy(update={"page": books[text.document_key].find(record.name, text.text.split("\n"))})
        for text in record.texts
    ]
    return record.model_copy(update={"texts": tuple(texts)}) if texts else record


def as_read() -> list[Record]:
    """The same records with the errors of the books' packages."""
    later, conditions = edition_2024.records()
    return [*(_with_text(record, conditions) for record in edition_2014.records()), *later]


def _with_text(record: Record, conditions: Mapping[str, EditionText]) -> Record:
    """A condition with the texts of both editions; any other record unchanged."""
    if record.kind is not Kind.CONDITION:
        return record
    text = conditions[record.key]
    own = EditionText(text=record.text, document_key=record.document_key, edition=record.editions[0])
    return record.model_copy(
        update={
            "texts": (own, text),
            "documents": (*record.documents, text.document_key),
            "editions": (*record.editions, text.edition),
        }
    )
