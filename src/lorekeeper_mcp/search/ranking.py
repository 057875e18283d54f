"""Groups and orders the outcomes of all families: the last stage before paging."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import compress

from lorekeeper_mcp.answer import Form, ListForm, NameForm, QuestionForm
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.query import Query, Sort
from lorekeeper_mcp.search.grammar import asks_for_things
from lorekeeper_mcp.search.groups import Group, group_entries, sorted_groups
from lorekeeper_mcp.search.intent import kinds_wanted
from lorekeeper_mcp.search.names.group_keys import GroupKey
from lorekeeper_mcp.search.names.kind_words import VALUE_KINDS
from lorekeeper_mcp.search.outcomes import KeyMatch, Outcome, ScoredMatches, UnrankedMatches
from lorekeeper_mcp.search.passage_scores import QueryWords
from lorekeeper_mcp.search.question import Question, QuestionNames
from lorekeeper_mcp.search.ranking_weights import MAX_FUZZY_SCORE, MAX_OTHER_SCORE, MIN_NAME_SCORE
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold

_NAMED_RANK = 8  # at most, of a record that the question names; more parts would not fit in an answer
# The score of a typing error in a name of eight letters.
_MIN_MISSPELT = MIN_NAME_SCORE + 0.95 * (MAX_FUZZY_SCORE - MIN_NAME_SCORE)
_FRONT = 0.6  # unambiguous matches score above it, all others except names below it
_EXTRA_GROUPS = 8  # groups beyond the page, in case records are removed meanwhile


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


def rank_outcomes(
    outcomes: Sequence[Outcome],
    question: Question,
    names: QuestionNames,
    requested: Query,
    group_keys: Mapping[str, GroupKey],
) -> Ranking:
    """Order and group the outcomes. ``group_keys`` maps each id to its group key."""
    key_matches = [entry for outcome in outcomes if isinstance(outcome, KeyMatch) for entry in outcome.entries]
    relevant = _relevant_outcomes(outcomes)
    scored = [outcome for outcome in relevant if isinstance(outcome, ScoredMatches)]
    exact_scores = _exact_scores(scored, key_matches, names)
    exact = frozenset(exact_scores)
    preferred = _preferred_kinds(relevant, question)
    ranked = (
        {} if key_matches else merge_scores(((outcome.scores, outcome.is_unambiguous) for outcome in scored), preferred)
    )
    if exact:  # all other records rank below exact matches
        ranked = {id_: min(score, MAX_FUZZY_SCORE) for id_, score in ranked.items()}
    ranked = _with_named(ranked, names, scored, question) | exact_scores
    sort = requested.sort or (None if exact else _sort_in_question(relevant))
    is_list = not question.has_text or sort is not None or any(outcome.is_list for outcome in scored)
    by_document = requested.documents is not None or bool(requested.editions)
    count = requested.offset + requested.limit + _EXTRA_GROUPS
    if key_matches:
        groups, total = group_entries(key_matches, ranked, None, count, by_document=by_document)
    else:
        related_only = bool(ranked) and (requested.sort is not None or not is_list) and not requested.is_restricted
        entries = _entries(relevant, group_keys, ranked if related_only else None)
        if sort is not None:
            groups, total = sorted_groups(
                entries, group_keys, sort, count, by_document=by_document, is_asked_in_words=requested.sort is None
            )
        else:
            is_equal = is_list and question.has_text
            groups, total = group_entries(entries, ranked, group_keys, count, by_document=by_document, is_list=is_equal)
    parts = {id_: number for number, mention in enumerate(names.mentions) for id_ in mention.ids}
    if names.has_only_parts:  # so that the holders beside the shown one stand behind all parts
        parts = {part.shown.id: number for number, part in enumerate(names.parts)}
    return Ranking(tuple(groups), total, _form(question, names, exact, is_list=is_list), exact, parts)


def _relevant_outcomes(outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """The outcomes to rank: a question that consists of filters of one family does not ask for another family."""
    scored = [outcome for outcome in outcomes if isinstance(outcome, ScoredMatches)]
    lists = [outcome for outcome in scored if outcome.is_list and outcome.is_unambiguous]
    return lists if lists and not any(outcome.exact for outcome in scored) else outcomes


def _sort_in_question(outcomes: Sequence[Outcome]) -> Sort | None:
    """The order that the question asks for, if it is about one family."""
    only = outcomes[0] if len(outcomes) == 1 else None
    return only.sort if isinstance(only, ScoredMatches) else None


def _entries(
    outcomes: Iterable[Outcome], group_keys: Mapping[str, GroupKey], related: Mapping[str, float] | None
) -> list[Entry]:
    """The matching entries; those of questions without filters only in a group with a ``related`` id.

    Without a Python loop, since each question goes through all records.
    """
    matches = [outcome for outcome in outcomes if isinstance(outcome, UnrankedMatches | ScoredMatches)]
    groups = set(map(group_keys.get, related, related)) if related else set()
    selected: list[Entry] = []
    for match in matches:
        entries = match.entries
        if related is None or (isinstance(match, ScoredMatches) and match.is_restricted):
            selected += entries.values()
        else:
            selected += compress(entries.values(), map(groups.__contains__, map(group_keys.get, entries, entries)))
    return selected


def merge_scores(
    parts: Iterable[tuple[Mapping[str, float], bool]], preferred: frozenset[Kind] = frozenset()
) -> dict[str, float]:
    """Merge the scores of several families, each with a flag whether the question can only mean that family.

    "CR 5 undead" asks for creatures, which then rank before other results about undead. So do the ``preferred`` kinds.
    """
    merged: dict[str, float] = {}
    in_front: set[str] = set()
    for scores, is_unambiguous in parts:
        merged |= scores
        if is_unambiguous:
            in_front.update(scores)
        elif preferred:
            in_front.update(id_ for id_ in scores if id_.partition(":")[0] in preferred)
    if not in_front:
        return merged
    return {id_: _shifted(score, in_front=id_ in in_front) for id_, score in merged.items()}


def _shifted(score: float, *, in_front: bool) -> float:
    if score >= MIN_NAME_SCORE:
        return score
    share = score / MAX_OTHER_SCORE
    return _FRONT + (MAX_OTHER_SCORE - _FRONT) * share if in_front else _FRONT * share


def _with_named(
    ranked: Mapping[str, float], names: QuestionNames, scored: Sequence[ScoredMatches], question: Question
) -> dict[str, float]:
    """Raise one record per name in the question to near the top, however distant its text is.

    A record whose longer name contains a name of several words does not rank above it, unless the question has all of
    its words: "swallowed by a purple worm" does not ask for Purple Worm Poison.
    """
    if not names.mentions:
        return dict(ranked)
    lowest = nlargest(_NAMED_RANK, ranked.values())[-1:]
    top = [id_ for id_, score in ranked.items() if lowest[0] <= score < MIN_NAME_SCORE]
    folded_names = {id_: outcome.entries[id_].folded for outcome in scored for id_ in top if id_ in outcome.entries}
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


def _preferred_kinds(outcomes: Sequence[Outcome], question: Question) -> frozenset[Kind]:
    """The kinds that rank before others in a search of several families."""
    several = len(outcomes) > 1 and asks_for_things(question.search)
    return kinds_wanted(question.search) if several else frozenset()


def _exact_scores(
    scored: Iterable[ScoredMatches], key_matches: Iterable[Entry], names: QuestionNames
) -> dict[str, float]:
    """Scores of the exact matches: one entity, or several in the order of the question."""
    exact = {id_: outcome.scores[id_] for outcome in scored for id_ in outcome.exact}
    # A full match ranks above a match without the word for its kind.
    exact = {id_: score for id_, score in exact.items() if score >= max(exact.values())}
    # Other kinds rank above value kinds, such as item categories, with the same name.
    exact = {id_: score for id_, score in exact.items() if id_.partition(":")[0] not in VALUE_KINDS} or exact
    exact |= {entry.id: 1.0 for entry in key_matches}
    if names.has_only_names and not exact and not _is_one_misspelt(scored, names):
        for number, mention in enumerate(names.mentions):
            # A feature only repeats the entry of the same name, if there is one.
            without_features = [id_ for id_ in mention.ids if not id_.startswith(f"{Kind.FEATURE}:")] or mention.ids
            exact |= dict.fromkeys(without_features, 1 - number / 10_000)
    return exact


def _is_one_misspelt(scored: Iterable[ScoredMatches], names: QuestionNames) -> bool:
    """Whether the whole question is a misspelt name: "food an water" does not name two entries."""
    mentioned = frozenset(id_ for mention in names.mentions for id_ in mention.ids)
    similar = (id_ for outcome in scored for id_, score in outcome.scores.items() if score >= _MIN_MISSPELT)
    return any(id_ not in mentioned for id_ in similar)


def _form(question: Question, names: QuestionNames, exact: frozenset[str], *, is_list: bool) -> Form:
    if exact:
        return NameForm(len(exact))
    if is_list:
        return ListForm()
    return QuestionForm((*(mention.name for mention in names.mentions), question.search))
