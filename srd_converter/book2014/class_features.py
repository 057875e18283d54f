"""Features of classes and subclasses, with the official text where the data package differs."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from lorekeeper_mcp.models import CharacterClass
from lorekeeper_mcp.text import fold, letters
from srd_converter.book2014.blocks import markdown
from srd_converter.book2014.class_tables import without_level_table
from srd_converter.book2014.outline import CLASSES
from srd_converter.book2014.pages import read
from srd_converter.book2014.proofreading import is_in_book, lacks, opening, sentences

_LAST_PAGE = 55
_PART = re.compile(r"(?:\A|(?<=\n\n))\*\*([^*]+)\.\*\* (.+?)(?=\n\n\*\*[^*]+\.\*\* |\Z)", re.DOTALL)
_TAIL = 30  # letters; sentence introductions, such as a prerequisite, are separated differently
_PREREQUISITE = "Prerequisite:"  # is run into the text, but separate in the package


def with_official_texts(record: CharacterClass) -> CharacterClass:
    """The class with the book's text for itself and for each feature with a missing or changed sentence."""
    entries = _entries(record.subclass_of.name if record.subclass_of else record.name)
    features = (
        one.model_copy(update={"text": _official(one.name.rpartition(": ")[2], one.text, entries)})
        for one in record.features
    )
    return record.model_copy(update={"text": _official(record.name, record.text, entries), "features": tuple(features)})


def text_under(name: str, heading: str) -> str:
    """The text under a heading that every class has once, such as its equipment."""
    return _entries(name)[fold(heading)][0]


def hold(records: Iterable[CharacterClass]) -> str:
    """The letters of all classes and features, for lookups with ``holds``."""
    texts = (text for one in records for text in (one.text, *(feature.text for feature in one.features)))
    return "\n".join(map(letters, texts))


def holds(known: str, text: str) -> bool:
    """Whether every sentence of a text is among these letters."""
    return all(letters(one)[-_TAIL:] in known for one in sentences(text))


def _official(name: str, abridged: str, entries: Mapping[str, Sequence[str]]) -> str:
    for text in entries.get(fold(name), ()):
        is_same = opening(text) == opening(abridged) and text.endswith((".", "|", "modifier"))
        is_abridged = lacks(abridged, text) or not is_in_book(abridged) or ("|" in text and "|" not in abridged)
        if is_same and is_abridged and not text.startswith(_PREREQUISITE):
            return text
    return abridged


@functools.cache
def _entries(name: str) -> Mapping[str, Sequence[str]]:
    """Folded heading, or name of a paragraph -> the texts under it in the chapter of a class; two may share one."""
    first = CLASSES[name]
    last = min((page for page in CLASSES.values() if page > first), default=_LAST_PAGE + 1) - 1
    lines = [line for line in read() if first <= line.page <= last]
    heads = [n for n, line in enumerate(lines) if line.is_heading]
    found: dict[str, list[str]] = {}
    for head, stop in pairwise([*heads, len(lines)]):
        own = without_level_table(lines[head + 1 : stop], name)
        text = markdown(own)
        found.setdefault(fold(lines[head].text), []).append(text)
        for part in _PART.finditer(text):
            found.setdefault(fold(part[1]), []).append(part[2])
    return found
