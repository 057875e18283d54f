"""Reads a 5etools file to books of records."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from pydantic import ValidationError

from lorekeeper_mcp.models import Document, Edition, Kind, Record, Ref, Rule, Section
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools import classes, creatures, equipment, options, spells
from lorekeeper_mcp.sources.fivetools.context import NOT_CONTENT, Context, Item, identity, lists_of
from lorekeeper_mcp.sources.fivetools.copied_items import CopiedItems
from lorekeeper_mcp.sources.fivetools.dependent_items import dependent_items, lore_of, with_shared_texts
from lorekeeper_mcp.sources.fivetools.fields import Fields, texts
from lorekeeper_mcp.sources.fivetools.nested_items import with_parts
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.requirements import required
from lorekeeper_mcp.sources.fivetools.texts.rule_fields import rule_fields
from lorekeeper_mcp.sources.fivetools.texts.tags import text_in
from lorekeeper_mcp.sources.imported import (
    PRESERVED_FIELD,
    ImportedBook,
    ImportedFile,
    ImportedItem,
    ItemError,
    book_key,
    common_fields,
    document,
    free_key,
    record_key,
    restored,
    slug,
)
from lorekeeper_mcp.sources.json_values import listed, mapping, objects
from lorekeeper_mcp.sources.official_documents import own_name
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_inheritance

Adapter: TypeAlias = Callable[[CommonFields, Fields, Context], Record]
_DEFAULT_SOURCE = "Unnamed Content"
_OF_A_TABLE = ("caption", "colLabels", "colLabelGroups", "colStyles", "rows", "tables", "intro", "outro", "footnotes")
_PARTS = frozenset({"classFeature", "subclassFeature", "legendaryGroup", "itemProperty", "itemType"})
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
_PLURALS = {name: plural for name, (plural, _, _) in _SECTIONS.items()} | _EQUIPMENT


def recognises(data: object) -> bool:
    """Whether parsed JSON is a 5etools file: lists of objects with a source, with or without ``_meta``."""
    spec = mapping(data)
    if isinstance(mapping(spec.get("_meta")).get("sources"), list):
        return True
    lists = (spec.get(name) for name in {*_SECTIONS, *_EQUIPMENT, *_PARTS})
    return any("source" in one for values in lists for one in objects(values))


def _form(section: str, item: Mapping[str, object]) -> str:
    """Return the section whose fields an item has: a vehicle may have those of a creature."""
    return "monster" if section == "vehicle" and item.get("vehicleType") == "CREATURE" else section


def read(data: object, name: str, originals: Originals) -> ImportedFile:
    """Read a parsed file. ``name`` is the book of items without a source. Never raises."""
    return ImportedFile(_Reader(mapping(data), name, originals).books())


class _Reader:
    """Reads one file: resolves copies and variants, then adapts item by item."""

    def __init__(self, given: Mapping[str, object], name: str, originals: Originals) -> None:
        self._data = data = with_parts(given)
        self._meta = mapping(data.get("_meta"))
        self._name = name or _DEFAULT_SOURCE
        sources = map(mapping, listed(self._meta.get("sources")))
        self._sources = {str(one.get("json", "")).lower(): one for one in sources}
        self._source_of_book = {
            book_key(str(one.get("full") or one.get("json"))): one for one in reversed(self._sources.values())
        }
        self._lists = lists_of(data)
        self._copies = CopiedItems(self._lists, originals)
        parts = [one for one in self._lists if one in _PARTS or one.endswith("Fluff")]
        data |= {section: [self._copies.whole(section, one) for one in listed(data[section])] for section in parts}
        self._lists = lists_of(data)
        self._named = {(section, *identity(one)): one for section, of in self._lists.items() for one in of}
        self._context = Context(
            self._lists,
            self._meta,
            lambda section, one: record_key(self._book_of(one), _PLURALS[section], str(one.get("name", ""))),
        )
        self._dependent = dependent_items(self._lists, self._context)
        self._items: dict[str, list[ImportedItem]] = {}
        self._books: dict[str, str] = {}  # key -> name
        self._taken: set[str] = set()

    def books(self) -> tuple[ImportedBook, ...]:
        for section, values in self._data.items():
            if section in NOT_CONTENT:
                continue
            if not isinstance(values, list):
                self._skip(self._name, section, section, "it is not a list of items")
                continue
            if section.startswith("foundry") or section == "roll20Spell":
                count = "1 entry is" if len(values) == 1 else f"{len(values)} entries are"
                self._skip(self._name, section, section, f"{count} data for another program")
                continue
            self._section(section, values)
        return tuple(self._book(key, name) for key, name in self._books.items())

    # -- the file as a whole

    def _book_of(self, item: Mapping[str, object]) -> str:
        source = item.get("source") or mapping(item.get("inherits")).get("source")
        if not isinstance(source, str) or not source.strip():
            return self._name
        known = self._sources.get(source.lower())
        return " ".join(str(mapping(known).get("full") or source).split())

    def _book(self, key: str, name: str) -> ImportedBook:
        items = self._items.get(key, [])
        spec = self._source_of_book.get(key, {})
        fields = {
            "author": ", ".join(texts(listed(spec.get("authors")))),
            "permalink": str(spec.get("url") or ""),
            "license": str(spec.get("license") or ""),
        }
        made = document(name, self._editions(spec), **fields)
        sections = tuple(dict.fromkeys(item.section for item in items))
        unknown = frozenset(section for section in sections if section not in _PLURALS.values())
        return ImportedBook(_dated(made, spec), tuple(items), sections, unknown)

    def _editions(self, spec: Mapping[str, object]) -> tuple[Edition, ...]:
        one = spec.get("edition") or self._meta.get("edition")
        return (Edition.E2024,) if one in ("one", "2024") else (Edition.E2014,)

    # -- sections

    def _section(self, section: str, values: list[object]) -> None:
        expanded = self._expanded(section, values)
        for at, one in enumerate(expanded):
            if not isinstance(one, dict):
                self._skip(self._name, _PLURALS.get(section, section), f"{section} {at + 1}", "it is not an object")
                continue
            if "_copy" in one or id(one) not in self._dependent:
                self._item(section, one, at)

    def _expanded(self, section: str, values: list[object]) -> list[object]:
        if section == "magicvariant":
            bases = self._lists.get("baseitem", [])
            made = (equipment.expanded(one, bases) if isinstance(one, dict) else [one] for one in values)
            return [one for several in made for one in several]
        if section == "race":
            return [new for one in values for new in options.with_subraces(one)]
        return values

    def _item(self, section: str, given: Item, at: int) -> None:
        book, plural = self._book_of(given), _PLURALS.get(section, section)
        name = " ".join(text_in(given, "name").split())
        path = " › ".join((own_name(book), section, name or str(at + 1)))
        try:
            item = self._copies.resolved(section, given)
            plural = _PLURALS.get(_form(section, item), section)
            if section == "subrace" or item.get("_subrace"):
                plural, name = "subraces", options.subrace_name(item)
            if section in ("book", "adventure", "bookData", "adventureData") and not name:
                name = str(item.get("id") or "")
            record = self._record(section, item, name, book, plural)
            if RECORD in item:
                own = {"name": item.get("name"), "source": item.get("source")}
                record = with_inheritance(
                    record, item[RECORD], lambda one: self._record(section, {**one, **own}, name, book, plural)
                )
            record = restored(self._with_lore(record, section, item), given.get(f"_{PRESERVED_FIELD}"))
        except ItemError as error:
            self._skip(book, plural, path, str(error))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            self._skip(book, plural, path, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            self._skip(book, plural, path, f"its fields do not fit the format ({type(error).__name__})")
        else:
            self._taken.add(record.key)
            self._add(book, ImportedItem(plural, path, record))

    def _record(self, section: str, item: Item, name: str, book: str, plural: str) -> Record:
        if not name:
            raise ItemError("it has no name")
        if section in _EQUIPMENT:
            item = _with_currency(with_shared_texts(item, self._copies.shared_text), self._meta)
        fields = Fields({key: value for key, value in item.items() if not key.startswith("_")})
        fields.drop("name", "source", *(["fluff"] if isinstance(item.get("fluff"), Mapping | list) else []))
        head = partial(self._head, item, name, book, plural)
        if section in _EQUIPMENT:
            kind = equipment.kind_of(fields) if section != "itemGroup" else Kind.MAGIC_ITEM
            return equipment.equipment(head(kind, fields), fields, self._context)
        form = _form(section, item)
        if form in _SECTIONS:
            _, kind, adapter = _SECTIONS[form]
            if form != section:
                fields.drop("vehicleType")
            return adapter(head(kind, fields), fields, self._context)
        types = self._context.psionic_types if section == "psionic" else {}
        fields = fields.renamed(lambda values: rule_fields(section, values, types))
        return _rule(section, item, head(Kind.RULE, fields), fields, plural)

    def _head(self, item: Item, name: str, book: str, plural: str, kind: Kind, fields: Fields) -> CommonFields:
        source = mapping(self._sources.get(str(item.get("source")).lower()))
        editions = (Edition.E2024,) if item.get("edition") == "one" else self._editions(source)
        text = "" if kind in (Kind.SPECIES, Kind.BACKGROUND) else fields.text("entries")
        content = json.dumps(item, sort_keys=True, default=str)
        key = free_key(record_key(book, plural, name), content, self._taken)
        return common_fields(book, kind, key, name, text, editions)

    def _with_lore(self, record: Record, section: str, item: Item) -> Record:
        """The record with its lore: its own, and the file's in other sections."""
        text = lore_of(section, item, self._named)
        other = (*record.other, Section(name="Lore", text=text))
        return record.model_copy(update={"other": other}) if text else record

    def _skip(self, book: str, section: str, path: str, reason: str) -> None:
        self._add(book, ImportedItem(section, path, reason=reason))

    def _add(self, book: str, item: ImportedItem) -> None:
        key = book_key(book)
        self._books.setdefault(key, book)
        self._items.setdefault(key, []).append(item)


def _rule(section: str, item: Item, head: CommonFields, fields: Fields, plural: str) -> Rule:
    """The record of an item whose section has no kind of its own."""
    needs = required(fields.take("prerequisite"))
    parts = [f"*Prerequisite: {needs}*" if needs else "", head["text"]]
    if section in ("table", "tableGroup"):
        fields.drop(*_OF_A_TABLE)
        caption = "" if item.get("caption") == item.get("name") else item.get("caption")
        parts.append(markdown({**item, "type": section, "name": "", "caption": caption}))
    parts.append(fields.text("data"))  # of a whole book or adventure
    head["text"] = "\n\n".join(filter(None, parts))
    # The chapter of ``variantrule`` is Variantrule, that of ``itemMastery`` Item Mastery.
    words = "".join(f" {char}" if char.isupper() else char for char in section)
    chapter = Ref(name=words[:1].upper() + words[1:], key=f"orcbrew_{head['document_key']}_{slug(plural)}")
    return Rule(**head, section=chapter, other=fields.other())


def _with_currency(item: Item, meta: Mapping[str, object]) -> Item:
    """An item with what a copper piece is worth in the coins of the file's own currency."""
    name = str(item.get("currencyConversion") or "")
    coins = map(mapping, listed(mapping(meta.get("currencyConversions")).get(name)))
    worth = ", ".join(f"{markdown(one.get('mult'))} {one.get('coin')}" for one in coins)
    return {**item, "currencyConversion": f"{name} (1 cp is {worth})"} if worth else item


def _dated(made: Document, spec: Mapping[str, object]) -> Document:
    """A book with its release date, if the file has a valid one."""
    with contextlib.suppress(ValidationError):
        return Document.model_validate({**made.model_dump(), "published": spec.get("dateReleased")})
    return made
