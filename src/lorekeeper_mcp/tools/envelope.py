"""The answers of the tools: a page as text and as structured content, within a budget; its cursor; the documents.

Clients show the model only one channel, some the text and some the structured content, and do not say which.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from lorekeeper_mcp.answer import Answer, CacheState, DocumentSummary
from lorekeeper_mcp.render.books import book_lines, books
from lorekeeper_mcp.settings import Output
from lorekeeper_mcp.tools.answer_layout import AnswerOptions, Page, page_of
from lorekeeper_mcp.tools.error_messages import CallerError, join_within_limit

Schema: TypeAlias = dict[str, object]

_NOTE = "Only cached documents are listed; searches fetch more from Open5e."
_NONE = "No documents found in cache"


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer"}
_TEXT_OR_NULL: Schema = {}  # some clients know no list of types, and alternatives take fifty characters
# The server's instructions describe a result. Repeating its fields in every schema, or saying that every answer has
# all of them, would cost clients tokens.
_ANY: Schema = {"type": "object"}

SEARCH_SCHEMA = _object(
    {
        "results": _list(_ANY),
        "documents": _list(_ANY),
        "total": _NUMBER,
        "next_cursor": _TEXT_OR_NULL,
        "complete": {"type": "boolean"},
        "cache": {"enum": [str(state) for state in CacheState]},
        "as_of": _TEXT_OR_NULL,
        "hint": _TEXT_OR_NULL,
    }
)
DOCUMENTS_SCHEMA = _object(
    {
        "documents": _list(
            _object({"document_key": _TEXT, "entity_count": _NUMBER, "entity_types": {"type": "object"}})
        ),
        "total": _NUMBER,
        "hint": _TEXT,
    }
)


@dataclasses.dataclass(frozen=True)
class ToolAnswer:
    """The answer of a tool in both channels, or an error: a sentence about the caller's mistake or our fault."""

    text: str
    structured: Mapping[str, object] | None = None
    error: Literal["", "mistake", "fault"] = ""

    def selected(self, output: Output) -> ToolAnswer:
        """Return the channels that the server's settings select.

        The protocol requires a text with structured content; if the text is not selected, it only says where to look.
        """
        if self.error or self.structured is None or output in ("both", "auto"):
            return self
        if output == "text":
            return ToolAnswer(self.text)
        shown = next((len(value) for value in self.structured.values() if isinstance(value, list)), 0)
        total = self.structured.get("total", shown)
        return ToolAnswer(f"{shown} of {total} in the structured content of this answer.", self.structured)


def result(answer: Answer, options: AnswerOptions, *, cursor: str, question: str) -> ToolAnswer:
    """Return the page in both channels, with as many whole results as the budget allows.

    ``cursor`` is the one of the call, ``question`` the hash of the question for the next one. Raises CallerError if
    the cursor was made when other records were stored.
    """
    offset, total = decode_cursor(cursor, question)
    if total not in (None, answer.total):
        raise CallerError("What is stored has changed since that cursor was made: start again without cursor.")
    hint = join_within_limit(answer.hints)
    page = page_of(answer, options, hint)
    documents = books((record for shown in page.shown for record in shown.books), options.edition)
    next_offset = offset + len(page.shown) if len(page.shown) < len(answer.hits) else answer.next_offset
    is_last = next_offset is None or page.is_last
    envelope: dict[str, object] = {
        "results": [shown.structured for shown in page.shown],
        "documents": documents,
        "total": offset + len(page.shown) if page.is_last else answer.total,
        "next_cursor": None if is_last else encode_cursor(next_offset or 0, answer.total, question),
        "complete": answer.complete,
        "cache": str(answer.cache),
        "as_of": answer.as_of.isoformat() if answer.as_of else None,
        "hint": hint or None,
    }
    return ToolAnswer(_page_text(page, envelope, book_lines(documents)), envelope)


def _page_text(page: Page, envelope: Mapping[str, object], documents: str) -> str:
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


def question_hash(tool: str, arguments: Mapping[str, object]) -> str:
    """Return a hash of a question, without page, limit and detail."""
    relevant = {k: v for k, v in sorted(arguments.items()) if k not in ("cursor", "limit", "detail") and v is not None}
    return hashlib.blake2b(json.dumps([tool, relevant], default=str).encode(), digest_size=6).hexdigest()


def encode_cursor(offset: int, total: int, question: str) -> str:
    """Return the cursor of the next page of ``total`` results."""
    return base64.urlsafe_b64encode(f"{offset}:{total}:{question}".encode()).decode().rstrip("=")


def decode_cursor(cursor: str, question: str) -> tuple[int, int | None]:
    """Return the offset of the page, and the results in all when the cursor was made; None without a cursor.

    Raises CallerError if the cursor is invalid or belongs to another question.
    """
    if not cursor:
        return 0, None
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        offset, total, belongs_to = text.split(":")
        if belongs_to == question and offset.isdigit() and total.isdigit():
            return int(offset), int(total)
    except (ValueError, binascii.Error):
        pass
    raise CallerError("That cursor does not belong to this question: start again without cursor.")


def documents_result(
    documents: Sequence[DocumentSummary], faults: Mapping[str, str], *, is_loading: bool, as_text: bool
) -> ToolAnswer:
    """Return every document with its counts. The text is the same JSON, or with ``as_text`` one line for each.

    ``faults`` says why files of imported books cannot be read.
    """
    hint = _NOTE if documents else _NONE
    if is_loading:
        hint += " Books are still being loaded: ask again in a moment."
    if faults:
        hint += f" Files that cannot be read: {', '.join(faults)}. What is stored of them stays."
    structured: dict[str, object] = {
        "documents": [dataclasses.asdict(document) for document in documents],
        "total": len(documents),
        "hint": hint,
    }
    text = _documents_text(documents, hint) if as_text or not documents else json.dumps(structured, ensure_ascii=False)
    return ToolAnswer(text, structured)


def documents_text(documents: Sequence[DocumentSummary]) -> str:
    """Return one line per document, and the attributions that licenses require."""
    return _documents_text(documents, _NOTE if documents else _NONE)


def _documents_text(documents: Sequence[DocumentSummary], hint: str) -> str:
    attributions = "\n".join(dict.fromkeys(document.attribution for document in documents if document.attribution))
    return "\n\n".join(filter(None, ("\n".join(map(_line, documents)), hint, attributions)))


def _line(document: DocumentSummary) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in document.entity_types.items())
    entities = "1 entity" if document.entity_count == 1 else f"{document.entity_count} entities"
    source = ", ".join(filter(None, (document.publisher, document.license, document.edition)))
    name = f"{document.document_name} ({document.document_key}, {document.document_source})"
    return f"{name}: {entities} ({kinds}); {source}"
