"""The answer of ``list_documents``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

from fastmcp.tools import ToolResult

from lorekeeper_mcp.answer import DocumentSummary

_NOTE = "Only cached documents are listed; searches fetch more from Open5e."
_NONE = "No documents found in cache"


def documents_result(documents: Sequence[DocumentSummary], *, as_text: bool) -> ToolResult:
    """Return every document with its counts. The text is the same JSON, or with ``as_text`` one line for each."""
    structured = {
        "documents": [dataclasses.asdict(document) for document in documents],
        "total": len(documents),
        "hint": _NOTE if documents else _NONE,
    }
    text = documents_text(documents) if as_text or not documents else json.dumps(structured, ensure_ascii=False)
    return ToolResult(content=text, structured_content=structured)


def documents_text(documents: Sequence[DocumentSummary]) -> str:
    """Return one line per document, and the attributions that licenses require."""
    if not documents:
        return _NONE
    attributions = "\n".join(dict.fromkeys(document.attribution for document in documents if document.attribution))
    lines = "\n".join(map(_line, documents))
    return f"{lines}\n\n{_NOTE}\n\n{attributions}".rstrip()


def _line(document: DocumentSummary) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in document.entity_types.items())
    entities = "1 entity" if document.entity_count == 1 else f"{document.entity_count} entities"
    source = ", ".join(filter(None, (document.publisher, document.license, document.edition)))
    name = f"{document.document_name} ({document.document_key}, {document.document_source})"
    return f"{name}: {entities} ({kinds}); {source}"
