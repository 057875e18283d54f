"""The answer of ``list_documents``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence

from fastmcp.tools import ToolResult

from lorekeeper_mcp.answer import DocumentSummary

_NOTE = "Only cached documents are listed; searches fetch more from Open5e."
_NONE = "No documents found in cache"


def documents_result(documents: Sequence[DocumentSummary], faults: Mapping[str, str], *, as_text: bool) -> ToolResult:
    """Return every document with its counts. The text is the same JSON, or with ``as_text`` one line for each.

    ``faults`` says why files of imported books cannot be read.
    """
    hint = _NOTE if documents else _NONE
    if faults:
        hint += f" Files that cannot be read: {', '.join(faults)}. What is stored of them stays."
    structured = {
        "documents": [dataclasses.asdict(document) for document in documents],
        "total": len(documents),
        "hint": hint,
    }
    text = _text(documents, hint) if as_text or not documents else json.dumps(structured, ensure_ascii=False)
    return ToolResult(content=text, structured_content=structured)


def documents_text(documents: Sequence[DocumentSummary]) -> str:
    """Return one line per document, and the attributions that licenses require."""
    return _text(documents, _NOTE if documents else _NONE)


def _text(documents: Sequence[DocumentSummary], hint: str) -> str:
    attributions = "\n".join(dict.fromkeys(document.attribution for document in documents if document.attribution))
    return "\n\n".join(filter(None, ("\n".join(map(_line, documents)), hint, attributions)))


def _line(document: DocumentSummary) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in document.entity_types.items())
    entities = "1 entity" if document.entity_count == 1 else f"{document.entity_count} entities"
    source = ", ".join(filter(None, (document.publisher, document.license, document.edition)))
    name = f"{document.document_name} ({document.document_key}, {document.document_source})"
    return f"{name}: {entities} ({kinds}); {source}"
