"""Documents of the invented Open5e, the objects nested in its records, and all of its endpoints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from tests.open5e.parameters import Raw

SYSTEMS = {"5e-2014": "5th Edition 2014", "5e-2024": "5th Edition 2024", "a5e": "Advanced 5th Edition"}
PUBLISHERS = {"open5e": "Open5e", "wizards-of-the-coast": "Wizards of the Coast", "kobold-press": "Kobold Press"}
LICENSES = {
    "cc-by-40": "Creative Commons Attribution 4.0",
    "ogl-10a": "Open Game License 1.0a",
    "cc0": "Creative Commons 0",
    "lamp": "Lamp License",
}
# key: name, publisher, game system, license. The keys and names are those of real documents; the content is not.
BOOKS = {
    "core": ("5e Core Concepts", "open5e", "5e-2014", "cc-by-40"),
    "srd-2014": ("System Reference Document 5.1", "wizards-of-the-coast", "5e-2014", "cc-by-40"),
    "srd-2024": ("System Reference Document 5.2", "wizards-of-the-coast", "5e-2024", "cc-by-40"),
    "a5e-ag": ("Adventurer's Guide", "open5e", "a5e", "cc-by-40"),
    "deepm": ("Deep Magic for 5th Edition", "kobold-press", "5e-2014", "ogl-10a"),
    "tob": ("Tome of Beasts", "kobold-press", "5e-2014", "ogl-10a"),
    "tob3": ("Tome of Beasts 3", "kobold-press", "5e-2014", "ogl-10a"),
    "toh": ("Tome of Heroes", "kobold-press", "5e-2014", "ogl-10a"),
    "vom": ("Vault of Magic", "kobold-press", "5e-2014", "ogl-10a"),
}
# The prefixes of the keys of a document's records.
PREFIX = {"srd-2014": "srd", "core": ""}
FIRST = (
    "Dragon",
    "Long",
    "Amber",
    "Brine",
    "Cinder",
    "Dusk",
    "Echo",
    "Frost",
    "Gloom",
    "Hollow",
    "Iron",
    "Jade",
    "Kelp",
)


def slug(name: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in name.replace("'", "").lower()).split())


def key(document: str, name: str) -> str:
    """``srd_ember-ward``: the prefix of a document's keys is not always its own key."""
    prefix = PREFIX.get(document, document)
    return f"{prefix}_{slug(name)}" if prefix else slug(name)


def named_ref(name: str, key: str | None = None) -> Raw:
    return {"name": name, "key": key or slug(name)}


def nested(document: str) -> Raw:
    """A document as most records nest it."""
    name, publisher, system, _ = BOOKS[document]
    return {
        **named_ref(name, document),
        "type": "SOURCE",
        "display_name": name,
        "publisher": named_ref(PUBLISHERS[publisher], publisher),
        "gamesystem": named_ref(SYSTEMS[system], system),
        "permalink": "https://example.invalid/book",
    }


def described(**texts: str) -> list[Raw]:
    """The texts of a shared record, one per document, with the keyword ``srd_2014`` for ``srd-2014``."""
    keys = {document.replace("-", "_"): document for document in BOOKS}
    return [{"desc": text, "document": keys[name], "gamesystem": BOOKS[keys[name]][2]} for name, text in texts.items()]


def links() -> Raw:
    return {"to": []}


def names(count: int, second: Sequence[str]) -> Iterator[str]:
    """Invented names, each once: Amber Ward, Brine Ward …"""
    for number, (noun, word) in enumerate(product(second, FIRST)):
        if number == count:
            return
        yield f"{word} {noun}"


def pick(values: Sequence[Any], number: int, stride: int = 1) -> Any:
    """A value for the record with a number; lists of coprime lengths meet in every pair."""
    return values[number * stride % len(values)]


def documents() -> list[Raw]:
    return [
        {
            "key": document_key,
            "licenses": [named_ref(LICENSES[license_], license_)],
            "publisher": named_ref(PUBLISHERS[publisher], publisher),
            "gamesystem": named_ref(SYSTEMS[system], system),
            "display_name": name,
            "name": name,
            "desc": "An invented book.",
            "type": "SOURCE",
            "author": "Nobody",
            "publication_date": "2024-01-01T00:00:00",
            "permalink": "https://example.invalid/book",
            "distance_unit": "feet",
            "weight_unit": "lb",
        }
        for document_key, (name, publisher, system, license_) in BOOKS.items()
    ]
