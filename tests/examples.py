"""How many random inputs a property is tried with: few in each run, many before a release."""

from __future__ import annotations

import os

# More by hand: LOREKEEPER_TEST_EXAMPLES=5000 uv run pytest tests/sources/orcbrew/test_random_files.py
EXAMPLES = int(os.environ.get("LOREKEEPER_TEST_EXAMPLES", "10"))
