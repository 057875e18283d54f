"""Errors that a caller can fix. Kept apart from FastMCP, whose import would cost commands a second."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lorekeeper_mcp.tools.validation_messages import MAX_MESSAGE

if TYPE_CHECKING:
    from fastmcp.exceptions import ToolError

FAULT = "lorekeeper/fault"  # in the ``_meta`` of an error that the caller cannot fix


def user_error(sentence: str) -> ToolError:
    """Return an error that is not logged as an internal one."""
    from fastmcp.exceptions import ToolError  # noqa: PLC0415 - see above

    return ToolError(sentence[:MAX_MESSAGE], log_level=logging.DEBUG)
