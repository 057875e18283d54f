"""The Open5e served to a test run: the invented one, or with ``LOREKEEPER_TEST_OPEN5E=recorded`` the recorded one.

A test that holds for every Open5e takes its records from here; one that needs the recorded data is marked ``recorded``.
"""

from __future__ import annotations

import os
from typing import Any

from tests import recorded
from tests.open5e.endpoints import every_endpoint

IS_RECORDED = os.environ.get("LOREKEEPER_TEST_OPEN5E") == "recorded"
NOT_SERVED = "needs the recorded Open5e to be served: LOREKEEPER_TEST_OPEN5E=recorded"
# The process that serves it, and the module of the command for it.
SERVER = [str(recorded.FOLDER / "replay.py"), "--port", "0"] if IS_RECORDED else ["-m", "tests.open5e.server"]
COMMAND = "lorekeeper_mcp" if IS_RECORDED else "tests.open5e.command"


def load(endpoint: str) -> list[dict[str, Any]]:
    """Every record of an endpoint such as ``v2/spells``, as served. Do not change the returned list."""
    return recorded.load(endpoint) if IS_RECORDED else every_endpoint()[endpoint]
