"""Looks up one record by kind and key, with suggestions if it does not exist."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.query import MAX_SEARCH
from lorekeeper_mcp.repository.completeness import Coverage
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold, slugify
from lorekeeper_mcp.tools.error_messages import did_you_mean

if TYPE_CHECKING:  # importing it takes half a second, too long before the first reply
    from lorekeeper_mcp.repository.repository import Repository

_NEAREST = 3  # suggested URIs
_MIN_SIMILARITY = 60  # of 100


class NoSuchRecordError(LookupError):
    """The URI matches no record; the message suggests similar ones."""


async def find_record(repository: Repository, kind_name: str, text: str) -> Record:
    """Return the record of a kind by key, or by name with the newest SRD first. Raises NoSuchRecordError."""
    kind, key_or_name = kind_of(kind_name), text.strip()[:MAX_SEARCH]
    if not fold(key_or_name):
        raise NoSuchRecordError("Give the key or name of a record; search_all finds keys.")
    record = await repository.get(kind, key_or_name)
    if isinstance(record, Record):
        return record
    raise NoSuchRecordError(_missing_message(list(repository.entries()), kind, key_or_name, record.coverage))


def kind_of(name: str) -> Kind:
    """Return the kind that a word names, in any case. Raises NoSuchRecordError."""
    kinds = {str(kind): kind for kind in Kind}
    plain = slugify(name[:60].replace("_", "-"))
    if (kind := kinds.get(plain) or kinds.get(plain.removesuffix("s"))) is not None:
        return kind
    suggestion = did_you_mean(plain, kinds)
    advice = f"{suggestion} Kinds" if suggestion else "kinds"
    raise NoSuchRecordError(f'There is no kind "{name[:60]}": {advice} are {", ".join(kinds)}.')


def _missing_message(entries: Sequence[Entry], kind: Kind, text: str, coverage: Coverage) -> str:
    """A message with suggestions: the same key in other kinds, or the most similar names and keys of this kind."""
    of_other_kinds = [entry for entry in entries if entry.key == text.lower()]
    suggestion = of_other_kinds or _nearest(text, [entry for entry in entries if entry.kind is kind])
    listed = ", ".join(f"lorekeeper://{entry.kind}/{entry.key} ({entry.name})" for entry in suggestion[:_NEAREST])
    advice = f"Similar entries are {listed}." if listed else "Find keys with search_all."
    if coverage.complete:
        return f'There is no {kind} with the key or name "{text[:80]}". {advice}'
    return f'No stored {kind} has the key or name "{text[:80]}", but Open5e may have one. {coverage.hint} {advice}'


def _nearest(text: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries whose name or key is similar, best first and the newest SRD before other books."""
    wanted = fold(text)

    def rank(entry: Entry) -> tuple[float, int, str]:
        score = max(fuzz.ratio(wanted, entry.folded), fuzz.ratio(wanted, fold(entry.key)))
        return -score, SRD_ORDER.get(entry.document_key, len(SRD_ORDER)), entry.id

    ranked = heapq.nsmallest(_NEAREST, ((rank(entry), entry) for entry in entries), key=itemgetter(0))
    return [entry for (score, *_), entry in ranked if -score >= _MIN_SIMILARITY]
