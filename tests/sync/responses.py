"""Responses of an invented Open5e."""

from __future__ import annotations

from typing import Any

import httpx


def list_response(records: list[dict[str, Any]]) -> httpx.Response:
    """A whole list on one page."""
    return httpx.Response(200, json={"count": len(records), "next": None, "results": records})
