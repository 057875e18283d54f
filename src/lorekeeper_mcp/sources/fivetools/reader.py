"""Reads a 5etools file to books of records: its items, and those that it only describes as variants or parts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import filterfalse
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record, Ref, Rule, Section
from lorekeeper_mcp.sources.common_fields import CommonFields, on_page
from lorekeeper_mcp.sources.field_reader import Fields, JsonObject, listed, mapping, objects, value_at
from lorekeeper_mcp.sources.fivetools import adapters
from lorekeeper_mcp.sources.fivetools.context import (
    NOT_CONTENT,
    PART_SECTIONS,
    BookSources,
    Context,
    DependentItems,
    Item,
    identity,
    is_dependent,
    item_fields,
    lists_of,
    prerequisite_text,
    print_value,
    property_name,
)
from lorekeeper_mcp.sources.fivetools.copies import CopiedItems
from lorekeeper_mcp.sources.fivetools.entries import (
    begin_item,
    fill,
    grow,
    limited_file,
    markdown,
    size_of,
    text_in,
    with_replaced,
)
from lorekeeper_mcp.sources.imported import BookBuilder, ImportedFile, ItemError, common_fields, record_key, slug
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
_WHOLE_BOOKS = ("book", "adventure", "bookData", "adventureData")
_RULES = ("inherits", "requires", "excludes", "type")  # fields that say what the variants are
_SHARED_TEXT = re.compile(r"\{#itemEntry ([^{}|]+)(?:\|([^{}]*))?\}")
_LONG_CHAPTER = 20_000  # characters; its sections are chapters of their own


def recognises(data: object) -> bool:
    """Whether parsed JSON is a 5etools file: lists of objects with a source, with or without ``_meta``."""
    file = mapping(data)
    if isinstance(mapping(file.get("_meta")).get("sources"), list):
        return True
    return any("source" in item for section in {*_SECTIONS, *PART_SECTIONS} for item in objects(file.get(section)))


def read(data: object, name: str, originals: Originals) -> ImportedFile:
    """Read a parsed file. ``name`` is the book of items without a source. Never raises."""
    with limited_file():
        return _Reader(mapping(data), name, originals).read()


class _Reader:
    """Reads one file: resolves copies and variants, then adapts item by item."""

    def __init__(self, file: JsonObject, name: str, originals: Originals) -> None:
        self._data, self._faults = _with_nested_items(file)
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
        self._books = BookBuilder()

    def read(self) -> ImportedFile:
        sections = [section for section in self._data if section not in NOT_CONTENT]
        # Those that may be part of others' records come last, lore after all: only then it is known which of them are.
        for section in sorted(sections, key=lambda section: (is_dependent(section), section.endswith("Fluff"))):
            self._read_section(section, self._data[section])
        books = self._books.books(self._sources.document, _PLURALS.values())
        return ImportedFile(books, invisible=self._books.invisible)

    def _read_section(self, section: str, values: object) -> None:
        default_book, plural = self._sources.default_name, _PLURALS.get(section, section)
        if not isinstance(values, list):
            self._books.skip(default_book, section, "", "it is not a list of items")
            return
        if section.startswith("foundry") or section == "roll20Spell":
            count = "1 entry is" if len(values) == 1 else f"{len(values)} entries are"
            self._books.skip(default_book, section, "", f"{count} data for another program")
            return
        items = list(self._expanded(section, values))
        if section in self._faults:
            self._books.skip(default_book, plural, "", self._faults[section])
        for position, item in enumerate(items, 1):
            if not isinstance(item, dict):
                self._books.skip(default_book, plural, str(position), "it is not an object")
            elif "_copy" in item or not self._context.dependents.is_used(section, item):
                begin_item()
                book, form = self._sources.book_of(item), _form(section, item)
                path = " ".join(text_in(item, "name").split()) or str(position)
                make = partial(self._record, section, item, book)
                edition = self._sources.edition_of(item)
                has_record = self._books.adapt(book, _PLURALS.get(form, form), path, make, edition)
                self._context.dependents.settle(has_record=has_record)

    def _reference_key(self, section: str, item: Item) -> str:
        return record_key(self._sources.book_of(item), _PLURALS[section], str(item.get("name", "")))

    def _expanded(self, section: str, values: list[object]) -> Iterator[object]:
        """The items of a section, with those that the file only describes as variants or parts of others."""
        for value in values:
            begin_item()
            try:
                if section == "race":
                    yield from _with_subraces(value)
                elif section in _WHOLE_BOOKS:
                    yield from _chapters(section, value)
                elif section == "magicvariant" and isinstance(value, dict):
                    yield _variant_item(value)
                else:
                    yield value
            except ItemError as error:
                self._faults[section] = str(error)

    def _record(self, section: str, item: Item, book: str) -> Record:
        """The record of an item with its lore, and with what it inherits if it is a copy of a record."""
        item = self._copies.resolve(section, item) | {"name": item.get("name")}  # a copy has its own name
        record = self._adapted(section, item, book)
        if RECORD in item:
            own = {"name": item.get("name"), "source": item.get("source")}
            record = with_inheritance(
                record, item[RECORD], lambda original: self._adapted(section, {**original, **own}, book)
            )
        text = _lore_of(section, item, self._context.dependents)
        other = (*record.other, Section(name="Lore", text=text))
        return record.model_copy(update={"other": other}) if text else record

    def _adapted(self, section: str, item: Item, book: str) -> Record:
        form, name = _form(section, item), _name(section, item)
        if not name:
            raise ItemError("it has no name")
        plural, kind, adapt = _SECTIONS.get(form, (form, Kind.RULE, partial(_rule, section, item)))
        if adapt is adapters.equipment:
            item = _with_shared_texts(item, self._context.dependents)
        fields = item_fields(item)
        fields.drop("name", "source")
        if isinstance(item.get("fluff"), Mapping | list):
            fields.drop("fluff")
        if adapt is adapters.equipment:
            kind = Kind.MAGIC_ITEM if section == "itemGroup" else adapters.kind_of(fields)
        text = "" if kind in (Kind.SPECIES, Kind.BACKGROUND) else markdown(fields.take("entries"))
        head = common_fields(book, kind, record_key(book, plural, name), name, text)
        return on_page(adapt(head, fields, self._context), item.get("page"))


def _form(section: str, item: Item) -> str:
    """Return the section whose fields an item has: a vehicle may have those of a creature."""
    is_creature = section == "vehicle" and item.get("vehicleType") == "CREATURE"
    return "monster" if is_creature else "subrace" if item.get("_subrace") else section


def _name(section: str, item: Item) -> str:
    if _form(section, item) == "subrace":
        return _subrace_name(item)
    if section in ("itemProperty", "itemType"):
        return property_name(item)
    name = " ".join(text_in(item, "name").split())
    return name or str(item.get("id") or "") if section in _WHOLE_BOOKS else name


def _rule(section: str, item: Item, head: CommonFields, fields: Fields, _: Context) -> Rule:
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


# --- Items that a file only describes ---


def _with_nested_items(data: JsonObject) -> tuple[Item, dict[str, str]]:
    """Return a file with nested items as separate items, and why some sections lack a part of them."""
    nested: dict[str, list[Item]] = {}
    faults = {}
    for section, items in lists_of(data).items():
        try:
            for item in items:
                versions = ((section, version) for version in _versions(item))
                for target, part in (*versions, *_stat_blocks(item)):
                    nested.setdefault(target, []).append(part)
        except ItemError as error:
            faults[section] = str(error)
    extended = dict(data)
    for target, parts in nested.items():
        own = extended.get(target, [])
        if isinstance(own, list):  # of equal items one
            extended[target] = [*{json.dumps(item, sort_keys=True): item for item in (*own, *parts)}.values()]
    return extended, faults


def _stat_blocks(item: Item) -> Iterator[tuple[str, Item]]:
    values: list[object] = [item]
    while values:
        value = values.pop()
        if isinstance(value, Mapping):
            block, section = value.get("data"), value.get("dataType")
            if value.get("type") == "statblockInline" and isinstance(block, dict) and isinstance(section, str):
                yield section, {"source": item.get("source"), **block}
            values += value.values()
        elif isinstance(value, list):
            values += value


def _versions(item: JsonObject) -> Iterator[Item]:
    """The versions of an item as copies of it. An abstract one yields a version for each set of variables."""
    for spec in map(mapping, listed(item.get("_versions"))):
        implementations = [mapping(own) for own in listed(spec.get("_implementations"))]
        abstract = spec.get("_abstract")
        own_fields = [_filled(abstract, own) for own in implementations] if isinstance(abstract, Mapping) else [spec]
        for version in own_fields:
            changes = {name: version[name] for name in ("_mod", "_templates") if name in version}
            fields = {name: value for name, value in version.items() if not name.startswith("_")}
            original = {"name": item.get("name"), "source": item.get("source"), **changes}
            yield {"source": item.get("source"), **fields, "_copy": original}


def _filled(abstract: JsonObject, own: JsonObject) -> JsonObject:
    """Replace ``{{color}}`` in every text by the value of the variable, and add a version's own fields."""
    text = json.dumps(abstract)
    grow(len(text))
    for name, value in mapping(own.get("_variables")).items():
        mark, new = "{{" + name + "}}", json.dumps(str(value))[1:-1]
        grow(text.count(mark) * len(new))
        text = text.replace(mark, new)
    return {**mapping(json.loads(text)), **own}


# --- Variants and subraces ---


def _with_subraces(value: object) -> list[object]:
    if not isinstance(value, dict) or not isinstance(value.get("subraces"), list):
        return [value]
    own = {field: part for field, part in value.items() if field != "subraces"}
    parent = {"source": value.get("source"), "raceName": value.get("name"), "raceSource": value.get("source")}
    subraces = [subrace for subrace in objects(value["subraces"]) if subrace.get("name")]
    return [own, *({**parent, "_subrace": True, **subrace} for subrace in subraces)]


def _subrace_name(item: JsonObject) -> str:
    name, parent = text_in(item, "name"), str(item.get("raceName") or "")
    return f"{parent} ({name})" if name and parent else name or parent


def _variant_item(variant: Item) -> Item:
    """A generic variant as an item, with what it gives to the items of which there are such variants."""
    inherits, requires = mapping(variant.get("inherits")), objects(variant.get("requires"))
    item = {field: value for field, value in inherits.items() if not field.startswith("name")}
    item |= {field: value for field, value in variant.items() if field not in _RULES}
    item |= {flag: True for requirement in requires for flag in adapters.KIND_FLAGS if requirement.get(flag) is True}
    entries = listed(variant.get("entries"))
    entries += [entry for entry in listed(inherits.get("entries")) if entry not in entries]
    item["made of"], item["not made of"] = print_value(variant.get("requires")), print_value(variant.get("excludes"))
    item["rarity"] = inherits.get("rarity", variant.get("rarity", "varies"))
    item["source"] = variant.get("source", inherits.get("source"))
    item["entries"] = fill(entries, {"baseName": "item", **item}.get)
    return item


# --- Books and adventures ---


def _chapters(section: str, book: object) -> Iterator[object]:
    """Yield the chapters of a book or an adventure, and what else is said of it, as items."""
    parts = listed(mapping(book).get("data"))
    if not isinstance(book, dict) or not objects(parts):
        yield book
        return
    title = text_in(book, "name") or text_in(book, "id") or section
    rest = {**book, "name": title, "data": list(filterfalse(_has_name, parts))}
    if rest["data"] or book.keys() - {"id", "source", "name", "data"}:
        yield rest
    for part in filter(_has_name, parts):
        yield from _chapter(mapping(part), {"source": book.get("source") or book.get("id"), "part of": title})


def _has_name(part: object) -> bool:
    return bool(mapping(part).get("name"))


def _chapter(part: JsonObject, about: Item, depth: int = 0) -> Iterator[Item]:
    """A chapter; the named parts of a long one are chapters, too."""
    entries = listed(part.get("entries"))
    is_long = depth <= 3 and size_of(part) > _LONG_CHAPTER
    split = list(filter(_has_name, entries)) if is_long else []
    own = list(filterfalse(_has_name, entries)) if is_long else entries
    if own or not split:
        yield {**about, "name": part.get("name"), "entries": own}
    for entry in split:
        within = f"{about['part of']} › {text_in(part, 'name')}"
        yield from _chapter(mapping(entry), {**about, "part of": within}, depth + 1)


# --- Texts of other items ---


def _lore_of(section: str, item: Item, dependents: DependentItems) -> str:
    """Return an item's lore: its own, and the file's in another section for it or for an item that it names."""
    section = "race" if section == "subrace" else section
    fluff, own = item.get("fluff"), mapping(item.get("fluff"))
    others = (own.get(f"_{name}Fluff") for name in (section, f"append{section[:1].upper()}{section[1:]}"))
    named = [item, *filter(None, map(mapping, others))]
    if item.get("raceName"):  # a subrace may also be listed with its race
        named.append({**item, "name": _subrace_name(item)})
    lore = fluff if isinstance(fluff, list) else {key: value for key, value in own.items() if not key.startswith("_")}
    texts = [markdown(lore)]
    texts += [markdown(mapping(dependents.find(f"{section}Fluff", identity(name))).get("entries")) for name in named]
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


def _with_shared_texts(item: Item, dependents: DependentItems) -> Item:
    """Return an item with the shared texts that its entries refer to as ``{#itemEntry Ring of Resistance|XDMG}``.

    The item's values are filled in.
    """
    if "entries" not in item or "{" not in json.dumps(item["entries"], default=str):
        return item

    def shared(entry: object) -> object:
        reference = _SHARED_TEXT.fullmatch(entry.strip()) if isinstance(entry, str) else None
        if reference is None:
            return None
        name, source = reference[1].strip(), (reference[2] or str(item.get("source") or "")).strip()
        text = dependents.find("itemEntry", identity({"name": name, "source": source}))
        return listed(text.get("entriesTemplate")) if text else [f"See {name} ({source})."]

    return {**item, "entries": fill(with_replaced(item["entries"], shared), partial(value_at, item))}
