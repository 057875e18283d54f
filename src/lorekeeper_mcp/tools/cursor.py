"""Opaque cursors: the end of a page, and a hash of the question."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping

from lorekeeper_mcp.tools.error_messages import user_error


def question_hash(tool: str, arguments: Mapping[str, object]) -> str:
    """Return a hash of a question, without page, limit and detail."""
    relevant = {k: v for k, v in sorted(arguments.items()) if k not in ("cursor", "limit", "detail") and v is not None}
    return hashlib.blake2b(json.dumps([tool, relevant], default=str).encode(), digest_size=6).hexdigest()


def encode(offset: int, question: str) -> str:
    """Return the cursor of the next page."""
    return base64.urlsafe_b64encode(f"{offset}:{question}".encode()).decode().rstrip("=")


def decode(cursor: str, question: str) -> int:
    """Return the offset of the page. Raises a user error if the cursor is invalid or belongs to another question."""
    if not cursor:
        return 0
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        offset, _, belongs_to = text.partition(":")
        if belongs_to == question and offset.isdigit():
            return int(offset)
    except (ValueError, binascii.Error):
        pass
    raise user_error("That cursor does not belong to this question: start again without cursor.")
