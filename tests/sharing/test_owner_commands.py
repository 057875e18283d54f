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
PID = 4242


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
        yield OwnerCard(PID, server.server_port, "token", "0.0", "shape")
        serving.join()


def test_progress_arrives_before_the_result() -> None:
    steps: list[Progress] = []
    progress = '{"progress":{"task":"Reading","done":1,"total":2}}'
    result = '{"result":{"text":"Fireball","structured":{"total":1},"exit_code":0}}'
    with owner_that_replies("{}", progress, "{}", result) as card:
        answer = ask(card, CALL, steps.append)
    assert steps == [Progress(task="Reading", done=1, total=2)]
    assert (answer.text, answer.structured, answer.exit_code) == ("Fireball", {"total": 1}, 0)


def test_a_fault_is_the_owners_sentence() -> None:
    with owner_that_replies('{"fault":"The disk is full."}') as card, pytest.raises(CommandError) as error:
        ask(card, CALL, lambda _: None)
    assert str(error.value) == "The disk is full."


def test_a_reply_of_another_version_is_a_sentence() -> None:
    with owner_that_replies('{"result":{"page":"Fireball"}}') as card, pytest.raises(CommandError) as error:
        ask(card, CALL, lambda _: None)
    assert str(error.value) == f"Process {PID} owns the cache and runs another version. Quit it first."


def test_an_owner_that_ends_before_the_result_is_gone() -> None:
    with owner_that_replies("{}") as card, pytest.raises(OwnerGoneError):
        ask(card, CALL, lambda _: None)
