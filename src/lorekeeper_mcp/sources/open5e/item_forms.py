"""Texts of items that Open5e lists singly and the book as forms of another: dice, a medallion, a scroll of a level."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from lorekeeper_mcp.models import Equipment, Kind, Record
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.text import slugify

R = TypeVar("R", bound=Record)
_VARIANTS = "**Variants:**"
_FORM = re.compile(r"(?m)^[*_]*([A-Z][\w'’ ]+) \((?:Common|Uncommon|Rare|Very Rare|Legendary)\)[^\n]*$")


def as_one_of_its_kind(record: R, source: str) -> R:
    """Return an entry with the text of the one of which the book has it as a variant, such as dice of gaming sets."""
    if record.kind is Kind.MAGIC_ITEM:
        return _attuned_as_its_kind(_as_its_form(record, source), source)
    kind = next((own for own in _kinds(record) if _VARIANTS in own.text), None)
    if kind is None:
        return _as_magic(record)
    paragraphs = [text for text in kind.text.split("\n\n") if not text.startswith((_VARIANTS, "**Weight:**"))]
    return record.amended({"text": (f"a text of {len(record.text)} characters", "\n\n".join(paragraphs))}, source)


def _kinds(record: Record) -> Iterator[Record]:
    """The book's items whose keys the key of an entry continues, the longest first."""
    names = record.key.split("-")
    ids = (f"{record.kind}:{'-'.join(names[:end])}" for end in range(len(names) - 1, 1, -1))
    return (own for id_ in ids if (own := srd.record_of(id_)) is not None)


def _attuned_as_its_kind(record: R, source: str) -> R:
    """A form with the book's restriction of who can attune to the item: every Holy Avenger is for paladins."""
    if not isinstance(record, Equipment) or not record.requires_attunement or record.attunement_text:
        return record
    kinds = (own.attunement_text for own in _kinds(record) if isinstance(own, Equipment))
    restriction = next((text for text in kinds if " by " in text), "")
    return record.amended({"attunement_text": ("by anyone", restriction)}, source) if restriction else record


def _as_magic(record: R) -> R:
    """An item that Open5e also files under mundane ones, with what the book says of its magic."""
    own = srd.record_of(f"{Kind.MAGIC_ITEM}:{record.key}")
    fields = ("rarity", "rarity_text", "requires_attunement", "attunement_text") if own else ()
    return record.model_copy(update={name: getattr(own, name) for name in fields})


def _as_its_form(record: R, source: str) -> R:
    """One form of an item with the book's paragraph on it, if it is served with that on another form."""
    group = srd.record_of(f"{record.kind}:{record.key.removesuffix(slugify(record.name.partition('(')[2])).strip('-')}")
    name = record.name.partition("(")[2].rstrip(")")
    theirs = _FORM.search(record.text)
    if group is None or not name or theirs is None or name in record.text:
        return record
    own = next((form for form in _FORM.finditer(group.text) if form[1] == name), None)
    if own is None:
        return record
    return record.amended({"text": (f"the {theirs[1]} instead", record.text.replace(theirs[0], own[0]))}, source)
