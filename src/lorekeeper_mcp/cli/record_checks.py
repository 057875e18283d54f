"""``doctor --data``: contradictions in the stored records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from lorekeeper_mcp.data_checks import Finding

_EXAMPLES = 5  # per check, unless all are requested


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
