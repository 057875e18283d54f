"""Results: what each family's search found, merged, ordered, and grouped by entity. The last stage before paging."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from heapq import nlargest, nsmallest

from rapidfuzz import fuzz

from lorekeeper_mcp.answer import Form, ListForm, NameForm, QuestionForm
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Edition, Kind, Source, family_of
from lorekeeper_mcp.query import Query, Sort
from lorekeeper_mcp.search.family_index import GroupKey, Groups
from lorekeeper_mcp.search.names.kind_words import VALUE_KINDS, kind_of
from lorekeeper_mcp.search.names.lexicon import natural_order, new_name
from lorekeeper_mcp.search.names.name_index import NameIndex, match_pattern, similar_names
from lorekeeper_mcp.search.names.part_names import NamedPart
from lorekeeper_mcp.search.question import Question, QuestionNames
from lorekeeper_mcp.search.scoring import MAX_FUZZY_SCORE, MAX_OTHER_SCORE, MIN_NAME_SCORE, QueryWords
from lorekeeper_mcp.store.catalog import Entry, places, sections
from lorekeeper_mcp.text import fold

_NAMED_RANK = 8  # at most, of a record that the question names; more parts would not fit in an answer
# The score of a typing error in a name of eight letters.
_MIN_MISSPELT = MIN_NAME_SCORE + 0.95 * (MAX_FUZZY_SCORE - MIN_NAME_SCORE)
MAX_RELATED = 3  # names after named records
_EXTRA_GROUPS = 8  # groups beyond the page, in case records are removed meanwhile
_SRD_FIRST = {"srd-2024": 0, "srd-2014": 1, "core": 2}
_EDITION_ORDER: Mapping[str, int] = {Edition.E2024: 0, Edition.E2014: 1, Edition.A5E: 2}
_FIRST_NUMBER = re.compile(r"\d+")
# A potion of healing is a magic item in 2014, and adventuring gear in 2024.
_ITEMS = frozenset({Kind.ITEM, Kind.MAGIC_ITEM})
# Parts of other entries, and lists of creatures without a text, rank below other entries of the same name.
_LOWER_KINDS = frozenset({Kind.FEATURE, Kind.ENVIRONMENT})
_GLOSSARY = "rules-glossary"  # the section that explains a term for all subjects


class Relevance(IntEnum):
    """How many records relate to a question: none, a few, or plenty."""

    NONE = 0
    WEAK = 1
    STRONG = 2


@dataclass(frozen=True)
class Matches:
    """What the search of one family found: its matching entries by id, with scores if the question ranks them.

    ``exact`` are the ids that the question names exactly; ``by_key`` if it is their key. ``relevance`` says how much of
    the family has to do with the question, None if nothing was ranked; ``similar_names`` if nothing has.
    ``is_unambiguous`` if a question to several families can only mean this one. ``is_list`` if it consists of filters
    alone; ``sort`` is then the order it asks for. ``is_restricted`` if the question has filters, all of whose matches
    are wanted.
    """

    entries: Mapping[str, Entry] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    exact: frozenset[str] = frozenset()
    by_key: bool = False
    hints: tuple[str, ...] = ()
    relevance: Relevance | None = None
    similar_names: tuple[str, ...] = ()
    is_unambiguous: bool = False
    is_list: bool = False
    sort: Sort | None = None
    is_restricted: bool = False


def match_by_pattern(search: str, names: NameIndex, entries: Mapping[str, Entry]) -> Matches:
    """Return the matches of a pattern, or the nearest names if there are none."""
    if ids := match_pattern(search, entries.values()):
        return Matches({id_: entry for id_, entry in entries.items() if id_ in ids})
    similar = similar_names(search.replace("*", " ").replace("%", " "), names, entries)
    return Matches(relevance=Relevance.NONE, similar_names=tuple({entries[id_].name: None for id_ in similar}))


def match_by_parts(parts: Iterable[NamedPart], entries: Mapping[str, Entry]) -> Matches:
    """Return the holders of the parts that a question names: for each part the shown one first."""
    scores: dict[str, float] = {}
    for number, part in enumerate(parts):
        for place, entry in enumerate(part.holders):
            scores.setdefault(entry.id, MAX_OTHER_SCORE * (1 - number / 100) if place == 0 else 0.5 - place / 10_000)
    scores = {id_: max(0.1, score) for id_, score in scores.items() if id_ in entries}
    return Matches({id_: entries[id_] for id_ in scores}, scores, relevance=Relevance.STRONG)


def match_by_spelling(search: str, names: NameIndex, entries: Mapping[str, Entry]) -> Matches:
    """Return records whose names resemble a question to which nothing is related."""
    shares = {id_: MAX_OTHER_SCORE * share for id_, share in similar_names(search, names, entries).items()}
    relevance = Relevance.WEAK if shares else Relevance.NONE
    return Matches({id_: entries[id_] for id_ in shares}, shares, relevance=relevance)


@dataclass(frozen=True)
class Group:
    """One result: its representative entry, its score if the search ranked, and its other documents and names.

    ``also_in`` has the other documents with the entity, ``variants`` the names of its other variants, ``others`` its
    entries in the SRDs of other editions, newest first.
    """

    entry: Entry
    score: float | None = None
    also_in: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    others: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Ranking:
    """The entities that answer a question, best first; ``total`` is their count, ``exact`` the ids that it names.

    ``parts`` maps an entry to the part of the question that it answers, unless that is the last.
    """

    groups: tuple[Group, ...] = ()
    total: int = 0
    form: Form = field(default_factory=ListForm)
    exact: frozenset[str] = frozenset()
    parts: Mapping[str, int] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    vectors: tuple[Vector, ...] = ()
    words: QueryWords = field(default_factory=QueryWords)

    def part(self, group: Group) -> int:
        """The part of the question that an entity answers."""
        last = len(self.form.parts) - 1 if isinstance(self.form, QuestionForm) else 0
        return self.parts.get(group.entry.id, last)


NOTHING = Ranking()


def rank_matches(
    found: Sequence[Matches], question: Question, names: QuestionNames, requested: Query, grouping: Groups
) -> Ranking:
    """Order and group what was found."""
    if any(matches.by_key for matches in found):
        return _rank_keyed(found)
    relevant = _without_other_families(found)
    exact, parts = _exact_scores(relevant, names), _parts_by_id(names)
    if exact and requested.named_only:
        return _rank_named(relevant, exact, grouping, requested, parts)
    asked = relevant[0].sort if len(relevant) == 1 and not exact else None
    sort = requested.sort or asked
    is_list = not question.has_text or sort is not None or any(matches.is_list for matches in relevant)
    ranked = _scores(relevant, question, names, exact)
    related_only = bool(ranked) and (requested.sort is not None or not is_list) and not requested.is_restricted
    entries = _entries(relevant, grouping, ranked if related_only else None)
    groups, total = _grouped(entries, ranked, grouping, requested, sort, is_list=is_list and question.has_text)
    form: Form = ListForm() if is_list else QuestionForm((*(one.name for one in names.mentions), question.search))
    return Ranking(tuple(groups), total, NameForm(len(exact)) if exact else form, frozenset(exact), parts)


def _rank_keyed(found: Sequence[Matches]) -> Ranking:
    """The records with the key that was asked for."""
    keyed = {id_: matches.entries[id_] for matches in found if matches.by_key for id_ in matches.exact}
    groups, total = group_entries(list(keyed.values()), dict.fromkeys(keyed, 1.0), {})
    return Ranking(tuple(groups), total, NameForm(len(keyed)), frozenset(keyed))


def _grouped(
    entries: Sequence[Entry],
    ranked: Mapping[str, float],
    grouping: Groups,
    requested: Query,
    sort: Sort | None,
    *,
    is_list: bool,
) -> tuple[list[Group], int]:
    """The groups up to the end of the requested page and some more, best first or as sorted, and how many there are."""
    by_document = requested.documents is not None or bool(requested.editions)
    count = requested.offset + requested.limit + _EXTRA_GROUPS
    if sort is None:
        return group_entries(entries, ranked, grouping.keys, count, by_document=by_document, is_list=is_list)
    in_words = requested.sort is None
    return sorted_groups(entries, grouping.keys, sort, count, by_document=by_document, is_asked_in_words=in_words)


def _without_other_families(found: Sequence[Matches]) -> Sequence[Matches]:
    """What was found, without other families if the question consists of filters of some."""
    lists = [matches for matches in found if matches.is_list and matches.is_unambiguous]
    return lists if lists and not any(matches.exact for matches in found) else found


def _parts_by_id(names: QuestionNames) -> dict[str, int]:
    """The index of the name in the question that each record has."""
    if names.has_only_parts:  # so that the holders beside the shown one stand behind all parts
        return {part.shown.id: number for number, part in enumerate(names.parts)}
    return {id_: number for number, mention in enumerate(names.mentions) for id_ in mention.ids}


def _scores(
    found: Sequence[Matches], question: Question, names: QuestionNames, exact: Mapping[str, float]
) -> dict[str, float]:
    """The scores of all records; others rank below exact matches."""
    highest = MAX_FUZZY_SCORE if exact else 1.0
    scores = {id_: min(score, highest) for matches in found for id_, score in matches.scores.items()}
    return {**_with_named(scores, names, found, question), **exact}


def _rank_named(
    found: Sequence[Matches], exact: Mapping[str, float], grouping: Groups, requested: Query, parts: Mapping[str, int]
) -> Ranking:
    """Rank the named records, then a few that share a word with their names, rather of the same books.

    Beside the named ones only records of books that are always stored count, and only their names are compared: so the
    answer is the same however much of Open5e is stored, and whether or not the model is loaded.
    """
    searched = [matches.entries for matches in found if not exact.keys().isdisjoint(matches.entries)]
    entries = [entry for of_family in searched for entry in of_family.values()]
    named = [entry for entry in entries if entry.id in exact]
    books = {entry.document_key for entry in named}
    by_document = requested.documents is not None or bool(requested.editions)
    variants, others = _always_stored(entries, named, grouping)
    if by_document:
        variants = [entry for entry in variants if entry.document_key in books]
    similar = _similar_names(named, others)
    scores = {**{entry.id: score for entry, score in similar.items()}, **exact}
    groups, _ = group_entries([*named, *variants, *similar], scores, grouping.keys, by_document=by_document)
    first = [group for group in groups if (group.score or 0.0) > MAX_FUZZY_SCORE]
    behind = groups[len(first) :]
    related = [group for group in behind if group.entry.document_key in books] or behind[:1]
    ranked = (*first, *related[:MAX_RELATED])
    return Ranking(ranked, len(ranked), NameForm(len(exact)), frozenset(exact), parts)


def _always_stored(
    entries: Iterable[Entry], named: Sequence[Entry], grouping: Groups
) -> tuple[list[Entry], list[Entry]]:
    """The entries beside the named ones that are always stored: those of the named ones' groups, and the others."""
    ids = {entry.id for entry in named}
    keys = {grouping.keys.get(id_, id_) for id_ in ids}
    variants: list[Entry] = []
    others: list[Entry] = []
    for entry in entries:
        if entry.id not in ids and entry.source.is_always_stored:
            (variants if grouping.keys.get(entry.id, entry.id) in keys else others).append(entry)
    return variants, others


def _similar_names(named: Sequence[Entry], others: Iterable[Entry]) -> dict[Entry, float]:
    """The entries that share a word with a named one, with a score by how similar their names are."""
    words = {word for entry in named for word in entry.folded.split() if len(word) > 3}
    sharing = [entry for entry in others if not words.isdisjoint(entry.folded.split())]
    return {
        entry: MAX_FUZZY_SCORE * max(fuzz.ratio(entry.folded, other.folded) for other in named) / 100
        for entry in sharing
    }


def _entries(found: Iterable[Matches], grouping: Groups, related: Mapping[str, float] | None) -> list[Entry]:
    """The matching entries; those of questions without filters only in a group with a ``related`` id."""
    selected: list[Entry] = []
    for matches in found:
        if related is None or matches.is_restricted:
            selected += matches.entries.values()
    others = [matches.entries for matches in found if related is not None and not matches.is_restricted]
    for key in dict.fromkeys(grouping.keys.get(id_, id_) for id_ in related or ()):  # without a loop over all records
        for id_ in grouping.members.get(key, (key,)):
            selected += [entries[id_] for entries in others if id_ in entries]
    return selected


def _with_named(
    ranked: Mapping[str, float], names: QuestionNames, found: Sequence[Matches], question: Question
) -> dict[str, float]:
    """Raise one record per name in the question to near the top, however distant its text is.

    A record whose longer name contains a name of several words does not rank above it, unless the question has all of
    its words: "swallowed by a purple worm" does not ask for Purple Worm Poison.
    """
    if not names.mentions:
        return dict(ranked)
    lowest = nlargest(_NAMED_RANK, ranked.values())[-1:]
    top = [id_ for id_, score in ranked.items() if lowest[0] <= score < MIN_NAME_SCORE]
    folded_names = {id_: matches.entries[id_].folded for matches in found for id_ in top if id_ in matches.entries}
    words = set(fold(question.search).split())
    raised = {}
    for mention in names.mentions:
        best = max(mention.ids & ranked.keys(), key=lambda id_: (ranked[id_], id_), default="")
        longer = [
            id_
            for id_, name in folded_names.items()
            if mention.has_several_words
            and id_ not in mention.ids
            and f" {mention.name} " in f" {name} "
            and not words.issuperset(name.split())
        ]
        if best:
            raised[best] = max(*lowest, *(ranked[id_] for id_ in (best, *longer)))
    return {**ranked, **raised}


def _exact_scores(found: Sequence[Matches], names: QuestionNames) -> dict[str, float]:
    """Scores of the exact matches: one entity, or several in the order of the question.

    A question that lists several may be one misspelt name, too: "food an water".
    """
    exact = {id_: matches.scores[id_] for matches in found for id_ in matches.exact}
    # Other kinds rank above value kinds, such as item categories, with the same name.
    exact = {id_: score for id_, score in exact.items() if kind_of(id_) not in VALUE_KINDS} or exact
    mentioned = {id_ for mention in names.mentions for id_ in mention.ids}
    similar = {id_ for matches in found for id_, score in matches.scores.items() if score >= _MIN_MISSPELT}
    if exact or not names.has_only_names or not similar <= mentioned:
        return exact
    for number, mention in enumerate(names.mentions):
        # A feature only repeats the entry of the same name, if there is one.
        without_features = [id_ for id_ in mention.ids if kind_of(id_) is not Kind.FEATURE] or mention.ids
        exact |= dict.fromkeys(without_features, 1 - number / 10_000)
    return exact


# -- groups


def group_entries(
    entries: Iterable[Entry],
    scores: Mapping[str, float],
    group_keys: Mapping[str, GroupKey],
    count: int | None = None,
    *,
    by_document: bool = False,
    is_list: bool = False,
) -> tuple[list[Group], int]:
    """Return the groups, best first, and their total count.

    Groups without a score come last: among scored ones with a score of 0, the SRDs first; in an ``is_list`` of equal
    matches the SRDs first and mundane equipment before magic items; otherwise by name alone.
    Returns at most ``count`` groups, or all if it is None. An entry without a group key, as one that was stored
    meanwhile, is its own group. With ``by_document``, an entity in two documents is two results; its variants within
    one document are still one.
    """
    members: dict[GroupKey, list[Entry]] = {}
    best: dict[GroupKey, float] = {}
    for entry in entries:
        key = group_keys.get(entry.id, entry.id)
        key = f"{key}\0{entry.document_key}" if by_document else key
        members.setdefault(key, []).append(entry)
        if (score := scores.get(entry.id)) is not None:
            best[key] = max(score, best.get(key, 0.0))
    lowest = min(nlargest(len(members) if count is None else count, best.values()), default=0.0)
    ranked = [_group(members[key], scores, is_list=is_list) for key, score in best.items() if score >= lowest]
    ranked.sort(key=_best_first)
    if count is not None and len(ranked) >= count:
        return ranked[:count], len(members)
    unscored = (of_group for key, of_group in members.items() if key not in best)
    room = len(members) if count is None else count - len(ranked)
    rest = _by_name(unscored, room, is_ranked=bool(scores), is_list=is_list)
    return [*ranked, *rest], len(members)


def _best_first(group: Group) -> tuple[object, ...]:
    """A sort key. On equal scores SRD entries come first, and a spell before features of the same name."""
    entry = group.entry
    official = entry.document_key in _SRD_FIRST
    return -(group.score or 0.0), not official, entry.folded, entry.kind in _LOWER_KINDS, _document_rank(entry)


def _by_name(groups: Iterable[list[Entry]], count: int, *, is_ranked: bool, is_list: bool) -> list[Group]:
    """The first groups by name of those that no signal has scored; in a ranking the SRDs first, with a score of 0."""

    def sort_key(entries: list[Entry]) -> tuple[object, ...]:
        first = entries[0] if len(entries) == 1 else min(entries, key=_document_rank)
        is_later = (is_ranked or is_list) and first.document_key not in _SRD_FIRST
        return is_later, is_list and first.kind is Kind.MAGIC_ITEM, first.folded, _document_rank(first)

    named = [_group(of_group, {}) for of_group in nsmallest(count, groups, key=sort_key)]
    return [replace(group, score=0.0) for group in named] if is_ranked else named


def sorted_groups(
    entries: Sequence[Entry],
    group_keys: Mapping[str, GroupKey],
    sort: Sort,
    count: int,
    *,
    by_document: bool = False,
    is_asked_in_words: bool = False,
) -> tuple[list[Group], int]:
    """Return at most ``count`` groups in a given order, those without a value last, and their total count.

    On equal values the SRDs come first, and the armor before magic items made of it. "The most expensive armor" is one
    that has a price, so magic items, which are valued by rarity, come after it.
    """
    groups, total = group_entries(entries, {}, group_keys, by_document=by_document)  # by name
    if sort.column == "name":
        return (groups[::-1] if sort.is_descending else groups)[:count], total
    values = {group.entry.id: _number(group.entry, sort.column) for group in groups}
    known = [group for group in groups if values[group.entry.id] >= 0]
    unknown = [group for group in groups if values[group.entry.id] < 0]
    known.sort(key=lambda group: (group.entry.document_key not in _SRD_FIRST, group.entry.kind is Kind.MAGIC_ITEM))
    known.sort(key=lambda group: values[group.entry.id], reverse=sort.is_descending)
    if is_asked_in_words and sort.column == "cost":
        known.sort(key=lambda group: group.entry.kind is Kind.MAGIC_ITEM)
    return [*known, *unknown][:count], total


def _number(entry: Entry, column: str) -> float:
    """The value of a numeric column, or the first of a list; below zero if the entry has none."""
    index = places(family_of(entry.kind)).get(column)
    value = "" if index is None else entry.values[index]
    if isinstance(value, int | float):
        return value
    first = _FIRST_NUMBER.search(value)
    return float(first[0]) if first else -1.0


def _document_rank(entry: Entry) -> tuple[int, bool, int, str, bool, str]:
    """A sort key: newest SRD first, homebrew last, then edition and key; a weapon before the item of the same name.

    Within a document, rules outside the glossary come last. The key depends on the record only: one that
    depends on other records would change while Open5e is fetched.
    """
    srd = _SRD_FIRST.get(entry.document_key, 9)
    edition = min((_EDITION_ORDER[edition] for edition in entry.editions), default=0)
    homebrew = entry.source is Source.HOMEBREW
    is_last = entry.kind is Kind.ITEM or (entry.kind is Kind.RULE and _GLOSSARY not in sections(entry))
    return srd, homebrew, edition, entry.document_key, is_last, entry.id


def _group(entries: Sequence[Entry], scores: Mapping[str, float], *, is_list: bool = False) -> Group:
    """A group of one or several entries.

    Its representative is the first document's entry with the best match's name, so that the variant that a question
    names stands for all; in a list of equal matches the first document's entry.
    """
    if len(entries) == 1:
        return Group(entries[0], scores.get(entries[0].id))
    by_rank = sorted(entries, key=_document_rank)
    best = max((scores[entry.id] for entry in entries if entry.id in scores), default=None)
    chosen = by_rank[0]
    if best is not None and not is_list:
        match = next(entry for entry in by_rank if scores.get(entry.id) == best)
        chosen = next(entry for entry in by_rank if entry.folded == match.folded)
    others = dict.fromkeys(entry.document_key for entry in by_rank if entry.document_key != chosen.document_key)
    # The other names as their first document spells them; "Crossbow, light" equals "Light Crossbow".
    names = {natural_order(entry.name): entry.name for entry in reversed(by_rank)}
    names.pop(natural_order(chosen.name), None)
    return Group(chosen, best, tuple(others), tuple(sorted(names.values())), _in_other_editions(chosen, by_rank))


def _in_other_editions(chosen: Entry, by_rank: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entity's entries in the SRDs of other editions. Third-party entries of that name may be other entities."""
    newest: dict[Edition, Entry] = {}
    for entry in by_rank if chosen.document_key in _SRD_FIRST else ():
        same_kind = entry.kind is chosen.kind or {entry.kind, chosen.kind} == _ITEMS
        names = {new_name(Kind.MAGIC_ITEM, natural_order(one.name)) for one in (entry, chosen)}
        is_variant = entry.kind is Kind.MAGIC_ITEM and len(names) > 1
        is_same = entry.document_key in _SRD_FIRST and same_kind and not is_variant
        if is_same and entry.edition not in (None, chosen.edition):
            newest.setdefault(entry.edition, entry)
    return tuple(newest.values())
