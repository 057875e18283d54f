"""The benchmark of normalising runs and covers all that Open5e serves."""

from __future__ import annotations

from benchmarks.normalising import measure

from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from tests.recorded import load, needs_recorded


@needs_recorded
def test_the_benchmark_normalises_every_recorded_record() -> None:
    timing = measure()
    assert timing.records == sum(len(load(endpoint)) for endpoint in ADAPTERS)
    assert timing.normalising > 0 < timing.reading
