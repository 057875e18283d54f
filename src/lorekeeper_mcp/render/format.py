"""Formats numbers, keys, names and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lorekeeper_mcp.models import Ref
from lorekeeper_mcp.models.printed_values import number, words
from lorekeeper_mcp.models.vocabulary import ABILITIES

_MARKS = re.compile(r"[*_#`>]+|\[([^\[\]]*)\]\([^()\n]*\)")
_RUN_IN = re.compile(r"^\*{2,3}_?([^*]+?)[.:]?_?\*{2,3}[.:]?\s*(?=\S)")
_ITEM = re.compile(r"^\s*[-*•]\s+")
_STOP = re.compile(r"[.!?](?=\s|$)")
_MIN_SENTENCE = 22  # characters of a sentence with content; "Hazard." has none
# Abbreviations whose full stop does not end a sentence.
_ABBREVIATIONS = re.compile(r"\b(?:ft|lb|gp|sp|cp|pp|ep|Mr|Mrs|Dr|St|vs|etc|e\.g|i\.e|approx|no)\.$", re.IGNORECASE)


def ability(key: str) -> str:
    """The name of an ability: ``dex`` -> ``Dexterity``."""
    return next((name.title() for name in ABILITIES if key and name.startswith(key.lower())), title(key))


def caster(kind: str) -> str:
    """How a class casts: ``full`` -> ``full spellcaster``, ``pact`` -> ``Pact Magic``; "" if it does not."""
    if kind in ("", "none"):
        return ""
    return "Pact Magic" if kind == "pact" else f"{words(kind)} spellcaster"


def title(key: str) -> str:
    """A key as a heading: ``sleight-of-hand`` -> ``Sleight of Hand``."""
    return words(key).title().replace(" Of ", " of ")


def join_names(refs: Iterable[Ref]) -> str:
    """The names of other records, or their keys in words."""
    return ", ".join(ref.name or words(ref.key) for ref in refs)


def pounds(weight: float) -> str:
    """A weight in pounds."""
    return f"{number(weight)} lb."


def plain(text: str) -> str:
    """Remove Markdown marks and line breaks."""
    return " ".join(_MARKS.sub(lambda match: match[1] or "", text).replace("|", " ").split())


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text without Markdown. The end of a line, list item or table cell also ends a sentence."""
    for line in text.splitlines():
        flat, start = plain(_RUN_IN.sub(r"\1: ", _ITEM.sub("", line))), 0
        for stop in _STOP.finditer(flat):
            sentence = flat[start : stop.end()].strip()
            if len(sentence) >= _MIN_SENTENCE and not _ABBREVIATIONS.search(sentence):
                yield sentence
                start = stop.end()
        if remainder := flat[start:].strip():
            yield remainder


def first_sentence(text: str, limit: int = 160) -> str:
    """The first sentence, cut at a word with "…" if it is longer than the limit."""
    return cut_at_word(next(sentences(text), ""), limit)


def cut_at_word(text: str, limit: int) -> str:
    """Cut a text to a limit of characters, at a word, with "…"."""
    return text if len(text) <= limit else f"{text[: limit - 1].rpartition(' ')[0]}…"
