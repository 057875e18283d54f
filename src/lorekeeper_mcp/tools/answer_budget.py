"""The size of an answer: how much fits into its text and its structured content, and how texts share the space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.tools.results import RenderedHit


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
