from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.end_to_end.clients import NOWHERE, environment
from tests.forked_command import command_line
from tests.owner_process import running_owner
from tests.recorded import needs_recorded
from tests.replay import Replay
from tests.served_open5e import load

# The command reacts to SIGINT even if these tests run as a background job, whose children ignore it. Not with
# ``preexec_fn``: a fork of a process that uses gRPC may be aborted before it becomes the command.
INTERRUPTIBLE = (
    "import runpy, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "runpy.run_module('lorekeeper_mcp', run_name='__main__', alter_sys=True)\n"
)
ENDPOINTS = {  # of version 2, by the kind of their records
    "spell": "spells",
    "creature": "creatures",
    "magic-item": "magicitems",
    "species": "species",
    "rule": "rules",
    "document": "documents",
    "size": "sizes",
}


def command(db: Path, url: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command_line(), *arguments],
        env=environment(db, url, **variables),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.chaos
@needs_recorded
def test_sync_fetches_everything_once_and_nothing_again(tmp_path: Path, replay: Replay) -> None:
    db = tmp_path / "x.db"
    part = command(db, replay.url, "sync", "feats", "--json")
    assert json.loads(part.stdout)["fetched"]["options"] == len(load("v2/feats")), part.stderr
    done = command(db, replay.url, "sync")
    assert done.returncode == 0, done.stderr
    assert "creatures" in done.stdout
    pages = Counter((request["path"], str(request["query"])) for request in replay.log())
    assert set(pages.values()) == {1}
    replay.reset()
    again = json.loads(command(db, replay.url, "sync", "--json").stdout)
    assert replay.log() == []
    assert again["complete"] is True
    assert set(again["fetched"].values()) == {0}
    status = json.loads(command(db, replay.url, "status", "--json").stdout)
    counts = {kind["kind"]: kind["by_source"].get("open5e_v2", 0) for kind in status["kinds"]}
    recorded = {kind: len({r["key"] for r in load(f"v2/{name}")}) for kind, name in ENDPOINTS.items()}
    assert {kind: counts[kind] for kind in recorded} == recorded
    assert counts["class"] + counts["subclass"] == len(load("v2/classes"))
    assert status["missing"] == []
    assert status["without_embedding"] == 0
    assert status["upstream_fault"] == ""
    doctor = command(db, replay.url, "doctor")
    assert doctor.returncode == 0
    assert "all of Open5e" in doctor.stdout


@pytest.mark.chaos
@needs_recorded
def test_an_interrupted_sync_keeps_fetched_data(own: Path, replay: Replay) -> None:
    db = own
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "sync"], env=environment(db, replay.url), stderr=subprocess.PIPE
    ) as process:
        while len(replay.log()) < 9:
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"the data stored so far is kept" in err
    assert b"Traceback" not in err
    before = len(replay.log())
    stored = json.loads(command(db, NOWHERE, "status", "--json", LOREKEEPER_OFFLINE="true").stdout)
    assert next(kind["by_source"]["open5e_v2"] for kind in stored["kinds"] if kind["kind"] == "spell") == len(
        load("v2/spells")
    )
    assert command(db, replay.url, "sync", "spells", "feats").returncode == 0
    spells = [request for request in replay.log()[before:] if request["path"] == "/v2/spells/"]
    assert spells == []


def test_lists_that_cannot_be_fetched_are_reported(own: Path, owned: Path) -> None:
    done = command(own, NOWHERE, "sync", "spells")
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    offline = command(owned, NOWHERE, "sync", "spells", "--json", LOREKEEPER_OFFLINE="true")
    assert offline.returncode == 1
    assert "OFFLINE" in json.loads(offline.stdout)["unanswered"][0]["why"]
    with running_owner(own, offline="false"):
        status = command(own, NOWHERE, "status")
        doctor = command(own, NOWHERE, "doctor", "--json")
    assert status.returncode == 0
    assert "cannot be reached" in status.stdout
    states = {check["what"]: check["state"] for check in json.loads(doctor.stdout)}
    assert (states["cache"], states["model"], states["Open5e"], states["records"]) == ("ok", "ok", "warning", "warning")


def test_a_sync_retries_at_once_what_has_just_failed(own: Path, replay: Replay) -> None:
    with running_owner(own, offline="false", url=replay.url):
        replay.fault("html")
        failed = command(own, replay.url, "sync", "feats")
        assert failed.returncode == 1
        assert "Not fetched: " in failed.stderr
        replay.reset()
        command(own, replay.url, "sync", "feats")
    assert "/v2/documents/" in {request["path"] for request in replay.log()}  # which feats need


@pytest.mark.parametrize("kind", ["nonsense", "spels"])
def test_an_unknown_kind_is_a_usage_error_that_names_the_nearest(tmp_path: Path, kind: str) -> None:
    done = command(tmp_path / "x.db", NOWHERE, "sync", kind)
    assert done.returncode == 2
    assert "Allowed values are" in " ".join(done.stderr.replace("│", " ").split())
