"""Adapts Foundry's documents to records, in the layouts of the dnd5e system before and since version 3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard

from lorekeeper_mcp.models import CharacterClass, Edition, Record, Ref, Spell
from lorekeeper_mcp.sources.foundry import formulas
from lorekeeper_mcp.sources.foundry.actors import creature, own_spells
from lorekeeper_mcp.sources.foundry.equipment import equipment
from lorekeeper_mcp.sources.foundry.item_values import system_of
from lorekeeper_mcp.sources.foundry.journals import group, journal, roll_table
from lorekeeper_mcp.sources.foundry.options import background, character_class, facility, feat, species
from lorekeeper_mcp.sources.foundry.spells import spell
from lorekeeper_mcp.sources.foundry.texts.links import linked, names_by_id
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
# The contents of an adventure.
_PACKED = ("actors", "items", "journal", "tables", "scenes", "macros", "playlists", "combats", "folders")
# Documents without a type of the system, identified by a field that only they have.
_BY_FIELD: Mapping[str, tuple[str, Adapter]] = {
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


def _is_document(one: object) -> TypeGuard[JsonObject]:
    if not isinstance(one, Mapping) or "name" not in one:
        return False
    if isinstance(one.get("system", one.get("data")), Mapping):
        kind = one.get("type")
        return isinstance(kind, str) and (kind in _ADAPTERS or "_stats" in one)
    exported = any(name in one for name in ("_stats", "flags", "_id"))
    return exported and any(isinstance(one.get(name), list | str) for name in (*_BY_FIELD, *_NO_CONTENT, *_PACKED))


def read(data: object, name: str) -> ImportedFile:
    """Read parsed JSON. ``name`` is the book of documents without a source. Never raises."""
    name = name or _UNNAMED
    documents = listed(linked(data, dict(names_by_id(listed(data)))))
    reading = _Reading(BookBuilder(), dict(_own_classes(documents, name)))
    for number, one in enumerate(documents, 1):
        _read_one(reading, one, f"document {number}", name)
    return ImportedFile(reading.books.books(), invisible=reading.books.invisible)


@dataclass(frozen=True)
class _Reading:
    """The state while a file is read: the keys of its classes, by book and by slug."""

    books: BookBuilder
    classes: Mapping[tuple[str, str], str]
    seen: set[str] = field(default_factory=set)


def _own_classes(documents: Iterable[object], name: str) -> Iterator[tuple[tuple[str, str], str]]:
    """The keys of a file's classes, by book and by the names that other documents use."""
    for one in filter(_is_document, documents):
        system = system_of(one)
        book = _book(system) or name
        if one.get("type") == "class":
            key = record_key(book, "classes", text(one, "name"))
            yield from (((book, slug(called)), key) for called in (text(one, "name"), text(system, "identifier")))
        elif not system:
            for section in _PACKED:
                yield from _own_classes(members(one.get(section)), book)


def _of_own_class(record: Record, book: str, classes: Mapping[tuple[str, str], str]) -> Record:
    """A record with the classes of its own book, if that has them."""

    def own(ref: Ref) -> Ref:
        return ref.model_copy(update={"key": classes.get((book, slug(ref.name)), ref.key)})

    if isinstance(record, Spell) and record.classes:
        return record.model_copy(update={"classes": tuple(map(own, record.classes))})
    if isinstance(record, CharacterClass) and record.subclass_of:
        return record.model_copy(update={"subclass_of": own(record.subclass_of)})
    return record


def _read_one(reading: _Reading, one: object, path: str, name: str) -> None:
    books = reading.books
    if not _is_document(one):
        books.skip(name, "foundry", path, "it is not a document of the dnd5e system")
        return
    system = system_of(one)
    book, called = _book(system) or name, text(one, "name") or path
    if not {"system", "data"} & one.keys() and any(isinstance(one.get(packed), list) for packed in _PACKED):
        content = text(one, "description") or text(one, "caption")
        _add(reading, {**one, "content": content}, {}, book, _BY_FIELD["pages"])
        for section in _PACKED:
            for at, packed in enumerate(members(one.get(section)), 1):
                _read_one(reading, packed, f"{called} › {section} {at}", name)
        return
    only = next((name for name in _BY_FIELD if isinstance(one.get(name), list | str)), "")
    known = _ADAPTERS.get(str(one.get("type"))) if system or not only else _BY_FIELD[only]
    if known is None:
        books.skip(book, "foundry", called, _unknown(one))
        return
    _add(reading, one, system, book, known)
    for item in own_spells(one) if known[1] is creature else ():
        same = f"{book} {text(item, 'name')} {part(item, 'system')}"
        if same not in reading.seen:  # several actors cast it
            reading.seen.add(same)
            _add(reading, item, system_of(item), book, _ADAPTERS["spell"])


def _unknown(one: JsonObject) -> str:
    found = next((reason for field, reason in _NO_CONTENT.items() if field in one), "")
    return found or f'documents of the type "{str(one.get("type"))[:40]}" are not known'


def _add(reading: _Reading, one: JsonObject, system: JsonObject, book: str, known: tuple[str, Adapter]) -> None:
    section, adapter = known
    if adapter is not creature and "@" in str(system):
        system = formulas.filled(system, lambda _: None)
    source = part(system, "source") or part(system, "details.source")
    edition = Edition.E2024 if str(source.get("rules")) == "2024" else Edition.E2014
    reading.books.adapt(
        book,
        section,
        text(one, "name"),
        lambda: _of_own_class(adapter(one, system, book), book, reading.classes),
        edition,
        text(source, "license"),
    )


def _book(system: JsonObject) -> str:
    source = system.get("source") or value_at(system, "details.source")
    if isinstance(source, Mapping):
        source = source.get("book") or source.get("custom")
    return " ".join(source.split()) if isinstance(source, str) else ""
