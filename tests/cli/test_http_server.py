"""``serve --transport http`` as a process, called over real HTTP."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from pydantic import SecretStr

from lorekeeper_mcp.cli.http_server import ServingError, checked_token
from tests.cli.test_commands import run
from tests.end_to_end.clients import ERAS, NOWHERE, ask, environment, names
from tests.forked_command import command_line

TOKEN = "a-token-for-the-tests-only"
PYTHON = (sys.executable, "-m", "lorekeeper_mcp")  # which a signal ends as it ends the command of a user
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@contextlib.contextmanager
def http_server(
    db: Path, *options: str, start: Sequence[str] = (), **variables: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start the process, and yield the address that it prints."""
    process = subprocess.Popen(
        [*(start or command_line()), "serve", "--transport", "http", "--port", "0", *options],
        env=environment(db, NOWHERE, LOREKEEPER_OFFLINE="true", **variables),
        cwd=db.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        address = re.search(r"http://\S+", line)
        assert address, line
        yield address[0], process
    finally:
        process.kill()
        process.communicate()


def post_ping(url: str, **headers: str) -> httpx.Response:
    accepts = {"accept": "application/json, text/event-stream", **headers}
    for _ in range(100):  # it prints the address before it listens
        with contextlib.suppress(httpx.ConnectError):
            return httpx.post(url, json=PING, headers=accepts, timeout=30)
        time.sleep(0.1)
    raise AssertionError("never listened")


async def test_both_protocol_versions_are_answered_and_foreign_hosts_and_pages_are_refused(seeded: Path) -> None:
    with http_server(seeded, start=PYTHON) as (url, process):
        assert url.startswith("http://127.0.0.1:")
        assert post_ping(url, host="evil.example").status_code in {403, 421}
        assert post_ping(url, origin="https://evil.example").status_code == 403
        for mode in ERAS:
            async with Client(url, mode=mode) as client:
                assert len(await client.list_tools()) == 7
                assert names(await ask(client, "search_spell", search="Fireball"))[0] == "Fireball"
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) in {0, -signal.SIGTERM, 128 + signal.SIGTERM}
        assert process.stdout is not None
        assert process.stdout.read() == ""


def test_only_pages_of_its_own_origin_and_of_those_in_the_settings_may_call(seeded: Path) -> None:
    proxy = "https://dnd.example.org"
    with http_server(seeded, LOREKEEPER_HTTP_ORIGINS=f"{proxy}/, http://localhost:3000") as (url, _):
        own = url.removesuffix("/mcp")
        for origin in (own, proxy, "http://localhost:3000"):
            assert post_ping(url, origin=origin).status_code == 400  # no session yet
        for origin in (
            "http://localhost:3001",
            own.replace("127.0.0.1", "localhost"),
            "http://dnd.example.org",
            "null",
        ):
            assert post_ping(url, origin=origin).status_code == 403
        assert post_ping(url, host="dnd.example.org", origin=proxy).status_code == 400
        assert post_ping(url, host="dnd.example.com", origin="http://dnd.example.com").status_code == 421


async def test_remote_requests_are_answered_only_with_the_token(seeded: Path) -> None:
    with http_server(seeded, "--host", "0.0.0.0", LOREKEEPER_HTTP_TOKEN=TOKEN) as (address, _):
        url = address.replace("0.0.0.0", "127.0.0.1")
        assert post_ping(url).status_code == 401
        assert post_ping(url, authorization="Bearer another-token-of-some-length").status_code == 401
        assert post_ping(url, authorization=TOKEN).status_code == 401
        for mode in ERAS:
            transport = StreamableHttpTransport(url, headers={"Authorization": f"Bearer {TOKEN}"})
            async with Client(transport, mode=mode) as client:
                assert names(await ask(client, "search_creature", search="Goblin"))


def test_without_a_token_only_local_requests_are_served(tmp_path: Path) -> None:
    done = run(tmp_path / "x.db", "serve", "--transport", "http", "--host", "0.0.0.0")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "LOREKEEPER_HTTP_TOKEN" in done.stderr


def test_a_port_in_use_is_reported_in_a_sentence(seeded: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken = str(listener.getsockname()[1])
        done = run(seeded, "serve", "--transport", "http", "--port", taken)
        assert done.returncode == 1
        assert f"port {taken}" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["127.8.8.8", "::1", "[::1]", "LocalHost"])
def test_a_loopback_host_needs_no_token(host: str) -> None:
    assert checked_token(host, None) is None


@pytest.mark.parametrize(("host", "token"), [("192.168.1.2", None), ("localhost.example", None), ("::1", "short")])
def test_a_public_host_needs_a_token_that_cannot_be_guessed(host: str, token: str | None) -> None:
    with pytest.raises(ServingError, match="LOREKEEPER_HTTP_TOKEN"):
        checked_token(host, SecretStr(token) if token else None)
