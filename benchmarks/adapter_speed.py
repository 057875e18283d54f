"""Measures how long it takes to make records of all of Open5e, compared with parsing the same JSON.

Run it from the repository with the recorded data in place: ``uv run python -m benchmarks.adapter_speed``
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from tests.recorded import FOLDER

from lorekeeper_mcp.models import Document, Equipment, Record
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS


@dataclass(frozen=True)
class Timing:
    """Seconds for parsing the JSON of all endpoints and for making records of it, corrections included."""

    records: int
    megabytes: float
    reading: float
    normalising: float

    @property
    def ratio(self) -> float:
        """The time to make records divided by that of parsing."""
        return self.normalising / self.reading


def measure(step: int = 1) -> Timing:
    """Parse every recorded record, and normalise every ``step``-th one.

    Caches are the same as in a running server.
    """
    served = {path: gzip.decompress((FOLDER / "snapshot" / f"{path}.json.gz").read_bytes()) for path in ADAPTERS}
    start = time.perf_counter()
    parsed = {path: json.loads(data) for path, data in served.items()}
    parse_end = time.perf_counter()
    records = normalised(parsed, step)
    done = time.perf_counter()
    return Timing(len(records), sum(map(len, served.values())) / 1e6, parse_end - start, done - parse_end)


def normalised(parsed: Mapping[str, list[object]], step: int) -> list[Record]:
    """Every ``step``-th record of each endpoint; first all documents and items, to which others refer."""
    documents = {
        r.key: r
        for document in parsed["v2/documents"]
        if isinstance(r := to_record("v2/documents", document, Context({})), Document)
    }
    context = Context(documents)
    items = {
        r.key: r for item in parsed["v2/items"] if isinstance(r := to_record("v2/items", item, context), Equipment)
    }
    context = Context(documents, items)
    return [to_record(path, record, context) for path, served in parsed.items() for record in served[::step]]


def main() -> None:
    """Print one line of figures."""
    timing = measure()
    print(
        f"{timing.records:,} records of {timing.megabytes:.1f} MB: {timing.normalising:.2f} s, "
        f"{timing.ratio:.1f} times reading the JSON ({timing.reading:.2f} s)"
    )


if __name__ == "__main__":
    main()
