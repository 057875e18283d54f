from __future__ import annotations

import json
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
from tests.end_to_end.clients import ask, environment, names

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


def test_every_command_in_the_readme_exists(tmp_path: Path) -> None:
    lines = [line for text in TEXTS.values() for block in blocks("sh", text) for line in block.splitlines()]
    used = {match[1] for line in lines if (match := re.search(r"^(?:uv run )?lorekeeper-mcp (\w+)", line))}
    help_text = subprocess.run(
        [sys.executable, "-m", "lorekeeper_mcp", "--help"],
        env=environment(tmp_path / "x.db"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    offered = set(re.findall(r"^\W*(\w+)\s{2,}", help_text, re.MULTILINE))
    assert {"search", "show", "import", "sync"} <= used <= offered


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_into_the_repository_exists(name: str) -> None:
    linked = [target for target in re.findall(r"\]\(([^)#]+)\)", TEXTS[name]) if not target.startswith("http")]
    paths = re.findall(r"`((?:scripts|benchmarks|openspec|docs|tests|\.ci)/[\w./]*)`", TEXTS[name])
    assert all((PAGES[name].parent / target).exists() for target in linked)
    assert all((ROOT / target).exists() for target in paths)
