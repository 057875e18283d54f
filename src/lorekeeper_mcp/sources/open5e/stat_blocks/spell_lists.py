"""Spell lists of stat blocks: one line per list, and commas where version 1 lost them (``bane bless3/day ea:``)."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.text import fold

_LIST = re.compile(r"\s*•?\s*(At will|\d/day(?: ea)?):", re.IGNORECASE)
# What begins a list, on a line of its own or within one. A list of slots has their number, or it is a sentence.
_BEGIN = re.compile(
    r"(?:\A|(?<=[a-z).:;,*])|\s)[\s,;]*(?:[-*•] +)?\**(?:"
    r"(?<!, )(?P<often>\b(?:constant(?:ly)?|at will|\d/(?:day|week)(?: each)?)|(?<=[a-z])\d/day(?: each)?)"
    r"|(?P<level>\bcantrips?(?= ?\**:? ?\(at will)|\b\d(?:st|nd|rd|th)[ -]level(?= ?\**:? ?\(\d+ slots?)))\b"
    r"\**:? ?(?P<remark>\([^()\n]*\))?\**:\** *",
    re.IGNORECASE,
)
_PIECE = re.compile(r"\([^()]*\)|[^\s()]+")


def with_commas(text: str) -> str:
    """Return one line per list, with commas between the spells, which are separated by their names in the SRDs."""
    lead, *parts = _LIST.split(text)
    if not parts or "\n" in text or "," in "".join(parts[1::2]):
        return text
    lines = [
        f"- **{how.title().replace(' Ea', ' Each')}:** {', '.join(_parted(spells))}"
        for how, spells in zip(parts[::2], parts[1::2], strict=True)
    ]
    return "\n".join([f"{lead.strip().rstrip('.:')}:\n", *lines])


def with_lines(text: str) -> str:
    """Return the text of a spellcaster with each list in a line of its own, set as most books are served."""
    lead, *parts = _BEGIN.split(text)
    lines, after = [], ""
    for often, level, remark, listed in zip(*(parts[start::4] for start in range(4)), strict=True):
        spells, _, after = listed.strip().partition("\n\n")
        name = f"**{_capital(often)}:**" if often and not remark else f"**{_capital(often or level)}**"
        lines.append(f"- {name} {f'{remark}: ' if remark else ''}{spells.strip(' ,;')}")
    return "\n\n".join(filter(None, (lead.strip(), "\n".join(lines), after)))


def _capital(words: str) -> str:
    """``3/Day Each``, ``1st Level``."""
    return re.sub(r"\b[a-z]", lambda match: match[0].upper(), words.lower())


def _parted(spells: str) -> Iterator[str]:
    """The spells of a list, each with the remark in brackets after it.

    Words that begin no known name stay together, with a single known word after them: cause fear.
    """
    names, longest = _spell_names()
    pieces = _PIECE.findall(spells)
    words: list[str] = []
    while pieces:
        size = next((n for n in range(min(longest, len(pieces)), 0, -1) if fold(" ".join(pieces[:n])) in names), 0)
        words += pieces[: max(1, size)]
        del pieces[: max(1, size)]
        while pieces and pieces[0].startswith("("):
            words.append(pieces.pop(0))
        if size:
            yield " ".join(words)
            words = []
    if words:
        yield " ".join(words)


@functools.cache
def _spell_names() -> tuple[frozenset[str], int]:
    """The folded names of the SRDs' spells, and the number of words in the longest."""
    names = frozenset(fold(record.name) for record in srd.records() if record.kind is Kind.SPELL)
    return names, max(len(name.split()) for name in names)
