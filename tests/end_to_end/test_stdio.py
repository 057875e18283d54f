"""The command that clients start: both eras of the protocol, nothing else on stdout, a quiet end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.end_to_end.clients import ERAS, NOWHERE, PYTHON, ask, environment, names, over_stdio, until_complete
from tests.recorded import needs_recorded
from tests.replay import Replay

TOOLS = [
    "list_documents",
    "search_all",
    "search_character_option",
    "search_creature",
    "search_equipment",
    "search_rule",
    "search_spell",
]
QUESTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("search_spell", {"search": "Fireball"}, "Fireball"),
    ("search_creature", {"search": "Adult Red Dragon"}, "Adult Red Dragon"),
    ("search_equipment", {"search": "Longsword", "type": "weapon"}, "Longsword"),
    ("search_character_option", {"search": "Wizard", "type": "class"}, "Wizard"),
    ("search_rule", {"search": "Grappled", "rule_type": "condition"}, "Grappled"),
    ("search_all", {"query": "Goblin"}, "Goblin"),
]


@pytest.mark.parametrize("mode", ERAS)
async def test_the_seven_tools_answer_with_nothing_but_the_embedded_srd(
    mode: Literal["auto", "legacy"], seeded: Path
) -> None:
    start = PYTHON if mode == "auto" else ()  # importing everything once more costs seconds
    async with over_stdio(seeded, NOWHERE, mode, start, LOREKEEPER_OFFLINE="true") as client:
        tools = await client.list_tools()
        assert sorted(tool.name for tool in tools) == TOOLS
        for tool, arguments, name in QUESTIONS:
            answer = await ask(client, tool, **arguments)
            assert names(answer)[0] == name
            assert answer["complete"] is False
            assert answer["cache"] == "offline"
            assert answer["documents"][0]["license"] == "CC-BY-4.0"
        assert (await ask(client, "list_documents"))["documents"][0]["document_key"] == "srd-2014"


@needs_recorded
@pytest.mark.parametrize("mode", ERAS)
async def test_the_seven_tools_answer_with_open5e_and_again_without_asking_it(
    mode: Literal["auto", "legacy"], replay: Replay, tmp_path: Path
) -> None:
    db = tmp_path / "own.db"
    narrow = {
        "search_spell": {"level": 3, "school": "evocation"},
        "search_creature": {"type": "dragon", "cr_min": 17},
        "search_all": {"content_types": ["Condition"]},
        "search_equipment": {"type": "weapon"},
    }
    before = {}
    async with over_stdio(db, replay.url, mode) as client:
        for tool, arguments, _ in QUESTIONS:
            question = {**arguments, **narrow.get(tool, {})}
            if tool == "search_all":
                question["query"] = "Grappled"
            before[tool] = (question, await until_complete(client, tool, **question))
        before["list_documents"] = ({}, await ask(client, "list_documents"))
    assert any(request["path"].startswith("/v2/") for request in replay.log())
    replay.reset()
    async with over_stdio(db, replay.url, mode) as client:
        for tool, (question, answer) in before.items():
            assert await ask(client, tool, **question) == answer
    assert replay.log() == []


@needs_recorded
async def test_the_cache_answers_when_open5e_is_down(filled: Path) -> None:
    async with over_stdio(filled, NOWHERE) as client:
        for tool, arguments, name in QUESTIONS:
            answer = await ask(client, tool, **arguments)
            assert names(answer)[0] == name
            assert answer["complete"] is True
            assert answer["cache"] == "fresh"


def started(db: Path, *arguments: str, **variables: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "lorekeeper_mcp", *arguments],
        env=environment(db, **variables),
        cwd=db.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def message(number: int, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


INITIALIZE = message(
    1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "raw", "version": "1"}
)
INITIALIZED = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'


def test_stdout_has_only_the_protocol_and_end_of_input_ends_the_process(seeded: Path) -> None:
    (seeded.parent / ".env").write_text("FASTMCP_PORT=abc\nFASTMCP_TRANSPORT=http\nLOREKEEPER_OFFLINE=maybe\n")
    process = started(seeded, LOREKEEPER_OFFLINE="true")
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(INITIALIZE + INITIALIZED)
    process.stdin.write(message(2, "tools/call", name="search_spell", arguments={"search": "a light in the dark"}))
    process.stdin.write(message(3, "tools/call", name="search_spell", arguments={"nonsense": True}))
    process.stdin.flush()
    replies = [json.loads(process.stdout.readline()) for _ in range(3)]
    assert {reply["id"] for reply in replies} == {1, 2, 3}
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    assert process.stdout.read() == b""
    noise = process.stderr.read().decode()
    assert "Traceback" not in noise
    assert len(noise) < 2000


CALL = b'{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": "search_spell", "arguments": %s}}\n'
MALFORMED = [
    CALL % (2, b'{"search": "\\ud800"}'),
    CALL % (3, b'{"search": %s%s}' % (b"[" * 300, b"]" * 300)),
    CALL % (4, b'{"search": %s%s}' % (b"[" * 30_000, b"]" * 30_000)),
    b'{"jsonrpc": "1.0", "id": 5, "method": "tools/list"}\n',
    b'{"id": 6, "method": "tools/list"}\n',
    b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": "x"}\n',
    b'{"jsonrpc": "2.0", "id": "8", "method": 8}\n',
    b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "search_spell\n',
]


def test_a_malformed_message_gets_an_error_where_its_id_can_be_read(seeded: Path) -> None:
    process = started(seeded, LOREKEEPER_OFFLINE="true")
    assert process.stdin and process.stdout
    process.stdin.write(INITIALIZE + INITIALIZED + b"nonsense\n" + b"".join(MALFORMED) + message(10, "tools/list"))
    process.stdin.flush()
    replies = [json.loads(process.stdout.readline()) for _ in range(len(MALFORMED) + 2)]
    assert {reply["id"] for reply in replies} == {1, 2, 3, 4, 5, 6, 7, "8", 9, 10}
    assert sum(reply.get("error", {}).get("code") in {-32600, -32700} for reply in replies) == len(MALFORMED)
    process.stdin.close()
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_process(number: signal.Signals, seeded: Path) -> None:
    process = started(seeded, LOREKEEPER_OFFLINE="true")
    assert process.stdin and process.stdout
    process.stdin.write(INITIALIZE)
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(number)
    assert process.wait(timeout=60) != 0


def test_a_wrong_setting_is_one_sentence(tmp_path: Path) -> None:
    process = started(tmp_path / "x.db", LOREKEEPER_CACHE_TTL_DAYS="soon")
    _, noise = process.communicate(timeout=30)
    assert process.returncode == 1
    assert noise.decode().count("\n") == 1
    assert "LOREKEEPER_CACHE_TTL_DAYS" in noise.decode()
