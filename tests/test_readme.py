from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_tables_follow_from_the_code() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "update_readme.py"))
    assert script["updated"](README) == README


def test_every_client_snippet_starts_our_own_command() -> None:
    snippets = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", README, re.DOTALL)]
    servers = [server for snippet in snippets for group in snippet.values() for server in group.values()]
    assert len(servers) >= 2
    for server in servers:
        assert [server["command"], *server["args"]] == ["uvx", "--from", "/path/to/lorekeeper-mcp", "lorekeeper-mcp"]
    assert not re.search(r"uvx lorekeeper-mcp", README)
