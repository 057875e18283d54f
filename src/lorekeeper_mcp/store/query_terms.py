"""The words of a question that full-text search uses."""

from __future__ import annotations

import re

from lorekeeper_mcp.text import fold

# Words in most questions: every text has them, so they only cost time.
COMMON_WORDS = frozenset(
    "a am an and any are as at be by can could do does for from get give has have he her him his how i if in into is "
    "it its make may me might must my of on or our she should so some that the their them they this to up us want was "
    "we what when where which who will with would you your".split()
)


def query_terms(text: str) -> list[str]:
    """Return the significant words of a question, each once, at most 32."""
    words = dict.fromkeys(re.findall(r"[a-z0-9]+", fold(text)))
    telling = [word for word in words if word not in COMMON_WORDS]
    return (telling or list(words))[:32]
