"""Hostile files imported into a running server under load: it answers all the same, and each file gets a sentence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastmcp import Client

from tests.end_to_end.clients import PYTHON, over_stdio
from tests.end_to_end.homebrew_commands import command, report_of
from tests.end_to_end.hostile_files import write

_CALLS = (
    ("search_spell", {"search": "Fireball"}),
    ("search_creature", {"type": "undead", "cr": 5}),
    ("search_all", {"query": "what does light weigh?"}),
    ("search_all", {"query": "*a*a*a*a*a*a*b"}),
    ("list_documents", {}),
)
_SECONDS = 7.0
_MEGABYTES = 700


async def _under_load(client: Client, until: asyncio.Future[object]) -> list[tuple[float, str]]:
    """Call one tool after the other; the seconds that each call took."""
    times = []
    number = 0
    while not until.done():
        tool, arguments = _CALLS[number % len(_CALLS)]
        begun = time.monotonic()
        answer = await client.call_tool(tool, arguments, raise_on_error=False)
        times.append((time.monotonic() - begun, f"{tool} {arguments}: {answer.is_error}"))
        number += 1
        await asyncio.sleep(0.05)
    return times


def _memory(db: Path) -> Iterator[int]:
    """The most memory that each process of the store has used, in MB."""
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and str(db).encode() in (process / "environ").read_bytes():
                lines = (process / "status").read_text().splitlines()
                yield from (int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))
        except OSError:
            continue  # it has ended, or is another user's


@pytest.mark.chaos
@pytest.mark.timeout(1800)
@pytest.mark.asyncio
async def test_hostile_files_stop_no_server(own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    files = write(folder)
    assert len(files) >= 60
    slow: list[str] = []
    mute: list[str] = []
    most = 0
    async with over_stdio(own, start=PYTHON, LOREKEEPER_OFFLINE="true") as client:
        for tool, arguments in _CALLS:  # loads the model
            await client.call_tool(tool, arguments)
        for name in files:
            importing = asyncio.ensure_future(asyncio.to_thread(command, own, "import", "--json", str(folder / name)))
            times = await _under_load(client, importing)
            slow += [f"{name}: {seconds:.1f} s, {call}" for seconds, call in times if seconds > _SECONDS]
            most = max(most, *_memory(own))
            done = await importing
            reports = report_of(done)["files"]
            said = [report["fault"] or report["rows"] or report["skips"] for report in reports]
            if b"Traceback" in done.stderr or not said or not all(said):
                mute.append(f"{name}: {done.stdout[:300]!r} {done.stderr[-300:]!r}")
            print(name, f"{max(seconds for seconds, _ in times):.1f} s", f"{most} MB", str(said[:1])[:150], flush=True)
    assert slow == []
    assert mute == []
    assert most < _MEGABYTES
