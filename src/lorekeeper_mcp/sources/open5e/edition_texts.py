"""Texts of records that several books describe, such as a condition: each SRD's as printed in the book."""

from __future__ import annotations

from typing import TypeVar

from lorekeeper_mcp.models import Correction, EditionText, Record
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.book_texts import SOURCES, merge
from lorekeeper_mcp.text import letters

R = TypeVar("R", bound=Record)


def with_edition_texts(record: R) -> R:
    """Return the record with the books' texts where Open5e has the same or less, with a note for each other wording."""
    own = srd.record_of(record.id) if record.texts else None
    if own is None:
        return record
    theirs = {text.document_key: text.text for text in own.texts}
    merged = {
        text: text.model_copy(update={"text": merge(text.text, theirs.get(text.document_key, ""))})
        for text in record.texts
    }
    main = next((new.text for old, new in merged.items() if old.text == record.text), record.text)
    notes = tuple(_note(old) for old, new in merged.items() if letters(new.text) != letters(old.text))
    changes = {"text": main, "texts": tuple(merged.values()), "corrections": (*record.corrections, *notes)}
    return record.model_copy(update=changes)


def _note(served: EditionText) -> Correction:
    field, was = f"texts.{served.document_key}", f"a text of {len(served.text)} characters"
    return Correction(field=field, was=was, source=SOURCES[served.document_key])
