"""Chooses the passages to print within a budget of characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.answer import Hit, ScoredPassage
from lorekeeper_mcp.models import NEWEST_FIRST, Creature, Rule
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.passages import Passage, PassageKind, join_passages
from lorekeeper_mcp.render.edition_differences import compare_editions, compare_passages
from lorekeeper_mcp.search.passage_scores import NAMED_PART
from lorekeeper_mcp.text import fold

_MAX_SHORT = 700  # characters; a shorter record is printed in full
_MAX_SHORT_NAMED = 1_800  # the same for all records that the question names together
_NAMED_FIRST = 0.3  # for a part of a record that the question names
_MAX_RECORDS = 4  # records with passages, besides those that the question names
_MAX_NOTED = 4  # results that are compared with their other edition
_NOTE = 700  # characters of what the other edition of a record rules otherwise
_NOTE_OF_FIRST = 1_300  # the same for the first result and for records that the question names
_MIN_NOTE = 80  # characters; with fewer, nothing of it would fit
_NOTE_OF_PASSAGES = 450  # the same for some of its passages
_RANK_PENALTY = 0.02  # per rank of a result
_HEADER = 60  # characters around the passages of one result: name, headings, source
_MIN_SHARE = 0.5  # of the best score of the same part; below it a passage is too loosely related to print
_MIN_SHARE_OF_BEST = 0.45  # of the best score of all parts, except for the best passage of each named entry
_TITLE = re.compile(r"^[-*•\s]*\*{2,3}_?([^*_\d\n]{2,50}?)[.:]?_?\*{2,3}")  # the title of a list entry
_TITLE_ALONE = re.compile(r"\*{2,3}[^*\n]{2,80}\*{2,3}")  # a paragraph: "**Comfortable (2 GP per Day)**"
_ANNOUNCES = re.compile(r"\bfollowing \w+\.$")  # "you experience the following effects."
_NAMES_TABLE = re.compile(r"\b([A-Z][\w']*(?: (?:[A-Z][\w']*|of|and|by|for|the))*) table\b")
_CAPTION = re.compile(r"^\*\*([^*\n]+)\*\*\s*\n+\|", re.MULTILINE)
_OTHER_EDITION_SHARE = 0.75  # of the best score, for a passage that only the other edition has
_THIRD_PARTY = 0.08  # less for passages of other books, if the best results are of an SRD
_POINTER_SHARE = 0.4  # of the score of a passage that only names other entries
_MAX_LEAD = 160  # characters of a sentence above the rules that it introduces
_MAX_ANNOUNCED = 600  # characters of the passages printed after such a sentence
_MIN_LISTED = 3  # titled passages under one heading; with this many, the question is about the whole list
_MAX_TITLES = 400  # characters for the titles of the list's other entries


@dataclass(frozen=True)
class Excerpt:
    """The printed passages of one result, in book order.

    ``others`` are the titles of the other entries of a list, if the question asked for the list. ``note`` is what the
    other edition rules otherwise, ``owners`` are the other results with the same text.
    """

    hit: Hit
    passages: tuple[Passage, ...]
    others: tuple[str, ...] = ()
    note: str = ""
    owners: tuple[Hit, ...] = ()


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
    excerpts: dict[int, Excerpt] = {}
    digests: dict[str, int] = {}  # the results that have a text, since several records may have the same
    room = budget
    for choice in _with_both_editions(list(_alternate_parts(hits, passages, named)), hits, named):
        hit = hits[choice.hit_index]
        before = excerpts.get(choice.hit_index, Excerpt(hit, ()))
        unnamed = sum(excerpt.hit.part >= named for excerpt in excerpts.values())
        if not before.passages and hit.part >= named and unnamed >= _MAX_RECORDS:
            continue
        new = [
            passage
            for passage in choice.passages
            if passage not in before.passages and digests.get(_digest(passage), choice.hit_index) == choice.hit_index
        ]
        if not new or all(_TITLE_ALONE.fullmatch(passage.text) for passage in new):
            _note_owner(excerpts, digests, choice, hit)
            continue
        chosen = tuple(sorted((*before.passages, *new), key=_book_order))
        after = Excerpt(hit, chosen, _other_titles(chosen, passages[choice.hit_index]), owners=before.owners)
        left = room + _length(before) - _length(after)
        if left < 0:
            continue
        if choice.hit_index < _MAX_NOTED:
            is_first = hit.part < named or choice.hit_index == 0
            note_room = min(left, _NOTE_OF_FIRST if is_first else _NOTE)
            note = _edition_note(hit, chosen, passages[choice.hit_index], note_room)
            after = replace(after, note=note if len(note) <= left else "")
        excerpts[choice.hit_index] = after
        digests.update({_digest(passage): choice.hit_index for passage in new})
        room = left - len(after.note)
    return tuple(excerpts.get(index, Excerpt(hit, ())) for index, hit in enumerate(hits))


def _edition_note(hit: Hit, chosen: Sequence[Passage], all_passages: Sequence[Passage], room: int) -> str:
    """What the other edition rules otherwise than the chosen passages; of a record that is printed whole, all of it."""
    if not hit.other_passages or len(hit.editions) < 2 or room < _MIN_NOTE:
        return ""
    if len(chosen) == len(all_passages):
        return compare_editions(hit.editions[0], hit.editions[1], room).text
    return compare_passages(hit.editions, chosen, hit.passages, hit.other_passages, min(room, _NOTE_OF_PASSAGES)).text


def _length(excerpt: Excerpt) -> int:
    """The characters that an excerpt takes with its name and source."""
    return _size(excerpt.passages) + len(excerpt.note) + (_HEADER if excerpt.passages else 0)


def _book_order(passage: Passage) -> tuple[int, int]:
    """A sort key: the position in the book, with the newest edition first."""
    return NEWEST_FIRST.index(passage.edition) if passage.edition else -1, passage.index


def _digest(passage: Passage) -> str:
    """A key that is equal for passages with the same text under any heading."""
    return fold(passage.markdown)


def _size(passages: tuple[Passage, ...]) -> int:
    ordered = sorted(passages, key=_book_order)
    headings = {passage.heading for passage in passages}
    return len(join_passages(ordered)) + sum(len(" › ".join(heading)) + 8 for heading in headings)


def _other_titles(chosen: Sequence[Passage], all_passages: Sequence[Passage]) -> tuple[str, ...]:
    """The titles of a list's other entries, if several of its passages are printed."""
    printed = Counter(passage.heading for passage in chosen if _TITLE.match(passage.text))
    others = [passage for passage in all_passages if printed[passage.heading] >= _MIN_LISTED and passage not in chosen]
    titles = [title[1] for passage in others if (title := _TITLE.match(passage.text))]
    return tuple(titles) if sum(map(len, titles)) <= _MAX_TITLES else ()


def _alternate_parts(hits: Sequence[Hit], passages: Sequence[tuple[Passage, ...]], named: int) -> Iterator[_Choice]:
    """Choices by descending score, alternating between the parts of the question."""
    by_part: dict[int, list[_Choice]] = {}
    is_official = any(hit.record.document_key in SRD_ORDER for hit in hits[:_MAX_RECORDS])
    for hit_index, hit in enumerate(hits):
        short = max(_MAX_SHORT, _MAX_SHORT_NAMED // named) if hit.part < named else _MAX_SHORT
        of_hit = _choices(
            hit_index, hit, passages[hit_index], short, is_named=hit.part < named, is_official=is_official
        )
        by_part.setdefault(hit.part, []).extend(of_hit)
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


def _with_both_editions(choices: list[_Choice], hits: Sequence[Hit], named: int) -> list[_Choice]:
    """Move the best passage of the other official edition up, if the best one is of a record without that edition.

    "What does inspiration do" is answered by Inspiration in 2014 and by Heroic Inspiration in 2024.
    """
    unnamed = [choice for choice in choices if hits[choice.hit_index].part >= named]
    if not unnamed or named:
        return choices
    first = hits[unnamed[0].hit_index]
    if first.other_passages or first.record.document_key not in SRD_ORDER:
        return choices
    for choice in sorted(unnamed, key=lambda choice: -choice.score):
        record = hits[choice.hit_index].record
        is_other = record.document_key in SRD_ORDER and record.document_key != first.record.document_key
        if is_other and choice.score >= _OTHER_EDITION_SHARE * unnamed[0].score:
            return [choices[0], choice, *(one for one in choices[1:] if one is not choice)]
    return choices


def _choices(
    hit_index: int, hit: Hit, all_passages: tuple[Passage, ...], short: int, *, is_named: bool, is_official: bool
) -> Iterator[_Choice]:
    is_short = _size(all_passages) <= short
    # The head of a stat block has the defenses that decide many questions.
    is_stat_block = is_named and isinstance(hit.record, Creature)
    head = [passage for passage in all_passages if passage.kind is PassageKind.FACTS] if is_stat_block else []
    part = [scored for scored in hit.passages if scored.score >= NAMED_PART]
    if part:  # the question names it: it is printed first and whole
        chosen = tuple(sorted((scored.passage for scored in part), key=_book_order))
        yield _Choice(hit_index, chosen, part[0].score - NAMED_PART + _NAMED_FIRST)
        head = []
    others = [scored for scored in hit.passages if 0 <= scored.score < NAMED_PART]
    for number, (score, passages) in enumerate(_join_equal_rows(others)):
        score_by_rank = score - _RANK_PENALTY * hit_index
        if is_official and hit.record.document_key not in SRD_ORDER:
            score_by_rank -= _THIRD_PARTY
        if _only_points(hit, passages):
            score_by_rank *= _POINTER_SHARE
        if is_short:
            yield _Choice(hit_index, all_passages, score_by_rank)
            return
        together = _with_title(passages, all_passages)
        if head and number == 0:
            together = tuple(dict.fromkeys((*head, *together)))
        yield _Choice(hit_index, together, score_by_rank - 0.01 * number)


def _with_title(passages: tuple[Passage, ...], all_passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages with the title above the first of them, or the text below a title, which say little on their own.

    A sentence that announces passages is followed by these.
    """
    first = all_passages.index(passages[0])
    if table := _named_table(passages[0], all_passages):
        passages = tuple(dict.fromkeys((*passages, *table)))
    if _TITLE_ALONE.fullmatch(passages[0].text):
        return (*passages, *all_passages[first + 1 : first + 2])
    if _ANNOUNCES.search(passages[0].text):
        return (*passages, *_announced_passages(passages[0], all_passages[first + 1 :]))
    if first and _TITLE_ALONE.fullmatch(all_passages[first - 1].text):
        return (all_passages[first - 1], *passages)
    return passages


def _named_table(passage: Passage, all_passages: Sequence[Passage]) -> list[Passage]:
    """The table that a sentence names ("as shown in the Cover table"), if it is short."""
    names = {fold(name) for name in _NAMES_TABLE.findall(passage.text)}
    table = [
        other
        for other in all_passages
        if other is not passage
        and "|" in other.markdown
        and names & {fold(name) for name in (*other.heading[-1:], *_CAPTION.findall(other.markdown))}
    ]
    return table if sum(len(other.markdown) for other in table) <= _MAX_ANNOUNCED else []


def _only_points(hit: Hit, passages: Sequence[Passage]) -> bool:
    """Whether passages only name other entries: a list of what a chapter contains, or a sentence above its rules."""
    is_list = passages[0].text.startswith(("**Contains**", "**Members**"))
    is_lead = isinstance(hit.record, Rule) and bool(hit.record.rules) and len(hit.record.text) < _MAX_LEAD
    return is_list or is_lead


def _note_owner(excerpts: dict[int, Excerpt], digests: dict[str, int], choice: _Choice, hit: Hit) -> None:
    """Add a result to the owners of a text that is printed already."""
    printed = {digests[digest] for passage in choice.passages if (digest := _digest(passage)) in digests}
    for index in printed - {choice.hit_index}:
        same = excerpts[index]
        if hit not in same.owners and hit.record.name == same.hit.record.name:
            excerpts[index] = replace(same, owners=(*same.owners, hit))


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
