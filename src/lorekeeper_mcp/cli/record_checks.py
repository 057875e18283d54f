"""``doctor --data``: contradictions in the stored records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from lorekeeper_mcp.data_checks import Finding, findings
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.settings import Settings

_EXAMPLES = 5  # per check, unless all are requested


async def held_records(settings: Settings) -> list[Record]:
    """Yield every record in the cache, family by family."""
    from lorekeeper_mcp.store.cache import Cache  # noqa: PLC0415 - imports the store

    cache = await Cache.open(settings)
    try:
        return [
            record
            for family in Family
            for record in (await cache.records(list(cache.catalog.of(family).values()))).values()
        ]
    finally:
        await cache.aclose()


def all_suspects(records: Iterable[Record]) -> list[Finding]:
    """Return the findings in all records, sorted by check and record."""
    found = [suspect for record in records for suspect in findings(record)]
    return sorted(found, key=lambda suspect: (suspect.check, suspect.record, suspect.finding))


def told(found: Sequence[Finding], records: int, *, everything: bool) -> str:
    """Return the findings by check, the most frequent check last, so that a terminal shows the rare ones."""
    if not records:
        return "The cache is empty; run a search or sync first."
    counts = Counter(suspect.check for suspect in found)
    lines = []
    for check, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        shown = [suspect for suspect in found if suspect.check == check]
        lines.append(f"{check} ({count})")
        lines += [f"  {one.record}: {one.finding}" for one in (shown if everything else shown[:_EXAMPLES])]
        if count > _EXAMPLES and not everything:
            lines.append(f"  and {count - _EXAMPLES} more")
    lines.append(f"{len(found)} findings in {records} records.")
    return "\n".join(lines)


def as_json(found: Sequence[Finding], records: int) -> str:
    """Return all findings for JSON."""
    return json.dumps(
        {"records": records, "suspects": [asdict(suspect) for suspect in found]}, ensure_ascii=False, indent=2
    )
