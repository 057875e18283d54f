"""The layouts of an answer: full records by name, the passages that answer a question, or a list; and their size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.answer import Answer, Hit, NameForm, QuestionForm
from lorekeeper_mcp.models import Edition, Kind
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.search.excerpts import choose_passages
from lorekeeper_mcp.search.names.mentions import CONNECTING_WORDS
from lorekeeper_mcp.search.question import is_case
from lorekeeper_mcp.search.ranking import MAX_RELATED
from lorekeeper_mcp.text import fold
from lorekeeper_mcp.tools.results import Extent, RenderedHit, as_excerpt, as_line, as_name, as_record


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
MAXIMUM = Budget(40_000, 40_000)  # if the caller set a limit or a detail
PASSAGES = 2_700  # all passages in an answer to a question
CASE_PASSAGES = 3_400  # the same for a question of several sentences

# Space reserved for the parts of an answer, in characters.
_BOOK = Budget(130, 230)  # a book in the list of documents
_EMPTY_ENVELOPE = 150  # the structured content without results, books and hint
_STATE_LINES = 150  # the text's first and last line
_UNESCAPED_SHARE = 0.93  # the share of a text that remains after JSON escaping

_MAX_NAMES = 6  # of results without passages, unless a later result has some
_MIN_SHARE = 1_200  # characters that a long record gets; with fewer, a stat block is of little use
_MAX_PASSAGES = 6  # passages of a long record printed first if the search has more words than its name


@dataclass(frozen=True)
class AnswerOptions:
    """What a call asks for: edition, search text, detail, and whether the caller set the limit."""

    edition: Edition | None = None
    search: str = ""
    detail: str = "auto"
    has_limit: bool = False

    @property
    def is_auto(self) -> bool:
        """Whether the layout depends on the question."""
        return self.detail == "auto"

    @property
    def extent(self) -> Extent:
        """How much to print of a named record."""
        return Extent.COMPARED if self.is_auto else Extent.FULL


@dataclass(frozen=True)
class Page:
    """The results of a page in order. Those in ``names`` are listed under a ``label`` by name only.

    ``between`` separates results. ``is_last`` if this layout has no more pages.
    """

    shown: Sequence[RenderedHit]
    names: Sequence[RenderedHit] = ()
    label: str = ""
    between: str = "\n\n"
    is_last: bool = False


def page_of(answer: Answer, options: AnswerOptions, hint: str) -> Page:
    """Return the page of an answer in the layout that suits its question and ``detail``."""
    budget = (DEFAULT if options.is_auto and not options.has_limit else MAXIMUM).without_frame(hint)
    if options.detail != "brief" and isinstance(answer.form, NameForm) and answer.form.named:
        return _named_page(answer, answer.form, options, DEFAULT.without_frame(hint) if options.is_auto else budget)
    if options.detail == "full":
        return Page(fit_results((_full_record(hit, options, budget) for hit in answer.hits), budget))
    if options.is_auto and isinstance(answer.form, QuestionForm):
        return _passages_page(answer.hits, len(answer.form.parts) - 1, options, budget)
    return _list_page(answer.hits, options, budget)


def _list_page(hits: Sequence[Hit], options: AnswerOptions, budget: Budget) -> Page:
    lines = (as_line(hit, options.edition, options.search, is_short=not options.has_limit) for hit in hits)
    return Page(fit_results(lines, budget), between="\n")


def _full_record(hit: Hit, options: AnswerOptions, budget: Budget) -> RenderedHit:
    record = as_record(hit, options.edition, MAXIMUM.text, Extent.FULL)
    room = page_room([record], [], budget)
    return record if record.page_length <= room else as_record(hit, options.edition, room, Extent.FULL)


def _named_page(answer: Answer, form: NameForm, options: AnswerOptions, budget: Budget) -> Page:
    """The named records, which share the budget, and a few related names unless ``detail`` is set."""
    named, others = answer.hits[: form.named], answer.hits[form.named :]
    chosen = _merge_editions(named)
    shown_keys = {record.id for hit in chosen for record in (hit.record, *hit.editions)}
    related = [hit for hit in named if hit.record.id not in shown_keys]  # in other books
    related += others[:MAX_RELATED] if options.is_auto else ()
    names = [as_name(hit, options.edition) for hit in related]
    pages = [as_record(hit, options.edition, MAXIMUM.text, options.extent) for hit in chosen]
    records = (
        rendered if rendered.page_length <= share else _cut_to_share(hit, chosen, options, share)
        for rendered, hit, share in zip(pages, chosen, _share_room(pages, names, budget), strict=False)
    )
    shown = fit_results(records, budget)
    if len(shown) < len(chosen):
        return Page(shown)
    return Page([*shown, *names], names, "Related", is_last=True)


def _share_room(records: Sequence[RenderedHit], names: Sequence[RenderedHit], budget: Budget) -> list[int]:
    """The room for the page of each record. Records that would get too little are left for the next page."""
    lengths = [rendered.page_length for rendered in records]
    shares = divide_fairly(lengths, page_room(records, names, budget))
    too_short = (share < min(length, _MIN_SHARE) for share, length in zip(shares, lengths, strict=True))
    return _share_room(records[:-1], [], budget) if len(records) > 1 and any(too_short) else shares


def _cut_to_share(hit: Hit, chosen: Sequence[Hit], options: AnswerOptions, room: int) -> RenderedHit:
    """A record shortened to its share. If there are several, it is not compared with other editions."""
    extent = Extent.ALONE if options.is_auto and len(chosen) > 1 else options.extent
    return as_record(hit, options.edition, room, extent, _passages_beyond_names(hit, chosen, options))


def _merge_editions(named: Sequence[Hit]) -> list[Hit]:
    """The first hit of each kind and name, with the records of that name in the SRDs of other editions.

    Records of that name in other books are listed by name.
    """
    namesakes: dict[tuple[Kind, str], list[Hit]] = {}
    for hit in named:
        namesakes.setdefault((hit.record.kind, fold(hit.record.name)), []).append(hit)
    return [_with_editions(first, others) for first, *others in namesakes.values()]


def _with_editions(hit: Hit, others: Iterable[Hit]) -> Hit:
    records = list(hit.editions or (hit.record,))
    editions = {edition for record in records for edition in record.editions}
    for record in (other.record for other in others):
        if record.document_key in SRD_ORDER and editions.isdisjoint(record.editions):
            records.append(record)
            editions.update(record.editions)
    return replace(hit, editions=tuple(records)) if len(records) > 1 else hit


def _passages_beyond_names(hit: Hit, chosen: Iterable[Hit], options: AnswerOptions) -> list[str]:
    """The passages that match the words of a search that are not names; none if there are no such words."""
    names = {word for named in chosen for word in fold(f"{named.record.name} {named.record.kind}").split()}
    if not set(fold(options.search).split()) - names - CONNECTING_WORDS:
        return []
    return [scored.passage.text for scored in hit.passages[:_MAX_PASSAGES] if scored.score > 0]


def _passages_page(hits: Sequence[Hit], named: int, options: AnswerOptions, budget: Budget) -> Page:
    """The passages that answer a question, and the names of hits without such passages."""
    excerpts = choose_passages(hits, CASE_PASSAGES if is_case(options.search) else PASSAGES, named)
    if not any(excerpt.passages for excerpt in excerpts):
        return _list_page(hits, options, budget)
    printed = [index for index, excerpt in enumerate(excerpts) if excerpt.passages]
    names_before = printed[-1] + 1 - len(printed)
    excerpts = excerpts[: printed[-1] + 1 + max(0, _MAX_NAMES - names_before)]
    results = [
        as_excerpt(excerpt, options.edition) if excerpt.passages else as_name(excerpt.hit, options.edition)
        for excerpt in excerpts
    ]
    shown = fit_results(results, budget)
    names = [rendered for rendered, excerpt in zip(shown, excerpts, strict=False) if not excerpt.passages]
    return Page(shown, names, "Also")


def fit_results(results: Iterable[RenderedHit], budget: Budget) -> list[RenderedHit]:
    """Return the first results that fit in a budget together with their books, but at least one."""
    taken: list[RenderedHit] = []
    books: set[str] = set()
    text, structured = budget.text, budget.structured
    for result in results:
        new_books = {record.document_key for record in result.books} - books
        books |= new_books
        text -= result.sizes[0] + _BOOK.text * len(new_books)
        structured -= result.sizes[1] + _BOOK.structured * len(new_books)
        if taken and (text < 0 or structured < 0):
            break
        taken.append(result)
    return taken


def page_room(records: Sequence[RenderedHit], names: Sequence[RenderedHit], budget: Budget) -> int:
    """Return how many characters a budget leaves for the pages of some records, next to ``names`` of other results.

    In structured content the pages are longer, since JSON escapes them.
    """
    books = {record.document_key for rendered in (*records, *names) for record in rendered.books}
    text = budget.text - len(books) * _BOOK.text
    structured = budget.structured - len(books) * _BOOK.structured
    for rendered in records:
        text -= rendered.sizes[0] - rendered.page_length
        structured -= rendered.sizes[1] - int(rendered.page_length / _UNESCAPED_SHARE)
    for rendered in names:
        text -= rendered.sizes[0]
        structured -= rendered.sizes[1]
    return min(text, int(_UNESCAPED_SHARE * structured))


def divide_fairly(lengths: Sequence[int], room: int) -> list[int]:
    """Divide the room among texts. Short ones leave the rest of their share to long ones."""
    shares = [0] * len(lengths)
    shortest_first = sorted(range(len(lengths)), key=lambda index: lengths[index])
    for number, index in enumerate(shortest_first):
        shares[index] = room // (len(shortest_first) - number)
        room -= min(shares[index], lengths[index])
    return shares
