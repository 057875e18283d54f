"""Merges, orders and groups what each family's search found: the last stage before paging."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import nlargest

from lorekeeper_mcp.answer import Form, ListForm, NameForm, QuestionForm
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.query import Query, Sort
from lorekeeper_mcp.search.family_index import Groups
from lorekeeper_mcp.search.groups import Group, group_entries, sorted_groups
from lorekeeper_mcp.search.names.kind_words import VALUE_KINDS
from lorekeeper_mcp.search.names.name_index import NameIndex, match_pattern, similar_names
from lorekeeper_mcp.search.names.part_names import NamedPart
from lorekeeper_mcp.search.passage_scores import QueryWords
from lorekeeper_mcp.search.question import Question, QuestionNames
from lorekeeper_mcp.search.scoring import MAX_FUZZY_SCORE, MAX_OTHER_SCORE, MIN_NAME_SCORE
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold

_NAMED_RANK = 8  # at most, of a record that the question names; more parts would not fit in an answer
# The score of a typing error in a name of eight letters.
_MIN_MISSPELT = MIN_NAME_SCORE + 0.95 * (MAX_FUZZY_SCORE - MIN_NAME_SCORE)
_EXTRA_GROUPS = 8  # groups beyond the page, in case records are removed meanwhile


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
        return _keyed(found)
    relevant = _relevant(found)
    exact = _exact_scores(relevant, names)
    # All other records rank below exact matches.
    highest = MAX_FUZZY_SCORE if exact else 1.0
    scores = {id_: min(score, highest) for matches in relevant for id_, score in matches.scores.items()}
    ranked = {**_with_named(scores, names, relevant, question), **exact}
    sort = requested.sort or (None if exact else _sort_asked(relevant))
    is_list = not question.has_text or sort is not None or any(matches.is_list for matches in relevant)
    related_only = bool(ranked) and (requested.sort is not None or not is_list) and not requested.is_restricted
    entries = _entries(relevant, grouping, ranked if related_only else None)
    by_document = requested.documents is not None or bool(requested.editions)
    count = requested.offset + requested.limit + _EXTRA_GROUPS
    if sort is None:
        is_equal = is_list and question.has_text
        groups, total = group_entries(entries, ranked, grouping.keys, count, by_document=by_document, is_list=is_equal)
    else:
        in_words = requested.sort is None
        groups, total = sorted_groups(
            entries, grouping.keys, sort, count, by_document=by_document, is_asked_in_words=in_words
        )
    form = _form(question, names, len(exact), is_list=is_list)
    return Ranking(tuple(groups), total, form, frozenset(exact), _parts(names))


def _sort_asked(found: Sequence[Matches]) -> Sort | None:
    """The order that a question to one family asks for."""
    return found[0].sort if len(found) == 1 else None


def _form(question: Question, names: QuestionNames, exact: int, *, is_list: bool) -> Form:
    if exact:
        return NameForm(exact)
    return ListForm() if is_list else QuestionForm((*(one.name for one in names.mentions), question.search))


def _keyed(found: Sequence[Matches]) -> Ranking:
    keyed = {id_: matches.entries[id_] for matches in found if matches.by_key for id_ in matches.exact}
    groups, total = group_entries(list(keyed.values()), dict.fromkeys(keyed, 1.0), {})
    return Ranking(tuple(groups), total, NameForm(len(keyed)), frozenset(keyed))


def _relevant(found: Sequence[Matches]) -> Sequence[Matches]:
    """What to rank: a question that consists of filters of one family does not ask for another family."""
    lists = [matches for matches in found if matches.is_list and matches.is_unambiguous]
    return lists if lists and not any(matches.exact for matches in found) else found


def _parts(names: QuestionNames) -> dict[str, int]:
    """The part of the question that each named record answers."""
    if names.has_only_parts:  # so that the holders beside the shown one stand behind all parts
        return {part.shown.id: number for number, part in enumerate(names.parts)}
    return {id_: number for number, mention in enumerate(names.mentions) for id_ in mention.ids}


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
    """Scores of the exact matches: one entity, or several in the order of the question."""
    exact = {id_: matches.scores[id_] for matches in found for id_ in matches.exact}
    # Other kinds rank above value kinds, such as item categories, with the same name.
    exact = {id_: score for id_, score in exact.items() if id_.partition(":")[0] not in VALUE_KINDS} or exact
    names_all = names.has_only_names and not any(matches.is_list for matches in found)
    return _scores_of_several(found, names) if names_all and not exact else exact


def _scores_of_several(found: Sequence[Matches], names: QuestionNames) -> dict[str, float]:
    """Scores of the entities that a question lists, unless it is one misspelt name: "food an water"."""
    mentioned = frozenset(id_ for mention in names.mentions for id_ in mention.ids)
    similar = {id_ for matches in found for id_, score in matches.scores.items() if score >= _MIN_MISSPELT}
    if not similar <= mentioned:
        return {}
    scores: dict[str, float] = {}
    for number, mention in enumerate(names.mentions):
        # A feature only repeats the entry of the same name, if there is one.
        without_features = [id_ for id_ in mention.ids if not id_.startswith(f"{Kind.FEATURE}:")] or mention.ids
        scores |= dict.fromkeys(without_features, 1 - number / 10_000)
    return scores
