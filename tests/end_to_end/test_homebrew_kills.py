"""Imports beside a running server, and imports that are killed."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import load_settings
from tests.end_to_end.clients import ask, environment, in_process, over_stdio
from tests.end_to_end.homebrew_commands import command
from tests.sources.orcbrew.fixture_files import fixture, stored

LARGE = 3_000  # spells of a book that takes seconds to store


def kill_while_importing(db: Path, file: Path) -> None:
    """Import a file, and kill the process as soon as the file is stored."""
    before = len(list(db.with_suffix(".homebrew").glob("*.json")))
    with subprocess.Popen(
        [sys.executable, "-m", "lorekeeper_mcp", "import", str(file)],
        env=environment(db, LOREKEEPER_OFFLINE="true"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while len(list(db.with_suffix(".homebrew").glob("*.json"))) == before and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)


@pytest.mark.chaos
async def test_imports_work_beside_a_server_and_after_a_kill(own: Path) -> None:
    async with over_stdio(own, LOREKEEPER_OFFLINE="true") as client:
        assert (await ask(client, "search_creature", type="undead", documents=["srd-2014"]))["total"] == 18
        # Without a model everything is imported, and found by meaning later.
        done = command(own, "import", "--json", str(fixture("forms")), LOREKEEPER_EMBEDDING_MODEL="/no/such/model")
        assert done.returncode == 0, done.stderr
        assert b"by meaning" in done.stderr
        listed = (await ask(client, "list_documents", source="orcbrew"))["documents"]
        assert sum(document["entity_count"] for document in listed) == len(stored("forms")), (
            "the server sees it at once"
        )
        assert (await ask(client, "search_creature", type="undead", documents=["srd-2014"]))["total"] == 18
    kill_while_importing(own, fixture("wrapped"))
    async with over_stdio(own, LOREKEEPER_OFFLINE="true") as client:
        listed = (await ask(client, "list_documents", source="orcbrew"))["documents"]
        assert sum(document["entity_count"] for document in listed) == len(stored("wrapped") + stored("forms"))
    done = command(own, "remove", "moths of amberfen", "First")
    assert done.returncode == 0, done.stderr
    assert command(own, "remove", "First").returncode == 1
    async with in_process(own, offline=True) as client:
        listed = (await ask(client, "list_documents", source="orcbrew"))["documents"]
        assert {document["document_key"] for document in listed} == {"second", "forms", "unnamed-content"}


@pytest.mark.chaos
async def test_the_owner_finishes_an_import_whose_command_is_killed(own: Path, tmp_path: Path) -> None:
    spells = (
        f':zap-{n} {{:option-pack "Large Book" :name "Zap {n}" :key :zap-{n} :school "evocation" :level 1}}'
        for n in range(LARGE)
    )
    file = tmp_path / "large.orcbrew"
    file.write_text(f"{{:orcpub.dnd.e5/spells {{{' '.join(spells)}}}}}")
    library = HomebrewLibrary.of(load_settings(milvus_db_path=own))
    async with in_process(own, offline=True) as client:
        await ask(client, "list_documents")
        importing = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "lorekeeper_mcp", "import", str(file)),
            env=environment(own, LOREKEEPER_OFFLINE="true"),
            stderr=subprocess.DEVNULL,
        )
        while not library.current():
            assert importing.returncode is None
            await asyncio.sleep(0.01)
        importing.kill()
        await importing.wait()
        for _ in range(600):
            listed = (await ask(client, "list_documents", source="orcbrew"))["documents"]
            if sum(document["entity_count"] for document in listed) == LARGE:
                return
            await asyncio.sleep(0.1)
    raise AssertionError(listed)
