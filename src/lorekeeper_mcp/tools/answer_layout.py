"""The layouts of an answer: whole named records, the passages that answer a question, or a list."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.answer import Answer, Hit, NameForm, QuestionForm
from lorekeeper_mcp.models import Edition, Kind
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.search.cases import is_case
from lorekeeper_mcp.search.excerpts import choose_passages
from lorekeeper_mcp.search.names.mentions import CONNECTING
from lorekeeper_mcp.search.ranking_weights import HIGHEST_FUZZY_SCORE
from lorekeeper_mcp.text import fold
from lorekeeper_mcp.tools.results import RenderedHit, as_excerpt, as_line, as_name, as_record

_MOST_RELATED = 3  # names after a named record
_RELATED_FROM = 10  # hits that they are chosen from
_FITTING_PASSAGES = 6  # passages of a long record printed first if the search has more words than its name


@dataclass(frozen=True)
class Budget:
    """A number of characters for an answer's text and for its structured content."""

    text: int
    structured: int

    def without_frame(self, hint: str) -> Budget:
        """Return what remains for results and books."""
        return Budget(self.text - _STATE_LINES - len(hint), self.structured - _EMPTY_ENVELOPE - len(hint))


# Budgets of an answer, in characters.
DEFAULT = Budget(5_000, 8_000)
LARGEST = Budget(40_000, 40_000)  # if the caller set a limit or a detail
_PASSAGES_BUDGET = 2_400  # of all passages in an answer to a question
_CASE_PASSAGES_BUDGET = 3_400  # the same for a question of several sentences

# Space reserved for the parts of an answer, in characters.
_BOOK = Budget(130, 230)  # a book in the list of documents
_RELATED_NAME = 70  # a name in the text
_IDENTITY = 700  # the structured fields of a whole record besides its text
_EMPTY_ENVELOPE = 150  # the structured content without results, books and hint
_STATE_LINES = 150  # the text's first and last line
_UNESCAPED_SHARE = 0.93  # the share of a text that remains after JSON escaping


@dataclass(frozen=True)
class AnswerOptions:
    """What a call asks for: edition, search text, detail, and whether the caller set the limit."""

    edition: Edition | None = None
    search: str = ""
    detail: str = "auto"
    has_limit: bool = False


@dataclass(frozen=True)
class Page:
    """The results of a page in order. Those in ``names`` are listed by name alone under a ``label``.

    ``between`` separates results. ``is_last`` if this layout has no further pages.
    """

    shown: Sequence[RenderedHit]
    names: Sequence[RenderedHit] = ()
    label: str = ""
    between: str = "\n\n"
    is_last: bool = False


def page_of(answer: Answer, options: AnswerOptions, hint: str) -> Page:
    """Return the page of an answer in the layout that suits its question and ``detail``."""
    is_auto = options.detail == "auto"
    budget = (DEFAULT if is_auto and not options.has_limit else LARGEST).without_frame(hint)
    if options.detail != "brief" and isinstance(answer.form, NameForm) and answer.form.named:
        return _named(answer, options, DEFAULT.without_frame(hint) if is_auto else budget)
    if options.detail == "full":
        return _whole(answer.hits, options, budget)
    if is_auto and isinstance(answer.form, QuestionForm):
        return _question(answer.hits, len(answer.form.parts) - 1, options, budget)
    return _list(answer.hits, options, budget)


def _list(hits: Sequence[Hit], options: AnswerOptions, budget: Budget) -> Page:
    lines = (as_line(hit, options.edition, options.search, is_short=not options.has_limit) for hit in hits)
    return Page(_fitting(lines, budget), between="\n")


def _whole(hits: Sequence[Hit], options: AnswerOptions, budget: Budget) -> Page:
    return Page(
        _fitting((as_record(hit, options.edition, _room([hit], budget), compared=False) for hit in hits), budget)
    )


def _room(hits: Sequence[Hit], budget: Budget) -> int:
    """The characters that a budget leaves for the texts of some records, which the structured content escapes."""
    books, around = len(_books(hits)), len(hits) * _IDENTITY
    text = budget.text - books * _BOOK.text - around // 4
    return min(text, int(_UNESCAPED_SHARE * (budget.structured - books * _BOOK.structured - around)))


def _named(answer: Answer, options: AnswerOptions, budget: Budget) -> Page:
    """The named records, which share the budget, and a few related names unless ``detail`` is set."""
    assert isinstance(answer.form, NameForm)
    is_auto = options.detail == "auto"
    named, others = answer.hits[: answer.form.named], answer.hits[answer.form.named :]
    chosen = _each_once(named)
    shown_keys = {record.id for hit in chosen for record in (hit.record, *hit.editions)}
    in_other_books = [hit for hit in named if hit.record.id not in shown_keys]
    related = [*in_other_books, *(_related(chosen, others) if is_auto else [])]
    room = min(_room(chosen, budget), budget.text - _BOOK.text * len(_books(chosen)) - _RELATED_NAME * len(related))
    whole = [as_record(hit, options.edition, LARGEST.text, compared=is_auto) for hit in chosen]
    rooms = _shares([one.sizes[0] for one in whole], room)
    records = (
        one if one.sizes[0] <= share else _cut(hit, chosen, options, share)
        for one, hit, share in zip(whole, chosen, rooms, strict=True)
    )
    shown = _fitting(records, budget)
    if len(shown) < len(chosen):
        return Page(shown)
    names = [as_name(hit, options.edition) for hit in related]
    return Page([*shown, *names], names, "Related", is_last=True)


def _cut(hit: Hit, chosen: Sequence[Hit], options: AnswerOptions, room: int) -> RenderedHit:
    """A record shortened to its share. One of several that is too long is not compared with other editions."""
    says_more = len(chosen) > 1 and as_record(hit, options.edition, LARGEST.text, compared=False).sizes[0] > room
    compared = options.detail == "auto" and not says_more
    return as_record(hit, options.edition, room, _beyond(hit, chosen, options), compared=compared)


def _each_once(named: Sequence[Hit]) -> list[Hit]:
    """The first hit of each kind and name, with the records of that name in the SRDs of other editions.

    Records of that name in other books are listed by name.
    """
    alike: dict[tuple[Kind, str], list[Hit]] = {}
    for hit in named:
        alike.setdefault((hit.record.kind, fold(hit.record.name)), []).append(hit)
    return [_with_editions(first, others) for first, *others in alike.values()]


def _with_editions(hit: Hit, others: Iterable[Hit]) -> Hit:
    editions = list(hit.editions or (hit.record,))
    known = {edition for record in editions for edition in record.editions}
    for record in (other.record for other in others):
        if record.document_key in SRD_ORDER and known.isdisjoint(record.editions):
            editions.append(record)
            known.update(record.editions)
    return replace(hit, editions=tuple(editions)) if len(editions) > 1 else hit


def _beyond(hit: Hit, chosen: Iterable[Hit], options: AnswerOptions) -> list[str]:
    """The passages that match the words of a search other than names; none if it has no such words."""
    named = {word for one in chosen for word in fold(f"{one.record.name} {one.record.kind}").split()}
    words = set(fold(options.search).split()) - named - CONNECTING
    return [scored.passage.text for scored in hit.passages[:_FITTING_PASSAGES] if scored.score > 0] if words else []


def _shares(lengths: Sequence[int], room: int) -> list[int]:
    """Divide the room among texts: short ones leave the rest of their share to long ones."""
    shares = [0] * len(lengths)
    waiting = sorted(range(len(lengths)), key=lambda place: lengths[place])
    for number, place in enumerate(waiting):
        shares[place] = room // (len(waiting) - number)
        room -= min(shares[place], lengths[place])
    return shares


def _related(chosen: Sequence[Hit], others: Iterable[Hit]) -> list[Hit]:
    """Further hits that share a significant word with a named record, from the same books if there are any."""
    known = {word for hit in chosen for word in fold(hit.record.name).split() if len(word) > 3}
    led_to = [hit for hit in others if (hit.score or 0.0) >= HIGHEST_FUZZY_SCORE]
    near = (hit for hit in others if hit not in led_to and known & set(fold(hit.record.name).split()))
    found = list(itertools.islice(near, _RELATED_FROM))
    of_books = [hit for hit in found if hit.record.document_key in _books(chosen)]
    return [*led_to, *(of_books or found[:1])][:_MOST_RELATED]


def _question(hits: Sequence[Hit], named: int, options: AnswerOptions, budget: Budget) -> Page:
    """The passages that answer a question, and the names of hits without such passages."""
    excerpts = choose_passages(hits, _CASE_PASSAGES_BUDGET if is_case(options.search) else _PASSAGES_BUDGET, named)
    if not any(excerpt.passages for excerpt in excerpts):
        return _list(hits, options, budget)
    results = [
        as_excerpt(excerpt, options.edition) if excerpt.passages else as_name(excerpt.hit, options.edition)
        for excerpt in excerpts
    ]
    shown = _fitting(results, budget)
    names = [one for one, excerpt in zip(shown, excerpts, strict=False) if not excerpt.passages]
    return Page(shown, names, "Also")


def _books(hits: Iterable[Hit]) -> set[str]:
    return {record.document_key for hit in hits for record in (hit.record, *hit.editions)}


def _fitting(shown: Iterable[RenderedHit], budget: Budget) -> list[RenderedHit]:
    """The results that fit in a budget together with their books, but at least the first."""
    taken: list[RenderedHit] = []
    known: set[str] = set()
    text, structured = budget.text, budget.structured
    for one in shown:
        new = {record.document_key for record in one.books} - known
        known |= new
        text -= one.sizes[0] + _BOOK.text * len(new)
        structured -= one.sizes[1] + _BOOK.structured * len(new)
        if taken and (text < 0 or structured < 0):
            break
        taken.append(one)
    return taken
