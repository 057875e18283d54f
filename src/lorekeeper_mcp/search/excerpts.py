"""Chooses the passages to print within a budget of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.answer import Hit
from lorekeeper_mcp.models import NEWEST_FIRST
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.passages import Passage, join_passages
from lorekeeper_mcp.render.edition_differences import compare_editions, compare_passages
from lorekeeper_mcp.search.scoring import NAMED_PART
from lorekeeper_mcp.text import fold

_MAX_SHORT = 700  # characters; a shorter record is printed in full
_MAX_SHORT_NAMED = 1_800  # the same for all records that the question names together
_NAMED_FIRST = 0.3  # for a part of a record that the question names
_NAMED = 0.05  # for further passages of records that the question names
_MAX_RECORDS = 4  # records with passages, besides those that the question names
_MAX_NOTED = 4  # results that are compared with their other edition
_NOTE = 700  # characters of what the other edition of a record rules otherwise
_NOTE_OF_DECIDING = 1_300  # the same for the first result and for records that the question names, if none is better
_DECIDING_SHARE = 0.8  # of the best score of all parts
_MIN_NOTE = 80  # characters; with fewer, nothing of it would fit
_NOTE_OF_PASSAGES = 450  # the same for some of its passages
_RANK_PENALTY = 0.02  # per rank of a result
_HEADER = 60  # characters around the passages of one result: name, headings, source
_MIN_SHARE = 0.5  # of the best score of the same part; below it a passage is too loosely related to print
_MIN_SHARE_OF_BEST = 0.45  # of the best score of all parts
_MIN_SHARE_OF_NAMED = 0.25  # the same for the best passage of each named entry
_TITLE_ALONE = re.compile(r"\*{2,3}[^*\n]{2,80}\*{2,3}")  # a paragraph: "**Comfortable (2 GP per Day)**"
_NAMES_TABLE = re.compile(r"\b([A-Z][\w']*(?: (?:[A-Z][\w']*|of|and|by|for|the))*) table\b")
_CAPTION = re.compile(r"^\*\*([^*\n]+)\*\*\s*\n+\|", re.MULTILINE)
_MAX_TABLE = 600  # characters of a table that is printed with a passage that names it
_THIRD_PARTY = 0.08  # less for passages of other books, if the best results are of an SRD


@dataclass(frozen=True)
class Excerpt:
    """The printed passages of one result, in book order; ``note`` is what the other edition rules otherwise."""

    hit: Hit
    passages: tuple[Passage, ...]
    note: str = ""


@dataclass(frozen=True)
class _Choice:
    """Passages of one hit that are chosen together, and their score."""

    hit_index: int
    passages: tuple[Passage, ...]
    score: float


def choose_passages(hits: Sequence[Hit], budget: int, named: int = 0) -> tuple[Excerpt, ...]:
    """Return the passages to print for each hit: the best of each part of the question, then others, while they fit.

    The first ``named`` parts are entries that the question names: each gets at least its best passage. Of the others a
    hit gets none if none of its passages matches or fits. A short record is printed in full.
    """
    page = _Page(hits, named, budget)
    choices = page.choices()
    page.best_score = max((choice.score for choice in choices), default=0.0)
    for choice in choices:
        page.add(choice)
    return tuple(page.excerpts.get(index, Excerpt(hit, ())) for index, hit in enumerate(hits))


class _Page:
    """The passages printed so far, the room that is left, and which result has which text."""

    def __init__(self, hits: Sequence[Hit], named: int, room: int) -> None:
        self.hits = hits
        self.excerpts: dict[int, Excerpt] = {}
        self.best_score = 0.0  # of all passages that may be printed
        self._passages = [tuple(sorted((one.passage for one in hit.passages), key=_book_order)) for hit in hits]
        self._named = named
        self._room = room
        self._digests: dict[str, int] = {}  # several records may have the same text

    def is_named(self, choice: _Choice) -> bool:
        """Whether the question names the record of a choice."""
        return self.hits[choice.hit_index].part < self._named

    def choices(self) -> list[_Choice]:
        """All choices that match well enough: the best of each part of the question, then the others, best first."""
        by_part: dict[int, list[_Choice]] = {}
        is_official = any(hit.record.document_key in SRD_ORDER for hit in self.hits[:_MAX_RECORDS])
        for index, hit in enumerate(self.hits):
            third_party = _THIRD_PARTY if is_official and hit.record.document_key not in SRD_ORDER else 0.0
            if choices := list(self._choices_of(index, _RANK_PENALTY * index + third_party)):
                by_part.setdefault(hit.part, []).extend(choices)
        highest = max((choice.score for choices in by_part.values() for choice in choices), default=0.0)
        first: list[_Choice] = []
        others: list[_Choice] = []
        for part, choices in sorted(by_part.items()):
            choices.sort(key=lambda choice: (-choice.score, choice.hit_index))
            min_score = max(_MIN_SHARE * choices[0].score, _MIN_SHARE_OF_BEST * highest)
            if part < self._named and choices[0].score >= _MIN_SHARE_OF_NAMED * highest:
                min_score = min(choices[0].score, min_score)
            enough = [choice for choice in choices if choice.score >= min_score]
            # A page without names always includes the top result, which may have matched by meaning and share no word.
            first += enough[:1] if self._named else [min(choices, key=lambda choice: choice.hit_index)]
            others += enough
        bonus = _NAMED if self._named else 0.0
        others.sort(key=lambda choice: (-choice.score - bonus * self.is_named(choice), choice.hit_index))
        return [*first, *(choice for choice in others if choice not in first)]

    def _choices_of(self, index: int, penalty: float) -> Iterator[_Choice]:
        hit, passages = self.hits[index], self._passages[index]
        short = max(_MAX_SHORT, _MAX_SHORT_NAMED // self._named) if hit.part < self._named else _MAX_SHORT
        if part := [scored for scored in hit.passages if scored.score >= NAMED_PART]:  # it is printed first and whole
            chosen = tuple(sorted((scored.passage for scored in part), key=_book_order))
            yield _Choice(index, chosen, part[0].score - NAMED_PART + _NAMED_FIRST)
        others = [scored for scored in hit.passages if 0 <= scored.score < NAMED_PART]
        if others and _size(passages) <= short:
            yield _Choice(index, passages, others[0].score - penalty)
            return
        for number, scored in enumerate(others):
            together = _with_title(scored.passage, passages)
            yield _Choice(index, together, scored.score - penalty - 0.01 * number)

    def add(self, choice: _Choice) -> None:
        """Print passages, unless they are printed already or do not fit; with what another edition rules otherwise."""
        index, hit = choice.hit_index, self.hits[choice.hit_index]
        before = self.excerpts.get(index, Excerpt(hit, ()))
        others = sum(excerpt.hit.part >= self._named for excerpt in self.excerpts.values())
        if not before.passages and not self.is_named(choice) and others >= _MAX_RECORDS:
            return
        new = [
            passage
            for passage in choice.passages
            if passage not in before.passages and self._digests.get(_digest(passage), index) == index
        ]
        if not new or all(_TITLE_ALONE.fullmatch(passage.text) for passage in new):
            return
        chosen = tuple(sorted((*before.passages, *new), key=_book_order))
        after = Excerpt(hit, chosen)
        left = self._room + _length(before) - _length(after)
        if left < len(before.note):  # what the other edition rules is worth more than further passages
            return
        if index < _MAX_NOTED:
            note = _edition_note(hit, chosen, self._passages[index], min(left, self._note_room(choice)))
            after = Excerpt(hit, chosen, note if len(note) <= left else "")
        self.excerpts[index] = after
        self._digests.update({_digest(passage): index for passage in new})
        self._room = left - len(after.note)

    def _note_room(self, choice: _Choice) -> int:
        """The characters that the other edition of a record may take."""
        is_first = choice.hit_index == 0 or self.is_named(choice)
        return _NOTE_OF_DECIDING if is_first and choice.score >= _DECIDING_SHARE * self.best_score else _NOTE


def _edition_note(hit: Hit, chosen: Sequence[Passage], all_passages: Sequence[Passage], room: int) -> str:
    """What the other edition rules otherwise than the chosen passages; of a record that is printed whole, all of it."""
    if not hit.other_passages or len(hit.editions) < 2 or room < _MIN_NOTE:
        return ""
    if len(chosen) == len(all_passages):
        return compare_editions(hit.editions[0], hit.editions[1], room).text
    return compare_passages(hit.editions, chosen, hit.passages, hit.other_passages, min(room, _NOTE_OF_PASSAGES))


def _length(excerpt: Excerpt) -> int:
    """The characters that an excerpt takes with its name and source."""
    return _size(excerpt.passages) + len(excerpt.note) + (_HEADER if excerpt.passages else 0)


def _book_order(passage: Passage) -> tuple[int, int]:
    """A sort key: the position in the book, with the newest edition first."""
    return NEWEST_FIRST.index(passage.edition) if passage.edition else -1, passage.index


def _digest(passage: Passage) -> str:
    """A key that is equal for passages with the same text under any heading."""
    return fold(passage.markdown)


def _size(passages: Sequence[Passage]) -> int:
    ordered = sorted(passages, key=_book_order)
    headings = {passage.heading for passage in passages}
    return len(join_passages(ordered)) + sum(len(" › ".join(heading)) + 8 for heading in headings)


def _with_title(passage: Passage, all_passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passage with the title above it, or the text below a title, and with a short table that it names."""
    place = all_passages.index(passage)
    if _TITLE_ALONE.fullmatch(passage.text):
        return all_passages[place], *all_passages[place + 1 : place + 2]
    names = {fold(name) for name in _NAMES_TABLE.findall(passage.text)}
    table = [
        other
        for other in (all_passages if names else ())
        if other is not passage
        and "|" in other.markdown
        and names & {fold(name) for name in (*other.heading[-1:], *_CAPTION.findall(other.markdown))}
    ]
    title = [above for above in all_passages[max(0, place - 1) : place] if _TITLE_ALONE.fullmatch(above.text)]
    fits = sum(len(other.markdown) for other in table) <= _MAX_TABLE
    return (*title, passage, *(table if fits else ()))
