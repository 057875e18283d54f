"""The fields that all records share: key, name, document, edition, licence, text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models import Document, Edition, EditionText, Equipment, Kind, Ref, Source
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.v1_documents import V1_DOCUMENTS
from lorekeeper_mcp.sources.reading import mapping, objects, titled
from lorekeeper_mcp.text import fold, slugify

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


@dataclass(frozen=True)
class _Origin:
    """The document of a record."""

    source: Source
    key: str
    name: str
    publisher: str = ""
    license: str = ""
    edition: Edition | None = None


def common_fields(endpoint: str, served: Served, context: Context, kind: Kind) -> Open5eFields:
    """Return the common fields of a record. Raises AdaptError if there is neither key nor name."""
    origin = _origin_v1(served, context) if endpoint.startswith("v1/") else _origin_v2(served, context)
    key, name = _identity(endpoint, served, origin)
    texts = _texts(served)
    own = (origin.edition,) if origin.edition else ()
    editions = sorted({text.edition for text in texts if text.edition}) if texts else own
    return {
        "kind": kind,
        "key": key,
        "name": name,
        "document_key": origin.key,
        "document_name": origin.name,
        "document_source": origin.source,
        "documents": tuple(dict.fromkeys([origin.key, *(text.document_key for text in texts if text.document_key)])),
        "editions": tuple(editions),
        "license": origin.license,
        "publisher": origin.publisher,
        "text": _main(texts) or coercion.prose(served.get("desc")),
        "texts": texts,
        "see_also": _see_also(served),
    }


def move_to_guide(head: Open5eFields) -> None:
    """Give a record of Level Up, one document in version 1, its key and document in version 2."""
    if head["document_key"] == _LEVEL_UP:
        slug = head["key"].removeprefix(f"{_LEVEL_UP}_").removesuffix(f"-{_LEVEL_UP}")
        head["key"], head["document_key"] = f"{_GUIDE}_{slug}", _GUIDE


def _origin_v2(served: Served, context: Context) -> _Origin:
    """The document, served as an object, as a bare key, or not at all (core vocabulary)."""
    document = served.get("document")
    key = coercion.key(document) or _CORE
    nested, book = mapping(document), context.documents.get(key)
    name = coercion.text(nested.get("name")) or (book.name if book else "") or (_CORE_NAME if key == _CORE else key)
    system = coercion.key(nested.get("gamesystem")) or (book.game_system if book else "")
    return _Origin(
        Source.OPEN5E_V2,
        key,
        name,
        _label(nested.get("publisher")) or (book.publisher if book else ""),
        book.license if book else "",
        # Served as 2014, but its languages, sizes and schools belong to every edition.
        None if key == _CORE else EDITIONS.get(system),
    )


def _origin_v1(served: Served, context: Context) -> _Origin:
    slug = coercion.text(served.get("document__slug")).strip()
    key = _V1_DOCUMENTS.get(slug, slug)
    title = coercion.text(served.get("document__title"))
    book = V1_DOCUMENTS.get(key) or context.documents.get(key)
    if book is None:
        return _Origin(Source.OPEN5E_V1, key or _CORE, title or key or _CORE_NAME)
    edition = EDITIONS.get(book.game_system)
    return _Origin(Source.OPEN5E_V1, key, book.name, book.publisher, book.license, edition)


def _label(value: object) -> str:
    """The name in an object; empty if a bare key is served."""
    return coercion.text(mapping(value).get("name"))


def _identity(endpoint: str, served: Served, origin: _Origin) -> tuple[str, str]:
    """The key and name; either is derived from the other if it is missing (alignments have no name)."""
    prefix = _PREFIXES.get(origin.key, origin.key)
    v1 = origin.source is Source.OPEN5E_V1
    key = coercion.text(served.get("slug" if v1 else "key")).strip()
    name = coercion.text(served.get("name")).strip() or titled(key.rpartition("_")[2]) or key
    bare = v1 or not key
    key = key or slugify(name) or fold(name).replace(" ", "-")  # the slug of a Cyrillic name is empty
    if not key:
        served_fields = ", ".join(sorted(served)) or "nothing"
        raise AdaptError(f"{endpoint} served a record with neither key nor name (it has {served_fields}).")
    return f"{prefix}_{key}" if bare and prefix else key, name


def _texts(served: Served) -> tuple[EditionText, ...]:
    """The texts of a concept that several documents describe."""
    return tuple(
        EditionText(
            text=text,
            document_key=coercion.key(description.get("document")),
            edition=EDITIONS.get(coercion.key(description.get("gamesystem"))),
        )
        for description in objects(served.get("descriptions"))
        if (text := coercion.prose(description.get("desc")))
    )


def _main(texts: tuple[EditionText, ...]) -> str:
    """The text of the 2014 SRD, else the first."""
    ranked = sorted(texts, key=lambda text: text.document_key != _MAIN_TEXT)
    return ranked[0].text if ranked else ""


def _see_also(served: Served) -> tuple[Ref, ...]:
    links = objects(mapping(served.get("crossreferences")).get("to"))
    refs = ((coercion.text(link.get("anchor")), _last_segment(coercion.text(link.get("url")))) for link in links)
    return tuple(Ref(name=anchor or titled(key.rpartition("_")[2]), key=key) for anchor, key in refs if anchor or key)


def _last_segment(url: str) -> str:
    return url.partition("?")[0].rstrip("/").rpartition("/")[2]
