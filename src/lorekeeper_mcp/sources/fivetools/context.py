"""Fields of items, and what a file says of all of them: its books, its codes, and how items refer to each other."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pydantic import ValidationError

from lorekeeper_mcp.models import Document, Edition, Section
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES, SRD_RACES
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    JsonObject,
    Printer,
    as_object,
    joined,
    listed,
    mapping,
    objects,
    phrase,
    titled,
)
from lorekeeper_mcp.sources.fivetools.entries import displayed_reference, is_entry, markdown, plain_text, text_in
from lorekeeper_mcp.sources.imported import book_key, document, parent_key

# The site's metadata, which no reader needs: where something is printed (``page``, ``srd``, ``reprintedAs``),
# pictures and sounds, and filter lists computed from the texts (``…Tags``, ``…Inflict``).
IGNORED_FIELDS = frozenset(
    {
        "_copy", "_isCopy", "_mod", "_rawName", "actionTags", "additionalSources", "altArt", "areaTags",
        "attachedItems", "basicRules", "basicRules2024", "conditionInflict", "conditionInflictLegendary",
        "conditionInflictSpell", "damageInflict", "damageTags", "damageTagsLegendary", "damageTagsSpell",
        "dragonAge", "edition", "hasFluff", "hasFluffImages", "hasRefs", "hasToken", "isNamedCreature", "isNpc",
        "languageTags", "miscTags", "otherSources", "page", "referenceSources", "reprintedAs", "reqAttuneTags",
        "savingThrowForced", "savingThrowForcedLegendary", "savingThrowForcedSpell", "senseTags", "soundClip", "srd",
        "srd52", "spellcastingTags", "token", "tokenCredit", "tokenCustom", "tokenHref", "tokenHref3d", "tokenUrl",
        "traitTags", "uniqueId", "legacy", "isReprinted", "noDisplay", "reqAttuneAlt", "reqAttuneAltTags",
        "atomicPackContents", "hasCardArt", "color", "symbolImg", "isStriped", "hasNumberParam",
        "foundrySystem", "foundryFlags", "foundryEffects", "foundryAdvancement", "foundryActivities", "foundryImg",
        "foundryType", "foundryTokenScale", "foundryTokenSize", "foundryTokenSubjectScale",
        # of parts of a value
        "source", "classSource", "subclassSource", "groupSource", "baseSource", "definedInSource", "hidden", "visible",
        "visibleStats", "visibleList", "entrySummary", "preserve",
    }
)  # fmt: skip
ALIGNMENT = {
    "L": "lawful", "NX": "neutral", "NY": "neutral", "N": "neutral", "C": "chaotic", "G": "good", "E": "evil",
    "U": "unaligned", "A": "any alignment",
}  # fmt: skip
# The fields that name a part of a value, whatever else it has.
_NAME_FIELDS = ("name", "displayName", "full", "proficiency", "item", "uid", "special", "label", "className",
                "groupName")  # fmt: skip
_VARIABLE = re.compile(r"<\$(\w+)\$>")


class EntryPrinter(Printer):
    """Prints the values of this format: entries as Markdown, references and codes of abilities as names."""

    def __call__(self, value: object, depth: int = 0) -> str:
        """Return a value as text; empty for nothing."""
        if not isinstance(value, Mapping):
            return super().__call__(value, depth)
        if is_entry(value):
            return markdown(value)
        if value.keys() == {"choose"}:
            choices = objects(value["choose"]) or [value["choose"]]  # several objects are several choices
            return "; ".join(self._choice(choice, depth + 1) for choice in choices)
        if value and all(isinstance(part, bool) for part in value.values()):
            return ", ".join(_option(name) for name, part in value.items() if part and name not in self.skipped)
        name = next((field for field in _NAME_FIELDS if isinstance(value.get(field), str)), "name")
        rest = dict(value)
        return super().__call__({"name": rest.pop(name, None), **rest}, depth)

    def _choice(self, value: object, depth: int) -> str:
        """``choose 2 from Arcana, History``; a filter of the site, ``level=0|class=Wizard``, in words."""
        spec = dict(as_object(value, "from"))
        spec |= mapping(spec.pop("weighted", None))
        options = [*listed(spec.pop("from", None)), *listed(spec.pop("fromFilter", None))]
        words = (_option(part.replace("|", ", ").replace("=", " ") if "=" in part else part)
                 if isinstance(part, str) else self(part, depth) for part in options)  # fmt: skip
        choice = f"choose {spec.pop('count', 1)}" + phrase(" from {}", ", ".join(filter(None, words)))
        return choice + phrase(" ({})", self(spec, depth))


def _option(name: str) -> str:
    return ABILITIES[name].capitalize() if name in ABILITIES else titled(displayed_reference(name))


def _text(text: str) -> str:
    """A text; a reference such as ``torch|xphb`` as displayed."""
    return markdown(displayed_reference(_VARIABLE.sub(r"\1", text)))


print_value = EntryPrinter(text=_text, skipped=IGNORED_FIELDS)


def item_fields(item: Mapping[str, object]) -> Fields:
    """Return the fields of an item, without those of the format's own machinery."""
    return Fields({name: value for name, value in item.items() if not name.startswith("_")}, print_value)


def plain_texts(value: object) -> list[str]:
    """Return the texts of a list, with tags as words; a single text counts as a list of one."""
    return [plain_text(text) for text in listed(value) if isinstance(text, str)]


def grants(value: object) -> str:
    """Return what an option grants: ``Arcana, choose 2 from History, Nature``, ``Strength +2``, ``any: 2``."""
    texts = []
    for name, amount in (pair for part in listed(value) for pair in as_object(part, "").items()):
        if name in ABILITIES and type(amount) is int:
            texts.append(f"{ability_name(name)} {amount:+d}")
        else:
            texts.append(print_value({name: amount} if name else amount))
    return ", ".join(filter(None, texts))


def ability_name(code: str) -> str:
    """Return the printed name of an ability; any other name as it is."""
    return ABILITIES.get(code, code).capitalize()


def prerequisite_text(value: object) -> str:
    """Return a list of alternative prerequisites: ``level 4, Strength 13 or Dexterity 13``."""
    alternatives = (
        joined(*(_required(name, value) for name, value in as_object(part, "other").items()))
        for part in listed(value)
        if part
    )
    return " or ".join(filter(None, alternatives))


def _required(name: str, value: object) -> str:
    if name == "ability":
        scores = (pair for part in listed(value) for pair in mapping(part).items())
        return " or ".join(f"{ability_name(code)} {score}" for code, score in scores)
    if name == "level":
        parts = as_object(value, "level")
        classes = (print_value(mapping(parts.get(field)).get("name")) for field in ("class", "subclass"))
        return joined("level", print_value(parts.get("level")), *classes, sep=" ")
    if any(isinstance(part, str) for part in listed(value)):
        return " or ".join(
            print_value(part.partition("#")[0] if isinstance(part, str) else part) for part in listed(value)
        )
    return print_value({name: value})


def additional_spells(fields: Fields) -> tuple[Section, ...]:
    """Return the spells of an option, by how they are gained and from which level."""
    specs = (dict(as_object(value, "spells")) for value in listed(fields.take("additionalSpells")))
    named = ((str(spec.pop("name", None) or "Spells"), print_value(spec)) for spec in specs)
    return tuple(Section(name=name, text=text) for name, text in named if text)


# Arrays without content: settings of the site, and data for other programs.
NOT_CONTENT = frozenset({"$schema", "_meta", "siteVersion", "blocklist", "_test", "linkedLootTables"})
Item: TypeAlias = "dict[str, object]"
Lists: TypeAlias = "Mapping[str, Sequence[Item]]"
Key: TypeAlias = "tuple[str, ...]"
# The sections of features: the fields that identify one, and the places of their values in a reference to it.
_REFERENCE_PARTS: Mapping[str, tuple[tuple[str, int], ...]] = {
    "classFeature": (("name", 0), ("className", 1), ("level", 3)),
    "subclassFeature": (("name", 0), ("className", 1), ("subclassShortName", 3), ("level", 5)),
}
PART_SECTIONS = frozenset({*_REFERENCE_PARTS, "legendaryGroup", "itemProperty", "itemType"})


def is_dependent(section: str) -> bool:
    """Whether the items of a section may be part of others' records."""
    return section in PART_SECTIONS or section == "itemEntry" or section.endswith("Fluff")


def lists_of(data: JsonObject) -> dict[str, list[Item]]:
    """Return the objects of every list of a file."""
    return {
        section: [item for item in values if isinstance(item, dict)]
        for section, values in data.items()
        if isinstance(values, list) and section not in NOT_CONTENT
    }


def code(value: object) -> str:
    """Return a code without its source: ``M`` for ``M|XPHB``."""
    return str(value).partition("|")[0].strip() if value is not None else ""


def identity(item: JsonObject) -> Key:
    """Return the name and source in lower case, the identity of an item in this format."""
    return str(item.get("name")).lower(), str(item.get("source")).lower()


def feature_reference(value: object, section: str) -> tuple[str, Key, str]:
    """Return the name, the identity and the source of the feature that a value refers to.

    The value is ``Ki|Monk||2``, or an object with it. The source is that of the class or subclass if there is no other.
    """
    reference = value.get(section) if isinstance(value, Mapping) else value
    parts = [*map(str.strip, str(reference).split("|")), *[""] * 8]
    last = _REFERENCE_PARTS[section][-1][1]
    key = tuple(parts[place].lower() for _, place in _REFERENCE_PARTS[section])
    return parts[0], key, parts[last + 1] or parts[last - 1]


def property_name(item: JsonObject) -> str:
    """Return the name of a property or a type of items: its own, that of its entries, or its code."""
    first = next(iter(objects(item.get("entries") or item.get("entriesTemplate"))), {})
    return text_in(item, "name") or text_in(first, "name") or code(item.get("abbreviation"))


class DependentItems:
    """The items of a file that are part of others' records. One that none of these uses gets its own record."""

    def __init__(self, lists: Lists) -> None:
        self._items: dict[tuple[str, Key], list[Item]] = {}
        for section in filter(is_dependent, lists):
            for item in lists[section]:
                self._items.setdefault((section, _key(section, item)), []).append(item)
        self._used: set[int] = set()  # ids of items
        self._pending: set[int] = set()  # those that the record in the making uses

    def find(self, section: str, key: Key, source: str = "", *, name_only: bool = False) -> Item | None:
        """Return the item that another one refers to. It is used, unless it has a text and only its name is shown.

        Of several with one key, return the last of the source; if there is none, the last.
        """
        items = self._items.get((section, key), []) if any(key) else []
        of_source = [item for item in items if str(item.get("source")).lower() == source.lower()]
        if not items:
            return None
        item = (of_source or items)[-1]
        if not name_only or not (item.get("entries") or item.get("entriesTemplate")):
            self._pending.add(id(item))
        return item

    def settle(self, *, has_record: bool) -> None:
        """End the making of a record; without one, what it would have used is not used."""
        if has_record:
            self._used |= self._pending
        self._pending.clear()

    def is_used(self, section: str, item: Item) -> bool:
        """Whether another item's record has all of an item, or of an equal one."""
        same_key = self._items.get((section, _key(section, item)), [])
        return any(id(other) in self._used for other in same_key if other == item)


def _key(section: str, item: Item) -> Key:
    """What others call an item: its code, or its identity."""
    if section in ("itemProperty", "itemType"):
        return (code(item.get("abbreviation")),)
    if section in _REFERENCE_PARTS:
        return tuple(str(item.get(field, "")).lower() for field, _ in _REFERENCE_PARTS[section])
    return identity(item)


class Context:
    """Names of a file's own codes, its dependent items, and the keys of its classes and races."""

    def __init__(self, lists: Lists, meta: JsonObject, key_of: Callable[[str, Item], str]) -> None:
        """Collect the definitions. ``key_of`` gives the key of a section's item."""

        def names(field: str) -> dict[str, str]:
            specs = {code: as_object(spec, "full") for code, spec in mapping(meta.get(field)).items()}
            return {code: str(spec.get("full") or code) for code, spec in specs.items()}

        self.schools = names("spellSchools")
        self.feat_categories = names("featCategories")
        self.feature_types = names("optionalFeatureTypes")
        self.dependents = DependentItems(lists)
        self._keys: dict[tuple[str, Key], str] = {}
        for section in ("class", "race"):
            for item in lists.get(section, []):
                key, (name, source) = key_of(section, item), identity(item)
                self._keys[section, (name, source)] = key
                self._keys.setdefault((section, (name, "")), key)  # a reference may have no source

    def item_type(self, uid: object) -> str:
        """Return the name of a type of items of this file, by its code and source; empty if there is none."""
        type_ = self.dependents.find("itemType", (code(uid),), str(uid).partition("|")[2], name_only=True)
        return str(type_.get("name")) if type_ else ""

    def property_of(self, uid: object) -> tuple[str, str] | None:
        """Return the name and text of a weapon property of this file. Raises ItemError if it is nested too deep."""
        item = self.dependents.find("itemProperty", (code(uid),), str(uid).partition("|")[2])
        if item is None:
            return None
        name, blocks = property_name(item), [*listed(item.get("entries")), *listed(item.get("entriesTemplate"))]
        first = mapping(blocks[0]) if blocks else {}
        if first.get("entries") is not None and first.get("name") in (name, None):
            blocks[:1] = listed(first["entries"])  # without the heading
        return name, markdown(blocks)

    def parent_key(self, section: str, name: str, source: str = "") -> str:
        """Return the key of a class or a race: one of this file, one of the SRD, or a bare name."""
        of_srd = SRD_CLASSES if section == "class" else SRD_RACES
        return self._keys.get((section, (name.lower(), source.lower()))) or parent_key(name, {}, of_srd)


class BookSources:
    """The books of one file, and what its metadata says of them."""

    def __init__(self, meta: JsonObject, name: str) -> None:
        """Collect the sources. ``name`` is the book of items without a source."""
        self.default_name = name or "Unnamed Content"
        self._file_edition = meta.get("edition")
        sources = [mapping(source) for source in listed(meta.get("sources"))]
        self._by_code = {str(source.get("json", "")).lower(): source for source in sources}

    def book_of(self, item: JsonObject) -> str:
        """Return the name of an item's book."""
        source = item.get("source") or mapping(item.get("inherits")).get("source")
        if not isinstance(source, str) or not source.strip():
            return self.default_name
        return " ".join(str(self._by_code.get(source.lower(), {}).get("full") or source).split())

    def edition_of(self, item: JsonObject) -> Edition:
        """Return the edition of an item: its own, else its book's."""
        if item.get("edition") == "one":
            return Edition.E2024
        return self._edition(self._by_code.get(str(item.get("source")).lower(), {}))

    def document(self, key: str, name: str) -> Document:
        """Return the record of a book, with its release date if that is valid."""
        sources = self._by_code.values()
        of_book = (source for source in sources if book_key(str(source.get("full") or source.get("json"))) == key)
        source = next(of_book, {})
        url, license_ = str(source.get("url") or ""), str(source.get("license") or "")
        authors = ", ".join(plain_texts(source.get("authors")))
        book = document(name, (self._edition(source),), author=authors, permalink=url, license=license_)
        with contextlib.suppress(ValidationError):
            return Document.model_validate({**book.model_dump(), "published": source.get("dateReleased")})
        return book

    def _edition(self, source: JsonObject) -> Edition:
        is_2024 = (source.get("edition") or self._file_edition) in ("one", "2024")
        return Edition.E2024 if is_2024 else Edition.E2014
