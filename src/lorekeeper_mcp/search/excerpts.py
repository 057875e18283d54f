"""Chooses the passages to print within a budget of characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.answer import Hit, ScoredPassage
from lorekeeper_mcp.models import NEWEST_FIRST, Kind
from lorekeeper_mcp.passages import Passage, PassageKind, join_passages
from lorekeeper_mcp.text import fold

_MAX_SHORT = 700  # characters; a shorter record is printed in full
_MAX_SHORT_NAMED = 1_400  # the same for all records that the question names together
_RANK_PENALTY = 0.02  # per rank of a result
_HEADER = 60  # characters around the passages of one result: name, headings, source
_MIN_SHARE = 0.5  # of the best score of the same part; below it a passage is too loosely related to print
_MIN_SHARE_OF_BEST = 0.45  # of the best score of all parts, except for the best passage of each named entry
_TITLE = re.compile(r"^[-*•\s]*\*{2,3}_?([^*_\d\n]{2,50}?)[.:]?_?\*{2,3}")  # the title of a list entry
_TITLE_ALONE = re.compile(r"\*{2,3}[^*\n]{2,80}\*{2,3}")  # a paragraph: "**Comfortable (2 GP per Day)**"
_ANNOUNCES = re.compile(r"\bfollowing \w+\.$")  # "you experience the following effects."
_MAX_ANNOUNCED = 600  # characters of the passages printed after such a sentence
_MIN_LISTED = 3  # titled passages under one heading; with this many, the question is about the whole list
_MAX_TITLES = 400  # characters for the titles of the list's other entries


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
    """Passages of one hit that are chosen together, and their score."""

    hit_index: int
    passages: tuple[Passage, ...]
    score: float


def choose_passages(hits: Sequence[Hit], budget: int, named: int = 0) -> tuple[Excerpt, ...]:
    """Return the passages to print for each hit, best first, alternating between the question's parts, while they fit.

    The first ``named`` parts are entries that the question names, and each gets at least its best passage. A hit
    gets none if none of its passages matches or fits. A short record is printed in full.
    """
    passages = [tuple(sorted((scored.passage for scored in hit.passages), key=_book_order)) for hit in hits]
    chosen_by_hit: dict[int, dict[int, Passage]] = {}
    digests: set[tuple[str, ...]] = set()
    room = budget
    for choice in _alternate_parts(hits, passages, named):
        hit, chosen = hits[choice.hit_index], chosen_by_hit.get(choice.hit_index, {})
        # Several records may share one text, such as a rule set and its first rule.
        new = {
            passage.index: passage
            for passage in choice.passages
            if passage.index not in chosen and _digest(hit, passage) not in digests
        }
        cost = _size(tuple((chosen | new).values())) - _size(tuple(chosen.values())) + (0 if chosen else _HEADER)
        if cost <= room and not all(_TITLE_ALONE.fullmatch(passage.text) for passage in new.values()):
            chosen_by_hit[choice.hit_index] = chosen | new
            digests.update(_digest(hit, passage) for passage in new.values())
            room -= cost
    return tuple(_excerpt(hit, chosen_by_hit.get(index, {}), passages[index]) for index, hit in enumerate(hits))


def _book_order(passage: Passage) -> tuple[int, int]:
    """A sort key: the position in the book, with the newest edition first."""
    return NEWEST_FIRST.index(passage.edition) if passage.edition else -1, passage.index


def _digest(hit: Hit, passage: Passage) -> tuple[str, ...]:
    """A key that is equal for passages that repeat each other: for rules, those with the same text under any heading.

    A feature of two classes is no repetition: the question may be which classes have it.
    """
    text = fold(passage.markdown)
    if hit.record.kind is Kind.RULE:
        return (text,)
    owner = hit.record.id if passage.kind is PassageKind.FEATURE else ""
    return (owner, *passage.heading, text)


def _size(passages: tuple[Passage, ...]) -> int:
    ordered = sorted(passages, key=_book_order)
    headings = {passage.heading for passage in passages}
    return len(join_passages(ordered)) + sum(len(" › ".join(heading)) + 8 for heading in headings)


def _excerpt(hit: Hit, chosen: dict[int, Passage], all_passages: Sequence[Passage]) -> Excerpt:
    passages = tuple(sorted(chosen.values(), key=_book_order))
    return Excerpt(hit, passages, _other_titles(passages, all_passages))


def _other_titles(chosen: Sequence[Passage], all_passages: Sequence[Passage]) -> tuple[str, ...]:
    """The titles of a list's other entries, if several of its passages are printed."""
    printed = Counter(passage.heading for passage in chosen if _TITLE.match(passage.text))
    others = [passage for passage in all_passages if printed[passage.heading] >= _MIN_LISTED and passage not in chosen]
    titles = [title[1] for passage in others if (title := _TITLE.match(passage.text))]
    return tuple(titles) if sum(map(len, titles)) <= _MAX_TITLES else ()


def _alternate_parts(hits: Sequence[Hit], passages: Sequence[tuple[Passage, ...]], named: int) -> Iterator[_Choice]:
    """Choices by descending score, alternating between the parts of the question."""
    by_part: dict[int, list[_Choice]] = {}
    for hit_index, hit in enumerate(hits):
        short = max(_MAX_SHORT, _MAX_SHORT_NAMED // named) if hit.part < named else _MAX_SHORT
        by_part.setdefault(hit.part, []).extend(_choices(hit_index, hit, passages[hit_index], short))
    queues = []
    highest = max((choice.score for choices in by_part.values() for choice in choices), default=0.0)
    for part, choices in sorted(by_part.items()):
        best = max((choice.score for choice in choices), default=0.0)
        min_score = max(_MIN_SHARE * best, _MIN_SHARE_OF_BEST * highest)
        min_score = min(best, min_score) if part < named else min_score
        good = [choice for choice in choices if choice.score >= min_score]
        best_first = sorted(good, key=lambda choice: (-choice.score, choice.hit_index))
        # A page always includes the top result, which may have matched by meaning and share no word with the question.
        first = min(good if named else choices, key=lambda choice: (choice.hit_index, -choice.score), default=None)
        queues.append([first, *(choice for choice in best_first if choice is not first)] if first else [])
    for turn in range(max(map(len, queues), default=0)):
        yield from (queue[turn] for queue in queues if turn < len(queue))


def _choices(hit_index: int, hit: Hit, all_passages: tuple[Passage, ...], short: int) -> Iterator[_Choice]:
    is_short = _size(all_passages) <= short
    for number, (score, passages) in enumerate(_join_equal_rows(hit.passages)):
        score_by_rank = score - _RANK_PENALTY * hit_index
        if is_short:
            yield _Choice(hit_index, all_passages, score_by_rank)
            return
        yield _Choice(hit_index, _with_title(passages, all_passages), score_by_rank - 0.01 * number)


def _with_title(passages: tuple[Passage, ...], all_passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages with the title above the first of them, or the text below a title, which say little on their own.

    A sentence that announces passages is followed by these.
    """
    first = all_passages.index(passages[0])
    if _TITLE_ALONE.fullmatch(passages[0].text):
        return (*passages, *all_passages[first + 1 : first + 2])
    if _ANNOUNCES.search(passages[0].text):
        return (*passages, *_announced_passages(passages[0], all_passages[first + 1 :]))
    if first and _TITLE_ALONE.fullmatch(all_passages[first - 1].text):
        return (all_passages[first - 1], *passages)
    return passages


def _announced_passages(announcing: Passage, passages: Iterable[Passage]) -> Iterator[Passage]:
    """The passages that a sentence announces: those below the same heading, as far as there is room."""
    room = _MAX_ANNOUNCED
    for passage in passages:
        room -= len(passage.markdown)
        if room < 0 or (passage.heading, passage.edition) != (announcing.heading, announcing.edition):
            return
        yield passage


def _join_equal_rows(passages: Sequence[ScoredPassage]) -> Iterator[tuple[float, tuple[Passage, ...]]]:
    """Passages with their scores. Table rows with equal scores are joined, since nothing distinguishes them."""
    rows: dict[tuple[tuple[str, ...], str, float], list[Passage]] = {}
    for scored in passages:
        if scored.passage.kind is PassageKind.TABLE_ROW:
            rows.setdefault((scored.passage.heading, scored.passage.head, scored.score), []).append(scored.passage)
    for scored in passages:
        if scored.passage.kind is not PassageKind.TABLE_ROW:
            yield scored.score, (scored.passage,)
        elif rows_with_score := rows.pop((scored.passage.heading, scored.passage.head, scored.score), None):
            yield scored.score, tuple(rows_with_score)
