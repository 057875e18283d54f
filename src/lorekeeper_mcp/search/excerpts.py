"""Choice of the passages to print within a budget of characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.answer import Hit, ScoredPassage
from lorekeeper_mcp.passages import Passage, PassageKind, joined

_SHORT = 700  # characters of a record that is printed whole where its best passage is
_RANK = 0.014  # what each place further down costs a passage
_HEADER = 60  # characters around the passages of one result: its name, its headings, its source
_FEWEST = 0.5  # of the best passage's score: less has too little to do with the question to be printed


@dataclass(frozen=True)
class Excerpt:
    """What is printed of one result: passages in the order of the book, ``whole`` where they are all that it has."""

    hit: Hit
    passages: tuple[Passage, ...]
    whole: bool


@dataclass(frozen=True)
class _Choice:
    """Passages of one hit that are taken together, their size, and what speaks for them."""

    place: int
    passages: tuple[Passage, ...]
    worth: float


def choose_passages(hits: Sequence[Hit], budget: int) -> tuple[Excerpt, ...]:
    """For each hit the passages to print; best evidence first, the parts of a question by turns, while they fit.

    A hit without evidence, or for whose evidence there is no room, has none. A record that is short is taken whole.
    """
    whole = [tuple(sorted((one.passage for one in hit.passages), key=_place)) for hit in hits]
    taken: dict[int, dict[int, Passage]] = {}
    left = budget
    for choice in _by_turns(hits, whole):
        chosen = taken.get(choice.place, {})
        new = {passage.place: passage for passage in choice.passages if passage.place not in chosen}
        cost = _size(tuple((chosen | new).values())) - _size(tuple(chosen.values())) + (0 if chosen else _HEADER)
        if new and cost <= left:
            taken[choice.place] = chosen | new
            left -= cost
    return tuple(_excerpt(hit, taken.get(place, {}), whole[place]) for place, hit in enumerate(hits))


def _place(passage: Passage) -> int:
    return passage.place


def _size(passages: tuple[Passage, ...]) -> int:
    ordered = sorted(passages, key=_place)
    headings = {passage.heading for passage in passages}
    return len(joined(ordered)) + sum(len(" › ".join(heading)) + 8 for heading in headings)


def _excerpt(hit: Hit, chosen: dict[int, Passage], whole: Sequence[Passage]) -> Excerpt:
    passages = tuple(chosen[place] for place in sorted(chosen))
    return Excerpt(hit, passages, bool(passages) and len(passages) == len(whole))


def _by_turns(hits: Sequence[Hit], whole: Sequence[tuple[Passage, ...]]) -> Iterator[_Choice]:
    """Choices by worth, one of each part of the question after the other."""
    by_part: dict[int, list[_Choice]] = {}
    for place, hit in enumerate(hits):
        by_part.setdefault(hit.part, []).extend(_choices(place, hit, whole[place]))
    queues = []
    for _, choices in sorted(by_part.items()):
        best = max((choice.worth for choice in choices), default=0.0)
        worthy = [choice for choice in choices if choice.worth >= _FEWEST * best]
        queues.append(sorted(worthy, key=lambda choice: (-choice.worth, choice.place)))
    for turn in range(max(map(len, queues), default=0)):
        yield from (queue[turn] for queue in queues if turn < len(queue))


def _choices(place: int, hit: Hit, whole: tuple[Passage, ...]) -> Iterator[_Choice]:
    short = _size(whole) <= _SHORT
    for number, (score, passages) in enumerate(_equal_rows_together(hit.passages)):
        worth = score - _RANK * place
        if short:
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
