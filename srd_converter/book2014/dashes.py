"""Dashes of the SRD 5.1, which the package that its entries are from has as hyphens: "by one category-from Medium"."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import TypeVar

from lorekeeper_mcp.models import Record
from srd_converter.book2014 import pages
from srd_converter.slips import with_texts

R = TypeVar("R", bound=Record)
_DOCUMENT = "srd-2014"
_PARTED = re.compile(r"([A-Za-z']+) ?— ?([A-Za-z']+)")
_JOINED = re.compile(r"\b([A-Za-z']+)-([A-Za-z']+)\b")


def with_dashes(record: R) -> R:
    """A record of the SRD 5.1 with a dash between words that the book parts by one, and nowhere joins by a hyphen."""
    return with_texts(record, dashed) if record.document_key == _DOCUMENT else record


def dashed(text: str) -> str:
    """The text with the book's dashes."""
    return _JOINED.sub(lambda found: _dashes().get(found[0], found[0]), text) if "-" in text else text


@functools.cache
def _dashes() -> Mapping[str, str]:
    """Two words with a hyphen -> the same with the book's dash."""
    book = " ".join(line.text for line in pages.read())
    joined = {found[0] for found in _JOINED.finditer(book)}
    parted = {f"{found[1]}-{found[2]}": f"{found[1]}—{found[2]}" for found in _PARTED.finditer(book)}
    return {hyphened: right for hyphened, right in parted.items() if hyphened not in joined}
