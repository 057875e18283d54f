"""Adapts Foundry's documents to records, in the layouts of the dnd5e system before and since version 4."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard

from lorekeeper_mcp.models import CharacterClass, Edition, Kind, Record, Ref, Section, Spell
from lorekeeper_mcp.sources.foundry.actors import creature, own_spells, rules_of
from lorekeeper_mcp.sources.foundry.enrichers import FileTexts
from lorekeeper_mcp.sources.foundry.items import background, character_class, equipment, feat, species, spell
from lorekeeper_mcp.sources.foundry.journals import facility, group, journal, roll_table
from lorekeeper_mcp.sources.foundry.mechanics import system_of
from lorekeeper_mcp.sources.imported import BookBuilder, ImportedFile, record_key, slug
from lorekeeper_mcp.sources.originals import srd_record
from lorekeeper_mcp.sources.phrases import joined, phrase
from lorekeeper_mcp.sources.reading import JsonObject, listed, members, part, text, text_at, value_at

Adapter: TypeAlias = Callable[[JsonObject, JsonObject, str], Record]
_UNNAMED = "Foundry"
_EXPORTED = re.compile(r"fvtt-\w+-")  # the beginning of the name that the application gives to an exported file
_SOURCE = re.compile(r"^(?:_key: *['\"]?!\w|_key: *>-$|system:$)", re.MULTILINE)
_FOLDER = "#[CF_tempEntity]"  # a document that stands for a folder of a compendium
_PAGE = re.compile(r"[,;]?\s*(?:\bpp?(?:g|age)?s?\b\.?|\bS\.|#)\s*\d[\d\s–-]*$", re.IGNORECASE)
_ADAPTERS: Mapping[str, tuple[str, Adapter]] = {
    **dict.fromkeys(("npc", "vehicle", "character"), ("monsters", creature)),
    **dict.fromkeys(("group", "encounter"), ("groups", group)),
    "spell": ("spells", spell),
    "feat": ("feats", feat),
    "class": ("classes", character_class),
    "subclass": ("subclasses", character_class),
    "background": ("backgrounds", background),
    "race": ("races", species),
    "facility": ("facilities", facility),
    **dict.fromkeys(
        ("weapon", "equipment", "consumable", "tool", "loot", "backpack", "container"), ("items", equipment)
    ),
}
_ADVENTURE_PARTS = ("actors", "items", "journal", "tables", "scenes", "macros", "playlists", "combats", "folders")
# Documents without a type of the system, identified by a field that only they have.
_ADAPTERS_BY_FIELD: Mapping[str, tuple[str, Adapter]] = {
    "pages": ("journals", journal),
    "content": ("journals", journal),  # before version 10
    "results": ("tables", roll_table),
}
_NO_CONTENT = {
    "command": "a macro is a program of the application",
    "walls": "a scene is a map of the application",
    "sounds": "a playlist holds sounds",
    "cards": "a deck of cards holds pictures",
    "combatants": "a combat is the state of a game",
}


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
    reader = _Reader(BookBuilder(), name, dict(_class_keys(documents, name)))
    for number, document in enumerate(documents, 1):
        reader.read(document, f"document {number}")
    return ImportedFile(reader.books.books(), invisible=reader.books.invisible)


def _class_keys(documents: Iterable[object], book: str) -> Iterator[tuple[str, str]]:
    """The keys of a file's classes by the names that other documents use."""
    for document in filter(_is_document, documents):
        system = system_of(document)
        if document.get("type") == "class":
            key = record_key(book, "classes", text_at(document, "name"))
            yield slug(text_at(document, "name")), key
            yield slug(text_at(system, "identifier")), key
        elif "type" not in document:
            for section in _ADVENTURE_PARTS:
                yield from _class_keys(members(document.get(section)), book)


@dataclass(frozen=True)
class _Reader:
    """Adds the records of a file's documents to its book; ``class_keys`` are by slug."""

    books: BookBuilder
    book: str
    class_keys: Mapping[str, str]
    seen_spells: set[str] = field(default_factory=set)

    def read(self, document: object, path: str) -> None:
        """Read a document, or the documents of an adventure, or note why there is no record."""
        if not _is_document(document):
            self.books.skip(self.book, "foundry", path, "it is not a document of the dnd5e system")
            return
        system, name = system_of(document), text_at(document, "name") or path
        has_system = "system" in document or "data" in document
        content_key = next((key for key in _ADAPTERS_BY_FIELD if isinstance(document.get(key), list | str)), "")
        if name.startswith(_FOLDER) or text_at(document, "_key").startswith("!folders!"):
            return
        if not has_system and any(isinstance(document.get(section), list) for section in _ADVENTURE_PARTS):
            self._read_adventure(document, name)
        elif not has_system and content_key:
            self._adapt(document, system, _ADAPTERS_BY_FIELD[content_key])
        elif adapter := _ADAPTERS.get(str(document.get("type"))):
            self._adapt(document, system, adapter)
            if adapter[1] is creature:
                self._read_spells(document)
            elif adapter[1] is spell:
                self.seen_spells.add(slug(name))
        else:
            self.books.skip(self.book, "foundry", name, _reason(document))

    def _read_adventure(self, adventure: JsonObject, name: str) -> None:
        content = text_at(adventure, "description") or text_at(adventure, "caption")
        self._adapt({**adventure, "content": content}, {}, _ADAPTERS_BY_FIELD["pages"])
        for section in _ADVENTURE_PARTS:
            for number, document in enumerate(members(adventure.get(section)), 1):
                self.read(document, f"{name} › {section} {number}")

    def _read_spells(self, actor: JsonObject) -> None:
        """An actor's spells that no book has: neither this one nor an SRD."""
        for item in own_spells(actor):
            key = slug(text_at(item, "name"))
            if key not in self.seen_spells and not srd_record((Kind.SPELL,), text_at(item, "name"), ""):
                self.seen_spells.add(key)  # several actors cast it
                self._adapt(item, system_of(item), _ADAPTERS["spell"])

    def _adapt(self, document: JsonObject, system: JsonObject, adapter: tuple[str, Adapter]) -> None:
        section, to_record = adapter
        self.books.adapt(
            self.book,
            section,
            text_at(document, "name"),
            lambda: self._completed(to_record(document, system, self.book), system),
            Edition.E2024 if rules_of(system) == "2024" else Edition.E2014,
            text(value_at(system, "source.license") or value_at(system, "details.source.license")),
        )

    def _completed(self, record: Record, system: JsonObject) -> Record:
        """A record with its source, and with the classes of its own book, if that has them."""
        source = joined(*_source(system))
        changes: dict[str, object] = {}
        if source and slug(source) != slug(self.book):
            changes["other"] = (*record.other, Section(name="Source", text=source))
        if isinstance(record, Spell) and record.classes:
            changes["classes"] = tuple(map(self._own_class, record.classes))
        if isinstance(record, CharacterClass) and record.subclass_of:
            changes["subclass_of"] = self._own_class(record.subclass_of)
        return record.model_copy(update=changes) if changes else record

    def _own_class(self, ref: Ref) -> Ref:
        return ref.model_copy(update={"key": self.class_keys.get(slug(ref.name), ref.key)})


def _reason(document: JsonObject) -> str:
    """Why a document yields no record."""
    reasons = (reason for key, reason in _NO_CONTENT.items() if key in document)
    return next(reasons, f'documents of type "{str(document.get("type"))[:40]}" are unknown')


def _source(system: JsonObject) -> tuple[str, str]:
    """The title of the source, and the page: ``Fens``, ``page 12`` for ``Fens pg. 12``."""
    source = system.get("source") or value_at(system, "details.source")
    if isinstance(source, str):
        title = _PAGE.sub("", " ".join(source.split()))
        page = re.sub(r"^\D+", "", source[len(title) :]).strip()
        return title, phrase("page {}", page)
    values = part({"source": source}, "source")
    title = text(values.get("custom")) or text(values.get("book"))
    return " ".join(title.split()), phrase("page {}", text(values.get("page")))
