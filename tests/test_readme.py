from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from lorekeeper_mcp.cli.clients import CLIENTS
from tests.cached_stores import copy_store
from tests.end_to_end.clients import ask, environment, names
from tests.owner_process import running_owner

ROOT = Path(__file__).parents[1]
PAGES = {
    page.relative_to(ROOT).as_posix(): page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}
TEXTS = {name: page.read_text(encoding="utf-8") for name, page in PAGES.items()}
CLIENT_PAGE = TEXTS["docs/clients.md"]
START = ["lorekeeper-mcp"]


def blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```", text, re.DOTALL)


def commands(text: str) -> list[list[str]]:
    """The commands that the snippets of a page let a client start."""
    tables = [json.loads(b) for b in blocks("json", text)] + [tomllib.loads(b) for b in blocks("toml", text)]
    tables += [yaml.safe_load(b) for b in blocks("yaml", text)]
    servers = [group["lorekeeper"] for table in tables for group in table.values()]
    started = [server.get("command", server.get("cmd")) for server in servers]
    added = [shlex.split(line) for block in blocks("sh", text) for line in block.splitlines() if " mcp add " in line]
    return [
        *(
            program if isinstance(program, list) else [program, *server["args"]]
            for program, server in zip(started, servers, strict=True)
        ),
        *(words[words.index("lorekeeper-mcp") :] for words in added),
    ]


def test_generated_parts_match_the_code() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "update_readme.py"))
    for name, text in TEXTS.items():
        assert script["updated"](text) == text, name


def test_every_snippet_names_our_own_command() -> None:
    in_page = commands(CLIENT_PAGE)
    assert len(in_page) == len(CLIENTS) + sum(bool(client.adding) for client in CLIENTS)
    assert all(command == START for command in [*in_page, *commands(TEXTS["README.md"])])
    assert not any(re.search(r"uvx lorekeeper-mcp|uv tool install lorekeeper-mcp", text) for text in TEXTS.values())


def test_the_readme_is_short_and_names_every_client_and_page() -> None:
    readme = TEXTS["README.md"]
    assert len(readme.splitlines()) <= 200
    assert all(client.title in readme for client in CLIENTS)
    assert all(f"({name})" in readme for name in TEXTS if name != "README.md")


async def test_the_command_of_every_snippet_starts_and_answers(seeded: Path) -> None:
    """The path is that of this clone; the script that ``uvx`` would run from it is the one installed here."""
    installed = {tuple(START): [str(Path(sys.executable).with_name(START[-1]))]}
    for command in {tuple(command) for text in TEXTS.values() for command in commands(text)}:
        program, *arguments = installed[command]
        variables = environment(seeded, LOREKEEPER_OFFLINE="true")
        transport = StdioTransport(program, arguments, env=variables, cwd=str(seeded.parent), keep_alive=False)
        async with Client(transport, init_timeout=60) as client:
            assert names(await ask(client, "search_spell", search="Fireball"))[0] == "Fireball"


NOT_RUN = {  # the start of a documented command, and why it is not run here
    "git clone": "installs over the network: benchmarks/installation does it",
    "pip install": "installs over the network: .ci/run does it",
    "uvx --from": "installs over the network",
    "claude mcp add": "needs the client: scripts/check_clients.py runs some",
    "codex mcp add": "needs the client",
    "gemini mcp add": "needs the client",
    "uv run pytest": "is how this test is run",
    "LOREKEEPER_TEST_MILVUS_URI": "needs a Milvus server",
    "bash .ci/run": "runs this test",
    "bash scripts/check_release.sh": "runs this test",
}
CODES = {"lorekeeper-mcp sync": 1}  # it may not use the network here
PAGE_WITH_COMMANDS = {**TEXTS, "CONTRIBUTING.md": (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")}


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are written for a Unix shell")
def test_every_documented_command_runs(seeded: Path, tmp_path: Path) -> None:
    """In their order, in a folder with the files that they name, with the installed command on the path."""
    (tmp_path / "homebrew").mkdir()
    for file, book in (("my-book.orcbrew", "My Book"), ("homebrew/other.orcbrew", "Other")):
        (tmp_path / file).write_text(f'{{"{book}" {{:orcpub.dnd.e5/feats {{:ash {{:name "Ash" :description "x"}}}}}}}}')
    with running_owner(copy_store(seeded, tmp_path / "x.db")) as db:
        variables = environment(db, LOREKEEPER_OFFLINE="true", HOME=str(tmp_path))
        variables["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), variables["PATH"]])
        lines = (
            line for text in PAGE_WITH_COMMANDS.values() for block in blocks("sh", text) for line in block.split("\n")
        )
        for line in dict.fromkeys(re.sub(r"^uv run (--no-dev )?(?=lorekeeper-mcp)", "", line) for line in lines):
            if line.startswith(tuple(NOT_RUN)):
                continue
            with subprocess.Popen(
                ["bash", "-c", f"exec {line}"],
                cwd=tmp_path,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            ) as process:
                assert process.stderr
                if " serve " in line:
                    # Another program may use the port.
                    assert re.match("Serving MCP on|Cannot listen on", process.stderr.readline())
                    process.kill()
                else:
                    errors = process.stderr.read()
                    assert process.wait() == CODES.get(line.partition(" #")[0].strip(), 0), (line, errors)
    assert "Ash" in (tmp_path / "my-book.json").read_text()


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_into_the_repository_exists(name: str) -> None:
    linked = [target for target in re.findall(r"\]\(([^)#]+)\)", TEXTS[name]) if not target.startswith("http")]
    paths = re.findall(r"`((?:scripts|benchmarks|openspec|docs|tests|\.ci)/[\w./]*)`", TEXTS[name])
    assert all((PAGES[name].parent / target).exists() for target in linked)
    assert all((ROOT / target).exists() for target in paths)
