"""Measures behavior under Open5e's faults: ``uv run python -m benchmarks.faults --recorded FOLDER [--calls N] [MODE]``.

For each fault, a new installation is started over stdio and asked for Fireball first and then for records that only
Open5e has: how long each takes, and whether an answer claims to be complete. With ``--calls`` that many calls follow on
one server while faults come and go: its memory, open files and threads, and whether everything is fetched at the end.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.request import Request, urlopen

from benchmarks.fill_times import replayed
from benchmarks.processes import OUR_COMMAND, Server, environment, served

MODES = (
    *("500", "503", "429", "html", "truncated", "drop", "slow", "malformed", "wrongshape", "empty", "shrunk", "gone"),
    *("nextself", "nextelsewhere", "oddrecords"),
)
Call = tuple[str, Mapping[str, object]]
FIRST: Call = ("search_spell", {"search": "Fireball"})
# Questions that cannot be answered before Open5e's lists are fetched.
ONLY_OPEN5E: tuple[Call, ...] = (
    ("search_spell", {"documents": ["deepm"]}),
    ("search_creature", {"documents": ["Tome of Beasts"], "cr": 5}),
    ("search_equipment", {"documents": ["a5e"], "rarity": "rare"}),
    ("search_character_option", {"type": "feat", "feat_type": "origin"}),
    ("search_rule", {"rule_type": "condition"}),
    ("search_all", {"query": "frost", "documents": ["srd-2014"]}),
)
_LISTS = ("/", "/v1/", "/v2/documents", "/v2/spells", "/v2/creatures", "/v2/feats", "/v2/magicitems", "/v2/search")
_DEAR_SHARE = 0.03  # of the calls
_ROUND = 100  # calls between two changes of the faults
_MAX_SECONDS = 600.0


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modes", nargs="*", metavar="MODE", help="faults; all without one")
    parser.add_argument("--recorded", type=Path, required=True, help="folder with recorded Open5e data")
    parser.add_argument("--calls", type=int, default=0, help="calls while faults come and go")
    options = parser.parse_args()
    with replayed(options.recorded) as url:
        if options.calls:
            endure(url, options.calls)
        else:
            for mode in options.modes or MODES:
                _tell(cold(url, mode))


def post(url: str, where: str, /, **body: object) -> None:
    """Send a setting to the replay server."""
    with urlopen(Request(f"{url}{where}", json.dumps(body).encode(), method="POST")):
        pass


def cold(url: str, mode: str) -> dict[str, object]:
    """A new installation under one fault: seconds of the first answer and of the slowest, and what is wrong."""
    post(url, "/__reset")
    post(url, "/__fault", mode=mode, seconds=30)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(OUR_COMMAND, environment(Path(folder) / "x.db", url)) as server,
    ):
        took, first = server.call(*FIRST)
        since_start, busy = server.age(), processor_seconds(server)
        again, _ = server.call(*FIRST)
        outcomes = [(call, *server.call(*call)) for call in ONLY_OPEN5E]
    results = first["results"]
    assert isinstance(results, list)
    return {
        "mode": mode,
        "first answer s": round(took / 1000, 2),
        "since the start s": round(since_start, 2),
        "of that processor s": round(busy, 2),
        "again s": round(again / 1000, 2),
        "slowest s": round(max(took for _, took, _ in outcomes) / 1000, 2),
        "Fireball first": bool(results) and results[0]["name"] == "Fireball",
        "wrongly complete": [call[0] for call, _, answer in [(FIRST, 0, first), *outcomes] if answer["complete"]],
    }


def endure(url: str, calls: int) -> None:
    """Make ``calls`` calls, four at a time, over stdio; then fetch everything, and name what could not be fetched."""
    rng = random.Random(13)
    variables = {"LOREKEEPER_ERROR_CACHE_TTL_SECONDS": "1", "LOREKEEPER_BACKGROUND_FILL": "true"}
    with (
        tempfile.TemporaryDirectory() as folder,
        served(OUR_COMMAND, environment(Path(folder) / "x.db", url, **variables)) as server,
    ):
        slowest = 0.0
        for number, batch in enumerate(_in_fours(_questions(rng, calls))):
            if number * 4 % _ROUND == 0:
                post(url, "/__reset")
                for _ in range(rng.randrange(3)):
                    fault = {"mode": rng.choice(MODES), "path": rng.choice(_LISTS), "times": rng.randrange(1, 8)}
                    post(url, "/__fault", seconds=0.5, **fault)
            slowest = max([slowest, *(took for took, _ in server.together(batch))])
            if number * 4 % (calls // 20) < 4:
                _tell({"calls": number * 4, **usage(server), "slowest s": round(slowest / 1000, 2)})
        post(url, "/__reset")
        _tell({"calls": calls, **usage(server), **_until_complete(server)})
        time.sleep(30)  # the fetched records are embedded
        _tell({"at rest": True, **usage(server)})


def processor_seconds(server: Server) -> float:
    """Seconds of processor time that a server has used, independent of other load on the machine."""
    numbers = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def usage(server: Server) -> dict[str, object]:
    """Resident megabytes, open files and threads of a server."""
    process = Path(f"/proc/{server.process.pid}")
    return {
        "MB": round(server.memory()),
        "files": len(list((process / "fd").iterdir())),
        "threads": len(list((process / "task").iterdir())),
        "processes": len((process / "task" / str(server.process.pid) / "children").read_text().split()),
    }


def _questions(rng: random.Random, count: int) -> Iterator[Call]:
    """Mostly filters and names, and some ranked questions: those take long and say little about faults."""
    cheap: list[Call] = [
        *ONLY_OPEN5E[:-1],
        ("search_spell", {"level": 3}),
        ("search_creature", {"cr": 5, "type": "dragon"}),
        ("search_equipment", {"search": "srd-2024_longsword"}),
        ("search_character_option", {"search": "Alert"}),
        ("search_rule", {"search": "gr*"}),
        ("list_documents", {}),
    ]
    dear: list[Call] = [
        ONLY_OPEN5E[-1],
        ("search_creature", {"search": "undead that drain life"}),
        ("search_all", {"query": "how does grappling work"}),
    ]
    for _ in range(count):
        tool, arguments = rng.choice(dear if rng.random() < _DEAR_SHARE else cheap)
        yield tool, {**arguments, **({} if tool == "list_documents" else {"limit": 3, "detail": "brief"})}


def _in_fours(calls: Iterable[Call]) -> Iterator[list[Call]]:
    iterator = iter(calls)
    while batch := list(itertools.islice(iterator, 4)):
        yield batch


def _until_complete(server: Server) -> dict[str, object]:
    """Seconds until nothing is missing after Open5e has recovered, and the hint if something still is."""
    start = time.perf_counter()
    while True:
        _, answer = server.call("search_all", {"query": "*", "limit": 1, "detail": "brief"})
        took = round(time.perf_counter() - start, 1)
        if answer["complete"] or took > _MAX_SECONDS:
            return {"complete": answer["complete"], "after s": took, "hint": answer["hint"]}
        time.sleep(1)


def _tell(figures: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
