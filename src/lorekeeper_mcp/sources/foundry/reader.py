"""Adapts Foundry's documents to records, in the layouts of the dnd5e system before and since version 3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard

from lorekeeper_mcp.models import CharacterClass, Edition, Record, Ref, Spell
from lorekeeper_mcp.sources.foundry import formulas
from lorekeeper_mcp.sources.foundry.actors.held_items import own_spells
from lorekeeper_mcp.sources.foundry.actors.stat_blocks import creature
from lorekeeper_mcp.sources.foundry.equipment import equipment
from lorekeeper_mcp.sources.foundry.item_values import system_of
from lorekeeper_mcp.sources.foundry.journals import group, journal, roll_table
from lorekeeper_mcp.sources.foundry.options import background, character_class, facility, feat, species
from lorekeeper_mcp.sources.foundry.spells import spell
from lorekeeper_mcp.sources.foundry.texts.enrichers import linked, names_by_id
from lorekeeper_mcp.sources.imported import BookBuilder, ImportedFile, record_key, slug
from lorekeeper_mcp.sources.json_values import JsonObject, listed, members, part, text, value_at

Adapter: TypeAlias = Callable[[JsonObject, JsonObject, str], Record]
_UNNAMED = "Foundry"
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
    """Whether parsed JSON is an exported document or a list of them."""
    return any(map(_is_document, listed(data)))


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
    """Read parsed JSON. ``name`` is the book of documents without a source. Never raises."""
    name = name or _UNNAMED
    documents = listed(linked(data, dict(names_by_id(listed(data)))))
    reader = _Reader(BookBuilder(), dict(_class_keys(documents, name)))
    for number, document in enumerate(documents, 1):
        reader.read(document, f"document {number}", name)
    return ImportedFile(reader.books.books(), invisible=reader.books.invisible)


def _class_keys(documents: Iterable[object], name: str) -> Iterator[tuple[tuple[str, str], str]]:
    """The keys of a file's classes, by book and by the names that other documents use."""
    for document in filter(_is_document, documents):
        system = system_of(document)
        book = _book(system) or name
        if document.get("type") == "class":
            key = record_key(book, "classes", text(document, "name"))
            yield (book, slug(text(document, "name"))), key
            yield (book, slug(text(system, "identifier"))), key
        elif not system:
            for section in _ADVENTURE_PARTS:
                yield from _class_keys(members(document.get(section)), book)


@dataclass(frozen=True)
class _Reader:
    """Adds the records of a file's documents to its books; ``class_keys`` are by book and slug."""

    books: BookBuilder
    class_keys: Mapping[tuple[str, str], str]
    seen_spells: set[str] = field(default_factory=set)

    def read(self, document: object, path: str, default_book: str) -> None:
        """Read a document, or the documents of an adventure, or note why there is no record."""
        if not _is_document(document):
            self.books.skip(default_book, "foundry", path, "it is not a document of the dnd5e system")
            return
        system, name = system_of(document), text(document, "name") or path
        book = _book(system) or default_book
        if not {"system", "data"} & document.keys() and any(
            isinstance(document.get(section), list) for section in _ADVENTURE_PARTS
        ):
            self._read_adventure(document, name, book)
            return
        content_keys = (key for key in _ADAPTERS_BY_FIELD if isinstance(document.get(key), list | str))
        if not system and (content_key := next(content_keys, "")):
            self._adapt(document, system, book, _ADAPTERS_BY_FIELD[content_key])
        elif adapter := _ADAPTERS.get(str(document.get("type"))):
            self._adapt(document, system, book, adapter)
            if adapter[1] is creature:
                self._read_spells(document, book)
        else:
            self.books.skip(book, "foundry", name, _reason(document))

    def _read_adventure(self, adventure: JsonObject, name: str, book: str) -> None:
        content = text(adventure, "description") or text(adventure, "caption")
        self._adapt({**adventure, "content": content}, {}, book, _ADAPTERS_BY_FIELD["pages"])
        for section in _ADVENTURE_PARTS:
            for number, document in enumerate(members(adventure.get(section)), 1):
                self.read(document, f"{name} › {section} {number}", book)

    def _read_spells(self, actor: JsonObject, book: str) -> None:
        for item in own_spells(actor):
            content = f"{book} {text(item, 'name')} {part(item, 'system')}"
            if content not in self.seen_spells:  # several actors cast it
                self.seen_spells.add(content)
                self._adapt(item, system_of(item), book, _ADAPTERS["spell"])

    def _adapt(self, document: JsonObject, system: JsonObject, book: str, adapter: tuple[str, Adapter]) -> None:
        section, to_record = adapter
        if to_record is not creature and "@" in str(system):
            system = formulas.filled(system, lambda _: None)
        source = part(system, "source") or part(system, "details.source")
        self.books.adapt(
            book,
            section,
            text(document, "name"),
            lambda: self._with_own_classes(to_record(document, system, book), book),
            Edition.E2024 if str(source.get("rules")) == "2024" else Edition.E2014,
            text(source, "license"),
        )

    def _with_own_classes(self, record: Record, book: str) -> Record:
        """A record with the classes of its own book, if that has them."""

        def own(ref: Ref) -> Ref:
            return ref.model_copy(update={"key": self.class_keys.get((book, slug(ref.name)), ref.key)})

        if isinstance(record, Spell) and record.classes:
            return record.model_copy(update={"classes": tuple(map(own, record.classes))})
        if isinstance(record, CharacterClass) and record.subclass_of:
            return record.model_copy(update={"subclass_of": own(record.subclass_of)})
        return record


def _reason(document: JsonObject) -> str:
    """Why a document yields no record."""
    reasons = (reason for key, reason in _NO_CONTENT.items() if key in document)
    return next(reasons, f'documents of type "{str(document.get("type"))[:40]}" are unknown')


def _book(system: JsonObject) -> str:
    source = system.get("source") or value_at(system, "details.source")
    if isinstance(source, Mapping):
        source = source.get("book") or source.get("custom")
    return " ".join(source.split()) if isinstance(source, str) else ""
