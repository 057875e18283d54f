"""The benchmark of normalising runs and covers all endpoints of Open5e."""

from __future__ import annotations

from benchmarks.adapter_speed import measure

from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from tests.recorded import load, needs_recorded


@needs_recorded
def test_the_benchmark_normalises_records_of_every_endpoint() -> None:
    timing = measure(step=20)
    assert timing.records == sum(len(load(endpoint)[::20]) for endpoint in ADAPTERS)
    assert timing.normalising > 0 < timing.reading
