"""Chooses the passages to print within a budget of characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.answer import Hit, ScoredPassage
from lorekeeper_mcp.models import NEWEST_FIRST
from lorekeeper_mcp.passages import Passage, PassageKind, join_passages
from lorekeeper_mcp.text import fold

_SHORT = 700  # characters; a shorter record is printed whole next to its best passage
_SHORT_NAMED = 1_400  # the same for all records that the question names together
_RANK = 0.02  # the penalty per rank of a result
_HEADER = 60  # characters around the passages of one result: name, headings, source
_FEWEST = 0.5  # the minimum share of the best passage's score; below it a passage is too loosely related to print
_OF_ALL = 0.45  # the same against the best score of all parts, for all but the best passage of each named thing
_TITLE = re.compile(r"^[-*•\s]*\*{2,3}_?([^*_\d\n]{2,50}?)[.:]?_?\*{2,3}")  # the title of a list entry
_TITLE_ALONE = re.compile(
    r"\*{2,3}[^*\n]{2,80}\*{2,3}"
)  # a paragraph that is a title: "**Comfortable (2 GP per Day)**"
_ANNOUNCES = re.compile(r"\bfollowing \w+\.$")  # "you experience the following effects."
_MOST_ANNOUNCED = 600  # characters of the passages printed after such a sentence
_LISTED = 3  # titled passages under one heading; from this many on, the question is about the whole list
_MOST_TITLES = 400  # characters for the titles of the list's other entries


@dataclass(frozen=True)
class Excerpt:
    """The printed passages of one result, in book order.

    ``others`` are the titles of the other entries of a list, if the question asked for the list.
    """

    hit: Hit
    passages: tuple[Passage, ...]
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Choice:
    """Passages of one hit that are chosen together, their size and their score."""

    place: int
    passages: tuple[Passage, ...]
    score: float


def choose_passages(hits: Sequence[Hit], budget: int, named: int = 0) -> tuple[Excerpt, ...]:
    """Return the passages to print of each hit: best first, alternating between the question's parts, while they fit.

    The first ``named`` parts are things that the question names; each gets at least its best passage. A hit without
    matching passages, or for which there is no room, gets none. A short record is printed whole.
    """
    passages = [tuple(sorted((scored.passage for scored in hit.passages), key=_place)) for hit in hits]
    taken: dict[int, dict[int, Passage]] = {}
    digests: set[tuple[str, str]] = set()
    room = budget
    for choice in _alternating(hits, passages, named):
        hit, chosen = hits[choice.place], taken.get(choice.place, {})
        # Several records may share one text: a rule set and its first rule, a chapter and its glossary.
        new = {
            passage.index: passage
            for passage in choice.passages
            if passage.index not in chosen and _digest(hit, passage) not in digests
        }
        cost = _size(tuple((chosen | new).values())) - _size(tuple(chosen.values())) + (0 if chosen else _HEADER)
        if cost <= room and not all(_TITLE_ALONE.fullmatch(passage.text) for passage in new.values()):
            taken[choice.place] = chosen | new
            digests.update(_digest(hit, passage) for passage in new.values())
            room -= cost
    return tuple(_excerpt(hit, taken.get(place, {}), passages[place]) for place, hit in enumerate(hits))


def _place(passage: Passage) -> tuple[int, int]:
    """The position in the book; of several editions the newest first."""
    return NEWEST_FIRST.index(passage.edition) if passage.edition else -1, passage.index


def _digest(hit: Hit, passage: Passage) -> tuple[str, str]:
    """A key that is equal for passages with the same text, whatever the record and the heading.

    The same feature of two classes is two facts: both classes have it.
    """
    return hit.record.id if passage.kind is PassageKind.FEATURE else "", fold(passage.markdown)


def _size(passages: tuple[Passage, ...]) -> int:
    ordered = sorted(passages, key=_place)
    headings = {passage.heading for passage in passages}
    return len(join_passages(ordered)) + sum(len(" › ".join(heading)) + 8 for heading in headings)


def _excerpt(hit: Hit, chosen: dict[int, Passage], every: Sequence[Passage]) -> Excerpt:
    passages = tuple(sorted(chosen.values(), key=_place))
    return Excerpt(hit, passages, _other_titles(passages, every))


def _other_titles(chosen: Sequence[Passage], every: Sequence[Passage]) -> tuple[str, ...]:
    """The titles of a list's other entries, if several of its passages are printed."""
    printed = Counter(passage.heading for passage in chosen if _TITLE.match(passage.text))
    places = {passage.index for passage in chosen}
    others = [passage for passage in every if printed[passage.heading] >= _LISTED and passage.index not in places]
    titles = [title[1] for passage in others if (title := _TITLE.match(passage.text))]
    return tuple(titles) if sum(map(len, titles)) <= _MOST_TITLES else ()


def _alternating(hits: Sequence[Hit], passages: Sequence[tuple[Passage, ...]], named: int) -> Iterator[_Choice]:
    """Choices by descending score, alternating between the parts of the question."""
    by_part: dict[int, list[_Choice]] = {}
    for place, hit in enumerate(hits):
        short = max(_SHORT, _SHORT_NAMED // named) if hit.part < named else _SHORT
        by_part.setdefault(hit.part, []).extend(_choices(place, hit, passages[place], short))
    queues = []
    highest = max((choice.score for choices in by_part.values() for choice in choices), default=0.0)
    for part, choices in sorted(by_part.items()):
        best = max((choice.score for choice in choices), default=0.0)
        least = max(_FEWEST * best, _OF_ALL * highest)
        least = min(best, least) if part < named else least
        worthy = [choice for choice in choices if choice.score >= least]
        by_worth = sorted(worthy, key=lambda choice: (-choice.score, choice.place))
        # A page always includes the top result, which may have matched by meaning and share no word with the question.
        first = min(worthy if named else choices, key=lambda choice: (choice.place, -choice.score), default=None)
        queues.append([first, *(choice for choice in by_worth if choice is not first)] if first else [])
    for turn in range(max(map(len, queues), default=0)):
        yield from (queue[turn] for queue in queues if turn < len(queue))


def _choices(place: int, hit: Hit, every: tuple[Passage, ...], short: int) -> Iterator[_Choice]:
    is_short = _size(every) <= short
    for number, (score, passages) in enumerate(_equal_rows_together(hit.passages)):
        worth = score - _RANK * place
        if is_short:
            yield _Choice(place, every, worth)
            return
        yield _Choice(place, _with_title(passages, every), worth - 0.01 * number)


def _with_title(passages: tuple[Passage, ...], every: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages with the title above the first of them, or the text below a title: each says little alone.

    So does a sentence that announces the passages after it.
    """
    first = every.index(passages[0])
    if _TITLE_ALONE.fullmatch(passages[0].text):
        return (*passages, *every[first + 1 : first + 2])
    if _ANNOUNCES.search(passages[0].text):
        return (*passages, *_following(passages[0], every[first + 1 :]))
    if first and _TITLE_ALONE.fullmatch(every[first - 1].text):
        return (every[first - 1], *passages)
    return passages


def _following(announcing: Passage, passages: Iterable[Passage]) -> Iterator[Passage]:
    """The passages that a sentence announces: those of its part of the record, as far as there is room."""
    room = _MOST_ANNOUNCED
    for passage in passages:
        room -= len(passage.markdown)
        if room < 0 or (passage.heading, passage.edition) != (announcing.heading, announcing.edition):
            return
        yield passage


def _equal_rows_together(passages: Sequence[ScoredPassage]) -> Iterator[tuple[float, tuple[Passage, ...]]]:
    """Passages with their scores; table rows with equal scores are joined, since nothing distinguishes them."""
    rows: dict[tuple[tuple[str, ...], str, float], list[Passage]] = {}
    for scored in passages:
        if scored.passage.kind is PassageKind.TABLE_ROW:
            rows.setdefault((scored.passage.heading, scored.passage.head, scored.score), []).append(scored.passage)
    for scored in passages:
        if scored.passage.kind is not PassageKind.TABLE_ROW:
            yield scored.score, (scored.passage,)
        elif together := rows.pop((scored.passage.heading, scored.passage.head, scored.score), None):
            yield scored.score, tuple(together)
