"""The envelope of an answer: the same page as text and as structured content, both within a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastmcp.tools import ToolResult

from lorekeeper_mcp.answer import Answer
from lorekeeper_mcp.render.books import book_lines, books
from lorekeeper_mcp.tools import cursor as cursors
from lorekeeper_mcp.tools.answer_layout import AnswerOptions, Page, page_of
from lorekeeper_mcp.tools.error_messages import join_within_limit


def result(answer: Answer, options: AnswerOptions, *, offset: int, question: str) -> ToolResult:
    """Return the page in both channels, with as many whole results as the budget allows.

    ``question`` is the hash of the question for the cursor.
    """
    hint = join_within_limit(answer.hints)
    page = page_of(answer, options, hint)
    documents = books((record for shown in page.shown for record in shown.books), options.edition)
    next_offset = offset + len(page.shown) if len(page.shown) < len(answer.hits) else answer.next_offset
    envelope: dict[str, object] = {
        "results": [shown.structured for shown in page.shown],
        "documents": documents,
        "total": offset + len(page.shown) if page.is_last else answer.total,
        "next_cursor": cursors.encode(next_offset, question) if next_offset is not None and not page.is_last else None,
        "complete": answer.complete,
        "cache": str(answer.cache),
        "as_of": answer.as_of.isoformat() if answer.as_of else None,
        "hint": hint or None,
    }
    return ToolResult(content=_text(page, envelope, book_lines(documents)), structured_content=envelope)


def _text(page: Page, envelope: Mapping[str, object], documents: str) -> str:
    names_alone = {id(name) for name in page.names}
    texts = [shown.text for shown in page.shown if id(shown) not in names_alone]
    names = " · ".join(name.text for name in page.names)
    head = _state_line(page.shown, envelope)
    if envelope["hint"]:
        head += f"\nHint: {envelope['hint']}"
    more = f"More: call again with cursor={envelope['next_cursor']}" if envelope["next_cursor"] else ""
    parts = [head, page.between.join(texts), f"{page.label}: {names}" if names else "", documents, more]
    return "\n\n".join(filter(None, parts))


def _state_line(shown: Sequence[object], envelope: Mapping[str, object]) -> str:
    total = envelope["total"]
    part = f"{len(shown)} of " if shown and len(shown) != total else ""
    complete = "complete" if envelope["complete"] else "NOT complete"
    date = f", data from {envelope['as_of']}" if envelope["as_of"] else ""
    return f"{part}{total} {'result' if total == 1 else 'results'} ({complete}; {envelope['cache']}{date})"
