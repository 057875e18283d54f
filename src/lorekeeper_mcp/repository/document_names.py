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

    ``is_certain`` if all were known keys, so that no other document could change the result. ``waited`` is the time
    spent waiting for Open5e's list of documents, in seconds.
    """

    keys: frozenset[str]
    hints: tuple[str, ...] = ()
    is_certain: bool = True
    waited: float = 0.0


def resolve_documents(names: Sequence[str], documents: Iterable[tuple[str, str]]) -> ResolvedDocuments:
    """Return the document keys for keys, names and old spellings, ignoring case.

    ``documents`` has (key, name) pairs; documents may share names. An exact key selects its document alone, so that no
    book can be found under another's key.
    """
    pairs = list(documents)
    keys = {key for key, _ in pairs}
    selected: set[str] = set()
    hints, is_certain = [], True
    for name in map(str.strip, names):
        key, old_key = name.lower(), _OLD_NAMES.get(name.lower())
        keys_by_name = {key for key, title in pairs if fold(title) == fold(name)} if fold(name) else set()
        if old_key in keys and old_key is not None:
            keys_by_name.add(old_key)
        is_certain = is_certain and bool({key, old_key} & keys)
        matches = {key} & keys or keys_by_name or {slugify(name)} & keys
        selected |= matches
        if not matches:
            hints.append(_unknown_name_hint(name, pairs))
        elif len(keys_by_name) > 1 and matches == keys_by_name:
            hints.append(
                f'"{name[:80]}" is the name of {_join_keys(matches)}; all were searched. Use a key to select one.'
            )
        elif others := keys_by_name - matches:
            hints.append(
                f'"{name[:80]}" is also the name of {_join_keys(others)}: use that key to search that document.'
            )
    return ResolvedDocuments(frozenset(selected), tuple(hints), is_certain)


def _join_keys(keys: Iterable[str]) -> str:
    return " and ".join(sorted(keys))


def _unknown_name_hint(name: str, documents: Sequence[tuple[str, str]]) -> str:
    choices = {key: key for key, _ in documents} | {title: key for key, title in documents}
    nearest = process.extract(name, list(choices), scorer=fuzz.WRatio, score_cutoff=75, limit=3)
    keys = list(dict.fromkeys(choices[choice] for choice, _, _ in nearest))
    advice = f"; did you mean {' or '.join(keys)}?" if keys else "; list_documents lists them all."
    return f'No stored document is called "{name[:80]}"{advice}'
