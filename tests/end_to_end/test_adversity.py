"""A full disk, a read-only folder, a clock that jumped: a sentence, and the stored data."""

from __future__ import annotations

import asyncio
import functools
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from tests.end_to_end.clients import NOWHERE, ask, environment, in_process, refused, until_complete
from tests.forked_command import command_line
from tests.recorded import needs_recorded
from tests.replay import Replay

MOUNTED = 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"'


@functools.cache
def can_mount() -> bool:
    """Whether a file system of a few megabytes can be mounted here, for one process alone."""
    try:
        command = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


needs_mount = pytest.mark.skipif(not can_mount(), reason="no file system of its own can be mounted here")


def on_own_disk(size: str, folder: Path, scenario: str, url: str = "") -> list[dict[str, Any]]:
    """Run one of the scenarios below with ``folder`` on a disk of some size; return its results."""
    code = f"import asyncio, tests.end_to_end.test_adversity as t; asyncio.run(t.{scenario}({str(folder)!r}, {url!r}))"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", MOUNTED, "sh", size, str(folder), sys.executable, "-c", code],
        env=environment(folder / "x.db", url),
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def fill_up(folder: Path) -> None:
    """Write until the disk is full."""
    try:
        with (folder / "junk").open("wb") as file:
            while True:
                file.write(b"x" * 4096)
                file.flush()
    except OSError:
        return


def print_state(answer: dict[str, Any]) -> None:
    state = {name: answer[name] for name in ("total", "complete", "hint")}
    sys.stdout.write(json.dumps(state | {"first": [r["name"] for r in answer["results"][:1]]}) + "\n")


async def full_while_running(folder: str, url: str) -> None:
    db = Path(folder) / "x.db"
    async with in_process(db, url) as client:
        print_state(await until_complete(client, "search_spell", school="evocation"))
        fill_up(Path(folder))
        print_state(await ask(client, "search_spell", school="evocation"))
        while "still being fetched" in (unstored := await ask(client, "search_equipment", type="magic-item"))["hint"]:
            await asyncio.sleep(0.2)
        print_state(unstored)
    async with in_process(db, url) as client:
        print_state(await ask(client, "search_spell", school="evocation"))
        (Path(folder) / "junk").unlink()
        print_state(await until_complete(client, "search_equipment", type="magic-item"))


@pytest.mark.chaos
@needs_mount
@needs_recorded
def test_a_full_disk_loses_nothing_and_is_reported(tmp_path: Path, replay: Replay) -> None:
    before, after, refused, again, room = on_own_disk("96m", tmp_path, "full_while_running", replay.url)
    assert before["complete"] is after["complete"] is again["complete"] is True
    assert before["total"] == after["total"] == again["total"] > 200
    assert refused["complete"] is False
    assert "the disk is full" in refused["hint"]
    assert room["complete"] is True
    assert room["total"] > refused["total"]


async def full_during_sync(folder: str, url: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *command_line(),
        "sync",
        env=environment(Path(folder) / "x.db", url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await process.communicate()
    sys.stdout.write(json.dumps({"code": process.returncode, "out": out.decode(), "err": err.decode()}) + "\n")


@pytest.mark.chaos
@needs_mount
@needs_recorded
def test_a_sync_on_a_disk_too_small_says_what_is_missing_and_why(tmp_path: Path, replay: Replay) -> None:
    (done,) = on_own_disk("75m", tmp_path, "full_during_sync", replay.url)
    assert done["code"] == 1
    assert "spells" in done["out"]
    assert "Not fetched: v2/creatures" in done["err"]
    assert "the disk is full" in done["err"]
    assert "Milvus" not in done["err"]


async def full_from_the_start(folder: str, _: str) -> None:
    fill_up(Path(folder))
    async with in_process(Path(folder) / "x.db", offline=True) as client:
        print_state(await ask(client, "search_spell", search="Fireball"))


@needs_mount
def test_a_disk_full_from_the_start_is_replaced_by_a_temporary_store(tmp_path: Path) -> None:
    (answer,) = on_own_disk("1m", tmp_path, "full_from_the_start")
    assert answer["first"] == ["Fireball"]
    assert "temporary" in answer["hint"]


async def read_only(folder: str, _: str) -> None:
    async with in_process(Path(folder) / "x.db", offline=True) as client:
        print_state(await ask(client, "search_spell", search="Fireball"))
    for place in ("", "new/"):
        # An opening of Milvus that was under way has files open for a moment longer.
        command = ["sh", "-c", 'until mount -o remount,ro "$1" 2>&-; do sleep 0.2; done', "sh", folder]
        await asyncio.to_thread(subprocess.run, command, check=True, timeout=60)
        async with in_process(Path(folder) / f"{place}x.db", offline=True) as client:
            print_state(await ask(client, "search_spell", search="Fireball"))


@pytest.mark.chaos
@needs_mount
def test_a_folder_that_became_read_only_is_still_answered_from(tmp_path: Path) -> None:
    first, after, new = on_own_disk("96m", tmp_path, "read_only")
    assert first["first"] == after["first"] == new["first"] == ["Fireball"]
    assert "cannot be used" not in first["hint"]
    assert "cannot be used" in after["hint"]
    assert "cannot be used" in new["hint"]


@needs_recorded
async def test_after_the_clock_is_set_back_stored_data_is_served_and_refreshed(own: Path, replay: Replay) -> None:
    db = own
    async with in_process(db, replay.url) as client:
        before = await until_complete(client, "search_character_option", type="feat")
    cache = await Cache.open(load_settings(milvus_db_path=db))
    later = time.time() + 30 * 86_400
    ledger = await cache.ledger()
    await cache.note({id_: {**entry, "at": later} for id_, entry in ledger.items() if "at" in entry})
    await cache.aclose()
    replay.reset()
    async with in_process(db, replay.url) as client:
        stale = await ask(client, "search_character_option", type="feat")
        assert (stale["total"], stale["complete"], stale["cache"]) == (before["total"], True, "stale")
        for _ in range(100):
            answer = await ask(client, "search_character_option", type="feat")
            if answer["cache"] == "fresh":
                break
            await asyncio.sleep(0.1)
    assert (answer["total"], answer["cache"]) == (before["total"], "fresh")
    assert replay.log()


@pytest.mark.chaos
async def test_a_damaged_store_is_rebuilt_and_reported_in_one_sentence(own: Path) -> None:
    db = own
    async with in_process(db, offline=True) as client:
        before = await ask(client, "search_spell", school="evocation")
    largest = max(db.rglob("*.parquet"), key=lambda file: file.stat().st_size)
    largest.write_bytes(largest.read_bytes()[:1000])
    async with in_process(db, offline=True) as client:
        await ask(client, "search_spell", search="a light in the dark")  # opens Milvus, which finds the damage
        answer = await ask(client, "search_spell", school="evocation")
    assert answer["total"] == before["total"]
    assert "was damaged and has been quarantined as own.aside.db" in answer["hint"]
    async with in_process(db, offline=True) as client:
        assert "quarantined" not in (await ask(client, "search_spell", school="evocation"))["hint"]


async def test_an_unreachable_milvus_server_is_named(tmp_path: Path) -> None:
    async with in_process(tmp_path / "unused.db", offline=True, milvus_uri=NOWHERE) as client:
        sentence = await refused(client, "search_spell", search="Fireball")
    assert sentence == f"The Milvus server at {NOWHERE} does not answer."
    assert not (tmp_path / "unused.db").exists()
