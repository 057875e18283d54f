"""Resolves the names, keys and old spellings of documents to keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from lorekeeper_mcp.text import fold, slugify

# Spellings in older releases of Open5e and its clients.
_OLD_NAMES = {
    "srd": "srd-2014",
    "srd-5e": "srd-2014",
    "wotc-srd": "srd-2014",
    "5e": "srd-2014",
    "5.1": "srd-2014",
    "srd 5.1": "srd-2014",
    "srd 5.2": "srd-2024",
    "srd51": "srd-2014",
    "srd52": "srd-2024",
    "5.2": "srd-2024",
}


@dataclass(frozen=True)
class ResolvedDocuments:
    """The document keys for the names in a query, and a sentence for each unknown name.

    ``is_certain`` if all were known keys, so that no further document could change the result. ``waited`` is the time
    spent waiting for Open5e's list of documents, in seconds.
    """

    keys: frozenset[str]
    hints: tuple[str, ...] = ()
    is_certain: bool = True
    waited: float = 0.0


def resolve_documents(wanted: Sequence[str], known: Iterable[tuple[str, str]]) -> ResolvedDocuments:
    """Return the document keys for keys, names and old spellings, ignoring case.

    ``known`` has (key, name) pairs; documents may share names. An exact key selects its document alone, so that no book
    can be found under another's key.
    """
    names = list(known)
    keys = {key for key, _ in names}
    selected: set[str] = set()
    hints, certain = [], True
    for given in wanted:
        text = given.strip()
        called = {key for key, name in names if fold(name) == fold(text)} if fold(text) else set()
        if (old := _OLD_NAMES.get(text.lower())) in keys and old is not None:
            called.add(old)
        certain = certain and bool({text.lower(), _OLD_NAMES.get(text.lower())} & keys)
        found = {text.lower()} & keys or called or {slugify(text)} & keys
        selected |= found
        if not found:
            hints.append(_unknown(text, names))
        elif len(called) > 1 and found == called:
            hints.append(f'"{text[:80]}" is the name of {_listed(called)}: all are searched; a key selects one.')
        elif others := called - found:
            hints.append(f'"{text[:80]}" is also the name of {_listed(others)}: use that key to search it.')
    return ResolvedDocuments(frozenset(selected), tuple(hints), certain)


def _listed(keys: Iterable[str]) -> str:
    return " and ".join(sorted(keys))


def _unknown(text: str, names: Sequence[tuple[str, str]]) -> str:
    choices = {key: key for key, _ in names} | {name: key for key, name in names}
    near = process.extract(text, list(choices), scorer=fuzz.WRatio, score_cutoff=60, limit=3)
    keys = list(dict.fromkeys(choices[choice] for choice, _, _ in near))
    meant = f"; did you mean {', '.join(keys)}?" if keys else "; list_documents lists all that are stored."
    return f'No document is called "{text[:80]}"{meant}'
