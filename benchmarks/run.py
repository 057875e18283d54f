"""Measures the whole program: ``uv run python -m benchmarks.run``; prints a table, with ``--json FILE`` writes JSON.

Everything is measured over stdio through the command that users start, beside yardsticks of the same run. If
``--recorded`` names a folder with recorded data and its replay server, all of Open5e is measured: the first fill of an
empty store, then answers from it. ``--store`` measures answers on an existing filled store. Results are in
``benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the server; set before numpy is imported

from benchmarks import answer_times, fill_times, growth, shared_store, start_times
from benchmarks.figures import Figure, Run, begin_run, show

PARTS = ("start", "embedded", "fill", "open5e", "sharing", "memory", "growth")


def main() -> None:
    """Read the command line, measure, show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all without one")
    parser.add_argument("--recorded", type=Path, help="folder with recorded Open5e data")
    parser.add_argument("--store", type=Path, help="a store that holds all of Open5e, instead of filling one")
    parser.add_argument("--times", type=int, default=5, help="how often each thing is measured")
    parser.add_argument("--calls", type=int, default=10_000, help="calls over which memory is watched")
    parser.add_argument("--records", type=int, default=100_000, help="synthetic records in the larger store")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    run = begin_run()
    try:
        measure(run, options)
    finally:  # figures measured before an interruption are shown, too
        show(run)
        if options.json:
            options.json.write_text(json.dumps(asdict(run), indent=2), encoding="utf-8")


def measure(run: Run, options: argparse.Namespace) -> None:
    """Measure the selected parts, in an order in which each finds what it needs."""
    parts = set(options.parts or PARTS)

    def keep(figures: Iterable[Figure]) -> list[Figure]:
        kept = []
        for figure in figures:
            beside = f" ({figure.ratio:.2f} of {figure.against})" if figure.ratio is not None else ""
            sys.stderr.write(f"{figure.name}: {figure.measured:.2f} {figure.unit}{beside}\n")
            run.figures.append(figure)
            kept.append(figure)
        return kept

    with tempfile.TemporaryDirectory() as folder:
        seeded, filled = Path(folder) / "seeded.db", options.store or Path(folder) / "filled.db"
        bare = keep(start_times.measure(seeded, options.times))[1].yardstick or 0.0
        if "embedded" in parts:
            keep([fill_times.first_start(seeded)])
            keep(answer_times.measure(seeded, "embedded SRD", bare, options.times))
        if "fill" in parts and options.recorded and not options.store:
            keep(fill_times.measure(filled, options.recorded))
        if filled.exists() and "open5e" in parts:
            keep(answer_times.measure(filled, "all of Open5e", bare, options.times))
        if filled.exists() and "sharing" in parts:
            keep(shared_store.measure(filled, options.times))
        if filled.exists() and "memory" in parts:
            keep(answer_times.growth_of_memory(filled, options.calls))
        if "growth" in parts:
            keep(growth.measure(Path(folder), options.records, options.times))


if __name__ == "__main__":
    main()
