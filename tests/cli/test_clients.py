from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from lorekeeper_mcp.cli.clients import (
    CLIENTS,
    McpClient,
    UnknownClientError,
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
    tables = tomllib.loads(text) if client.form == "toml" else json.loads(text)
    server = tables[client.table]["lorekeeper"]
    return [server["command"], *server["args"]]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_a_snippet_contains_the_command_for_any_path(client: McpClient) -> None:
    start = start_command(AWKWARD)
    assert started(client, snippet(client, start)) == ["uvx", "--from", AWKWARD, "lorekeeper-mcp"]
    assert set(client.files) == {"macOS", "Windows", "Linux"}
    assert "/" not in client.files["Windows"]


def test_add_commands_are_quoted_for_the_shell() -> None:
    start = start_command("/a b/lk")
    assert add_server_command(find("codex"), start).endswith("-- uvx --from '/a b/lk' lorekeeper-mcp")
    assert add_server_command(find("codex"), start, "Windows").endswith('-- uvx --from "/a b/lk" lorekeeper-mcp')
    assert add_server_command(find("zed"), start) == ""


def test_a_client_is_found_by_title_and_a_misspelt_one_gets_a_suggestion() -> None:
    assert find("VS Code").key == find("Claude Desktop").key.replace("claude-desktop", "vscode")
    with pytest.raises(UnknownClientError, match="Did you mean cursor"):
        find("curser")


def test_config_prints_the_command_that_starts_this_installation(tmp_path: Path) -> None:
    assert installation_source() == str(ROOT)
    done = run(tmp_path / "x.db", "config", "cursor")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["mcpServers"]["lorekeeper"]["args"] == ["--from", str(ROOT), "lorekeeper-mcp"]
    assert "~/.cursor/mcp.json" in done.stderr
    assert not (tmp_path / "x.db").exists()


def test_config_prints_json_and_commands_for_other_sources(tmp_path: Path) -> None:
    done = run(tmp_path / "x.db", "config", "codex", "--json", "--from", "git+https://example.org/lk")
    config = json.loads(done.stdout)
    assert config["start"] == ["uvx", "--from", "git+https://example.org/lk", "lorekeeper-mcp"]
    assert tomllib.loads(config["snippet"])["mcp_servers"]["lorekeeper"]["startup_timeout_sec"] == 120
    listed = run(tmp_path / "x.db", "config")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [client.key for client in CLIENTS]
    unknown = run(tmp_path / "x.db", "config", "emacs")
    assert (unknown.returncode, unknown.stdout) == (2, "")
