from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cached_stores import copy_store
from tests.owner_process import running_owner


@pytest.fixture(scope="session")
def owned(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store with the embedded SRD whose owner answers; for tests that only read."""
    with running_owner(copy_store(seeded, tmp_path_factory.mktemp("owned") / "x.db")) as db:
        yield db
