"""Grouping and order of what the families have for a question: the last stage before a page is cut."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import compress

from lorekeeper_mcp.answer import Form, ListForm, NameForm, QuestionForm
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.query import Query
from lorekeeper_mcp.search.groups import Group, GroupKey, grouped, sorted_groups
from lorekeeper_mcp.search.names.kind_words import VALUES
from lorekeeper_mcp.search.outcomes import KeyMatch, Listed, Outcome, Scored
from lorekeeper_mcp.search.parser.query_parser import asks_for_things
from lorekeeper_mcp.search.passage_scores import AskedWords
from lorekeeper_mcp.search.question import Named, Question
from lorekeeper_mcp.search.ranking_weights import CLOSE_TO, NAMED_FROM
from lorekeeper_mcp.search.score_merge import kinds_wanted, merge_scores
from lorekeeper_mcp.store.memory.catalog import Entry

_NAMED_AMONG = 8  # records: the parts of an answer share its space, and the last of them still has some
_MISSPELT = NAMED_FROM + 0.95 * (CLOSE_TO - NAMED_FROM)  # of what a typing error in a name of eight letters is near to
_SPARE = 8  # groups beyond the page, for records that are removed while it is put together


@dataclass(frozen=True)
class Ranking:
    """The entities that answer a question, best first, of which ``total`` there are; ``exact`` are the ids it names.

    ``parts`` says for which part of a question an entry is, where it is not for the last.
    """

    groups: tuple[Group, ...] = ()
    total: int = 0
    form: Form = field(default_factory=ListForm)
    exact: frozenset[str] = frozenset()
    parts: Mapping[str, int] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    vectors: tuple[Vector, ...] = ()
    words: AskedWords = field(default_factory=AskedWords)

    def part(self, group: Group) -> int:
        """The part of the question that an entity is for."""
        last = len(self.form.parts) - 1 if isinstance(self.form, QuestionForm) else 0
        return self.parts.get(group.entry.id, last)


NOTHING = Ranking()


def rank_outcomes(
    outcomes: Sequence[Outcome], question: Question, named: Named, asked: Query, same: Mapping[str, GroupKey]
) -> Ranking:
    """Order and group what the families have. ``same`` says of each id what it is one result with."""
    scored = [one for one in outcomes if isinstance(one, Scored)]
    keyed = [entry for one in outcomes if isinstance(one, KeyMatch) for entry in one.entries]
    # A question that is a filter on one family and on no other asks for nothing else.
    if (lists := [one for one in scored if one.is_list and one.unambiguous]) and not any(one.exact for one in scored):
        outcomes = scored = lists
    matched = [one.entries for one in outcomes if isinstance(one, Listed | Scored)]
    exact = _exact(scored, keyed, named)
    ranked = (
        {} if keyed else merge_scores(((one.scores, one.unambiguous) for one in scored), _wanted(outcomes, question))
    )
    if exact:  # what gives way to them stands behind them
        ranked = {id_: min(score, CLOSE_TO) for id_, score in ranked.items()}
    ranked = _with_named(ranked, named) | exact
    by_document = asked.documents is not None or asked.edition is not None
    sort = asked.sort or (scored[0].sort if len(outcomes) == len(scored) == 1 and not exact else None)
    is_list = not question.ranks or sort is not None or any(one.is_list for one in scored)
    if keyed:
        entries = keyed
    elif ranked and (asked.sort is not None or not is_list) and not asked.restricted:
        things = set(map(same.get, ranked, ranked))
        entries = [entry for of_family in matched for entry in _one_with(things, of_family, same)]
    else:
        entries = [entry for of_family in matched for entry in of_family.values()]
    first = asked.offset + asked.limit + _SPARE
    if sort is not None and not keyed:
        groups, total = sorted_groups(entries, same, sort, first, by_document=by_document)
    else:
        groups, total = grouped(entries, ranked, None if keyed else same, first, by_document=by_document)
    form = _form(question, named, frozenset(exact), is_list=is_list)
    parts = {id_: number for number, one in enumerate(named.mentions) for id_ in one.ids}
    return Ranking(tuple(groups), total, form, frozenset(exact), parts)


def _with_named(ranked: Mapping[str, float], named: Named) -> dict[str, float]:
    """The scores, with one record of each name in the question among the first, however far its text is from it."""
    highest = nlargest(_NAMED_AMONG, ranked.values())
    best = (max(one.ids & ranked.keys(), key=lambda id_: (ranked[id_], id_), default="") for one in named.mentions)
    return {**ranked, **{id_: max(ranked[id_], highest[-1]) for id_ in best if id_}}


def _wanted(outcomes: Sequence[Outcome], question: Question) -> frozenset[Kind]:
    """The kinds that stand before others, where several families are asked."""
    several = len(outcomes) > 1 and asks_for_things(question.search)
    return kinds_wanted(question.search) if several else frozenset()


def _one_with(
    things: Container[GroupKey], entries: Mapping[str, Entry], same: Mapping[str, GroupKey]
) -> Iterator[Entry]:
    """The entries that are some things. No loop in Python: each question goes through all records."""
    return compress(entries.values(), map(things.__contains__, map(same.get, entries, entries)))


def _exact(scored: Iterable[Scored], keyed: Iterable[Entry], named: Named) -> dict[str, float]:
    """Scores of what the question names outright: one thing, or several, in its order."""
    found = {id_: one.scores[id_] for one in scored for id_ in one.exact}
    # What is named outright goes before what is named without the word for its kind.
    found = {id_: score for id_, score in found.items() if score >= max(found.values())}
    # What only says what others are, such as a category of items, gives way to what else is called so.
    found = {id_: score for id_, score in found.items() if id_.partition(":")[0] not in VALUES} or found
    found |= {entry.id: 1.0 for entry in keyed}
    if named.names_only and not found and not _is_one_misspelt(scored, named):
        for number, one in enumerate(named.mentions):
            # A feature repeats what an entry of its own says, if there is one.
            own = [id_ for id_ in one.ids if not id_.startswith(f"{Kind.FEATURE}:")] or one.ids
            found |= dict.fromkeys(own, 1 - number / 10_000)
    return found


def _is_one_misspelt(scored: Iterable[Scored], named: Named) -> bool:
    """Whether the whole question is nearly the name of something else: "food an water" names no two things."""
    mentioned = frozenset(id_ for one in named.mentions for id_ in one.ids)
    near = (id_ for one in scored for id_, score in one.scores.items() if score >= _MISSPELT)
    return any(id_ not in mentioned for id_ in near)


def _form(question: Question, named: Named, exact: frozenset[str], *, is_list: bool) -> Form:
    if exact:
        return NameForm(len(exact))
    if is_list:
        return ListForm()
    return QuestionForm((*(one.name for one in named.mentions), question.search))
