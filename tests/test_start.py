"""The modules imported before the first reply, which determine the start-up time."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cached_stores import copy_store
from tests.end_to_end.clients import environment
from tests.end_to_end.test_stdio import INITIALIZE, INITIALIZED, message

ROOT = Path(__file__).parents[1]
HEAVY = {"pymilvus", "milvus_lite", "pandas", "numpy", "torch", "transformers", "sentence_transformers", "faiss"}
FOR_A_CALL = HEAVY | {"httpx", "sqlite3", "fastmcp.client", "lorekeeper_mcp.repository.repository"}


# However busy the machine is, the command is done before it would serve other processes.
ALONE = (
    "from lorekeeper_mcp.cli import runner\nfrom lorekeeper_mcp.__main__ import main\n"
    "runner._ALONE_SECONDS = 600.0\nmain()"
)


def imported_modules(noise: str) -> set[str]:
    """The modules that ``-X importtime`` reports on stderr."""
    lines = [line.rpartition("|")[2].strip() for line in noise.splitlines() if line.startswith("import time:")]
    return set(lines)


@pytest.mark.parametrize("option", ["--help", "-h", "--version", "-V"])
def test_help_and_version_import_next_to_nothing(option: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "lorekeeper_mcp", option],
        env=environment(tmp_path / "x.db"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(("Usage: lorekeeper-mcp", "lorekeeper-mcp 0."))
    modules = imported_modules(done.stderr)
    assert "lorekeeper_mcp.__main__" not in modules and "runpy" in modules
    assert not modules & (FOR_A_CALL | {"fastmcp", "pydantic", "typer", "rich", "asyncio", "lorekeeper_mcp.settings"})


def test_nothing_heavy_is_imported_before_the_first_replies(tmp_path: Path) -> None:
    noise = tmp_path / "imports"  # more than fits in a pipe
    with (
        noise.open("wb") as file,
        subprocess.Popen(
            [sys.executable, "-X", "importtime", "-m", "lorekeeper_mcp"],
            env=environment(tmp_path / "x.db", LOREKEEPER_OFFLINE="true"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=file,
        ) as process,
    ):
        assert process.stdin and process.stdout
        process.stdin.write(INITIALIZE + INITIALIZED + message(2, "tools/list"))
        process.stdin.flush()
        replies = [process.stdout.readline() for _ in range(2)]
        process.kill()
    modules = imported_modules(noise.read_text(encoding="utf-8"))
    assert b"serverInfo" in replies[0] and b"search_spell" in replies[1]
    assert "fastmcp.server.server" in modules
    assert not modules & FOR_A_CALL


def test_a_search_without_a_running_server_imports_no_server(seeded: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", ALONE, "search", "Fireball"],
        env=environment(copy_store(seeded, tmp_path / "x.db"), LOREKEEPER_OFFLINE="true"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Fireball" in done.stdout
    modules = imported_modules(done.stderr)
    assert "lorekeeper_mcp.repository.repository" in modules
    assert modules & (HEAVY - {"numpy"} | {"fastmcp", "mcp", "uvicorn", "starlette"}) == set()


def test_the_stored_help_equals_the_commands_help() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "update_help.py"))
    assert script["HELP"].read_text(encoding="utf-8") == script["page"](), "run scripts/update_help.py"
