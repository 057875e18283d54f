"""Several processes on one data folder."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.clients import ask, environment, names, over_stdio

OWNER = (
    "import sys, time\nfrom pathlib import Path\nfrom lorekeeper_mcp.cache.opening import open_store\n"
    "from lorekeeper_mcp.settings import load_settings\n"
    "opened = open_store(load_settings(milvus_db_path=Path(sys.argv[1])))\nprint('open', flush=True)\ntime.sleep(120)\n"
)


@pytest.fixture
def own(seeded: Path, tmp_path: Path) -> Path:
    shutil.copytree(seeded, tmp_path / "own.db")
    return tmp_path / "own.db"


def started(db: Path) -> subprocess.Popen[bytes]:
    """A process that owns the store and does nothing with it."""
    return subprocess.Popen([sys.executable, "-c", OWNER, str(db)], env=environment(db), stdout=subprocess.PIPE)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_server_goes_on_when_the_process_that_owned_the_store_is_gone(
    own: Path, number: signal.Signals
) -> None:
    with started(own) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"open\n"
        async with over_stdio(own, LOREKEEPER_OFFLINE="true") as client:
            assert names(await ask(client, "search_spell", search="Fireball"))[0] == "Fireball"
            owner.send_signal(number)
            owner.wait()
            for question in ("Fireball", "Shield", "Wish"):
                assert names(await ask(client, "search_spell", search=question))[0] == question
            assert (await ask(client, "search_creature", type="undead", limit=50))["total"] == 18


async def test_servers_that_start_together_all_answer(own: Path) -> None:
    async def one() -> str:
        async with over_stdio(own, LOREKEEPER_OFFLINE="true") as client:
            return names(await ask(client, "search_creature", search="Owlbear"))[0]

    assert await asyncio.gather(one(), one(), one()) == ["Owlbear"] * 3
