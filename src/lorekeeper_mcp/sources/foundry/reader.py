"""Adapts Foundry's documents to records, in the layouts of the dnd5e system before and since version 4."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import TypeAlias, TypeGuard

from lorekeeper_mcp.models import CharacterClass, Edition, Kind, Record, Ref, Rule, Section
from lorekeeper_mcp.sources.common_fields import on_page
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    JsonObject,
    joined,
    listed,
    mapping,
    members,
    objects,
    phrase,
    text,
    text_at,
    value_at,
)
from lorekeeper_mcp.sources.foundry.actors import creature, own_spells
from lorekeeper_mcp.sources.foundry.enrichers import FileTexts, Rolls, id_name, markdown
from lorekeeper_mcp.sources.foundry.formulas import rules_of, system_of
from lorekeeper_mcp.sources.foundry.items import background, character_class, equipment, feat, species, spell
from lorekeeper_mcp.sources.foundry.mechanics import effect_sections, printer
from lorekeeper_mcp.sources.imported import BookBuilder, ImportedFile, book_key, record_key, slug
from lorekeeper_mcp.sources.originals import srd_record
from lorekeeper_mcp.sources.stat_block import heading

MANIFESTS = ("module.json", "system.json", "world.json")
"""The names of manifests."""

Adapter: TypeAlias = Callable[[JsonObject, str], Record]
_UNNAMED = "Foundry"
_EXPORTED = re.compile(r"fvtt-\w+-")  # the beginning of the name that the application gives to an exported file
_SOURCE = re.compile(r"^(?:_key: *['\"]?!\w|_key: *>-$|system:$)", re.MULTILINE)
_FOLDER = "#[CF_tempEntity]"  # a document that stands for a folder of a compendium
_PAGE = re.compile(r"[,;]?\s*(?:\bpp?(?:g|age)?s?\b\.?|\bS\.|#)\s*\d[\d\s–-]*$", re.IGNORECASE)
_ADVENTURE_PARTS = ("actors", "items", "journal", "tables", "scenes", "macros", "playlists", "combats", "folders")
# Fields of documents without a text: macros, scenes, playlists, decks of cards and combats.
_NO_CONTENT = ("command", "walls", "sounds", "cards", "combatants")


def pack_title(manifest: bytes, path: PurePath) -> str:
    """Return the title of the book that a file belongs to; empty if the manifest is none of Foundry's.

    ``path`` leads to the file from the manifest's folder. The packs of a module are one book; a system's are books of
    their own, since it has the same entries for several editions.
    """
    try:
        fields = mapping(json.loads(manifest))
    except (ValueError, RecursionError):
        return ""
    title, packs = text_at(fields, "title"), objects(fields.get("packs"))
    if not (packs or "compatibility" in fields or "coreVersion" in fields):
        return ""
    is_system = not {"grid", "gridDistance", "initiative", "primaryTokenAttribute"}.isdisjoint(fields)
    if title and is_system:
        folders = {part.removesuffix(".db") for part in path.parts}
        own = (pack for pack in packs if PurePath(text_at(pack, "path") or text_at(pack, "name")).stem in folders)
        return text_at(next(own, {}), "label") or title
    return title


def recognises(data: object) -> bool:
    """Whether parsed JSON or YAML is an exported document or a list of them."""
    return any(map(_is_document, listed(data)))


def recognises_source(text: str) -> bool:
    """Whether a text is a document in YAML, as the system and modules keep the sources of their packs."""
    return bool(_SOURCE.search(text[:200_000]))


def _is_document(value: object) -> TypeGuard[JsonObject]:
    if not isinstance(value, Mapping) or "name" not in value:
        return False
    if isinstance(value.get("system", value.get("data")), Mapping):
        kind = value.get("type")
        return isinstance(kind, str) and (kind in _ADAPTERS or "_stats" in value)
    is_exported = any(key in value for key in ("_stats", "flags", "_id"))
    content_keys = (*_ADAPTERS_BY_FIELD, *_NO_CONTENT, *_ADVENTURE_PARTS)
    return is_exported and any(isinstance(value.get(key), list | str) for key in content_keys)


def read(data: object, name: str) -> ImportedFile:
    """Read parsed JSON as the book ``name``: the title of a module or a pack, or the name of a file. Never raises.

    A file with the name that the application gives to an exported document is a part of that document's source.
    """
    documents = listed(FileTexts.of(listed(data)).linked(data))
    if not name or _EXPORTED.match(name):
        sources = (_source(system_of(document))[0] for document in documents if _is_document(document))
        name = next(filter(None, sources), "") or name or _UNNAMED
    reader = _Reader(name, dict(_class_keys(documents, name)))
    for number, document in enumerate(documents, 1):
        reader.read(document, f"document {number}")
    return ImportedFile(reader.books.books(), invisible=reader.books.invisible)


def _is_adventure(document: JsonObject) -> bool:
    return "type" not in document and any(isinstance(document.get(section), list) for section in _ADVENTURE_PARTS)


def _class_keys(documents: Iterable[object], book: str) -> Iterator[tuple[str, str]]:
    """The keys of a file's classes by the names that other documents use."""
    for document in filter(_is_document, documents):
        if document.get("type") == "class":
            for name in (text_at(document, "name"), text_at(system_of(document), "identifier")):
                yield slug(name), record_key(book, "classes", text_at(document, "name"))
        elif _is_adventure(document):
            yield from _class_keys(members(document.get("items")), book)


class _Reader:
    """Adds the records of a file's documents to its book; ``class_keys`` are by slug."""

    def __init__(self, book: str, class_keys: Mapping[str, str]) -> None:
        self.books = BookBuilder()
        self._book = book
        self._class_keys = class_keys
        self._seen_spells: set[str] = set()

    def read(self, document: object, path: str) -> None:
        """Read a document, or the documents of an adventure, or note why there is no record."""
        if not _is_document(document):
            self.books.skip(self._book, "foundry", path, "it is not a document of the dnd5e system")
            return
        name, kind = text_at(document, "name") or path, str(document.get("type"))
        if name.startswith(_FOLDER) or text_at(document, "_key").startswith("!folders!"):
            return
        if _is_adventure(document):
            self._read_adventure(document, name)
        elif kind in _ADAPTERS and not document.keys().isdisjoint({"system", "data"}):
            self._adapt(document, *_ADAPTERS[kind])
            self._seen_spells.update([slug(name)] if kind == "spell" else [])
            for item in own_spells(document) if _ADAPTERS[kind][1] is creature else ():
                self._read_spell(item, rules_of(system_of(document)))
        elif content := next((key for key in _ADAPTERS_BY_FIELD if isinstance(document.get(key), list | str)), ""):
            self._adapt(document, *_ADAPTERS_BY_FIELD[content])
        else:
            is_known = not document.keys().isdisjoint(_NO_CONTENT)
            reason = "it has no text of the game" if is_known else f'documents of type "{kind[:40]}" are unknown'
            self.books.skip(self._book, "foundry", name, reason)

    def _read_adventure(self, adventure: JsonObject, name: str) -> None:
        content = text_at(adventure, "description") or text_at(adventure, "caption")
        self._adapt({**adventure, "content": content}, "journals", _journal)
        for section in _ADVENTURE_PARTS:
            for number, document in enumerate(members(adventure.get(section)), 1):
                self.read(document, f"{name} › {section} {number}")

    def _read_spell(self, item: JsonObject, rules: str) -> None:
        """An actor's spell that no book has: neither this one nor an SRD."""
        key = slug(text_at(item, "name"))
        if key not in self._seen_spells and not srd_record((Kind.SPELL,), text_at(item, "name"), ""):
            self._seen_spells.add(key)  # several actors cast it
            self._adapt(item, *_ADAPTERS["spell"], rules)

    def _adapt(self, document: JsonObject, section: str, to_record: Adapter, rules: str = "") -> None:
        """Add the record of a document, which is for the ``rules`` of its actor unless it says others."""
        system = system_of(document)
        self.books.adapt(
            self._book,
            section,
            text_at(document, "name"),
            lambda: self._completed(to_record(document, self._book), system),
            Edition.E2024 if (rules_of(system) or rules) == "2024" else Edition.E2014,
            text(value_at(system, "source.license") or value_at(system, "details.source.license")),
        )

    def _completed(self, record: Record, system: JsonObject) -> Record:
        """A record with its source, and with the classes of its own book, if that has them."""
        title, page = _source(system)
        source = joined(title, page)
        changes: dict[str, object] = {}
        if source and slug(source) != slug(self._book):
            changes["other"] = (*record.other, Section(name="Source", text=source))
        if isinstance(record, CharacterClass) and (parent := record.subclass_of):
            key = self._class_keys.get(slug(parent.name), parent.key)
            changes["subclass_of"] = parent.model_copy(update={"key": key})
        return on_page(record.model_copy(update=changes) if changes else record, page.removeprefix("page "))


def _source(system: JsonObject) -> tuple[str, str]:
    """The title of the source, and the page: ``Fens``, ``page 12`` for ``Fens pg. 12``."""
    source = system.get("source") or value_at(system, "details.source")
    if isinstance(source, str):
        title = _PAGE.sub("", " ".join(source.split()))
        return title, phrase("page {}", re.sub(r"^\D+", "", source[len(title) :]).strip())
    values = mapping(source)
    title = text(values.get("custom")) or text(values.get("book"))
    return " ".join(title.split()), phrase("page {}", text(values.get("page")))


# --- Documents that become chapters of rules ---


def _journal(document: JsonObject, book: str) -> Record:
    """A journal: its pages under their headings; before version 10, one text."""
    pages = map(_page, objects(document.get("pages")))
    return _rule(document, book, "journals", markdown(document.get("content")), *pages)


def _page(page: JsonObject) -> str:
    """A page: its text, the fields of a system, or the caption of a picture."""
    fields = Fields(page.get("system"), printer)
    fields.drop("description")
    return joined(
        phrase("## {}", text_at(page, "name")),
        markdown(value_at(page, "text.content")) or text_at(page, "text.markdown"),
        markdown(value_at(page, "image.caption")),
        *_texts(value_at(page, "system.description")),
        *(f"**{field.name}.** {field.text}" for field in fields.also()),
        sep="\n\n",
    )


def _texts(value: object) -> Iterable[str]:
    """The texts of a description, each once: one, or several by name."""
    return dict.fromkeys(map(markdown, value.values() if isinstance(value, dict) else [value]))


def _roll_table(document: JsonObject, book: str) -> Record:
    """A roll table: its results by range."""
    lines = [f"| {text(document.get('formula')) or 'Roll'} | Result |", "|---|---|"]
    for row in objects(document.get("results")):
        numbers = members(row.get("range")) or [""]
        rolled = f"{numbers[0]}" if numbers[0] == numbers[-1] else f"{numbers[0]}–{numbers[-1]}"
        texts = (text_at(row, "name"), markdown(row.get("description")), markdown(row.get("text")))
        result = " ".join(joined(*dict.fromkeys(texts), sep=" ").split()).replace("|", "\\|")
        result = result or id_name(text_at(row, "documentUuid") or text_at(row, "documentId"))
        lines.append(f"| {rolled} | {result} |")
    return _rule(document, book, "tables", markdown(document.get("description")), "\n".join(lines))


def _group(document: JsonObject, book: str) -> Record:
    """A group of actors, an encounter or a facility: its texts, then every field by its name."""
    system = system_of(document)
    fields = Fields(system, printer)
    fields.drop("source", "description")
    paragraphs = _texts(system.get("description"))
    other = (*fields.also(), *effect_sections(document, "\n".join(paragraphs), Rolls()))
    section = "facilities" if document.get("type") == "facility" else "groups"
    return _rule(document, book, section, *paragraphs, other=other)


_CHAPTERS = {"journals": "Journal", "tables": "Table", "groups": "Group", "facilities": "Facility"}


def _rule(document: JsonObject, book: str, section: str, *blocks: str, other: tuple[Section, ...] = ()) -> Rule:
    head = heading(book, section, text_at(document, "name"), Kind.RULE, joined(*blocks, sep="\n\n"))
    chapter = Ref(name=_CHAPTERS[section], key=f"orcbrew_{book_key(book)}_{section}")
    return Rule(**head, section=chapter, other=other)


_ADAPTERS: Mapping[str, tuple[str, Adapter]] = {
    **dict.fromkeys(("npc", "vehicle", "character"), ("monsters", creature)),
    **dict.fromkeys(("group", "encounter"), ("groups", _group)),
    "facility": ("facilities", _group),
    "spell": ("spells", spell),
    "feat": ("feats", feat),
    "class": ("classes", character_class),
    "subclass": ("subclasses", character_class),
    "background": ("backgrounds", background),
    "race": ("races", species),
    **dict.fromkeys(
        ("weapon", "equipment", "consumable", "tool", "loot", "backpack", "container"), ("items", equipment)
    ),
}
# Documents without a type of the system, identified by a field that only they have.
_ADAPTERS_BY_FIELD: Mapping[str, tuple[str, Adapter]] = {
    "pages": ("journals", _journal),
    "content": ("journals", _journal),  # before version 10
    "results": ("tables", _roll_table),
}
