"""Looks up one record by kind and key, with suggestions if it does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.query import LONGEST_SEARCH
from lorekeeper_mcp.repository.completeness import Coverage
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.text import fold, slugify
from lorekeeper_mcp.tools.validation_messages import nearest

if TYPE_CHECKING:  # importing it takes half a second, too long before the first reply
    from lorekeeper_mcp.repository.repository import Repository

_NEAREST = 3  # suggested URIs


class NoSuchRecordError(LookupError):
    """The URI matches no record; the message suggests similar ones."""


def address(kind: Kind, key: str) -> str:
    """Return the URI of a record."""
    return f"lorekeeper://{kind}/{key}"


async def find_record(repository: Repository, kind_name: str, text: str) -> Record:
    """Return the record of a kind by key, or by name with the newest SRD first. Raises NoSuchRecordError."""
    kind, wanted = kind_of(kind_name), text.strip()[:LONGEST_SEARCH]
    if not fold(wanted):
        raise NoSuchRecordError("A record is named by its key or name; find keys with search_all.")
    found = await repository.get(kind, wanted)
    if isinstance(found, Record):
        return found
    raise NoSuchRecordError(_missing(repository.entries(), kind, wanted, found.coverage))


def kind_of(name: str) -> Kind:
    """Return the kind that a word names, in any case. Raises NoSuchRecordError."""
    kinds = {str(kind): kind for kind in Kind}
    plain = slugify(name[:60].replace("_", "-"))
    if (kind := kinds.get(plain) or kinds.get(plain.removesuffix("s"))) is not None:
        return kind
    near = nearest(plain, kinds)
    meant = f"{near} Kinds" if near else "kinds"
    raise NoSuchRecordError(f'There is no kind "{name[:60]}": {meant} are {", ".join(kinds)}.')


def _missing(entries: Iterable[Entry], kind: Kind, wanted: str, coverage: Coverage) -> str:
    """Suggest what to ask for instead: the same key in other kinds, or the nearest names and keys of this one."""
    known = list(entries)
    elsewhere = [entry for entry in known if entry.key == wanted.lower()]
    near = elsewhere or _nearest(wanted, [entry for entry in known if entry.kind is kind])
    meant = ", ".join(f"{address(entry.kind, entry.key)} ({entry.name})" for entry in near[:_NEAREST])
    advice = f"Similar ones are {meant}." if meant else "Find keys with search_all."
    if coverage.complete:
        return f'There is no {kind} with the key or name "{wanted[:80]}". {advice}'
    return f'No stored {kind} has the key or name "{wanted[:80]}", but Open5e may have one. {coverage.hint} {advice}'


def _nearest(wanted: str, entries: list[Entry]) -> list[Entry]:
    names = {entry.id: entry.folded for entry in entries}
    keys = {entry.id: fold(entry.key) for entry in entries}
    found: dict[str, float] = {}
    for choices in (names, keys):
        for _, score, id_ in process.extract(fold(wanted), choices, scorer=fuzz.ratio, score_cutoff=60, limit=_NEAREST):
            found[id_] = max(found.get(id_, 0.0), score)
    by_id = {entry.id: entry for entry in entries}
    return sorted(
        (by_id[id_] for id_ in found),
        key=lambda entry: (-found[entry.id], SRD_ORDER.get(entry.document_key, len(SRD_ORDER)), entry.id),
    )
