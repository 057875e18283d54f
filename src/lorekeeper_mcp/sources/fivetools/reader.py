"""Reads a 5etools file to books of records."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from pydantic import ValidationError

from lorekeeper_mcp.models import Kind, Record, Ref, Rule, Section
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools import classes, creatures, equipment, options, spells
from lorekeeper_mcp.sources.fivetools.book_sources import BookSources
from lorekeeper_mcp.sources.fivetools.context import NOT_CONTENT, Context, Item, identity, lists_of
from lorekeeper_mcp.sources.fivetools.copies.copied_items import CopiedItems
from lorekeeper_mcp.sources.fivetools.dependent_items import dependent_items, lore_of, with_shared_texts
from lorekeeper_mcp.sources.fivetools.fields import Fields
from lorekeeper_mcp.sources.fivetools.nested_items import with_nested_items
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.requirements import prerequisite_text
from lorekeeper_mcp.sources.fivetools.texts.rule_fields import rule_fields
from lorekeeper_mcp.sources.fivetools.texts.tags import text_in
from lorekeeper_mcp.sources.fivetools.variants import variant_items
from lorekeeper_mcp.sources.imported import (
    PRESERVED_FIELD,
    ImportedBook,
    ImportedFile,
    ImportedItem,
    ItemError,
    book_key,
    common_fields,
    free_key,
    record_key,
    restored,
    slug,
)
from lorekeeper_mcp.sources.json_values import listed, mapping, objects
from lorekeeper_mcp.sources.official_documents import own_name
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_inheritance

Adapter: TypeAlias = Callable[[CommonFields, Fields, Context], Record]
_TABLE_FIELDS = (
    "caption", "colLabels", "colLabelGroups", "colStyles", "rows", "tables", "intro", "outro", "footnotes",
)  # fmt: skip
_PART_SECTIONS = frozenset({"classFeature", "subclassFeature", "legendaryGroup", "itemProperty", "itemType"})
_SECTIONS: Mapping[str, tuple[str, Kind, Adapter]] = {
    "monster": ("monsters", Kind.CREATURE, creatures.creature),
    "spell": ("spells", Kind.SPELL, spells.spell),
    "class": ("classes", Kind.CLASS, classes.character_class),
    "subclass": ("subclasses", Kind.SUBCLASS, classes.character_class),
    "race": ("races", Kind.SPECIES, options.race),
    "subrace": ("subraces", Kind.SPECIES, options.race),
    "background": ("backgrounds", Kind.BACKGROUND, options.background),
    "feat": ("feats", Kind.FEAT, options.feat),
    "optionalfeature": ("options", Kind.FEAT, options.optional_feature),
    "condition": ("conditions", Kind.CONDITION, options.reference),
    "status": ("statuses", Kind.CONDITION, options.reference),
    "language": ("languages", Kind.LANGUAGE, options.reference),
}
_EQUIPMENT = dict.fromkeys(("item", "baseitem", "magicvariant", "itemGroup"), "items")
_PLURALS = {section: plural for section, (plural, _, _) in _SECTIONS.items()} | _EQUIPMENT
_WHOLE_BOOKS = ("book", "adventure", "bookData", "adventureData")


def recognises(data: object) -> bool:
    """Whether parsed JSON is a 5etools file: lists of objects with a source, with or without ``_meta``."""
    file = mapping(data)
    if isinstance(mapping(file.get("_meta")).get("sources"), list):
        return True
    sections = {*_SECTIONS, *_EQUIPMENT, *_PART_SECTIONS}
    return any("source" in item for section in sections for item in objects(file.get(section)))


def read(data: object, name: str, originals: Originals) -> ImportedFile:
    """Read a parsed file. ``name`` is the book of items without a source. Never raises."""
    return ImportedFile(_Reader(mapping(data), name, originals).books())


class _Reader:
    """Reads one file: resolves copies and variants, then adapts item by item."""

    def __init__(self, file: Mapping[str, object], name: str, originals: Originals) -> None:
        data = with_nested_items(file)
        self._meta = mapping(data.get("_meta"))
        self._sources = BookSources(self._meta, name)
        self._copies = CopiedItems(lists_of(data), originals)
        for section in lists_of(data):
            if section in _PART_SECTIONS or section.endswith("Fluff"):
                data[section] = [self._copies.resolve_part(section, part) for part in listed(data[section])]
        self._data, self._lists = data, lists_of(data)
        self._by_identity = {
            (section, *identity(item)): item for section, items in self._lists.items() for item in items
        }
        self._context = Context(self._lists, self._meta, self._reference_key)
        self._dependent = dependent_items(self._lists, self._context)
        self._items: dict[str, list[ImportedItem]] = {}
        self._book_names: dict[str, str] = {}
        self._keys: set[str] = set()

    def books(self) -> tuple[ImportedBook, ...]:
        for section, values in self._data.items():
            if section in NOT_CONTENT:
                continue
            if not isinstance(values, list):
                self._skip(self._sources.default_name, section, section, "it is not a list of items")
            elif section.startswith("foundry") or section == "roll20Spell":
                count = "1 entry is" if len(values) == 1 else f"{len(values)} entries are"
                self._skip(self._sources.default_name, section, section, f"{count} data for another program")
            else:
                self._read_section(section, values)
        return tuple(self._book(key, name) for key, name in self._book_names.items())

    def _book(self, key: str, name: str) -> ImportedBook:
        items = tuple(self._items[key])
        sections = tuple(dict.fromkeys(item.section for item in items))
        unknown = frozenset(section for section in sections if section not in _PLURALS.values())
        return ImportedBook(self._sources.document(key, name), items, sections, unknown)

    def _reference_key(self, section: str, item: Item) -> str:
        return record_key(self._sources.book_of(item), _PLURALS[section], str(item.get("name", "")))

    def _read_section(self, section: str, values: list[object]) -> None:
        for number, item in enumerate(self._expanded(section, values), 1):
            if not isinstance(item, dict):
                plural = _PLURALS.get(section, section)
                self._skip(self._sources.default_name, plural, f"{section} {number}", "it is not an object")
            elif "_copy" in item or id(item) not in self._dependent:
                self._read_item(section, item, number)

    def _expanded(self, section: str, values: list[object]) -> list[object]:
        """The items of a section, with those that the file only describes as variants or parts of others."""
        if section == "race":
            return [item for value in values for item in options.with_subraces(value)]
        if section != "magicvariant":
            return values
        items: list[object] = []
        for value in values:
            items += variant_items(value, self._lists.get("baseitem", [])) if isinstance(value, dict) else [value]
        return items

    def _read_item(self, section: str, item: Item, number: int) -> None:
        book, plural = self._sources.book_of(item), _PLURALS.get(section, section)
        name = " ".join(text_in(item, "name").split())
        path = " › ".join((own_name(book), section, name or str(number)))
        try:
            resolved = self._copies.resolve(section, item)
            plural = _PLURALS.get(_form(section, resolved), section)
            if section == "subrace" or resolved.get("_subrace"):
                plural, name = "subraces", options.subrace_name(resolved)
            if section in _WHOLE_BOOKS and not name:
                name = str(resolved.get("id") or "")
            to_record = partial(self._record, section, name=name, book=book, plural=plural)
            record = to_record(resolved)
            if RECORD in resolved:
                own = {"name": resolved.get("name"), "source": resolved.get("source")}
                record = with_inheritance(record, resolved[RECORD], lambda original: to_record({**original, **own}))
            record = restored(self._with_lore(record, section, resolved), item.get(f"_{PRESERVED_FIELD}"))
        except ItemError as error:
            self._skip(book, plural, path, str(error))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            self._skip(book, plural, path, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            self._skip(book, plural, path, f"its fields do not fit the format ({type(error).__name__})")
        else:
            self._keys.add(record.key)
            self._add(book, ImportedItem(plural, path, record))

    def _record(self, section: str, item: Item, name: str, book: str, plural: str) -> Record:
        if not name:
            raise ItemError("it has no name")
        if section in _EQUIPMENT:
            item = _with_currency(with_shared_texts(item, self._copies.shared_text), self._meta)
        fields = Fields({field: value for field, value in item.items() if not field.startswith("_")})
        fields.drop("name", "source")
        if isinstance(item.get("fluff"), Mapping | list):
            fields.drop("fluff")
        head = partial(self._head, item, name, book, plural)
        if section in _EQUIPMENT:
            kind = equipment.kind_of(fields) if section != "itemGroup" else Kind.MAGIC_ITEM
            return equipment.equipment(head(kind, fields), fields, self._context)
        form = _form(section, item)
        if form in _SECTIONS:
            _, kind, adapt = _SECTIONS[form]
            if form != section:
                fields.drop("vehicleType")
            return adapt(head(kind, fields), fields, self._context)
        types = self._context.psionic_types if section == "psionic" else {}
        fields = Fields(rule_fields(section, fields.remaining(), types))
        return _rule(section, item, head(Kind.RULE, fields), fields, plural)

    def _head(self, item: Item, name: str, book: str, plural: str, kind: Kind, fields: Fields) -> CommonFields:
        text = "" if kind in (Kind.SPECIES, Kind.BACKGROUND) else fields.text("entries")
        content = json.dumps(item, sort_keys=True, default=str)
        key = free_key(record_key(book, plural, name), content, self._keys)
        return common_fields(book, kind, key, name, text, self._sources.editions_of(item))

    def _with_lore(self, record: Record, section: str, item: Item) -> Record:
        """The record with its lore: its own, and the file's in other sections."""
        text = lore_of(section, item, self._by_identity)
        other = (*record.other, Section(name="Lore", text=text))
        return record.model_copy(update={"other": other}) if text else record

    def _skip(self, book: str, section: str, path: str, reason: str) -> None:
        self._add(book, ImportedItem(section, path, reason=reason))

    def _add(self, book: str, item: ImportedItem) -> None:
        key = book_key(book)
        self._book_names.setdefault(key, book)
        self._items.setdefault(key, []).append(item)


def _form(section: str, item: Item) -> str:
    """Return the section whose fields an item has: a vehicle may have those of a creature."""
    return "monster" if section == "vehicle" and item.get("vehicleType") == "CREATURE" else section


def _rule(section: str, item: Item, head: CommonFields, fields: Fields, plural: str) -> Rule:
    """The record of an item whose section has no kind of its own."""
    prerequisite = prerequisite_text(fields.take("prerequisite"))
    parts = [f"*Prerequisite: {prerequisite}*" if prerequisite else "", head["text"]]
    if section in ("table", "tableGroup"):
        fields.drop(*_TABLE_FIELDS)
        caption = "" if item.get("caption") == item.get("name") else item.get("caption")
        parts.append(markdown({**item, "type": section, "name": "", "caption": caption}))
    parts.append(fields.text("data"))  # of a whole book or adventure
    head["text"] = "\n\n".join(filter(None, parts))
    # The chapter of ``variantrule`` is Variantrule, that of ``itemMastery`` Item Mastery.
    words = "".join(f" {letter}" if letter.isupper() else letter for letter in section)
    chapter = Ref(name=words[:1].upper() + words[1:], key=f"orcbrew_{head['document_key']}_{slug(plural)}")
    return Rule(**head, section=chapter, other=fields.other())


def _with_currency(item: Item, meta: Mapping[str, object]) -> Item:
    """An item with what a copper piece is worth in the coins of the file's own currency."""
    name = str(item.get("currencyConversion") or "")
    coins = map(mapping, listed(mapping(meta.get("currencyConversions")).get(name)))
    worth = ", ".join(f"{markdown(coin.get('mult'))} {coin.get('coin')}" for coin in coins)
    return {**item, "currencyConversion": f"{name} (1 cp is {worth})"} if worth else item
