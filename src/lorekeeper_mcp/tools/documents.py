"""The answer of ``list_documents``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

from fastmcp.tools import ToolResult

from lorekeeper_mcp.answer import DocumentSummary

_NOTE = "Only what is in the cache is listed; a search fetches more from Open5e."
_NONE = "No documents found in cache"


def documents_result(found: Sequence[DocumentSummary], *, as_text: bool) -> ToolResult:
    """Return every document with its counts. The text is the same JSON, or with ``as_text`` one line for each."""
    structured = {
        "documents": [dataclasses.asdict(one) for one in found],
        "total": len(found),
        "hint": _NOTE if found else _NONE,
    }
    text = documents_text(found) if as_text or not found else json.dumps(structured, ensure_ascii=False)
    return ToolResult(content=text, structured_content=structured)


def documents_text(found: Sequence[DocumentSummary]) -> str:
    """Return one line per document, and the attributions that licenses require."""
    if not found:
        return _NONE
    notes = "\n".join(dict.fromkeys(one.attribution for one in found if one.attribution))
    return f"{_lines(found)}\n\n{_NOTE}\n\n{notes}".rstrip()


def _counts(one: DocumentSummary) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in one.entity_types.items())


def _lines(found: Sequence[DocumentSummary]) -> str:
    return "\n".join(
        f"{one.document_name} ({one.document_key}, {one.document_source}): {one.entity_count} entities ({_counts(one)})"
        f"; {', '.join(part for part in (one.publisher, one.license, one.edition) if part)}"
        for one in found
    )
