"""A quiet process, through raw pipes: only the protocol on stdout, little on stderr, and an end when told to."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.clients import ERAS, NOWHERE, Era, environment
from tests.forked_command import command_line

PYTHON = (sys.executable, "-m", "lorekeeper_mcp")  # starts the command as clients do
PIPE = 65_536  # bytes that a pipe holds before its writer is blocked
GUARD = 20  # seconds, for a machine that is busy
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


class Raw:
    """The command with our pipes; nobody reads its stderr before it has ended."""

    def __init__(self, era: Era, folder: Path, variables: dict[str, str], start: Sequence[str] = PYTHON) -> None:
        self._era = era
        self._number = 0
        self.process = subprocess.Popen(
            start, env=variables, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        if era == "legacy":
            assert self.ask("initialize", **HELLO)["result"]["serverInfo"]["name"] == "lorekeeper"
            self.send({"method": "notifications/initialized"})
        else:
            assert "2026-07-28" in self.ask("server/discover")["result"]["supportedVersions"]

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def begin(self, method: str, **params: Any) -> int:
        self._number += 1
        metadata = {"_meta": MODERN} if self._era == "auto" else {}
        self.send({"id": self._number, "method": method, "params": {**params, **metadata}})
        return self._number

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = self.begin(method, **params)
        assert self.process.stdout
        reply: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert reply["jsonrpc"] == "2.0"
        assert reply["id"] == number
        return reply

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return result

    def end(self) -> str:
        """Close its input, wait, and return its stderr. Nothing more may be on stdout."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.process.stdin.close()
        assert self.process.wait(timeout=GUARD) == 0
        assert self.process.stdout.read() == b""
        return self.process.stderr.read().decode()


@pytest.fixture
def trap() -> Iterator[socket.socket]:
    """A proxy that must never be used."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        yield listener


@pytest.mark.parametrize("era", ERAS)
def test_stdout_has_only_the_protocol_and_no_other_host_is_contacted(
    era: Era, seeded: Path, trap: socket.socket
) -> None:
    proxy = f"http://127.0.0.1:{trap.getsockname()[1]}"
    proxies = {f"{scheme}_proxy": proxy for scheme in ("http", "https", "HTTP", "HTTPS", "all", "ALL")}
    (seeded.parent / ".env").write_text("FASTMCP_PORT=abc\nFASTMCP_TRANSPORT=http\nLOREKEEPER_OUTPUT=nonsense\n")
    fastmcp = {
        "FASTMCP_SHOW_SERVER_BANNER": "true",
        "FASTMCP_CHECK_FOR_UPDATES": "stable",
        "FASTMCP_LOG_LEVEL": "DEBUG",
    }
    variables = environment(seeded, LOREKEEPER_OFFLINE="true", **fastmcp, **proxies)
    raw = Raw(era, seeded.parent, variables, PYTHON if era == "auto" else command_line())
    assert raw.call("search_spell", search="Fireball")["structuredContent"]["results"]
    assert raw.call("search_spell", nonsense=True)["isError"]
    assert raw.ask("resources/read", uri="lorekeeper://spell/srd_fireball")["result"]["contents"]
    assert raw.ask("resources/read", uri="lorekeeper://spell/firebal")["error"]["code"] == -32602
    assert raw.ask("prompts/get", name="explain_rule", arguments={"rule": "cover"})["result"]["messages"]
    assert raw.ask("prompts/get", name="explain_rule")["error"]["code"] == -32602
    assert raw.ask("nonsense/method")["error"]
    template = {"type": "ref/resource", "uri": "lorekeeper://{kind}/{key}"}
    complete = raw.ask("completion/complete", ref=template, argument={"name": "kind", "value": "sp"})
    assert complete["result"]["completion"]["values"] == ["species", "spell"]
    if era == "auto":
        listed = raw.ask("tools/list")["result"]
        assert (listed["ttlMs"], listed["cacheScope"]) == (3_600_000, "public")
    noise = raw.end()
    assert noise.count("\n") <= 5
    with pytest.raises(TimeoutError):
        trap.accept()


@pytest.mark.parametrize("era", ["auto", pytest.param("legacy", marks=pytest.mark.chaos)])
def test_an_unread_stderr_does_not_block_the_server(era: Era, seeded: Path) -> None:
    variables = environment(seeded, LOREKEEPER_OFFLINE="true", LOREKEEPER_LOG_LEVEL="DEBUG")
    raw = Raw(era, seeded.parent, variables, command_line())
    for number in range(100):
        assert raw.call("search_spell", level=f"x{number}" * 200)["isError"]
        assert raw.call("x" * 500)["isError"]
    assert raw.call("search_spell", level=3, limit=1)["structuredContent"]["results"]
    noise = raw.end()
    assert len(noise) < PIPE
    assert "Traceback" not in noise


def test_logs_never_fill_a_pipe() -> None:
    code = (
        "import logging; from lorekeeper_mcp.runtime import configure_logging; configure_logging('WARNING')\n"
        "log = logging.getLogger('lorekeeper_mcp.x')\n"
        "for number in range(1000):\n"
        "    try: raise ValueError('x' * 2000)\n"
        "    except ValueError: log.exception('%s\\n%s', number, 'y' * 2000)\n"
        "print('done')"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout and process.stderr
    assert process.stdout.readline() == b"done\n"
    process.wait(timeout=GUARD)
    noise = process.stderr.read()
    assert 1000 < len(noise) < PIPE
    assert max(map(len, noise.splitlines())) < 600
    assert b"Traceback" not in noise


@pytest.mark.parametrize(("era", "how"), [("auto", "SIGINT"), ("legacy", "SIGTERM"), ("auto", "end of input")])
def test_a_process_ends_on_a_signal_during_a_call(era: Era, how: str, seeded: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as upstream:  # accepts the request and never answers
        url = f"http://127.0.0.1:{upstream.getsockname()[1]}"
        raw = Raw(era, seeded.parent, environment(seeded, url))
        raw.call("list_documents")
        raw.begin("tools/call", name="search_spell", arguments={"level": 9})
        upstream.settimeout(GUARD)
        upstream.accept()
        if how == "end of input":
            assert raw.process.stdin
            raw.process.stdin.close()
        else:
            raw.process.send_signal(signal.Signals[how])
        raw.process.wait(timeout=GUARD)


def test_a_home_that_cannot_be_written_is_not_needed(tmp_path: Path) -> None:
    nowhere = "/proc/nowhere"  # nobody can create a folder there, not even root
    folders = {name: f"{nowhere}/{name}" for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    variables = environment(tmp_path / "x.db", NOWHERE, **folders, HOME=nowhere, LOREKEEPER_OFFLINE="true")
    del variables["LOREKEEPER_MILVUS_DB_PATH"]
    raw = Raw("auto", tmp_path, variables)
    answer = raw.call("search_spell", search="Fireball")["structuredContent"]
    assert answer["results"][0]["name"] == "Fireball"
    assert nowhere in answer["hint"]
    assert raw.end().count("\n") <= 5
