"""``doctor``: what is wrong with what this machine holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from lorekeeper_mcp.data_checks import Finding, findings
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.settings import Settings

_EXAMPLES = 5  # of each check, where all of them are not asked for


async def held_records(settings: Settings) -> list[Record]:
    """Every record in the cache, family by family."""
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
    """What looks wrong in any of the records, by check and record."""
    found = [suspect for record in records for suspect in findings(record)]
    return sorted(found, key=lambda suspect: (suspect.check, suspect.record, suspect.finding))


def told(found: Sequence[Finding], records: int, *, everything: bool) -> str:
    """The suspects by check, the commonest check last, so that a terminal shows what is rare."""
    if not records:
        return "The cache holds nothing yet; ask for something first."
    counts = Counter(suspect.check for suspect in found)
    lines = []
    for check, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        shown = [suspect for suspect in found if suspect.check == check]
        lines.append(f"{check} ({count})")
        lines += [f"  {one.record}: {one.finding}" for one in (shown if everything else shown[:_EXAMPLES])]
        if count > _EXAMPLES and not everything:
            lines.append(f"  and {count - _EXAMPLES} more")
    lines.append(f"{len(found)} suspects in {records} records.")
    return "\n".join(lines)


def as_json(found: Sequence[Finding], records: int) -> str:
    """All suspects for a program."""
    return json.dumps(
        {"records": records, "suspects": [asdict(suspect) for suspect in found]}, ensure_ascii=False, indent=2
    )
