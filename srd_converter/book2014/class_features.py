"""Features of classes and subclasses, with the official text where the data package differs."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from lorekeeper_mcp.models import CharacterClass
from lorekeeper_mcp.text import fold, letters
from srd_converter.book2014.blocks import markdown
from srd_converter.book2014.class_tables import without_level_table
from srd_converter.book2014.outline import CLASSES
from srd_converter.book2014.pages import read
from srd_converter.book2014.proofreading import is_in_book, lacks, opening, sentences
from srd_converter.sections import split_at

_LAST_PAGE = 55
_PART = re.compile(r"(?:\A|(?<=\n\n))\*\*([^*]+)\.\*\* (.+?)(?=\n\n\*\*[^*]+\.\*\* |\Z)", re.DOTALL)
_TAIL = 30  # letters; sentence introductions, such as a prerequisite, are separated differently


def with_printed_features(record: CharacterClass) -> CharacterClass:
    """The class with the book's text for itself and for each feature with a missing or changed sentence."""
    entries = _entries(record.subclass_of.name if record.subclass_of else record.name)
    features = (
        feature.model_copy(update={"text": _printed(feature.name.rpartition(": ")[2], feature.text, entries)})
        for feature in record.features
    )
    return record.model_copy(update={"text": _printed(record.name, record.text, entries), "features": tuple(features)})


def text_under(name: str, heading: str) -> str:
    """The text under a heading that every class has once, such as its equipment."""
    return _entries(name)[fold(heading)][0]


def class_letters(records: Iterable[CharacterClass]) -> str:
    """The letters of all classes and features, for ``is_in_classes``."""
    texts = (text for record in records for text in (record.text, *(feature.text for feature in record.features)))
    return "\n".join(map(letters, texts))


def is_in_classes(text: str, known_letters: str) -> bool:
    """Whether every sentence of a text is among the letters of the classes."""
    return all(letters(sentence)[-_TAIL:] in known_letters for sentence in sentences(text))


def _printed(name: str, abridged: str, entries: Mapping[str, Sequence[str]]) -> str:
    for text in entries.get(fold(name), ()):
        is_same = opening(text) == opening(abridged) and text.endswith((".", "|", "modifier"))
        is_run_together = text.count("\n\n") > abridged.count("\n\n") and letters(text) == letters(abridged)
        if is_same and ("|" in text or lacks(abridged, text) or not is_in_book(abridged) or is_run_together):
            return text
    return abridged


@functools.cache
def _entries(name: str) -> Mapping[str, Sequence[str]]:
    """Folded heading, or name of a paragraph -> the texts under it in the chapter of a class; two may share one."""
    first = CLASSES[name]
    last = min((page for page in CLASSES.values() if page > first), default=_LAST_PAGE + 1) - 1
    lines = [line for line in read() if first <= line.page <= last]
    heads = [index for index, line in enumerate(lines) if line.is_heading]
    texts: dict[str, list[str]] = defaultdict(list)
    for head, *below in split_at(lines, heads):
        text = markdown(without_level_table(below, name))
        texts[fold(head.text)].append(text)
        for part in _PART.finditer(text):
            texts[fold(part[1])].append(part[2])
    return texts
