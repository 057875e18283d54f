from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kept_stores import copy_store
from tests.owned import owned


@pytest.fixture(scope="session")
def served(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store with the embedded SRD whose owner answers; for tests that only read."""
    with owned(copy_store(seeded, tmp_path_factory.mktemp("served") / "x.db")) as db:
        yield db
