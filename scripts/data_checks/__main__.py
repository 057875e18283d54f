"""Lists the contradictions in the stored records, for us who keep the sources right.

uv run python -m scripts.data_checks [--all] [--json]

The store is the one in the settings; nothing is fetched. Stop the servers that use it first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from scripts.data_checks import Finding, findings

from lorekeeper_mcp.runtime import configure_environment
from lorekeeper_mcp.settings import load_settings

FEW = 5  # findings of a check, unless all are requested


async def check() -> tuple[int, list[Finding]]:
    """Return the number of stored records, and what looks wrong in them."""
    from lorekeeper_mcp.repository.repository import Repository  # noqa: PLC0415 - after the environment is settled

    repository = await Repository.open(load_settings(offline=True))
    await repository.load()
    try:
        records = await repository.cache.records(repository.entries())
    finally:
        await repository.aclose()
    found = [finding for record in records.values() for finding in findings(record)]
    return len(records), sorted(found, key=lambda finding: (finding.check, finding.record, finding.message))


def report(found: Sequence[Finding], records: int, most: int) -> str:
    """The findings by check, the most frequent check first."""
    lines = []
    for name, count in sorted(
        Counter(finding.check for finding in found).items(), key=lambda item: (-item[1], item[0])
    ):
        shown = [finding for finding in found if finding.check == name][:most]
        lines += [f"{name} ({count})", *(f"  {finding.record}: {finding.message}" for finding in shown)]
        lines += [f"  and {count - most} more"] if count > most else []
    return "\n".join([*lines, f"{len(found)} findings in {records} records."])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="list every finding")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    options = parser.parse_args()
    configure_environment()
    count, all_findings = asyncio.run(check())
    if options.json:
        print(json.dumps({"records": count, "findings": [asdict(finding) for finding in all_findings]}, indent=1))
    else:
        print(report(all_findings, count, len(all_findings) if options.all else FEW))
