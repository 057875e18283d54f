"""Reads a 5etools file to books of records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record, Ref, Rule, Section
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import Fields, JsonObject, listed, mapping, objects
from lorekeeper_mcp.sources.fivetools import adapters
from lorekeeper_mcp.sources.fivetools.context import (
    NOT_CONTENT,
    PART_SECTIONS,
    BookSources,
    Context,
    Item,
    identity,
    is_dependent,
    lists_of,
    property_name,
)
from lorekeeper_mcp.sources.fivetools.copies import CopiedItems
from lorekeeper_mcp.sources.fivetools.derived_items import (
    WHOLE_BOOKS,
    chapters,
    lore_of,
    subrace_name,
    variant_items,
    with_nested_items,
    with_shared_texts,
    with_subraces,
)
from lorekeeper_mcp.sources.fivetools.entries import markdown, text_in
from lorekeeper_mcp.sources.fivetools.growth import begin_item, limited_file
from lorekeeper_mcp.sources.fivetools.values import item_fields, prerequisite_text
from lorekeeper_mcp.sources.imported import (
    BookBuilder,
    ImportedBook,
    ImportedFile,
    ImportedItem,
    ItemError,
    adapted,
    common_fields,
    free_key,
    place,
    record_key,
    slug,
)
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_inheritance

Adapter: TypeAlias = Callable[[CommonFields, Fields, Context], Record]
_SECTIONS: Mapping[str, tuple[str, Kind, Adapter]] = {
    "monster": ("monsters", Kind.CREATURE, adapters.creature),
    "spell": ("spells", Kind.SPELL, adapters.spell),
    "class": ("classes", Kind.CLASS, adapters.character_class),
    "subclass": ("subclasses", Kind.SUBCLASS, adapters.character_class),
    "race": ("races", Kind.SPECIES, adapters.race),
    "subrace": ("subraces", Kind.SPECIES, adapters.race),
    "background": ("backgrounds", Kind.BACKGROUND, adapters.background),
    "feat": ("feats", Kind.FEAT, adapters.feat),
    "optionalfeature": ("options", Kind.FEAT, adapters.feat),
    "condition": ("conditions", Kind.CONDITION, adapters.reference),
    "status": ("statuses", Kind.CONDITION, adapters.reference),
    "language": ("languages", Kind.LANGUAGE, adapters.reference),
    # The kind of an item follows from its fields.
    **dict.fromkeys(("item", "baseitem", "magicvariant", "itemGroup"), ("items", Kind.ITEM, adapters.equipment)),
}
_PLURALS = {section: plural for section, (plural, _, _) in _SECTIONS.items()}
_TABLE_FIELDS = (
    "caption", "colLabels", "colLabelGroups", "colStyles", "rows", "tables", "intro", "outro", "footnotes",
)  # fmt: skip


def recognises(data: object) -> bool:
    """Whether parsed JSON is a 5etools file: lists of objects with a source, with or without ``_meta``."""
    file = mapping(data)
    if isinstance(mapping(file.get("_meta")).get("sources"), list):
        return True
    return any("source" in item for section in {*_SECTIONS, *PART_SECTIONS} for item in objects(file.get(section)))


def read(data: object, name: str, originals: Originals) -> ImportedFile:
    """Read a parsed file. ``name`` is the book of items without a source. Never raises."""
    with limited_file():
        return ImportedFile(_Reader(mapping(data), name, originals).books())


class _Reader:
    """Reads one file: resolves copies and variants, then adapts item by item."""

    def __init__(self, file: JsonObject, name: str, originals: Originals) -> None:
        self._data, self._faults = with_nested_items(file)
        meta = mapping(file.get("_meta"))
        self._sources = BookSources(meta, name)
        self._copies = CopiedItems(lists_of(self._data), originals)
        for section in filter(is_dependent, lists_of(self._data)):
            parts = []
            for part in listed(self._data[section]):
                begin_item()
                parts.append(self._copies.resolve_part(section, part))
            self._data[section] = parts
        self._context = Context(lists_of(self._data), meta, self._reference_key)
        self._keys: set[str] = set()

    def books(self) -> tuple[ImportedBook, ...]:
        sections = [section for section in self._data if section not in NOT_CONTENT]
        # Those that may be part of others' records come last, lore after all: only then it is known which of them are.
        ordered = sorted(sections, key=lambda section: (is_dependent(section), section.endswith("Fluff")))
        outcomes = {section: list(self._outcomes(section)) for section in ordered}
        books = BookBuilder()
        for section in sections:
            for book, outcome in outcomes[section]:
                books.put(book, outcome)
        return books.books(self._sources.document, _PLURALS.values())

    def _outcomes(self, section: str) -> Iterator[tuple[str, ImportedItem]]:
        """The outcome of each item of a section, with the name of its book."""
        values, default_book, plural = self._data[section], self._sources.default_name, _PLURALS.get(section, section)
        if not isinstance(values, list):
            yield default_book, ImportedItem(section, section, reason="it is not a list of items")
            return
        if section.startswith("foundry") or section == "roll20Spell":
            count = "1 entry is" if len(values) == 1 else f"{len(values)} entries are"
            yield default_book, ImportedItem(section, section, reason=f"{count} data for another program")
            return
        items = list(self._expanded(section, values))
        if section in self._faults:
            yield default_book, ImportedItem(plural, section, reason=self._faults[section])
        for number, item in enumerate(items, 1):
            if not isinstance(item, dict):
                yield default_book, ImportedItem(plural, f"{section} {number}", reason="it is not an object")
            elif "_copy" in item or not self._context.dependents.is_used(section, item):
                book = self._sources.book_of(item)
                yield book, self._outcome(section, item, number, book)

    def _reference_key(self, section: str, item: Item) -> str:
        return record_key(self._sources.book_of(item), _PLURALS[section], str(item.get("name", "")))

    def _expanded(self, section: str, values: list[object]) -> Iterator[object]:
        """The items of a section, with those that the file only describes as variants or parts of others."""
        bases = lists_of(self._data).get("baseitem", []) if section == "magicvariant" else []
        for value in values:
            begin_item()
            try:
                if section == "race":
                    yield from with_subraces(value)
                elif section in WHOLE_BOOKS:
                    yield from chapters(section, value)
                elif section == "magicvariant" and isinstance(value, dict):
                    yield from variant_items(value, bases)
                else:
                    yield value
            except ItemError as error:
                self._faults[section] = str(error)

    def _outcome(self, section: str, item: Item, number: int, book: str) -> ImportedItem:
        resolved = item
        begin_item()

        def record() -> Record:
            """The record with its lore, and with what it inherits if it is a copy of a record."""
            nonlocal resolved
            resolved = self._copies.resolve(section, item) | {"name": item.get("name")}  # a copy has its own name
            record = self._record(section, resolved, book)
            if RECORD in resolved:
                own = {"name": resolved.get("name"), "source": resolved.get("source")}
                record = with_inheritance(
                    record, resolved[RECORD], lambda original: self._record(section, {**original, **own}, book)
                )
            text = lore_of(section, resolved, self._context.dependents)
            other = (*record.other, Section(name="Lore", text=text))
            return record.model_copy(update={"other": other}) if text else record

        name = " ".join(text_in(item, "name").split()) or str(number)
        outcome = adapted(section, place(book, section, name), record)
        self._context.dependents.settle(has_record=outcome.record is not None)
        if outcome.record is not None:
            self._keys.add(outcome.record.key)
        form = _form(section, resolved)
        return replace(outcome, section=_PLURALS.get(form, form))

    def _record(self, section: str, item: Item, book: str) -> Record:
        form, name = _form(section, item), _name(section, item)
        if not name:
            raise ItemError("it has no name")
        plural, kind, adapt = _SECTIONS.get(form, (form, Kind.RULE, partial(_rule, section, item)))
        if adapt is adapters.equipment:
            item = with_shared_texts(item, self._shared_text)
        fields = item_fields(item)
        fields.drop("name", "source")
        if isinstance(item.get("fluff"), Mapping | list):
            fields.drop("fluff")
        if adapt is adapters.equipment:
            kind = Kind.MAGIC_ITEM if section == "itemGroup" else adapters.kind_of(fields)
        text = "" if kind in (Kind.SPECIES, Kind.BACKGROUND) else markdown(fields.take("entries"))
        content = json.dumps(item, sort_keys=True, default=str)
        key = free_key(record_key(book, plural, name), content, self._keys)
        return adapt(common_fields(book, kind, key, name, text, self._sources.editions_of(item)), fields, self._context)

    def _shared_text(self, name: str, source: str) -> Item | None:
        key = identity({"name": name, "source": source})
        return self._context.dependents.find("itemEntry", key) or self._copies.shared_text(key)


def _form(section: str, item: Item) -> str:
    """Return the section whose fields an item has: a vehicle may have those of a creature."""
    is_creature = section == "vehicle" and item.get("vehicleType") == "CREATURE"
    return "monster" if is_creature else "subrace" if item.get("_subrace") else section


def _name(section: str, item: Item) -> str:
    if _form(section, item) == "subrace":
        return subrace_name(item)
    if section in ("itemProperty", "itemType"):
        return property_name(item)
    name = " ".join(text_in(item, "name").split())
    return name or str(item.get("id") or "") if section in WHOLE_BOOKS else name


def _rule(section: str, item: Item, head: CommonFields, fields: Fields, _: Context) -> Rule:
    """The record of an item whose section has no kind of its own."""
    prerequisite = prerequisite_text(fields.take("prerequisite"))
    parts = [f"*Prerequisite: {prerequisite}*" if prerequisite else "", head["text"]]
    if section in ("table", "tableGroup"):
        fields.drop(*_TABLE_FIELDS)
        caption = "" if item.get("caption") == item.get("name") else item.get("caption")
        parts.append(markdown({**item, "type": section, "name": "", "caption": caption}))
    parts.append(markdown(fields.take("data")))  # of a whole book or adventure
    head["text"] = "\n\n".join(filter(None, parts))
    # The chapter of ``variantrule`` is Variantrule, that of ``itemMastery`` Item Mastery.
    words = "".join(f" {letter}" if letter.isupper() else letter for letter in section)
    chapter = Ref(name=words[:1].upper() + words[1:], key=f"orcbrew_{head['document_key']}_{slug(section)}")
    return Rule(**head, section=chapter, other=fields.also())
