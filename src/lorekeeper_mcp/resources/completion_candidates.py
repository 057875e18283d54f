"""Completion candidates for URIs and arguments: kinds, keys and names, prefix matches first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.prompts.table_prompts import PROMPTS, Argument
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.text import fold

MOST_VALUES = 100  # the protocol's limit per response


@dataclass(frozen=True)
class Wanted:
    """The value typed so far, and the kinds of entries that may complete it, by name or key.

    ``before`` is the text in front of the completed part; ``values`` complete it instead of entries.
    """

    typed: str
    kinds: frozenset[Kind] = frozenset()
    keys: bool = False
    values: tuple[str, ...] = ()
    before: str = ""


def of_address(argument: str, typed: str, given: Mapping[str, str]) -> Wanted | None:
    """Return the candidates for a part of a record's URI; keys of one kind once the kind is given."""
    if argument == "kind":
        return Wanted(typed, values=tuple(sorted(Kind)))
    if argument != "key":
        return None
    kind = given.get("kind", "").strip().lower()
    if kind and kind not in set(Kind):
        return None
    return Wanted(typed, frozenset({Kind(kind)} if kind else Kind), keys=True)


def of_prompt(prompt: str, argument: str, typed: str) -> Wanted | None:
    """Return the candidates for a prompt's argument; None if there are none."""
    known = {(one.name, wanted.name): wanted for one in PROMPTS for wanted in one.arguments}
    found = known.get((prompt, argument))
    return None if found is None else _of_argument(found, typed)


def _of_argument(argument: Argument, typed: str) -> Wanted | None:
    if argument.values:
        return Wanted(typed, values=argument.values)
    if not argument.names:
        return None
    head, comma, tail = typed.rpartition(",") if argument.several else ("", "", typed)
    return Wanted(tail, argument.names, before=f"{head}{comma} " if comma else "")


def candidates(wanted: Wanted, entries: Iterable[Entry]) -> list[str]:
    """Return all values that match the typed text, best first, names with fewer words before longer ones."""
    if wanted.values:
        return [value for value in wanted.values if value.startswith(wanted.typed.strip().lower())]
    fitting = [entry for entry in entries if entry.kind in wanted.kinds]
    ranked = sorted(
        (place, entry.folded.count(" "), entry.folded, SRD_ORDER.get(entry.document_key, 2), entry.key, entry.name)
        for entry in fitting
        if (place := _place(entry, fold(wanted.typed), keys=wanted.keys)) is not None
    )
    found: Sequence[str] = [key if wanted.keys else name for *_, key, name in ranked]
    return [f"{wanted.before}{value}" for value in dict.fromkeys(found)]


def _place(entry: Entry, typed: str, *, keys: bool) -> int | None:
    """Return 0 if the name has the prefix, 1 if the key has, 2 if a later word of the name has; None otherwise."""
    if entry.folded.startswith(typed):
        return 0
    if keys and fold(entry.key).startswith(typed):
        return 1
    return 2 if f" {typed}" in entry.folded else None
