"""Lists and names of paragraphs of the SRD 5.1 that the package has as plain sentences."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TypeVar

from lorekeeper_mcp.models import Equipment, Record, Spell
from lorekeeper_mcp.text import fold
from srd_converter.book2014 import pages
from srd_converter.book_prose import split_lead_in
from srd_converter.text_repairs import tight_lists, with_texts

R = TypeVar("R", bound=Record)
_DOCUMENT = "srd-2014"
_BULLET = "•"
_MARKED = re.compile(r"\s*(?:[-*#|>]|\Z)")
_MIN_LENGTH, _SURE = 4, 40  # letters of an item, and of the beginning of one that runs on
_FOLLOWING = 2  # words
_NAME = re.compile(rf"(?<=[.!?)]) ([A-Z][^.*\n|]{{2,60}})\. (?=(\S+(?: \S+){{{_FOLLOWING - 1}}}))")


def typeset(record: R) -> R:
    """A record, with the book's lists and names of paragraphs if it is an item or a spell of the SRD 5.1."""
    if record.document_key != _DOCUMENT or not isinstance(record, Equipment | Spell):
        return record
    return with_texts(record, lambda text: tight_lists(with_lists(with_names(text))))


def with_names(text: str) -> str:
    """The text with a paragraph of its own, and its name in bold, where the book begins a paragraph with a name."""
    return _NAME.sub(_named_paragraph, text)


def _named_paragraph(sentence: re.Match[str]) -> str:
    is_name = sentence[2] in _following_words().get(sentence[1], ())
    return f"\n\n**{sentence[1]}.** " if is_name else sentence[0]


def with_lists(text: str) -> str:
    """The text with each paragraph that is an item of a list in the book as one."""
    lines = text.split("\n")
    return "\n".join(f"- {line}" if not _MARKED.match(line) and _is_item(line) else line for line in lines)


def _is_item(line: str) -> bool:
    words = fold(line)
    return words in _items() or (len(words) >= _SURE and any(item.startswith(words) for item in _items()))


@functools.cache
def _following_words() -> Mapping[str, frozenset[str]]:
    """The name that a paragraph begins with -> the words that may follow it."""
    words: dict[str, set[str]] = defaultdict(set)
    for line in pages.read():
        name, rest = split_lead_in(line.text) if line.opens else ("", "")
        if name:
            words[name].add(" ".join(rest.split()[:_FOLLOWING]))
    return {name: frozenset(following) for name, following in words.items()}


@functools.cache
def _items() -> frozenset[str]:
    return frozenset(item for item in map(fold, _bulleted()) if len(item) >= _MIN_LENGTH)


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
