"""Records of the embedded books in place of Open5e's copies, with the fields that the books have no place for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from lorekeeper_mcp.models import EditionText, Equipment, Kind, Record
from lorekeeper_mcp.sources import srd

R = TypeVar("R", bound=Record)
# What Open5e has besides. A class's subclasses and a species' lineages may be of other books.
_TAKEN: Mapping[Kind, tuple[str, ...]] = {
    Kind.ABILITY_SCORE: ("detail",),
    Kind.CLASS: ("subclasses",),
    Kind.CREATURE: ("environments", "creature_sets", "category", "subcategory"),
    Kind.DOCUMENT: ("display_name", "published", "text"),
    Kind.SPECIES: ("lineages",),
}


def completed_book_record(book: R, other: Record) -> R:
    """Return a book's record with the fields of another one that the books have no place for.

    The other one is Open5e's, or the stored record of an older version of the books. An entry of several books, such
    as a condition, gets the texts of those that are not embedded.
    """
    changes: dict[str, object] = {name: value for name in _TAKEN.get(book.kind, ()) if (value := getattr(other, name))}
    own = book.texts or (
        EditionText(text=book.text, document_key=book.document_key, edition=next(iter(book.editions), None)),
    )
    embedded = {text.document_key for text in own}
    if others := [text for text in other.texts if text.document_key not in embedded]:
        changes["texts"] = (*own, *others)
    if other.documents != book.documents:
        changes["documents"] = tuple(dict.fromkeys((*book.documents, *other.documents)))
    if other.editions != book.editions:  # none: it belongs to every edition
        changes["editions"] = tuple(sorted({*book.editions, *other.editions})) if other.editions else ()
    return book.model_copy(update=changes)


def with_book_values(record: R) -> R:
    """Return an item that is no book's, with the books' values where it is made of one of their items.

    Those are the numbers of a weapon or armor, and the attunement of a magic item with one variant for each weapon.
    """
    if not isinstance(record, Equipment):
        return record
    changes: dict[str, object] = {}
    for kind, stats in ((Kind.WEAPON, record.weapon), (Kind.ARMOR, record.armor)):
        base = stats and srd.record_of(f"{kind}:{stats.key}")
        if isinstance(base, Equipment) and (own := base.weapon or base.armor):
            changes[kind.value] = own
    words = record.id.split("-")
    ids = ("-".join(words[:end]) for end in range(len(words) - 1, 0, -1)) if record.kind is Kind.MAGIC_ITEM else ()
    family = next((found for id_ in ids if (found := srd.record_of(id_))), None)
    if isinstance(family, Equipment):
        changes |= {name: getattr(family, name) for name in ("requires_attunement", "attunement_text")}
    return record.model_copy(update=changes)
