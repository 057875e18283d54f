"""Dashes, lists and names of paragraphs of the SRD 5.1 that the package has as hyphens and as plain sentences."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

from lorekeeper_mcp.models import Equipment, Record, Spell
from lorekeeper_mcp.text import fold
from srd_converter.book2014 import pages
from srd_converter.book_prose import split_lead_in
from srd_converter.slips import tight_lists, with_texts

R = TypeVar("R", bound=Record)
_DOCUMENT = "srd-2014"
_BULLET = "•"
_MARKED = re.compile(r"\s*(?:[-*#|>]|\Z)")
_SHORTEST, _SURE = 4, 40  # letters of an item, and of the beginning of one that runs on
_FOLLOWING = 2  # words
_NAME = re.compile(rf"(?<=[.!?)]) ([A-Z][^.*\n|]{{2,60}})\. (?=(\S+(?: \S+){{{_FOLLOWING - 1}}}))")
_PARTED = re.compile(r"([A-Za-z']+) ?— ?([A-Za-z']+)")
_JOINED = re.compile(r"\b([A-Za-z']+)-([A-Za-z']+)\b")


def typeset(record: R) -> R:
    """A record of the SRD 5.1 with the book's dashes between words, and an item or spell with its lists."""
    if record.document_key != _DOCUMENT:
        return record
    return with_texts(record, _with_all if isinstance(record, Equipment | Spell) else with_dashes)


def _with_all(text: str) -> str:
    return tight_lists(with_lists(with_names(with_dashes(text))))


def with_dashes(text: str) -> str:
    """The text with a dash between words that the book parts by one, and nowhere joins by a hyphen."""
    return _JOINED.sub(lambda found: _dashes().get(found[0], found[0]), text) if "-" in text else text


def with_names(text: str) -> str:
    """The text with a paragraph of its own, and its name in bold, where the book begins a paragraph with a name."""
    return _NAME.sub(
        lambda found: f"\n\n**{found[1]}.** " if found[2] in _names().get(found[1], ()) else found[0], text
    )


def with_lists(text: str) -> str:
    """The text with each paragraph that is an item of a list in the book as one."""
    lines = text.split("\n")
    return "\n".join(f"- {line.strip()}" if not _MARKED.match(line) and _is_item(line) else line for line in lines)


def _is_item(line: str) -> bool:
    words = fold(line)
    return words in _items() or (len(words) >= _SURE and any(item.startswith(words) for item in _items()))


@functools.cache
def _dashes() -> Mapping[str, str]:
    """Two words with a hyphen -> the same with the book's dash."""
    book = " ".join(line.text for line in pages.read())
    joined = {found[0] for found in _JOINED.finditer(book)}
    parted = {f"{found[1]}-{found[2]}": f"{found[1]}—{found[2]}" for found in _PARTED.finditer(book)}
    return {hyphened: right for hyphened, right in parted.items() if hyphened not in joined}


@functools.cache
def _names() -> Mapping[str, frozenset[str]]:
    """The name that a paragraph begins with -> the words that may follow it."""
    found: dict[str, set[str]] = {}
    for line in pages.read():
        name, rest = split_lead_in(line.text) if line.opens else ("", "")
        if name:
            found.setdefault(name, set()).add(" ".join(rest.split()[:_FOLLOWING]))
    return {name: frozenset(following) for name, following in found.items()}


@functools.cache
def _items() -> frozenset[str]:
    return frozenset(item for item in map(fold, _bulleted()) if len(item) >= _SHORTEST)


def _bulleted() -> Iterator[str]:
    """Every item of a list in the book; the last of a list may run on."""
    item = ""
    for line in pages.read():
        begins = line.text.startswith(_BULLET)
        if item and (begins or line.opens or line.is_heading):
            yield item
            item = ""
        if begins or item:
            item = f"{item} {line.text}".strip(f" {_BULLET}")
    yield item
