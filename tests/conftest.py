from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lorekeeper_mcp.process import settle_environment

settle_environment()

from tests.recorded import FOLDER  # noqa: E402
from tests.replay import Replay, serve  # noqa: E402


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads or writes the user's own settings and data."""
    for name in [name for name in os.environ if name.startswith("LOREKEEPER_") and "TEST" not in name]:
        monkeypatch.delenv(name)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


@pytest.fixture(scope="session")
def replay_server() -> Iterator[Replay]:
    """One replay server for the whole run."""
    if not (FOLDER / "snapshot").is_dir():
        pytest.skip("the recorded Open5e data is absent")
    with serve() as replay:
        yield replay


@pytest.fixture
def replay(replay_server: Replay) -> Replay:
    """The replay server with an empty log and no faults."""
    replay_server.reset()
    return replay_server
