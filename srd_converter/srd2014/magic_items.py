"""Magic items.

The first paragraph of each has type, rarity and attunement: it is parsed into fields and not repeated.
"""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Equipment, Kind
from lorekeeper_mcp.text import slugify
from srd_converter.srd2014.document import COMMON
from srd_converter.srd2014.entries import Entry, paragraphs, read
from srd_converter.srd2014.names import magic_item_ref

_ATTUNEMENT = re.compile(r" ?\((requires attunement[^)]*)\)")
_TYPE = re.compile(r"([^,(]+(?:\([^)]*\))?), (.*)")
# The package has the numbers of the next scroll in that of the 6th level, unlike its own table.
_SCROLL, _NEXT, _OWN = "spell-scroll-6th", "is 18 and the attack bonus is +10", "is 17 and the attack bonus is +9"
_RARITIES = ("common", "uncommon", "rare", "very-rare", "legendary", "artifact")


def magic_items() -> list[Equipment]:
    """Every magic item, families and their variants alike."""
    return [_magic_item(entry) for entry in read("MagicItems")]


def _magic_item(entry: Entry) -> Equipment:
    head, *body = entry.strings("desc")
    if entry.index.startswith(_SCROLL):
        body = [text.replace(_NEXT, _OWN) for text in body]
    attunement = _ATTUNEMENT.search(head)
    typed = _TYPE.fullmatch(_ATTUNEMENT.sub("", head))
    if not typed:
        raise ValueError(f"{entry.name} of the SRD 5.1 has no type and rarity.")
    type_, rarity_text = typed.groups()
    item = magic_item_ref(entry)
    rarity = slugify(entry.entry("rarity").name)
    is_single = rarity in _RARITIES
    return Equipment(
        kind=Kind.MAGIC_ITEM,
        key=item.key,
        name=item.name,
        text=paragraphs(body),
        category=_category(entry, type_),
        category_text=type_ if "(" in type_ else "",
        rarity=rarity if is_single else "",
        rarity_text="" if is_single and slugify(rarity_text) == rarity else rarity_text,
        requires_attunement=bool(attunement) or any(_ATTUNEMENT.search(text.lower()) for text in body),
        attunement_text=attunement[1] if attunement else "",
        variants=tuple(map(magic_item_ref, entry.entries("variants"))),
        **COMMON,
    )


def _category(entry: Entry, type_: str) -> str:
    category = entry.entry("equipment_category").index
    return "shield" if "(shield)" in type_ else category.replace("wondrous-items", "wondrous-item")
