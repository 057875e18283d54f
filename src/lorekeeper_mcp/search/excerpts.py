"""Choice of the passages to print within a budget of characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.answer import Hit, ScoredPassage
from lorekeeper_mcp.models import NEWEST_FIRST
from lorekeeper_mcp.passages import Passage, PassageKind, joined
from lorekeeper_mcp.text import fold

_SHORT = 700  # characters of a record that is printed whole where its best passage is
_SHORT_NAMED = 1_400  # of one that the question names, shared by all that it names
_RANK = 0.02  # what each place further down costs a passage
_HEADER = 60  # characters around the passages of one result: its name, its headings, its source
_FEWEST = 0.5  # of the best passage's score: less has too little to do with the question to be printed
_OF_ALL = 0.45  # of the best score of all parts of the question, beyond the best of each thing that is named
_TITLE = re.compile(r"^[-*•\s]*\*{2,3}_?([^*_\d\n]{2,50}?)[.:]?_?\*{2,3}")  # with which an entry of a list begins
_LISTED = 3  # titled passages under one heading that are printed: then the question is about all of them
_MOST_TITLES = 400  # characters of the titles of those that are not


@dataclass(frozen=True)
class Excerpt:
    """What is printed of one result: passages in the order of the book.

    ``others`` are the titles of what stands in one list with the passages, where the list is what was asked for.
    """

    hit: Hit
    passages: tuple[Passage, ...]
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Choice:
    """Passages of one hit that are taken together, their size, and what speaks for them."""

    place: int
    passages: tuple[Passage, ...]
    worth: float


def choose_passages(hits: Sequence[Hit], budget: int, named: int = 0) -> tuple[Excerpt, ...]:
    """Return the passages to print of each hit: the best first, the parts of a question in turn, while they fit.

    The first ``named`` parts of the question are things that it names; of each at least the best passage is printed.
    A hit without matching passages, or without room for them, has none. A short record is taken whole.
    """
    whole = [tuple(sorted((one.passage for one in hit.passages), key=_place)) for hit in hits]
    taken: dict[int, dict[int, Passage]] = {}
    told: set[tuple[str, ...]] = set()
    left = budget
    for choice in _by_turns(hits, whole, named):
        chosen = taken.get(choice.place, {})
        # Several records may have one text: a rule set and its first rule, a chapter and its glossary.
        new = {one.place: one for one in choice.passages if one.place not in chosen and _digest(one) not in told}
        cost = _size(tuple((chosen | new).values())) - _size(tuple(chosen.values())) + (0 if chosen else _HEADER)
        if new and cost <= left:
            taken[choice.place] = chosen | new
            told.update(map(_digest, new.values()))
            left -= cost
    return tuple(_excerpt(hit, taken.get(place, {}), whole[place]) for place, hit in enumerate(hits))


def _place(passage: Passage) -> tuple[int, int]:
    """The order of the book; the texts of several editions the newest first."""
    return NEWEST_FIRST.index(passage.edition) if passage.edition else -1, passage.place


def _digest(passage: Passage) -> tuple[str, ...]:
    """Equal for what reads the same, whatever the record."""
    return (*passage.heading, fold(passage.markdown))


def _size(passages: tuple[Passage, ...]) -> int:
    ordered = sorted(passages, key=_place)
    headings = {passage.heading for passage in passages}
    return len(joined(ordered)) + sum(len(" › ".join(heading)) + 8 for heading in headings)


def _excerpt(hit: Hit, chosen: dict[int, Passage], whole: Sequence[Passage]) -> Excerpt:
    passages = tuple(sorted(chosen.values(), key=_place))
    return Excerpt(hit, passages, _other_titles(passages, whole))


def _other_titles(chosen: Sequence[Passage], whole: Sequence[Passage]) -> tuple[str, ...]:
    """The titles of the other entries in a list of which several passages are printed."""
    printed = Counter(passage.heading for passage in chosen if _TITLE.match(passage.text))
    known = {passage.place for passage in chosen}
    titles = [
        title[1]
        for passage in whole
        if printed[passage.heading] >= _LISTED and passage.place not in known and (title := _TITLE.match(passage.text))
    ]
    return tuple(titles) if sum(map(len, titles)) <= _MOST_TITLES else ()


def _by_turns(hits: Sequence[Hit], whole: Sequence[tuple[Passage, ...]], named: int) -> Iterator[_Choice]:
    """Choices by worth, one of each part of the question after the other."""
    by_part: dict[int, list[_Choice]] = {}
    for place, hit in enumerate(hits):
        short = max(_SHORT, _SHORT_NAMED // named) if hit.part < named else _SHORT
        by_part.setdefault(hit.part, []).extend(_choices(place, hit, whole[place], short))
    queues = []
    highest = max((choice.worth for choices in by_part.values() for choice in choices), default=0.0)
    for part, choices in sorted(by_part.items()):
        best = max((choice.worth for choice in choices), default=0.0)
        least = max(_FEWEST * best, _OF_ALL * highest)
        least = min(best, least) if part < named else least
        worthy = [choice for choice in choices if choice.worth >= least]
        by_worth = sorted(worthy, key=lambda choice: (-choice.worth, choice.place))
        # A page is never without what is ranked first, which may have been found in other words than those it has.
        first = min(worthy if named else choices, key=lambda choice: (choice.place, -choice.worth), default=None)
        queues.append([first, *(one for one in by_worth if one is not first)] if first else [])
    for turn in range(max(map(len, queues), default=0)):
        yield from (queue[turn] for queue in queues if turn < len(queue))


def _choices(place: int, hit: Hit, whole: tuple[Passage, ...], short: int) -> Iterator[_Choice]:
    is_short = _size(whole) <= short
    for number, (score, passages) in enumerate(_equal_rows_together(hit.passages)):
        worth = score - _RANK * place
        if is_short:
            yield _Choice(place, whole, worth)
            return
        yield _Choice(place, passages, worth - 0.01 * number)


def _equal_rows_together(scored: Sequence[ScoredPassage]) -> Iterator[tuple[float, tuple[Passage, ...]]]:
    """Passages with their scores; rows of one table that fit equally well as one, since nothing tells them apart."""
    rows: dict[tuple[tuple[str, ...], str, float], list[Passage]] = {}
    for one in scored:
        if one.passage.kind is PassageKind.TABLE_ROW:
            rows.setdefault((one.passage.heading, one.passage.head, one.score), []).append(one.passage)
    for one in scored:
        if one.passage.kind is not PassageKind.TABLE_ROW:
            yield one.score, (one.passage,)
        elif together := rows.pop((one.passage.heading, one.passage.head, one.score), None):
            yield one.score, tuple(together)
