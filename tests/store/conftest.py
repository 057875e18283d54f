"""The undamaged store that the tests of damage copy."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.store.damaged_stores import write_store


@pytest.fixture(scope="session")
def undamaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a closed store ``x.db``; tests copy it and leave it as it is."""
    folder = tmp_path_factory.mktemp("undamaged")
    asyncio.run(write_store(folder / "x.db"))
    return folder
