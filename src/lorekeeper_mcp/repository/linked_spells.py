"""Links between spells and the creatures, items and character options that grant them.

Each record's row has the slugs of the spells it may grant (``filters/granted_spells.py``); here they are compared with
the stored spells. Scanning ten thousand entries takes a few milliseconds, so nothing is cached. Spells of third-party
and imported books do not name the subclasses on whose lists they are, so those are read from the subclasses' texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from lorekeeper_mcp.answer import Link, SpellLinks
from lorekeeper_mcp.filters import FILTERS, ActiveFilter, Column, Scalar, columns
from lorekeeper_mcp.filters.argument_types import class_key
from lorekeeper_mcp.filters.creatures import CASTS
from lorekeeper_mcp.filters.granted_spells import spells_on_list
from lorekeeper_mcp.filters.record_filter import NO_MEMBERS
from lorekeeper_mcp.filters.spells import CLASSES, is_of_class
from lorekeeper_mcp.models import FAMILIES, CharacterClass, Edition, Family, Kind, Record, Spell, family_of
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.search.grammar import is_of_another
from lorekeeper_mcp.search.names.lexicon import book_name, other_names
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry, places
from lorekeeper_mcp.text import fold, slugify

_GRANTING_FAMILIES = (Family.CREATURES, Family.EQUIPMENT, Family.OPTIONS)
_KINDS_WITH_LISTS = (Kind.CLASS, Kind.SUBCLASS)  # kinds with spell lists
_SPELL_KINDS = frozenset({Kind.SPELL})
_SPELLS = re.compile(r" (?:spells?|cantrips?) ")
_GRANTING_KINDS = frozenset(kind for family in _GRANTING_FAMILIES for kind in FAMILIES[family])


@dataclass(frozen=True)
class LinkScope:
    """The entries that links may lead to: those of some families, documents and one edition.

    With ``always_stored_only`` they are in the SRDs or an imported book.
    """

    entries: Callable[[Family], Mapping[str, Entry]]
    documents: frozenset[str] | None = None
    edition: Edition | None = None
    always_stored_only: bool = False

    def select(self, family: Family, is_match: Callable[[Entry], bool]) -> Iterator[Entry]:
        """The matching entries of a family within the scope."""
        return (entry for entry in self.entries(family).values() if is_match(entry) and self._contains(entry))

    def _contains(self, entry: Entry) -> bool:
        if self.documents is not None and entry.document_key not in self.documents:
            return False
        if self.always_stored_only and not entry.source.is_always_stored:
            return False
        return self.edition is None or not entry.editions or self.edition in entry.editions


def with_spell_names(query: FamilyQuery, cache: Cache) -> FamilyQuery:
    """Extend the ``casts`` filter with the other slugs that creatures have for these spells."""
    stored = cache.catalog.column_values(query.family, CASTS.name) if query.family is Family.CREATURES else frozenset()
    filters = list(query.filters)
    for index, active in enumerate(filters):
        if CASTS in active.filter.columns:
            slugs = dict.fromkeys(slug for value in active.values for slug in _slugs(str(value), stored))
            filters[index] = replace(active, value=tuple(slugs))
    return replace(query, filters=tuple(filters))


def _slugs(slug: str, stored: Container[str]) -> Sequence[str]:
    """The stored slugs of a spell: its own, the one without an inventor's name, and the one of the other edition."""
    name = book_name(fold(slug))
    names = (name, *(other for book in SRD_ORDER for other in other_names(Kind.SPELL, name, book)))
    return [form for form in dict.fromkeys((slug, *map(slugify, names))) if form in stored] or [slug]


def linked_kinds(kind: Kind) -> frozenset[Kind]:
    """The kinds that entries of a kind link to; empty if there are none."""
    if kind is Kind.SPELL:
        return _GRANTING_KINDS
    return _SPELL_KINDS if kind in _GRANTING_KINDS else frozenset()


def spell_links(records: Sequence[Record], scope: LinkScope) -> SpellLinks:
    """The links of an entity, given its record in each edition."""
    first = records[0]
    spells = [record for record in records if isinstance(record, Spell)]
    if spells:
        return SpellLinks(given_by=_grantors(spells, scope))
    if first.kind is Kind.CLASS:
        return SpellLinks(list_size=len(_spell_list(first, scope)))
    if linked_kinds(first.kind):
        return SpellLinks(spells=_spells_of(first, scope))
    return SpellLinks()


def _grantors(spells: Sequence[Spell], scope: LinkScope) -> tuple[Link, ...]:
    names = {fold(spell.name) for spell in spells}
    names |= {other for spell in spells for other in other_names(Kind.SPELL, fold(spell.name), spell.document_key)}
    slugs = {slugify(spell.name) for spell in spells} | {slugify(name) for name in names}
    class_keys = {ref.key for spell in spells for ref in (*spell.classes, *spell.subclasses)}
    grantors = {
        entry.id: entry
        for family in _GRANTING_FAMILIES
        for entry in scope.select(family, _has_any(family, CASTS, slugs))
    }
    listing = scope.select(Family.OPTIONS, lambda entry: entry.kind in _KINDS_WITH_LISTS and entry.key in class_keys)
    grantors |= {entry.id: entry for entry in listing}
    return _links(grantors.values(), spells[0].editions)


def _spells_of(record: Record, scope: LinkScope) -> tuple[Link, ...]:
    column = next(column for column in columns(family_of(record.kind)) if column.name == CASTS.name)
    nearest = nearest_spells(record, cast(Iterable[str], column.read(record)), scope)
    listed = _spell_list(record, scope) if record.kind in _KINDS_WITH_LISTS else []
    spells = {entry.id: entry for entry in (*nearest, *listed)}
    return tuple(Link(entry.kind, entry.key, entry.name, entry.document_key) for entry in spells.values())


def _spell_list(record: Record, scope: LinkScope) -> list[Entry]:
    """The spells that name a class or subclass."""
    return list(scope.select(Family.SPELLS, _has_any(Family.SPELLS, CLASSES, [record.key])))


def nearest_spells(record: Record, slugs: Iterable[str], scope: LinkScope) -> list[Entry]:
    """The spells with these slugs; if several have one name, the one of the record's book, or of its edition."""
    entries: dict[str, list[Entry]] = {slug.replace("-", ""): [] for slug in slugs}  # by name, in order
    if entries:
        for entry in scope.select(Family.SPELLS, lambda entry: entry.folded.replace(" ", "") in entries):
            entries[entry.folded.replace(" ", "")].append(entry)

    def distance(entry: Entry) -> tuple[bool, bool, int, str]:
        """A sort key: how far a spell's book is from the record's."""
        other_rules = not set(entry.editions) & set(record.editions)
        return entry.document_key != record.document_key, other_rules, SRD_ORDER.get(entry.document_key, 2), entry.key

    return [min(of_name, key=distance) for of_name in entries.values() if of_name]


def _has_any(family: Family, column: Column, values: Iterable[str]) -> Callable[[Entry], bool]:
    """Return a test that an entry's list contains one of some values."""
    index = places(family)[column.name]
    packed = [f"|{value.replace('_', '~')}|" for value in values]

    def has(entry: Entry) -> bool:
        packed_values = str(entry.values[index])
        return packed_values != NO_MEMBERS and any(value in packed_values for value in packed)

    return has


def _links(entries: Iterable[Entry], editions: Collection[Edition]) -> tuple[Link, ...]:
    """One link for each kind and name, to the entry of these editions, and of those to the newest SRD's."""
    groups: dict[tuple[Kind, str], list[Entry]] = {}

    def distance(entry: Entry) -> tuple[bool, int, str, str]:
        return set(editions).isdisjoint(entry.editions), SRD_ORDER.get(entry.document_key, 2), entry.folded, entry.key

    for entry in sorted(entries, key=distance):
        groups.setdefault((entry.kind, entry.folded), []).append(entry)
    links = []
    for first, *others in groups.values():
        books = dict.fromkeys(entry.document_key for entry in others if entry.document_key != first.document_key)
        links.append(Link(first.kind, first.key, first.name, first.document_key, tuple(books)))
    return tuple(links)


# --- The lists of subclasses ---


def asks_for_list(query: FamilyQuery) -> bool:
    """Whether a query asks for the spells of a possible subclass."""
    return any(not is_of_class(value) for active in query.filters for value in _class_values(active))


async def with_mentioned_subclass(query: FamilyQuery, cache: Cache) -> FamilyQuery:
    """Add the subclass that the query's text names, if it has a list: "wind domain spells" of 3rd level.

    A name of one word must come right before "spells"; if there are several names, the longest one is used.
    """
    is_open = query.family is Family.SPELLS and not any(_class_values(active) for active in query.filters)
    text = f" {fold(query.search)} "
    if not is_open or not _SPELLS.search(text):
        return query
    names = {entry.folded for entry in cache.catalog.among(Family.OPTIONS, frozenset({Kind.SUBCLASS}))}
    mentioned = [name for name in names if _mentions(text, name)]
    if not mentioned:
        return query
    row = next(row for row in FILTERS[Family.SPELLS] if CLASSES in row.columns)
    key = class_key(max(mentioned, key=len))
    extended = replace(query, filters=(*query.filters, ActiveFilter(row, key)))
    has_list = key in cache.catalog.column_values(Family.SPELLS, CLASSES.name)
    return extended if has_list or (await with_subclass_lists(extended, cache)).filters[-1].ids else query


def _mentions(text: str, name: str) -> bool:
    """Whether a text, between blanks, asks for the spells of a subclass with a name."""
    starts = (text.find(f" {name} {suffix}") for suffix in (("",) if " " in name else ("spell ", "spells ")))
    return any(start >= 0 and not is_of_another(text[:start], Family.SPELLS) for start in starts)


async def with_subclass_lists(query: FamilyQuery, cache: Cache) -> FamilyQuery:
    """Extend each ``class_key`` of a subclass with the ids of the spells on the list in its text.

    If several spells have one name, the one of the subclass's book, or of its edition, is meant. Subclasses that their
    spells name need no extension.
    """
    if not asks_for_list(query):
        return query
    keys_in_spells = cache.catalog.column_values(Family.SPELLS, CLASSES.name)
    values = [value for active in query.filters for value in _class_values(active)]
    subclasses = [
        entry
        for entry in cache.catalog.among(Family.OPTIONS, frozenset({Kind.SUBCLASS}))
        if entry.key not in keys_in_spells and any(_is_called(entry, value) for value in values)
    ]
    scope = LinkScope(cache.catalog.of, query.documents, query.edition)
    lists = {
        record.key: tuple(entry.id for entry in nearest_spells(record, spells_on_list(record), scope))
        for record in (await cache.records(subclasses)).values()
        if isinstance(record, CharacterClass)
    }
    return replace(query, filters=tuple(_with_ids(active, subclasses, lists) for active in query.filters))


def _class_values(active: ActiveFilter) -> tuple[Scalar, ...]:
    return active.values if CLASSES in active.filter.columns else ()


def _is_called(entry: Entry, value: Scalar) -> bool:
    """Whether a ``class_key`` names a subclass by its key, the end of the key, or its name."""
    return value in (entry.key, entry.key.rpartition("_")[2], class_key(entry.name))


def _with_ids(active: ActiveFilter, subclasses: list[Entry], lists: Mapping[str, tuple[str, ...]]) -> ActiveFilter:
    values = _class_values(active)
    keys = [entry.key for entry in subclasses if any(_is_called(entry, value) for value in values)]
    return replace(active, ids=tuple(dict.fromkeys(id_ for key in keys for id_ in lists.get(key, ()))))
