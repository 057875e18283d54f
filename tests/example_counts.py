"""How many random inputs a property is tested with: the same few in each run, many new ones before a release."""

from __future__ import annotations

import os

from hypothesis import settings

# More by hand: LOREKEEPER_TEST_EXAMPLES=5000 uv run pytest tests/sources/test_random_json.py
_ASKED_FOR = os.environ.get("LOREKEEPER_TEST_EXAMPLES", "")
EXAMPLES = int(_ASKED_FOR or "10")

# A change must not fail because of another one; new inputs are drawn when somebody looks for faults.
settings.register_profile("these", deadline=None, database=None, derandomize=not _ASKED_FOR)
settings.load_profile("these")
