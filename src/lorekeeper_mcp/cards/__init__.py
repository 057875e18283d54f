"""Cards: the page that MCP clients with the apps extension draw beside an answer, and that a browser prints.

``card.html`` is built from ``ui/``. It draws the structured half of an answer, or its text, and loads nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from fastmcp import FastMCP
from fastmcp.apps.config import UI_MIME_TYPE, AppConfig, ResourceCSP

CARD: Final = "ui://lorekeeper/card.html"
CARD_META: Final[dict[str, object]] = {"ui": {"resourceUri": CARD}}  # of the tools whose answers it draws
_SCRIPT = "<script>"


def card_page() -> str:
    """Return the page without an answer, which a host gives it."""
    return files(__name__).joinpath("card.html").read_text(encoding="utf-8")


def page_with_answers(answers: Sequence[dict[str, object]]) -> str:
    """Return the page with some answers in it, each as ``{"structuredContent": …}``; no server is needed to open it."""
    data = json.dumps(answers, ensure_ascii=False).replace("<", "\\u003c")  # cannot end the element that it is in
    holder = f'<script type="application/json" id="answers">{data}</script>\n'
    return card_page().replace(_SCRIPT, holder + _SCRIPT, 1)


def register_card(server: FastMCP) -> None:
    """Add the page as a resource. It is the same in every process, so that none has to ask the owner of a store."""
    server.resource(
        CARD,
        name="card",
        title="Card",
        description="Draws an answer as a stat block, a list or passages, in clients that show MCP apps.",
        mime_type=UI_MIME_TYPE,
        app=AppConfig(csp=ResourceCSP(), prefers_border=True),
    )(card_page)
