"""The channels of an answer (text, structured content, or both), and the schemas of structured content.

Clients show the model only one channel, some the text and some the structured content, and do not say which.
"""

from __future__ import annotations

from typing import TypeAlias

from fastmcp.tools import ToolResult

from lorekeeper_mcp.answer import CacheState
from lorekeeper_mcp.settings import Output

Schema: TypeAlias = dict[str, object]


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer"}
_OR_NULL: Schema = {"anyOf": [_TEXT, {"type": "null"}]}  # more widely supported than a list of types
# The server's instructions describe a result. Repeating its fields in every schema, or saying that every answer has
# all of them, would cost clients tokens.
_ANY: Schema = {"type": "object"}

SEARCH_SCHEMA = _object(
    {
        "results": _list(_ANY),
        "documents": _list(_ANY),
        "total": _NUMBER,
        "next_cursor": _OR_NULL,
        "complete": {"type": "boolean"},
        "cache": {"enum": [str(state) for state in CacheState]},
        "as_of": _OR_NULL,
        "hint": _OR_NULL,
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


def select_channels(result: ToolResult, output: Output) -> ToolResult:
    """Return the channels of an answer that the server's settings select.

    The protocol requires a text with structured content; if the text is not selected, it only says where to look.
    """
    if output == "text":
        return ToolResult(content=result.content)
    if output == "structured":
        return ToolResult(content=_pointer(result), structured_content=result.structured_content)
    return result


def _pointer(result: ToolResult) -> str:
    content = result.structured_content or {}
    shown = next((len(value) for value in content.values() if isinstance(value, list)), 0)
    return f"{shown} of {content.get('total', shown)} in the structured content of this answer."
