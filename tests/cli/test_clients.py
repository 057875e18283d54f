from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest
import typer
import yaml

from lorekeeper_mcp.cli.clients import (
    CLIENTS,
    McpClient,
    add_server_command,
    find,
    installation_source,
    snippet,
    start_command,
)
from tests.cli.test_commands import run

ROOT = Path(__file__).parents[2]
AWKWARD = 'C:\\Users\\Jörg "J"\\lore keeper'  # the characters of a path have to survive JSON and TOML


def started(client: McpClient, text: str) -> list[str]:
    read = {"toml": tomllib.loads, "yaml": yaml.safe_load}.get(client.form, json.loads)
    server = read(text)[client.table]["lorekeeper"]
    return server["command"] if client.form == "argv" else [server.get("command", server.get("cmd")), *server["args"]]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_a_snippet_contains_the_command_for_any_path(client: McpClient) -> None:
    assert started(client, snippet(client, [AWKWARD])) == [AWKWARD]
    start = start_command(AWKWARD)
    assert started(client, snippet(client, start)) == start
    assert start[1:] == ["--from", AWKWARD, "lorekeeper-mcp"]
    assert set(client.files) == {"macOS", "Windows", "Linux"}
    assert "/" not in client.files["Windows"]


def test_add_commands_are_quoted_for_the_shell() -> None:
    start = ["/a b/lk"]
    assert add_server_command(find("codex"), start).endswith("-- '/a b/lk'")
    assert add_server_command(find("codex"), start, "Windows").endswith('-- "/a b/lk"')
    assert add_server_command(find("zed"), start) == ""


def test_a_client_is_found_by_title_and_an_unknown_one_gets_the_list() -> None:
    assert find("VS Code").key == find("Claude Desktop").key.replace("claude-desktop", "vscode")
    with pytest.raises(typer.BadParameter, match="the clients are claude-desktop"):
        find("curser")


def test_config_prints_the_full_path_of_the_installed_command(tmp_path: Path) -> None:
    done = run(tmp_path / "x.db", "config", "cursor")
    assert done.returncode == 0, done.stderr
    server = json.loads(done.stdout)["mcpServers"]["lorekeeper"]
    assert server == {"command": str(Path(sys.executable).with_name("lorekeeper-mcp")), "args": []}
    assert "~/.cursor/mcp.json" in done.stderr
    assert not (tmp_path / "x.db").exists()


def test_a_command_in_the_cache_of_uvx_is_started_by_uvx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/home/x/.cache/uv/archive-v0/abc/bin/lorekeeper-mcp"])
    assert start_command()[1:] == ["--from", str(ROOT), "lorekeeper-mcp"]
    assert installation_source() == str(ROOT)


def test_config_prints_commands_for_other_sources_and_lists_the_clients(tmp_path: Path) -> None:
    done = run(tmp_path / "x.db", "config", "codex", "--from", "git+https://example.org/lk")
    arguments = tomllib.loads(done.stdout)["mcp_servers"]["lorekeeper"]["args"]
    assert arguments == ["--from", "git+https://example.org/lk", "lorekeeper-mcp"]
    listed = run(tmp_path / "x.db", "config")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [client.key for client in CLIENTS]
    unknown = run(tmp_path / "x.db", "config", "emacs")
    assert (unknown.returncode, unknown.stdout) == (2, "")
