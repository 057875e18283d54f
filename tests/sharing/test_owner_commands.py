"""A command's side of the connection to the owner."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from lorekeeper_mcp.sharing.command import CommandError, Progress
from lorekeeper_mcp.sharing.lookup_command import Lookup
from lorekeeper_mcp.sharing.owner import LOOPBACK, OwnerCard, OwnerGoneError, ask

CALL = Lookup(tool="search_spell", arguments={"level": 3})


@contextmanager
def owner_that_replies(*lines: str) -> Iterator[OwnerCard]:
    class Reply(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write("".join(f"{line}\n" for line in lines).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer((LOOPBACK, 0), Reply) as server:
        serving = threading.Thread(target=server.handle_request)
        serving.start()
        yield OwnerCard(4242, server.server_port, "token", "0.0", "shape")
        serving.join()


def test_progress_arrives_before_the_result() -> None:
    steps: list[Progress] = []
    progress = '{"progress":{"task":"Reading","done":1,"total":2}}'
    result = '{"result":{"text":"Fireball","structured":{"total":1},"exit_code":0}}'
    with owner_that_replies("{}", progress, "{}", result) as card:
        answer = ask(card, CALL, steps.append)
    assert steps == [Progress(task="Reading", done=1, total=2)]
    assert (answer.text, answer.structured, answer.exit_code) == ("Fireball", {"total": 1}, 0)


@pytest.mark.parametrize(
    ("reply", "error", "sentence"),
    [
        ('{"fault":"The disk is full."}', CommandError, "The disk is full."),
        (
            '{"result":{"page":""}}',
            CommandError,
            "Process 4242 owns the cache and runs another version. Quit it first.",
        ),
        ("{}", OwnerGoneError, "The process that owns the cache ended."),
    ],
)
def test_a_command_without_a_result_ends_with_a_sentence(reply: str, error: type[Exception], sentence: str) -> None:
    with owner_that_replies(reply) as card, pytest.raises(error) as raised:
        ask(card, CALL, lambda _: None)
    assert str(raised.value) == sentence
