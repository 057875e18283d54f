"""The recorded Open5e: every record as served, and a server that replays them with their real quirks.

It is third-party text and not part of this repository; tests that need it are skipped without it.
"""

from __future__ import annotations

import functools
import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(os.environ.get("LOREKEEPER_TEST_RECORDED", Path(__file__).parents[2] / "shared" / "open5e"))
IS_HERE = (FOLDER / "snapshot").is_dir()
needs_recorded = pytest.mark.recorded  # skipped in conftest without the data


@functools.cache
def load(endpoint: str) -> list[dict[str, Any]]:
    """Every record of an endpoint such as ``v2/spells``, as served. Do not change the returned list."""
    records: list[dict[str, Any]] = json.loads(
        gzip.decompress((FOLDER / "snapshot" / f"{endpoint}.json.gz").read_bytes())
    )
    return records


def endpoints(version: str) -> list[str]:
    """The recorded endpoints of ``v1`` or ``v2`` that serve records (the list of enums does not)."""
    names = sorted(file.name.removesuffix(".json.gz") for file in (FOLDER / "snapshot" / version).glob("*.json.gz"))
    return [f"{version}/{name}" for name in names if name != "enums"]
