"""How Open5e serves values, and the fields that all records share: key, name, document, edition, license, text.

Things are served as objects or as bare keys, texts as strings, lists or objects. An odd field never costs a whole
record: every function accepts any JSON value and returns a plain one of the wanted type, or its empty form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lorekeeper_mcp.models import Document, Edition, EditionText, Equipment, Kind, Ref, Source
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import (
    JsonObject,
    Table,
    listed,
    mapping,
    number,
    objects,
    text,
    titled,
    value_at,
)
from lorekeeper_mcp.sources.open5e.endpoints import V1_DOCUMENTS
from lorekeeper_mcp.text import fold, slugify

Served: TypeAlias = JsonObject
EDITIONS: Mapping[str, Edition] = {"5e-2014": Edition.E2014, "5e-2024": Edition.E2024, "a5e": Edition.A5E}

_CORE = "core"
_CORE_NAME = "5e Core Concepts"
_MAIN_TEXT = "srd-2014"
_LEVEL_UP, _GUIDE = "a5e", "a5e-ag"  # the Adventurer's Guide
# Keys begin with the document's key, except those of the 2014 SRD and of the core vocabulary.
_PREFIXES = {"srd-2014": "srd", _CORE: ""}
# v1 uses other document keys; those not listed are the same in v2, or only in v1 (V1_DOCUMENTS).
_V1_DOCUMENTS = {
    "wotc-srd": "srd-2014",
    "taldorei": "tdcs",
    "menagerie": "a5e-mm",
    "blackflag": "bfrd",
    "cc": "ccdx",
    "dmag": "deepm",
    "dmag-e": "deepmx",
    "o5e": "open5e",
    "warlock": "wz",
}
_PLACEHOLDER = re.compile(
    r"\s*(?:\[(?:none provided|no description provided|column data)\]|no description provided by \w+\.)\s*",
    re.IGNORECASE,
)


# --- Values ---


def read(served: Served, table: Table) -> dict[str, object]:
    """Return the fields of a table that are served and can be read."""
    values = ((ours, value_at(served, path), reader) for ours, (path, reader) in table.items())
    return {ours: found for ours, value, reader in values if value is not None and (found := reader(value)) is not None}


def prose(value: object) -> str:
    """Return a text; a list as paragraphs, an object as its text or name; empty if it only says that there is none."""
    if isinstance(value, list):
        return "\n\n".join(part for part in map(prose, value) if part)
    if isinstance(value, dict):
        return prose(value.get("desc")) or prose(value.get("name"))
    found = text(value)
    return "" if _PLACEHOLDER.fullmatch(found) else found


def lower(value: object) -> str:
    """Return a text in lower case."""
    return text(value).lower()


def positive(value: object) -> float | None:
    """Return a number other than 0, by which Open5e means that it is not known."""
    return number(value) or None


def key(value: object) -> str:
    """Return the key of a thing served as an object or as a bare key."""
    return text(value.get("key")) or slugify(text(value.get("name"))) if isinstance(value, dict) else text(value)


def name(value: object) -> str:
    """Return the name of a thing served as an object, or one derived from its bare key, such as ``srd_half-elf``."""
    return text(mapping(value).get("name")) or titled(key(value).rpartition("_")[2])


def keys(value: object) -> tuple[str, ...]:
    """Return the keys of a list of things, in lower case."""
    return tuple(found.lower() for entry in listed(value) if (found := key(entry)))


def ref(value: object) -> Ref | None:
    """Return a reference by name and key, or None."""
    found = key(value)
    return Ref(name=name(value), key=found) if found else None


def refs(value: object) -> tuple[Ref, ...]:
    """Return references by name and key."""
    return tuple(found for entry in listed(value) if (found := ref(entry)))


# --- The fields of every record ---


class AdaptError(ValueError):
    """The served value is no record at all; the message is a sentence."""


@dataclass(frozen=True)
class Context:
    """Records that others refer to: documents by their v2 keys, items for the cost and weight of weapons and armor."""

    documents: Mapping[str, Document]
    items: Mapping[str, Equipment] = field(default_factory=dict)


class Open5eFields(CommonFields):
    """The fields of every record of Open5e, ready to be passed to a model."""

    license: str
    publisher: str
    texts: tuple[EditionText, ...]
    see_also: tuple[Ref, ...]


class _Origin(NamedTuple):
    """The document of a record."""

    key: str
    name: str
    publisher: str
    license: str
    edition: Edition | None


def common_fields(endpoint: str, served: Served, context: Context, kind: Kind) -> Open5eFields:
    """Return the common fields of a record. Raises AdaptError if there is neither key nor name."""
    is_archived = endpoint.startswith("v1/")
    origin = _origin(served, context, is_archived=is_archived)
    texts = _texts(served)
    editions = {text.edition for text in texts} if texts else {origin.edition}
    main = next((text.text for text in texts if text.document_key == _MAIN_TEXT), texts[0].text if texts else "")
    record_key, record_name = _identity(endpoint, served, _PREFIXES.get(origin.key, origin.key))
    return {
        "kind": kind,
        "key": record_key,
        "name": record_name,
        "document_key": origin.key,
        "document_name": origin.name,
        "document_source": Source.OPEN5E_V1 if is_archived else Source.OPEN5E_V2,
        "documents": tuple(dict.fromkeys([origin.key, *(text.document_key for text in texts if text.document_key)])),
        "editions": tuple(sorted(edition for edition in editions if edition)),
        "license": origin.license,
        "publisher": origin.publisher,
        "text": main or prose(served.get("desc")),
        "texts": texts,
        "see_also": _see_also(served),
    }


def _origin(served: Served, context: Context, *, is_archived: bool) -> _Origin:
    """The document, served as an object, as a bare key, or, for the core vocabulary, not at all."""
    slug, nested = text(served.get("document__slug")), mapping(served.get("document"))
    own = (_V1_DOCUMENTS.get(slug, slug) if is_archived else key(served.get("document"))) or _CORE
    book = V1_DOCUMENTS.get(own) or context.documents.get(own)
    title, publisher = text(nested.get("name")), text(mapping(nested.get("publisher")).get("name"))
    system = key(nested.get("gamesystem"))
    if book is not None:
        title, publisher, system = title or book.name, publisher or book.publisher, system or book.game_system
    title = title or text(served.get("document__title")) or (_CORE_NAME if own == _CORE else own)
    # The core vocabulary is served as 2014, but its languages, sizes and schools belong to every edition.
    edition = None if own == _CORE else EDITIONS.get(system)
    return _Origin(own, title, publisher, book.license if book else "", edition)


def move_to_guide(head: Open5eFields) -> None:
    """Give a record of Level Up, one document in version 1, its key and document in version 2."""
    if head["document_key"] == _LEVEL_UP:
        slug = head["key"].removeprefix(f"{_LEVEL_UP}_").removesuffix(f"-{_LEVEL_UP}")
        head["key"], head["document_key"] = f"{_GUIDE}_{slug}", _GUIDE


def _identity(endpoint: str, served: Served, prefix: str) -> tuple[str, str]:
    """The key and name; either is derived from the other if it is missing (alignments have no name)."""
    is_archived = endpoint.startswith("v1/")
    found = text(served.get("slug" if is_archived else "key"))
    name_ = text(served.get("name")) or titled(found.rpartition("_")[2]) or found
    bare = is_archived or not found
    found = found or slugify(name_) or fold(name_).replace(" ", "-")  # the slug of a Cyrillic name is empty
    if not found:
        served_fields = ", ".join(sorted(served)) or "nothing"
        raise AdaptError(f"{endpoint} served a record with neither key nor name (it has {served_fields}).")
    return f"{prefix}_{found}" if bare and prefix else found, name_


def _texts(served: Served) -> tuple[EditionText, ...]:
    """The texts of a concept that several documents describe."""
    descriptions = [(prose(entry.get("desc")), entry) for entry in objects(served.get("descriptions"))]
    return tuple(
        EditionText(
            text=words, document_key=key(entry.get("document")), edition=EDITIONS.get(key(entry.get("gamesystem")))
        )
        for words, entry in descriptions
        if words
    )


def _see_also(served: Served) -> tuple[Ref, ...]:
    """The cross references, whose addresses end with a key."""
    links = objects(value_at(served, "crossreferences.to"))
    pairs = [(text(link.get("anchor")), text(link.get("url")).partition("?")[0].rstrip("/")) for link in links]
    found = [(anchor, url.rpartition("/")[2]) for anchor, url in pairs]
    return tuple(
        Ref(name=anchor or titled(key_.rpartition("_")[2]), key=key_) for anchor, key_ in found if anchor or key_
    )
